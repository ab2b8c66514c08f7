import { readFileSync } from 'node:fs';

/** What somebody asked for cannot be done: the message says why. Anything else thrown is a defect. */
export class Refused extends Error {}

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
