/** The reports of all shards of a run, made into the one report that a single runner would give. */

import { join, resolve } from 'node:path';
import { Incomplete } from '../../spec/base/incomplete.ts';
import { equal } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import type { Report } from '../judge/report.ts';
import { union } from '../judge/union.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { Suite } from '../language/scenario.ts';
import { select } from '../run/run.ts';
import { mayReplace, readCertificate, writtenBefore } from './certificate-files.ts';
import { type Certified, newRunId } from './command.ts';
import type { CertifyOptions } from './options.ts';
import { strangers } from './verify.ts';

export type MergeOptions = Pick<CertifyOptions, 'out' | 'force'>;

/** The report of a shard in its folder, as that was given. */
type Part = ReturnType<typeof readPart>;

/** Each folder holds the report of one shard. Writes nothing; what is given back is to be written. */
export function merge(
  folders: readonly string[],
  options: MergeOptions,
  { cwd }: { readonly cwd: string },
  suite: Suite = loadOwnSuite(),
): Certified {
  const parts = folders.map((folder) => readPart(folder, cwd));
  for (const part of parts) mustFit(part, parts, suite);
  mustBeAll(parts);
  const apart = withNamesOfTheirOwn(parts.toSorted((a, b) => a.shard.index - b.shard.index));
  const reports = apart.map((part) => part.report);
  const report = union(reports, wholeOf(apart, suite));
  const out = resolve(cwd, options.out ?? join('reports', 'out', report.runId));
  if (parts.some(({ folder }) => resolve(cwd, folder) === out)) {
    throw new Refused(`--out ${out} is the folder of a shard: choose another`);
  }
  mayReplace(out, report, options.force);
  return { report, out, evidence: apart.flatMap((part) => part.evidence) };
}

/** Throws Refused. */
function readPart(folder: string, cwd: string) {
  const files = readCertificate(resolve(cwd, folder), `${folder}: `);
  const { report } = files;
  const evidence = writtenBefore(files);
  const { shard } = report.options;
  if (shard !== undefined) return { folder, shard, report, evidence };
  throw new Refused(`${folder} holds the report of a whole run: it needs no merging`);
}

const targetKeys = ['kind', 'name', 'version', 'credentials', 'features', 'aliases'] as const;
const optionKeys = [
  ...(['allow', 'convergenceMs', 'standards', 'complete', 'jobs', 'only'] as const),
  ...(['tries', 'soakMs'] as const),
] as const;

/** Throws Refused where a shard is of another run than the first one, or there twice. */
function mustFit(part: Part, parts: readonly Part[], suite: Suite): void {
  const { folder, report, shard } = part;
  const [stranger] = strangers(report, suite);
  if (stranger !== undefined) throw new Refused(`${folder}: ${stranger}`);
  const [first = part] = parts;
  const refuse = (what: string, here: unknown, there: unknown): void => {
    if (equal(here, there)) return;
    const values = `${JSON.stringify(here)} and ${JSON.stringify(there)}`;
    throw new Refused(`${folder} and ${first.folder} are not of one run: ${what}: ${values}`);
  };
  refuse('suite', report.suite, first.report.suite);
  refuse('number of shards', shard.of, first.shard.of);
  const [target, other] = [report.target, first.report.target];
  // Of a mock each shard has a world of its own.
  const own = target.kind === 'tenant' ? (['baseUrl', 'bindings'] as const) : [];
  for (const key of [...targetKeys, ...own]) refuse(`target, ${key}`, target[key], other[key]);
  const { options } = first.report;
  for (const key of optionKeys) refuse(`option ${key}`, report.options[key], options[key]);
  const twin = parts.find((one) => one !== part && one.shard.index === shard.index);
  if (twin !== undefined) {
    throw new Refused(`${folder} and ${twin.folder} both hold shard ${shard.index}/${shard.of}`);
  }
}

/** Throws Incomplete where a runner gave no report: of what it was to try nothing is known. */
function mustBeAll(parts: readonly Part[]): void {
  const of = parts[0]?.shard.of ?? 0;
  const there = new Set(parts.map(({ shard }) => shard.index));
  const missing = Array.from({ length: of }, (_, index) => index + 1)
    .filter((index) => !there.has(index))
    .map((index) => `${index}/${of}`);
  if (missing.length === 0) return;
  throw new Incomplete([
    `no verdict: shard ${missing.join(', ')} is missing; see why its runner gave no report, run it again, and merge all`,
  ]);
}

/** What the suite says of the whole run. Throws Refused where the shards split it otherwise. */
function wholeOf(parts: readonly Part[], suite: Suite) {
  const { shard: _shard, ...options } = parts[0]?.report.options ?? { only: [], allow: 'none' };
  const titles = select(suite.scenarios, options).map(({ title }) => title);
  const found = parts.flatMap(({ report }) => report.scenarios.map(({ scenario }) => scenario));
  if (!equal(titles.toSorted(), found.toSorted())) {
    throw new Refused('the shards do not hold each scenario once: they were split otherwise');
  }
  return { runId: newRunId(), titles };
}

/**
 * Evidence files that two shards name alike are renamed: a preflight of each, and that of the matrix,
 * whose scenarios are dealt out. What is in them, and its digest, stays.
 */
function withNamesOfTheirOwn(parts: readonly Part[]): Part[] {
  const taken = new Set<string>();
  return parts.map((part) => {
    const names = new Map(
      part.evidence.map(({ file }) => {
        const own = file.replace(/\.har$/, `.shard-${part.shard.index}.har`);
        return [file, taken.has(file) ? own : file];
      }),
    );
    for (const name of names.values()) taken.add(name);
    const nameOf = (file: string): string => names.get(file) ?? file;
    const evidence = part.evidence.map(({ file, text }) => ({ file: nameOf(file), text }));
    return { ...part, evidence, report: withNames(part.report, nameOf) };
  });
}

function withNames(report: Report, nameOf: (file: string) => string): Report {
  const all = (references: readonly string[]): string[] =>
    references.map((reference) => reference.replace(/^[^#]*/, nameOf));
  return {
    ...report,
    statements: report.statements.map((statement) => ({
      ...statement,
      checks: statement.checks.map((check) => ({
        ...check,
        evidence: all(check.evidence),
        ...(check.held === undefined ? {} : { held: all(check.held) }),
      })),
    })),
    observations: report.observations.map((item) => ({ ...item, evidence: all(item.evidence) })),
    evidence: report.evidence.map((item) => ({ ...item, file: nameOf(item.file) })),
  };
}
