/** The file in which a mock in the background announces its address when it listens. */
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRunning } from '../../spec/base/is-running.ts';
import { isObject, parseJson } from '../../spec/base/json.ts';
import { ifThere, inWords, NotThere, Refused } from '../../spec/base/refused.ts';
import { version } from '../../spec/base/version.ts';
import { checkHealth } from './mock-client.ts';

/** The JSON of a ready file. It never holds a token of the control API. */
export interface Ready {
  readonly name: 'lockstep';
  readonly version: string;
  /** Process that serves. */
  readonly pid: number;
  /** Origin to call, without a slash at its end. */
  readonly baseUrl: string;
  /** File of the authority to trust, under --tls. */
  readonly ca?: string | undefined;
  /** The default world and its credentials. */
  readonly world: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Makes sure, before the mock listens, that the file can be written later. It may replace only an empty
 * file, or the file of a mock that no longer serves. Rejects with Refused.
 */
export async function checkReadyFile(file: string): Promise<void> {
  const ready = attempt(file, () => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      throw new Refused(`--ready-file ${file}: this is not a file; name one to be made`);
    }
    const left = found === undefined ? undefined : readReadyFile(file);
    const probe = temporary(file);
    create(probe, '');
    rmSync(probe);
    return left;
  });
  if (ready === undefined || !isRunning(ready.pid) || !(await serves(ready))) return;
  throw new Refused(
    `--ready-file ${file}: the mock at ${ready.baseUrl} (process ${ready.pid}) still serves; end it first, or name another file`,
  );
}

/**
 * Another process may have the id of a killed mock, so a process counts as a mock only if it
 * answers.
 */
async function serves({ baseUrl, ca }: Pick<Ready, 'baseUrl' | 'ca'>): Promise<boolean> {
  return checkHealth({ baseUrl, ca }).then(
    () => true,
    (error: unknown) => !(error instanceof NotThere),
  );
}

/** Writes the whole file or nothing. The result removes the file, if it is still the same. */
export function writeReadyFile(
  file: string,
  content: Omit<Ready, 'name' | 'version' | 'pid'>,
): () => void {
  const ready: Ready = { name: 'lockstep', version, pid: process.pid, ...content };
  const text = `${JSON.stringify(ready, null, 2)}\n`;
  attempt(file, () => {
    create(temporary(file), text);
    renameSync(temporary(file), file);
  });
  return () => {
    if (readIfThere(file) === text) rmSync(file, { force: true });
  };
}

/** Reads a ready file; undefined while it does not exist or is empty. Throws Refused. */
export function readReadyFile(file: string): Pick<Ready, 'pid' | 'baseUrl' | 'ca'> | undefined {
  const text = attempt(file, () => readIfThere(file));
  if (text === undefined || text.trim() === '') return undefined;
  const value = parseJson(text);
  if (!isObject(value) || value.name !== 'lockstep') {
    throw new Refused(`--ready-file ${file}: a lockstep mock has not written this file`);
  }
  const { pid, baseUrl, ca } = value;
  if (
    typeof pid !== 'number' ||
    typeof baseUrl !== 'string' ||
    !(ca === undefined || typeof ca === 'string')
  ) {
    throw new Refused(
      `--ready-file ${file}: pid, baseUrl or ca does not have the form that a mock writes`,
    );
  }
  return { pid, baseUrl, ca };
}

/** In the same folder, because a rename is atomic only within one file system. */
function temporary(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

/** Creates a new file, and does not follow a link that another program creates meanwhile. */
function create(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { flag: 'wx' });
}

function readIfThere(file: string): string | undefined {
  return ifThere(() => readFileSync(file, 'utf8'));
}

/** Runs an action on the file; an error of the system becomes a line with the remedy. */
function attempt<Result>(file: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    const hasNoFolder = ['ENOENT', 'ENOTDIR'].includes(code);
    const noFolder = `there is no folder ${dirname(file)}; make it first`;
    throw new Refused(`--ready-file ${file}: ${hasNoFolder ? noFolder : inWords(error)}`);
  }
}
