/**
 * Something is not all there, such as an operation that is not finished: each line of the message says
 * what is missing and what to do. It is for whoever can add it, so it is shown without a stack.
 */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';

  constructor(missing: readonly string[]) {
    super(missing.join('\n'));
  }
}
