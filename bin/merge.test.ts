/** What many runners found of parts of the suite, merged, is what one runner finds of the whole. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { safetyFacts } from '../conformance/areas/safety.ts';
import { failureOf } from '../conformance/commands/command.ts';
import { gateReport } from '../conformance/commands/gate.ts';
import { type MergeOptions, merge } from '../conformance/commands/merge.ts';
import { verify } from '../conformance/commands/verify.ts';
import type { Report, RunOptions } from '../conformance/judge/report.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import type { Scenario } from '../conformance/language/scenario.ts';
import { runSuite, select } from '../conformance/run/run.ts';
import { deviationsOf } from '../lab/areas/catalogue.ts';
import { inProcessTarget } from '../lab/exam/in-process.ts';
import { createService } from '../mock/kits/index.ts';
import { writeReport } from '../reports/write.ts';
import { Redactor } from '../spec/base/redactor.ts';
import { version } from '../spec/base/version.ts';

const suite = loadOwnSuite();
const service = await createService();
const cwd = mkdtempSync(join(tmpdir(), 'lockstep-merge-'));
afterAll(() => rmSync(cwd, { recursive: true }));

interface Run extends Partial<RunOptions> {
  readonly deviations?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs the suite, or a shard of it, on a world of its own, and writes its report into a folder. */
async function run(folder: string, { deviations = [], signal, ...options }: Run): Promise<Report> {
  const target = await inProcessTarget(service, {
    world: { clock: '2026-03-01T03:00:00Z' },
    prepare: (world) => world.deviations.set(deviationsOf(deviations)),
  });
  const { report, evidence } = await runSuite({
    suite,
    target,
    options: {
      ...{ allow: 'permanent', convergenceMs: 30_000, standards: 'report', complete: false },
      ...{ jobs: 1, only: [], ...options },
    },
    names: { id: `${folder}run`, startedAt: new Date().toISOString() },
    safety: safetyFacts,
    version,
    signal,
  });
  await target.close();
  const files = evidence.map(({ file, text }) => ({ file, text }));
  await writeReport(report, join(cwd, folder), new Map(), files, new Redactor());
  return report;
}

async function runShards(name: string, of: number, options: Run = {}): Promise<string[]> {
  const folders = Array.from({ length: of }, (_, index) => `${name}${index + 1}of${of}`);
  for (const [at, folder] of folders.entries()) {
    await run(folder, { ...options, shard: { index: at + 1, of } });
  }
  return folders;
}

/** Everything that does not depend on when, and in which world, something was tried. */
function said({ statements, scenarios, totals, exitCode, plan, ...rest }: Report): unknown {
  const words = {
    statements: statements.map(({ checks, reason: _reason, ...statement }) => ({
      ...statement,
      checks: checks.map(({ scenario, step, kind, verdict, tries, location }) => ({
        ...{ scenario, step, kind, verdict, tries, location },
      })),
    })),
    scenarios: scenarios.map(({ durationMs: _ms, requests: _polls, ...scenario }) => scenario),
    ...{ totals, exitCode },
    plan: plan.map(({ object: _withTheRunsId, ...write }) => write),
    observations: rest.observations.map(({ kind, statement, operation, choice, count }) => ({
      ...{ kind, statement, operation, choice, count },
    })),
    ...{ preflight: rest.preflight, notApplicable: rest.notApplicable, warnings: rest.warnings },
    interrupted: rest.interrupted,
  };
  return JSON.parse(JSON.stringify(words));
}

/** References of checks to exchanges that another scenario made, or nobody. */
function astray({ statements }: Report, evidence: readonly { file: string; text: string }[]) {
  const entries = new Map(
    evidence.map(({ file, text }) => {
      const { log } = JSON.parse(text) as {
        log: { entries: { _lockstep: { scenario: string } }[] };
      };
      return [file, log.entries] as const;
    }),
  );
  const checks = statements.flatMap((statement) => statement.checks);
  return checks.flatMap(({ scenario, evidence: references, held = [] }) =>
    [...references, ...held].filter((reference) => {
      const [file = '', index] = reference.split('#');
      return entries.get(file)?.[Number(index)]?._lockstep.scenario !== scenario;
    }),
  );
}

/** How something is refused: its exit code, and why. */
async function refusal(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('it was not refused');
}

const mergeAll = (folders: readonly string[], options: MergeOptions = {}) =>
  merge(folders, options, { cwd }, suite);

describe.for([
  ['that keeps its promises', 'good', [1, 2, 3, 7], {}, 0],
  ['that breaks one', 'bad', [3], { deviations: ['folders:rename-lost'] }, 1],
  ['that is tried twice', 'twice', [2], { deviations: ['folders:rename-lost'], tries: 2 }, 1],
] as const)('of a mock %s', async ([, name, splits, options, exitCode]) => {
  const whole = await run(name, options);

  test.for(splits)('%i shards say what one run says', async (of) => {
    const { report, message, evidence } = mergeAll(await runShards(name, of, options));
    expect(message).toBeUndefined();
    expect(said(report)).toEqual(said(whole));
    expect(report.exitCode).toBe(exitCode);
    expect(report.options.shard).toBeUndefined();
    expect(report.shards).toHaveLength(of);
    expect(astray(report, evidence)).toEqual([]);
    const { total, byStatus } = report.requests;
    expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(total);
    await writeReport(report, join(cwd, `${name}Merged`), new Map(), evidence, new Redactor());
    expect(await verify(join(cwd, `${name}Merged`, 'report.json'), { suite })).toMatchObject({
      ...{ exitCode: 0, problems: [], differences: [] },
    });
  });
});

describe('a split', () => {
  const effects = ['none', 'reversible', 'disruptive', 'permanent'] as const;
  const shardsOf = (allow: RunOptions['allow'], of: number) =>
    Array.from({ length: of }, (_, at) =>
      select(suite.scenarios, { allow, only: [], shard: { index: at + 1, of } }),
    );

  test.each(effects)('keeps what touches one area together, with --allow %s', (allow) => {
    const may = ({ effect }: Scenario) => effects.indexOf(effect) <= effects.indexOf(allow);
    for (const of of [1, 2, 7, 40]) {
      const shards = shardsOf(allow, of);
      expect(shards.flat()).toHaveLength(suite.scenarios.length);
      expect(new Set(shards.flat()).size).toBe(suite.scenarios.length);
      const runs = shards.map((shard) => shard.filter(may));
      const writers = runs.flat().filter(({ effect }) => effect !== 'none');
      const written = new Set(writers.flatMap(({ writes }) => [...writes]));
      for (const area of written) {
        const touching = runs.filter((run) =>
          run.some(({ reads, writes }) => reads.has(area) || writes.has(area)),
        );
        expect(touching, `runners that touch ${area}`).toHaveLength(1);
      }
    }
  });

  test('gives the runners of a reading run about as much to do', () => {
    const steps = shardsOf('none', 2).map(
      (shard) => shard.filter(({ effect }) => effect === 'none').flatMap((one) => one.steps).length,
    );
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.5);
  });
});

describe('merging', async () => {
  const narrow = { only: ['FOLDER-1', 'SCIM-1', 'DBT-2'] };
  const folders = await runShards('narrow', 3, narrow);
  const [first = '', second = '', third = ''] = folders;

  /** A copy of a shard's folder whose report is another. */
  function changed(folder: string, name: string, change: (report: Report) => object): string {
    cpSync(join(cwd, folder), join(cwd, name), { recursive: true });
    const file = join(cwd, name, 'report.json');
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    writeFileSync(file, JSON.stringify({ ...report, ...change(report) }));
    return name;
  }

  test('takes the folders in any order', () => {
    expect(mergeAll([third, first, second]).report.exitCode).toBe(0);
  });

  test('makes a report that the gate compares, as it does no shard alone', async () => {
    const io = { env: {}, cwd, safety: safetyFacts, version };
    const { report, evidence } = mergeAll(folders);
    await writeReport(report, join(cwd, 'forGate'), new Map(), evidence, new Redactor());
    const gated = await gateReport('forGate', { baseline: 'baseline.yaml', history: 'nights' }, io);
    expect(gated.gate).toMatchObject({ night: { exitCode: 0 }, news: [], stale: [] });
    expect(readdirSync(join(cwd, 'nights'))).toHaveLength(1);
    const alone = await refusal(() => gateReport(second, { baseline: 'baseline.yaml' }, io));
    expect(alone).toMatchObject({ exitCode: 2, message: expect.stringContaining('shard 2/3') });
    const nothing = await refusal(() => gateReport('nowhere', { baseline: 'baseline.yaml' }, io));
    expect(nothing).toMatchObject({ exitCode: 2, message: expect.stringContaining('ENOENT') });
  });

  test('without a shard gives no verdict: what it was to try is not known', async () => {
    expect(await refusal(() => mergeAll([first, third]))).toEqual({
      exitCode: 4,
      message: expect.stringMatching(/^no verdict: shard 2\/3 is missing; /),
    });
  });

  test('with a shard that was interrupted gives no verdict, as an interrupted run does', async () => {
    await run('cut', { ...narrow, shard: { index: 1, of: 3 }, signal: AbortSignal.abort() });
    const { report } = mergeAll(['cut', second, third]);
    expect(report.exitCode).toBe(4);
    expect(report.interrupted).toBe(true);
  });

  test('with something left changed by one shard ends with 5', () => {
    const location = { file: 'x.yaml', line: 1, column: 1 };
    const left = {
      ...{ object: 'folder 11 of deployment 1', reason: 'it was refused', location },
      ...{ operation: 'updateFolder', scenario: 'A folder', was: { name: 'a' } },
    };
    const folder = changed(second, 'left', () => ({ leftBehind: [left] }));
    const { report } = mergeAll([first, folder, third]);
    expect(report.exitCode).toBe(5);
    expect(report.leftBehind).toEqual([left]);
  });

  test.each([
    [
      'a shard twice',
      () => [first, second, second],
      /narrow2of3 and narrow2of3 both hold shard 2\/3/,
    ],
    ['a folder without a report', () => [first, 'nowhere'], /nowhere: ENOENT/],
    [
      'the report of a whole run',
      () => [changed(first, 'unsplit', ({ options: { shard: _, ...options } }) => ({ options }))],
      /unsplit holds the report of a whole run/,
    ],
    [
      'something else',
      () => [changed(first, 'odd', () => ({ statements: 'none' }))],
      /odd: report.json is not a report: \/statements: expected/,
    ],
    [
      'a shard of another target',
      () => [
        first,
        changed(second, 'other', ({ target }) => ({ target: { ...target, kind: 'tenant' } })),
      ],
      /other and narrow1of3 are not of one run: target, kind: "tenant" and "mock"/,
    ],
    [
      'a shard with other credentials',
      () => [
        first,
        changed(second, 'poor', ({ target }) => ({ target: { ...target, credentials: {} } })),
      ],
      /are not of one run: target, credentials: \{\} and \{"admin"/,
    ],
    [
      'a shard of another contract',
      () => [
        first,
        changed(second, 'old', ({ suite: own }) => ({
          suite: { ...own, contractSha256: '0'.repeat(64) },
        })),
      ],
      /old: the certificate was made with another contract/,
    ],
    [
      'a shard with other options',
      () => [
        first,
        changed(second, 'strict', ({ options }) => ({ options: { ...options, complete: true } })),
      ],
      /strict and narrow1of3 are not of one run: option complete: true and false/,
    ],
    [
      'shards of two splits',
      () => [
        first,
        changed(second, 'more', ({ options }) => ({
          options: { ...options, shard: { index: 2, of: 4 } },
        })),
      ],
      /more and narrow1of3 are not of one run: number of shards: 4 and 3/,
    ],
    [
      'shards that were split otherwise',
      () => [
        changed(second, 'twice2', ({ options }) => ({
          options: { ...options, shard: { index: 1, of: 3 } },
        })),
        second,
        third,
      ],
      /were split otherwise/,
    ],
    [
      'evidence that was changed',
      () => {
        const folder = changed(first, 'forged', () => ({}));
        const [file = ''] = mergeAll([first, second, third]).evidence.map((one) => one.file);
        writeFileSync(join(cwd, folder, file), '{}');
        return [folder];
      },
      /forged: evidence\/.*har is not what the report digested/,
    ],
  ])('refuses %s', async (_name, given, message) => {
    const refused = { exitCode: 2, message: expect.stringMatching(message) };
    expect(await refusal(() => mergeAll(given()))).toEqual(refused);
  });

  test('writes over no shard, and no report that covers more', async () => {
    expect(() => mergeAll(folders, { out: first })).toThrow(/is the folder of a shard/);
    await run('whole', {});
    expect(() => mergeAll(folders, { out: 'whole' })).toThrow(
      /whole holds a report that covers all statements/,
    );
    expect(mergeAll(folders, { out: 'whole', force: true }).message).toBeUndefined();
  });
});
