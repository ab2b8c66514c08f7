/**
 * Allows one run at a time on a tenant, for all folders of this machine. Two runs that write at once
 * would take each other's changes for the tenant's own.
 */

import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../spec/base/json.ts';
import { ifThere } from '../../spec/base/refused.ts';
import { Unsafe } from '../target/guard.ts';
import { claim, isAlive, type LedgerHeader, ledgerName, rivalsIn, thisProcess } from './ledger.ts';

type Holder = Pick<LedgerHeader, 'runId' | 'pid' | 'born'> & { readonly folder: string };

/** The folder in which the runs of this user on this machine keep their locks. */
const usualPlace = (): string => join(tmpdir(), `lockstep-runs-${process.getuid?.() ?? 'user'}`);

/**
 * Takes the lock; the returned function releases it. `folder` has the run's ledger, for the message that
 * another run gets. Throws Unsafe.
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
    // The check comes after our own lock exists: if two runs start at once, at least one sees the other.
    for (const other of rivalsIn(place, baseUrl)) if (other !== file) clear(other, baseUrl);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** Throws Unsafe if the folder belongs to another user, who could alter the locks. */
function makeOwn(place: string): void {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const about = lstatSync(place);
  const own = process.getuid === undefined || about.uid === process.getuid();
  const alone = process.getuid === undefined || (about.mode & 0o022) === 0;
  if (about.isDirectory() && own && alone) return;
  throw new Unsafe(`${place} is not a folder of this user alone: set TMPDIR to one that is`);
}

/** Removes the lock of a run that was killed. Throws Unsafe if that run goes on. */
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
