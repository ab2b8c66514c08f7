/** Names that a request to the control API may use. */
import { insteadOf } from '../misfits.ts';
import { AdminError } from './admin.ts';

/** Throws an AdminError for the first name that is not known, with the one that it is near to. */
export function checkNames(
  names: Iterable<string>,
  known: readonly string[],
  what: 'criterion' | 'field' | 'query parameter',
): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new AdminError(400, `The ${what} ${name} is not known${insteadOf(name, known)}`);
  }
}
