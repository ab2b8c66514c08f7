/**
 * One run at a time on a tenant, from whichever folder it is started on this machine: two that write
 * at once would take each other's changes for the tenant's own.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unsafe } from '../target/guard.ts';
import { bornAt, isAlive, type LedgerHeader, ledgerName } from './ledger.ts';

type Holder = Pick<LedgerHeader, 'runId' | 'pid' | 'born'> & { readonly folder: string };

/** Where the runs of this user on this machine keep apart. */
const usualPlace = (): string => join(tmpdir(), `lockstep-runs-${process.getuid?.() ?? 'user'}`);

/** Takes the lock; the function that is given lets go of it. Throws Unsafe. */
export function lockTarget(
  baseUrl: string,
  runId: string,
  folder: string,
  place: string = usualPlace(),
): () => void {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const file = join(place, ledgerName(baseUrl));
  const holder: Holder = { runId, pid: process.pid, born: bornAt(process.pid), folder };
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) throw error;
      const other = readHolder(file);
      if (other !== undefined && isAlive(other)) {
        throw new Unsafe(
          `another run (${other.runId}, process ${other.pid}, with the ledger ${other.folder}) works on ${baseUrl}`,
        );
      }
      // A run that was killed has left it.
      rmSync(file, { force: true });
    }
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
