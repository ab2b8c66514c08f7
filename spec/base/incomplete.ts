/**
 * An operation is not finished: each line of the message says what is missing, in which file, and
 * what to write. It is for whoever adds the operation, so it is shown without a stack.
 */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';

  constructor(missing: readonly string[]) {
    super(missing.join('\n'));
  }
}
