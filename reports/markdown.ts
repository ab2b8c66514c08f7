/** Escapes text from elsewhere (a target, a report, a description) for a Markdown file. */

import { visible } from '../spec/base/visible.ts';
import { cut } from './text.ts';

/** Text that means nothing in Markdown or HTML, and mentions nobody. */
export function text(value: string): string {
  return visible(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#!]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u2060');
}

/** A sentence of ours; text between backticks becomes code. */
export function prose(value: string): string {
  const parts = value.split('`');
  // An odd number of backticks cannot be paired: no part becomes code.
  if (parts.length % 2 === 0) return text(value);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : text(part))).join('');
}

/** A code span, in which nothing but its own fence means anything; the fence is longer than any. */
export function code(value: string): string {
  const inner = cut(visible(value), 500);
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(inner) ? ' ' : '';
  return `${fence}${space}${inner}${space}${fence}`;
}
