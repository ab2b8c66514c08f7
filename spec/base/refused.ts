import { readFileSync, realpathSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, resolve, sep } from 'node:path';

/** A request of the user cannot be carried out, and the message says why. Any other error is a defect. */
export class Refused extends Error {}

/** The request is right, but cannot be carried out now: waiting may help. */
export class NotThere extends Error {}

/** The system's errors about files, in words. */
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

/** An error in words, without the path: the system's error about a file, or the error's own message. */
export function inWords(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const at = message.indexOf(`${code}: `);
  const words = SYSTEM_WORDS[code];
  return words === undefined || at === -1 ? message : `${message.slice(0, at)}${words}`;
}

/** An error in words, after its path, unless its message has a path already. */
export function inWordsWithPath(error: unknown): string {
  const { code = '', message, path } = error as NodeJS.ErrnoException;
  const bare = path !== undefined && code !== '' && message.startsWith(code);
  return `${bare ? `${path}: ` : ''}${inWords(error)}`;
}

/**
 * Throws Refused if a file is a device or a named pipe, or a link to one, because reading it might fill the
 * memory or wait for ever. The pipes that a shell makes, such as `/dev/fd/63`, are read.
 */
export function mustEnd(file: string): void {
  const about = statSync(file, { throwIfNoEntry: false });
  if (about?.isCharacterDevice() === true && realpathSync(file) !== devNull)
    throw new Refused(`${file} is a device, not a file`);
  if (about?.isFIFO() === true && !/^\/(dev|proc)\//.test(file))
    throw new Refused(`${file} is a pipe, not a file`);
}

/**
 * Throws Refused if a file is a link that leads out of a folder. A pull request could add a link to a file
 * of secrets, and an error would show its text. Links within the folder are followed: Kubernetes makes them.
 */
export function mustStay(file: string, folder = dirname(file)): void {
  if (ifThere(() => leadsOut(file, folder)) === true)
    throw new Refused(`${file} is a link that leads out of ${resolve(folder)}: copy the file`);
}

/** Whether a file is a link that leads out of a folder. Throws if one of the two does not exist. */
export function leadsOut(file: string, folder: string): boolean {
  return !realpathSync(file).startsWith(realpathSync(folder) + sep);
}

/** The text of a file that the user named. Throws Refused if it cannot be read. */
export function readText(file: string): string {
  mustEnd(file);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refused(`${file}: ${inWords(error)}`);
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
