/**
 * Writes a report's files, all or nothing. The only file here that touches the disk.
 *
 * A new directory appears in one rename. An existing one is only added to: our files in it are
 * replaced, put back if that fails, and whatever else lies there stays. `report.json` goes first
 * and comes last, so a directory that has one is whole.
 */

import { hash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Report } from '../conformance/judge/report.ts';

export interface EvidenceText {
  /** As in the report: `evidence/<name>.har`. */
  readonly file: string;
  readonly text: string;
}

export interface WrittenReport {
  /** Absolute. */
  readonly directory: string;
  /** Relative to it. */
  readonly files: readonly string[];
}

/**
 * Writes the files of a report, by name, and the evidence.
 *
 * Evidence must be what the report names, with its digest. Throws, and leaves the directory as it
 * was, where anything fails.
 */
export async function writeReport(
  report: Report,
  directory: string,
  rendered: ReadonlyMap<string, string>,
  evidence: Iterable<EvidenceText> = [],
): Promise<WrittenReport> {
  const files = new Map([...rendered, ['report.json', json(report)]]);
  const ours = [...files.keys()].toReversed().concat('evidence');
  for (const { file, text } of checked(report, [...evidence])) files.set(file, text);
  const target = resolve(directory);
  await mkdir(dirname(target), { recursive: true });
  const existing = await entries(target);
  const suffix = randomBytes(6).toString('hex');
  const staging =
    existing === undefined ? `${target}.${suffix}.tmp` : join(target, `.lockstep-${suffix}`);
  try {
    await mkdir(join(staging, 'evidence'), { recursive: true });
    for (const [name, text] of files) await writeFile(join(staging, name), text);
    if (existing === undefined) await rename(staging, target);
    else await replace(staging, target, ours, existing);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return { directory: target, files: [...files.keys()] };
}

/** JSON as it stands in files. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function checked(report: Report, evidence: readonly EvidenceText[]): readonly EvidenceText[] {
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
  return evidence;
}

async function entries(directory: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
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
  const old = ours.filter((name) => existing.includes(name));
  await moveAll([
    ...old.map((name) => [join(target, name), join(aside, name)] as const),
    ...ours.toReversed().map((name) => [join(staging, name), join(target, name)] as const),
  ]);
}

/** Renames in this order; where one fails, those before it are taken back. */
export async function moveAll(
  moves: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const done: (readonly [from: string, to: string])[] = [];
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
