/** A change of a row in words. */
import { equal } from '../../spec/base/json.ts';
import type { Change } from '../world/changes.ts';
import { inline } from './describe-requests.ts';

/** A change in words: `folders 11 changed: name "Finance" -> "Budget"`. */
export function lineOf(change: Change): string {
  return `${change.table} ${change.key} ${describeChange(change)}`;
}

/** What became of a row. */
export function describeChange({ before, after }: Change): string {
  if (after === undefined) return 'was removed';
  if (before === undefined) return `was added: ${inline(after)}`;
  const was = before as Record<string, unknown>;
  const fields = Object.entries(after)
    .filter(([name, value]) => !equal(value, was[name]))
    .map(([name, value]) => `${name} ${inline(was[name])} -> ${inline(value)}`);
  return `changed: ${fields.join(', ')}`;
}
