/**
 * Writes a report's files, all or nothing. The only file here that touches the disk.
 *
 * A new directory appears in one rename. In an existing one our files are replaced, or put back if
 * that fails; all other files stay. `report.json` goes first and comes last, so a directory that has
 * one is whole.
 */

import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { filesOfRun, type Report } from '../conformance/judge/report.ts';
import type { Redacted, Redactor } from '../spec/base/redactor.ts';
import { ifThere } from '../spec/base/refused.ts';

export interface EvidenceText {
  /** The name in the report: `evidence/<name>.har`. */
  readonly file: string;
  readonly text: string;
  /** Its size on disk, if it is not in memory. */
  readonly bytes?: number;
}

export type SafeEvidence = EvidenceText & { readonly text: Redacted };

/**
 * Writes the files of a report, by name, and the evidence; resolves to the absolute directory.
 *
 * The evidence must be the files that the report names, with their digests. If anything fails, this
 * throws and leaves the directory as it was.
 */
export async function writeReport(
  report: Report,
  directory: string,
  rendered: ReadonlyMap<string, string>,
  evidence: readonly SafeEvidence[],
  redactor: Pick<Redactor, 'text'>,
): Promise<string> {
  checkDigests(report, evidence);
  const files = new Map([['report.json', json(report)], ...rendered]);
  return await writeFiles(directory, files, evidence, redactor);
}

/** Writes files by name, and removes all files of an earlier run there. */
export async function writeFiles(
  directory: string,
  files: ReadonlyMap<string, string>,
  evidence: readonly SafeEvidence[],
  redactor: Pick<Redactor, 'text'>,
): Promise<string> {
  const names = evidence.length === 0 ? [...files.keys()] : [...files.keys(), 'evidence'];
  const ours = [...new Set(names.map((name) => name.replace(/\/.*/, '')))];
  const target = resolve(directory);
  await mkdir(dirname(target), { recursive: true });
  sweep(target);
  const existing = ifThere(() => readdirSync(target));
  const suffix = randomBytes(6).toString('hex');
  const staging =
    existing === undefined ? `${target}.${suffix}.tmp` : join(target, `.lockstep-${suffix}`);
  const write = (name: string, text: string) =>
    writeFile(join(staging, name), text, { mode: 0o600, flag: 'wx' });
  try {
    for (const name of [...files.keys(), ...evidence.map(({ file }) => file)])
      await mkdir(dirname(join(staging, name)), { recursive: true });
    for (const [name, text] of files) await write(name, redactor.text(text));
    // One at a time, because together they may not fit in memory.
    for (const { file, text } of evidence) await write(file, text);
    if (existing === undefined) await rename(staging, target);
    else await replace(staging, target, ours, existing);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}

/**
 * Removes files of runs that were killed while they wrote, because answers of a tenant are personal
 * data.
 */
function sweep(target: string): void {
  const [folder, name] = [dirname(target), basename(target)];
  const besides = readdirSync(folder)
    .filter(
      (one) => one.startsWith(`${name}.`) && /^\.[0-9a-f]{12}\.tmp$/.test(one.slice(name.length)),
    )
    .map((one) => join(folder, one));
  const inside = (ifThere(() => readdirSync(target)) ?? [])
    .filter((one) => /^\.lockstep-[0-9a-f]{12}$/.test(one))
    .map((one) => join(target, one));
  for (const path of [...besides, ...inside]) rmSync(path, { recursive: true, force: true });
}

/** JSON in the layout of files. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function checkDigests(report: Report, evidence: readonly EvidenceText[]): void {
  const expected = new Map(report.evidence.map(({ file, sha256 }) => [file, sha256]));
  for (const { file, text } of evidence) {
    if (!/^evidence\/[\w-][\w.-]*\.har$/.test(file)) {
      throw new Error(`evidence must be named evidence/<name>.har; got ${JSON.stringify(file)}`);
    }
    const digest = expected.get(file);
    if (digest === undefined) throw new Error(`the report does not name the evidence ${file}`);
    if (hash('sha256', text) !== digest) {
      throw new Error(`the evidence ${file} is not what the report's digest says`);
    }
    expected.delete(file);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw new Error(`the evidence ${missing} was not handed over`);
}

/** Moves the old files aside and the new ones in; `ours` begins with `report.json`. */
async function replace(
  staging: string,
  target: string,
  ours: readonly string[],
  existing: readonly string[],
): Promise<void> {
  const aside = join(staging, 'old');
  await mkdir(aside);
  // The old run's files, its signature included, say nothing about the new run.
  const old = [...new Set([...filesOfRun, 'evidence', ...ours])].filter((name) =>
    existing.includes(name),
  );
  await moveAll([
    ...old.map((name): Move => [join(target, name), join(aside, name)]),
    ...ours.toReversed().map((name): Move => [join(staging, name), join(target, name)]),
  ]);
}

type Move = readonly [from: string, to: string];

/** Renames in this order; if one fails, the earlier ones are taken back. */
export async function moveAll(moves: readonly Move[]): Promise<void> {
  const done: Move[] = [];
  try {
    for (const [from, to] of moves) {
      await rename(from, to);
      done.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of done.toReversed()) await rename(to, from);
    throw error;
  }
}
