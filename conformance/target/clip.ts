/** Values as a report shows them. */

import type { Redactor } from '../../spec/base/redactor.ts';

const mostCharacters = 2000;

/** Keeps reports readable: what is too long is cut, with its length. */
export function clip(redactor: Redactor, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return 'absent';
  // A copy, as a part of a text would keep the whole answer in memory.
  if (text.length <= mostCharacters) return JSON.parse(text);
  // Redacted before it is cut: half a secret would not be found again.
  return `${redactor.text(text).slice(0, mostCharacters)}... (${text.length} characters)`;
}
