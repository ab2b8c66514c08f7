import { readFileSync } from 'node:fs';

/** What somebody asked for cannot be done: the message says why. Anything else thrown is a defect. */
export class Refused extends Error {}

/** Nothing is wrong with what was asked for, but with the moment: to wait may help. */
export class NotThere extends Error {}

/** What the system says of files, for people. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'a part of this path is not a folder',
  EEXIST: 'this exists already',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
  ELOOP: 'this is a link that leads to itself',
  ENAMETOOLONG: 'this name is too long',
};

/** An error in words, without the path: that of the system about a file, or its own message. */
export function inWords(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const at = message.indexOf(`${code}: `);
  const words = SYSTEM_WORDS[code];
  return words === undefined || at === -1 ? message : `${message.slice(0, at)}${words}`;
}

/** The same, after the path that the error is about, unless its message says one already. */
export function inWordsWithPath(error: unknown): string {
  const { code = '', message, path } = error as NodeJS.ErrnoException;
  const bare = path !== undefined && code !== '' && message.startsWith(code);
  return `${bare ? `${path}: ` : ''}${inWords(error)}`;
}

/** The text of a file that somebody named. Throws Refused where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refused(`${file}: ${inWords(error)}`);
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
