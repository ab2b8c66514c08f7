import { readFileSync } from 'node:fs';

/** A request of the user cannot be carried out, and the message says why. Any other error is a defect. */
export class Refused extends Error {}

/** The request is right, but cannot be carried out now: waiting may help. */
export class NotThere extends Error {}

/** The text of a file that the user named. Throws Refused if it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refused(`${file}: ${(error as Error).message}`);
  }
}

/** The result of reading a file; undefined if the file does not exist. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Something is incomplete, such as an operation that is not finished. Each line of the message says what is
 * missing and what to do. It is shown without a stack, because the reader can add the missing part.
 */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';

  constructor(missing: readonly string[]) {
    super(missing.join('\n'));
  }
}
