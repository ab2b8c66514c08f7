import { readFileSync } from 'node:fs';

/** What somebody asked for cannot be done: the message says why. Anything else thrown is a defect. */
export class Refused extends Error {}

/** Nothing is wrong with what was asked for, but with the moment: to wait may help. */
export class NotThere extends Error {}

/** The text of a file that somebody named. Throws Refused where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refused(`${file}: ${(error as Error).message}`);
  }
}

/** What is read from a file; undefined where there is none. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

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
