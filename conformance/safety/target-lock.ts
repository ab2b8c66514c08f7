/**
 * One run at a time on a tenant, from whichever folder it is started on this machine: two that write
 * at once would take each other's changes for the tenant's own.
 */

import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../spec/base/json.ts';
import { ifThere } from '../../spec/base/refused.ts';
import { Unsafe } from '../target/guard.ts';
import { claim, isAlive, type LedgerHeader, ledgerName, rivalsIn, thisProcess } from './ledger.ts';

type Holder = Pick<LedgerHeader, 'runId' | 'pid' | 'born'> & { readonly folder: string };

/** Where the runs of this user on this machine keep apart. */
const usualPlace = (): string => join(tmpdir(), `lockstep-runs-${process.getuid?.() ?? 'user'}`);

/**
 * Takes the lock; the function that is given lets go of it. `folder` is that of the run's ledger, for
 * the message that another run gets. Throws Unsafe.
 */
export function lockTarget(
  run: Pick<LedgerHeader, 'baseUrl' | 'runId'>,
  folder: string,
  place: string = usualPlace(),
): () => void {
  const { baseUrl, runId } = run;
  makeOwn(place);
  const file = join(place, ledgerName(baseUrl));
  const release = (): void => rmSync(file, { force: true });
  const holder: Holder = { runId, ...thisProcess(), folder };
  for (let attempt = 0; !claim(file, JSON.stringify(holder)); attempt++) {
    if (attempt > 2) throw new Unsafe(`another run has just taken ${file}`);
    clear(file, baseUrl);
  }
  try {
    // Looked at after the own lock stands: of two that come at once, at least one sees the other.
    for (const other of rivalsIn(place, baseUrl)) if (other !== file) clear(other, baseUrl);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** Throws Unsafe where the folder is another user's, who could say that a run is over or goes on. */
function makeOwn(place: string): void {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const about = lstatSync(place);
  const own = process.getuid === undefined || about.uid === process.getuid();
  const alone = process.getuid === undefined || (about.mode & 0o022) === 0;
  if (about.isDirectory() && own && alone) return;
  throw new Unsafe(`${place} is not a folder of this user alone: set TMPDIR to one that is`);
}

/** Removes the lock of a run that was killed. Throws Unsafe where it goes on. */
function clear(file: string, baseUrl: string): void {
  const text = ifThere(() => readFileSync(file, 'utf8'));
  const other = parseJson(text) as Holder | undefined;
  if (other !== undefined && isAlive(other)) {
    throw new Unsafe(
      `another run (${other.runId}, process ${other.pid}, with the ledger ${other.folder}) works on ${baseUrl}`,
    );
  }
  rmSync(file, { force: true });
}
