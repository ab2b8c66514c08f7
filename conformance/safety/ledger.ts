/**
 * The ledger: what a run is about to write, on disk before it is written, so that `undo` can
 * finish after a kill -9. One file per target, which is also the lock between two runs.
 *
 * Lines of JSON: a header, then `write` before each write (with the value before the first one),
 * and `restored` when an object is as it was. Secrets never stand in it. A ledger that is read may be
 * anybody's: `ledger.schema.json` says what it must look like.
 */

import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { DEEPEST, deeperThan, parseJson } from '../../spec/base/json.ts';
import schema from '../ledger.schema.json' with { type: 'json' };
import { Unsafe } from '../target/guard.ts';
import { isLoopback } from '../target/target.ts';
import type { LedgerLine, run, write } from './ledger.generated.ts';

export type LedgerHeader = run;
export type LedgerWrite = write;

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

  private constructor(file: string, release: () => void) {
    this.file = file;
    this.#descriptor = openSync(file, 'a');
    this.#release = release;
    fsyncSync(this.#descriptor);
  }

  /**
   * Opens the ledger of a target, alone. Throws Unsafe where another run holds it, and where an
   * earlier run left something to put back, which `undoCommand` does. `release` is called when it
   * is closed.
   */
  static open(
    folder: string,
    header: Omit<LedgerHeader, 'kind' | 'pid' | 'born'>,
    undoCommand = 'lockstep undo --tenant FILE',
    release: () => void = () => {},
  ): Ledger {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, ledgerName(header.baseUrl));
    for (const earlier of rivalsIn(folder, header.baseUrl)) clear(earlier, undoCommand);
    if (!claim(file, lineTo({ kind: 'run', ...header, ...thisProcess() })))
      throw new Unsafe(`another run has just taken ${file}`);
    return new Ledger(file, release);
  }

  /** A write is noted before it is sent. */
  note(line: LedgerLine): void {
    append(this.#descriptor, line);
  }

  /** Ends the run: the file goes, unless something is still to be put back. */
  close(): void {
    closeSync(this.#descriptor);
    if (readLedger(this.file).open.length === 0) rmSync(this.file);
    this.#release();
  }
}

/** Removes a ledger that has done its work. Throws Unsafe where it is needed still. */
function clear(file: string, undoCommand: string): void {
  const { header, open } = readLedger(file);
  if (header !== undefined && isAlive(header)) {
    throw new Unsafe(`another run (${header.runId}, process ${header.pid}) holds ${file}`);
  }
  if (open.length > 0) {
    const names = open.map((item) => item.first.object).join(', ');
    throw new Unsafe(`an interrupted run left ${names}; run \`${undoCommand}\` first (${file})`);
  }
  rmSync(file, { force: true });
}

export interface LedgerContent {
  readonly file: string;
  readonly header: LedgerHeader | undefined;
  /** Objects that are not yet as they were, in the order of their first write. */
  readonly open: readonly OpenObject[];
  /** Writes that nothing can take back. */
  readonly permanent: readonly LedgerWrite[];
}

const grammar = new Grammar<LedgerLine>(schema);
const mostBytes = 64 * 2 ** 20;

/**
 * Reads a ledger. Throws Unsafe where it is none. What is no JSON is a line that a kill cut off, whose
 * write was never sent.
 */
export function readLedger(file: string): LedgerContent {
  const about = lstatSync(file);
  if (!about.isFile() || about.size > mostBytes) {
    throw new Unsafe(`${file} is no ledger: expected a file of ${mostBytes} bytes at most`);
  }
  let header: LedgerHeader | undefined;
  const open = new Map<string, { first: LedgerWrite; sent: unknown[]; seen: unknown[] }>();
  const permanent: LedgerWrite[] = [];
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    const line = lineOf(text, `${file}:${index + 1}`);
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

function lineOf(text: string, place: string): LedgerLine | undefined {
  if (deeperThan(text, DEEPEST)) throw new Unsafe(`${place} is no line of a ledger: too deep`);
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const read = grammar.read(value);
  if ('value' in read) return read.value;
  throw new Unsafe(`${place} is no line of a ledger: expected what ledger.schema.json says`);
}

/** Every file of a folder that should be a ledger. */
export function ledgerFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

export function markRestored(file: string, key: string): void {
  const descriptor = openSync(file, 'a');
  try {
    // A kill may have cut off the last line.
    writeSync(descriptor, '\n');
    append(descriptor, { kind: 'restored', key });
  } finally {
    closeSync(descriptor);
  }
}

/** Returns when the line is on disk. */
function append(descriptor: number, line: LedgerLine): void {
  writeSync(descriptor, lineTo(line));
  fsyncSync(descriptor);
}

const lineTo = (line: LedgerLine): string => `${JSON.stringify(line)}\n`;

/**
 * Makes a file with its first text; false where there is one. Written aside and linked into place: a
 * rival that read it while it is empty would remove it.
 */
export function claim(file: string, text: string): boolean {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, text, { mode: 0o600 });
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
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

/** Whether two base URLs mean one target, however they are spelt. */
export function sameTarget(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const path = (url: string): string => new URL(url).pathname.replace(/(?<!\/)\/+$/, '');
  return targetName(one) === targetName(other) && path(one) === path(other);
}

/** Name of the file of a target. */
export const ledgerName = (baseUrl: string): string => `${targetName(baseUrl)}.jsonl`;

/** The files of a target in a folder. */
export function rivalsIn(folder: string, baseUrl: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${targetName(baseUrl)}.`) && name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

function targetName(baseUrl: string): string {
  // One target, one ledger, however its address is spelt.
  const { host, hostname, port, protocol } = new URL(baseUrl);
  const local = isLoopback(baseUrl) ? `localhost:${port}` : undefined;
  const origin = local ?? `${protocol}//${hostname}:${port}`;
  const name = (local ?? host).replaceAll(/[^\w.-]+/g, '_');
  return `${name}-${hash('sha256', origin).slice(0, 8)}`;
}

/** What tells this process from another one that gets its number later. */
export function thisProcess(): Pick<LedgerHeader, 'pid' | 'born'> {
  return { pid: process.pid, born: bornAt(process.pid) };
}

/** Start of a process in clock ticks, where the system tells. */
function bornAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Lets something work with a ledger, and closes it afterwards. */
export async function withLedger<T>(
  open: (() => Ledger) | undefined,
  warn: (message: string) => void,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const ledger = open?.();
  try {
    return await work(ledger);
  } finally {
    try {
      ledger?.close();
    } catch (error) {
      // The findings of the run are worth more than a ledger that does not go away.
      warn(`the ledger ${ledger?.file} could not be closed: ${(error as Error).message}`);
    }
  }
}
