/**
 * The ledger: what a run is about to write, on disk before it is written, so that `undo` can
 * finish after a kill -9. One file per target, which is also the lock between two runs.
 *
 * Lines of JSON: a header, then `write` before each write (with the value before the first one),
 * and `restored` when an object is as it was. Secrets never stand in it.
 */

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../spec/base/json.ts';
import { Unsafe } from '../target/guard.ts';
import { isLoopback } from '../target/target.ts';

export interface LedgerHeader {
  readonly kind: 'run';
  readonly runId: string;
  readonly baseUrl: string;
  /** Absolute path of the tenant file, for `undo`. */
  readonly tenantFile: string | undefined;
  readonly startedAt: string;
  readonly pid: number;
  /** Start of the process in clock ticks, where the system tells: a pid alone may be reused. */
  readonly born: string | undefined;
}

export interface LedgerWrite {
  readonly kind: 'write';
  readonly key: string;
  /** For people. */
  readonly object: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** What stood there before the run's first write to it; null where it could not be read. */
  readonly before: unknown;
  /** What this write sends. */
  readonly sent: unknown;
  /** permanent writes are listed by `undo` and cannot be taken back. */
  readonly effect: string;
}

type LedgerLine =
  | LedgerHeader
  | LedgerWrite
  /** What the answer to a write showed of the object; it may not be what was sent. */
  | { readonly kind: 'seen'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'restored'; readonly key: string };

export interface OpenObject {
  readonly first: LedgerWrite;
  /** Every body that the run sent to the object. */
  readonly sent: readonly unknown[];
  /** What the answers to them showed. */
  readonly seen: readonly unknown[];
}

export class Ledger {
  readonly file: string;
  readonly #descriptor: number;
  readonly #release: () => void;

  private constructor(file: string, descriptor: number, release: () => void) {
    this.file = file;
    this.#descriptor = descriptor;
    this.#release = release;
  }

  /**
   * Opens the ledger of a target, alone. Throws Unsafe where another run holds it, and where an
   * earlier run left something to put back. `release` is called when it is closed.
   */
  static open(
    folder: string,
    header: Omit<LedgerHeader, 'kind' | 'pid' | 'born'>,
    release: () => void = () => {},
  ): Ledger {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, ledgerName(header.baseUrl));
    if (existsSync(file)) {
      const left = readLedger(file);
      if (left.header !== undefined && isAlive(left.header)) {
        throw new Unsafe(
          `another run (${left.header.runId}, process ${left.header.pid}) holds ${file}`,
        );
      }
      if (left.open.length > 0) {
        const names = left.open.map((item) => item.first.object).join(', ');
        throw new Unsafe(`an interrupted run left ${names}; run \`lockstep undo\` first (${file})`);
      }
      rmSync(file, { force: true });
    }
    // Written aside and linked into place: the file is never seen without its header.
    const aside = `${file}.${process.pid}`;
    const descriptor = openSync(aside, 'wx', 0o600);
    const ledger = new Ledger(file, descriptor, release);
    ledger.#append({ ...header, kind: 'run', pid: process.pid, born: bornAt(process.pid) });
    try {
      linkSync(aside, file);
    } catch (error) {
      closeSync(descriptor);
      throw (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? new Unsafe(`another run has just taken ${file}`)
        : error;
    } finally {
      rmSync(aside, { force: true });
    }
    return ledger;
  }

  /** Must return before the write is sent. */
  write(entry: Omit<LedgerWrite, 'kind'>): void {
    this.#append({ kind: 'write', ...entry });
  }

  seen(key: string, value: unknown): void {
    this.#append({ kind: 'seen', key, value });
  }

  restored(key: string): void {
    this.#append({ kind: 'restored', key });
  }

  /** Ends the run: the file goes, unless something is still to be put back. */
  close(): void {
    closeSync(this.#descriptor);
    const left = readLedger(this.file);
    if (left.open.length === 0) rmSync(this.file);
    this.#release();
  }

  #append(line: LedgerLine): void {
    append(this.#descriptor, line);
  }
}

export interface LedgerContent {
  readonly file: string;
  readonly header: LedgerHeader | undefined;
  /** Objects that are not yet as they were, in the order of their first write. */
  readonly open: readonly OpenObject[];
  /** Writes that nothing can take back. */
  readonly permanent: readonly LedgerWrite[];
}

/** Reads a ledger; a last line that a kill cut off is left out (its write was never sent). */
export function readLedger(file: string): LedgerContent {
  let header: LedgerHeader | undefined;
  const open = new Map<string, { first: LedgerWrite; sent: unknown[]; seen: unknown[] }>();
  const permanent: LedgerWrite[] = [];
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parseJson(text) as LedgerLine | undefined;
    if (line === undefined) continue;
    if (line.kind === 'run') header = line;
    else if (line.kind === 'restored') open.delete(line.key);
    else if (line.kind === 'seen') open.get(line.key)?.seen.push(line.value);
    else if (line.effect === 'permanent') permanent.push(line);
    else {
      const known = open.get(line.key);
      if (known === undefined) open.set(line.key, { first: line, sent: [line.sent], seen: [] });
      else known.sent.push(line.sent);
    }
  }
  return { file, header, open: [...open.values()], permanent };
}

/** Every ledger in a folder. */
export function readLedgers(folder: string): LedgerContent[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => readLedger(join(folder, name)));
}

export function markRestored(file: string, key: string): void {
  const descriptor = openSync(file, 'a');
  // A kill may have cut off the last line.
  writeSync(descriptor, '\n');
  append(descriptor, { kind: 'restored', key });
  closeSync(descriptor);
}

/** Returns when the line is on disk. */
function append(descriptor: number, line: LedgerLine): void {
  writeSync(descriptor, `${JSON.stringify(line)}\n`);
  fsyncSync(descriptor);
}

export function removeLedger(file: string): void {
  rmSync(file, { force: true });
}

export function isAlive(header: Pick<LedgerHeader, 'pid' | 'born'>): boolean {
  try {
    process.kill(header.pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const born = bornAt(header.pid);
  return born === undefined || header.born === undefined || born === header.born;
}

/** Name of the file for a target. */
export function ledgerName(baseUrl: string): string {
  // One target, one ledger, however its address is spelt.
  const { host, hostname, port, protocol } = new URL(baseUrl);
  const local = isLoopback(baseUrl) ? `localhost:${port}` : host;
  const origin = isLoopback(baseUrl) ? local : `${protocol}//${hostname}:${port}`;
  const name = local.replaceAll(/[^\w.-]+/g, '_');
  return `${name}-${createHash('sha256').update(origin).digest('hex').slice(0, 8)}.jsonl`;
}

/** Start of a process in clock ticks, where the system tells. */
export function bornAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
