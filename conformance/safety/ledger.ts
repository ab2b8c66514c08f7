/**
 * The ledger holds the writes of a run, on disk before they are sent, so that `undo` can finish after a
 * kill -9. Each target has one file, which is also the lock between two runs.
 *
 * The file has lines of JSON: a header, a `write` before each write (with the value before the first one),
 * and `restored` when an object is as it was. Secrets are never in it. Somebody else may have written a
 * ledger that is read, so `ledger.schema.json` checks its form. Each line but the header carries a seal,
 * which only the holder of the run's credential can make.
 */

import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
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
import { basename, join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { isRunning } from '../../spec/base/is-running.ts';
import { DEEPEST, deeperThan, parseJson } from '../../spec/base/json.ts';
import { inWords } from '../../spec/base/refused.ts';
import { visible } from '../../spec/base/visible.ts';
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
  /** The states that the answers to them showed. */
  readonly seen: readonly unknown[];
}

/** The seal of a line in the ledger of this run; it cannot be made without the secret. */
export type Sealing = (run: Pick<LedgerHeader, 'baseUrl' | 'runId'>, line: LedgerLine) => string;

/** The key is derived, so that a seal reveals nothing about the secret. */
export function sealingWith(secret: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'lockstep ledger', 32));
  return ({ baseUrl, runId }, line) =>
    createHmac('sha256', key)
      .update(JSON.stringify([baseUrl, runId, line]))
      .digest('hex');
}

/** A line of a run, after its header. */
export type LedgerNote = Exclude<LedgerLine, LedgerHeader>;

export class Ledger {
  readonly file: string;
  readonly #header: LedgerHeader;
  readonly #seal: Sealing;
  readonly #descriptor: number;
  readonly #release: () => void;

  private constructor(file: string, header: LedgerHeader, seal: Sealing, release: () => void) {
    this.file = file;
    this.#header = header;
    this.#seal = seal;
    this.#descriptor = openSync(file, 'a');
    this.#release = release;
    fsyncSync(this.#descriptor);
  }

  /**
   * Opens the ledger of a target, for this run alone. Throws Unsafe if another run holds it, or if an
   * earlier run left something to put back, which `undoCommand` does. `release` is called when it
   * is closed.
   */
  static open(
    folder: string,
    { runId, baseUrl, startedAt }: Omit<LedgerHeader, 'kind' | 'pid' | 'born'>,
    seal: Sealing,
    undoCommand = 'lockstep undo --tenant FILE',
    release: () => void = () => {},
  ): Ledger {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, ledgerName(baseUrl));
    const header: LedgerHeader = { kind: 'run', runId, baseUrl, startedAt, ...thisProcess() };
    for (const earlier of rivalsIn(folder, baseUrl)) clear(earlier, seal, undoCommand);
    if (!claim(file, lineTo(header))) throw new Unsafe(`another run has just taken ${file}`);
    return new Ledger(file, header, seal, release);
  }

  /** Notes a line before the write is sent. */
  note(line: LedgerNote): void {
    append(this.#descriptor, this.#header, line, this.#seal);
  }

  /** Ends the run, and removes the file unless something is still to be put back. */
  close(): void {
    closeSync(this.#descriptor);
    if (readLedger(this.file, this.#seal).open.length === 0) rmSync(this.file);
    this.#release();
  }
}

/** Removes a ledger that is no longer needed. Throws Unsafe if it is still needed. */
function clear(file: string, seal: Sealing, undoCommand: string): void {
  const { header, open, strange } = readLedger(file, seal);
  if (header !== undefined && isAlive(header)) {
    throw new Unsafe(`another run (${header.runId}, process ${header.pid}) holds ${file}`);
  }
  if (open.length > 0) {
    const names = open.map((item) => item.first.object).join(', ');
    throw new Unsafe(`an interrupted run left ${names}; run \`${undoCommand}\` first (${file})`);
  }
  if (strange.length > 0) throw new Unsafe(strange.join('\n'));
  rmSync(file, { force: true });
}

export interface LedgerContent {
  readonly file: string;
  readonly header: LedgerHeader | undefined;
  /** Objects that are not yet as they were, in the order of their first write. */
  readonly open: readonly OpenObject[];
  /** Writes that no call can undo. */
  readonly permanent: readonly LedgerWrite[];
  /** Describes each line that is not followed, because no run with this credential wrote it. */
  readonly strange: readonly string[];
}

const grammar = new Grammar<LedgerLine>(schema);
const mostBytes = 64 * 2 ** 20;

/**
 * Reads a ledger. Throws Unsafe if the file is not one. A line that is not JSON was cut off by a kill, and
 * its write was never sent. `accepted` lines, as `<file>:<number>`, are followed without a seal.
 */
export function readLedger(
  file: string,
  seal: Sealing,
  accepted: readonly string[] = [],
): LedgerContent {
  const about = lstatSync(file);
  if (!about.isFile() || about.size > mostBytes) {
    throw new Unsafe(`${file} is not a ledger: expected a file of ${mostBytes} bytes at most`);
  }
  let header: LedgerHeader | undefined;
  const open = new Map<string, { first: LedgerWrite; sent: unknown[]; seen: unknown[] }>();
  const permanent: LedgerWrite[] = [];
  const strange: string[] = [];
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    const place = `${file}:${index + 1}`;
    const line = lineOf(text, place);
    if (line === undefined) continue;
    if (line.kind === 'run') {
      // Lines that were sealed for one target must not be followed on another.
      if (header !== undefined)
        throw new Unsafe(`${place}: this is the ledger of more than one run`);
      header = line;
    } else if (!accepted.includes(place) && !isSealed(header, line, seal))
      strange.push(strangeText(place, line));
    else if (line.kind === 'restored') open.delete(line.key);
    else if (line.kind === 'seen') open.get(line.key)?.seen.push(line.value);
    else if (line.effect === 'permanent') permanent.push(line);
    else {
      const known = open.get(line.key);
      if (known === undefined) open.set(line.key, { first: line, sent: [line.sent], seen: [] });
      else known.sent.push(line.sent);
    }
  }
  return { file, header, open: [...open.values()], permanent, strange };
}

function isSealed(header: LedgerHeader | undefined, sealed: LedgerNote, seal: Sealing): boolean {
  const { mac, ...line } = sealed;
  if (mac === undefined || header === undefined) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), Buffer.from(seal(header, line), 'hex'));
}

function strangeText(place: string, line: LedgerNote): string {
  const state = (value: unknown): string => visible(JSON.stringify(value)).slice(0, 500);
  const would =
    line.kind === 'write'
      ? `let ${visible(`${line.method} ${line.path}`)} put back ${state(line.before)}`
      : `say ${state(line)}`;
  return `${place} was not written by a run with this credential or this --ledger-key-env. It would ${would}. To follow it, use \`lockstep undo --accept ${place}\``;
}

function lineOf(text: string, place: string): LedgerLine | undefined {
  if (deeperThan(text, DEEPEST)) throw new Unsafe(`${place} is not a line of a ledger: too deep`);
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const read = grammar.read(value);
  if ('value' in read) return read.value;
  throw new Unsafe(`${place} is not a line of a ledger: it does not fit ledger.schema.json`);
}

/** Every file of a folder that may be a ledger. */
export function ledgerFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

export function markRestored(file: string, header: LedgerHeader, key: string, seal: Sealing): void {
  const descriptor = openSync(file, 'a');
  try {
    // A kill may have cut off the last line, so a new line begins here.
    writeSync(descriptor, '\n');
    append(descriptor, header, { kind: 'restored', key }, seal);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns when the line is on disk. */
function append(descriptor: number, header: LedgerHeader, line: LedgerNote, seal: Sealing): void {
  // The seal covers the line as it will be read: undefined values are gone.
  const told: LedgerNote = JSON.parse(JSON.stringify(line));
  writeSync(descriptor, lineTo({ ...told, mac: seal(header, told) }));
  fsyncSync(descriptor);
}

const lineTo = (line: LedgerLine): string => `${JSON.stringify(line)}\n`;

/**
 * Makes a file with its first text; false if the file exists. The file is written under another name and
 * then linked, because another run that read an empty file would remove it.
 */
export function claim(file: string, text: string): boolean {
  const aside = `${file}.${process.pid}`;
  // Somebody may have put a link there, to a file that would be overwritten.
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
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
  if (!isRunning(header.pid)) return false;
  const born = bornAt(header.pid);
  return born === undefined || header.born === undefined || born === header.born;
}

/** Whether two base URLs mean the same target in different spellings. */
export function sameTarget(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const path = (url: string): string => new URL(url).pathname.replace(/(?<!\/)\/+$/, '');
  return targetName(one) === targetName(other) && path(one) === path(other);
}

/** The file name for a target. */
export const ledgerName = (baseUrl: string): string => `${targetName(baseUrl)}.jsonl`;

/** The files of a target in a folder. */
export function rivalsIn(folder: string, baseUrl: string): string[] {
  const start = `${targetName(baseUrl)}.`;
  return ledgerFiles(folder).filter((file) => basename(file).startsWith(start));
}

function targetName(baseUrl: string): string {
  // One target has one ledger, in whichever way its address is spelt.
  const { host, hostname, port, protocol } = new URL(baseUrl);
  const local = isLoopback(baseUrl) ? `localhost:${port}` : undefined;
  const origin = local ?? `${protocol}//${hostname}:${port}`;
  const name = (local ?? host).replaceAll(/[^\w.-]+/g, '_');
  return `${name}-${hash('sha256', origin).slice(0, 8)}`;
}

/** Distinguishes this process from a later process with the same number. */
export function thisProcess(): Pick<LedgerHeader, 'pid' | 'born'> {
  return { pid: process.pid, born: bornAt(process.pid) };
}

/** Start of a process in clock ticks; undefined if the system does not tell. */
function bornAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Runs a function with a ledger, and closes the ledger afterwards. */
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
      // A ledger that cannot be closed must not hide the findings of the run.
      warn(`the ledger ${ledger?.file} could not be closed: ${inWords(error)}`);
    }
  }
}
