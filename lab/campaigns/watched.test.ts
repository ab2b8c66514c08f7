import { expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { figure } from '../../spec/testing/campaign.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { targetWith } from '../exam/in-process.ts';
import { reportOf } from '../exam/suite-run.ts';
import { drawn, type Named, tenantOf } from '../honest/draw.ts';
import { honestTarget } from '../honest/honest.ts';
import { withLedger } from '../tenant/measure.ts';
import { isShown, type TracedCall, traced, whyNotShown } from './unshown.ts';
import { watched, watcherOf } from './watched-traffic.ts';

const suite = loadOwnSuite();

/** The report of a watcher on the traffic of the whole suite with an honest tenant. */
async function saidOf(named: Named) {
  const { target: own, convergenceMs } = await honestTarget(tenantOf(named));
  const { watcher, violations } = watcherOf(own, { lagMs: 10 * convergenceMs });
  const transport = watched(own.transport, () => watcher, own.baseUrl, own.now);
  const target = { ...own, transport };
  const run = (more: Parameters<typeof reportOf>[3]) =>
    reportOf(suite, target, { convergenceMs, jobs: 8 }, more);
  await (target.kind === 'tenant' ? withLedger((openLedger) => run({ openLedger })) : run({}));
  await target.close();
  const { statements, exitCode } = watcher.report();
  const verified = statements.filter(({ verdict }) => verdict.startsWith('verified'));
  return { violations, exitCode, verified: verified.length };
}

// Two of each: `npm run nightly` has the time for more.
test.for([...drawn('mock', 2, 11), ...drawn('tenant', 2, 11)])(
  'no honest tenant is accused: $base $ids',
  async (named) => {
    const { violations, exitCode, verified } = await saidOf(named);
    expect([violations, exitCode]).toEqual([[], 0]);
    expect(verified).toBeGreaterThan(50);
  },
);

/** A hundred deviations, spread over the catalogue. */
const sample = catalogue
  .filter((_, index) => index % Math.floor(catalogue.length / 100) === 0)
  .slice(0, 100);

/** The client also makes another call, with each of its credentials. */
const others = new Set(
  ['admin', 'member', 'oauth', 'scoped'].map((name) => `Matrix: listVersions as ${name}`),
);

/** Scenarios about what a deviation breaks, and the calls of each caller to its operations. */
function trafficFor({ operations, breaks }: (typeof sample)[number]) {
  const near = suite.scenarios.filter(
    (one) =>
      operations.some((name) => one.operations?.has(name)) &&
      breaks.some((statement) => one.statements.has(statement)),
  );
  const called = operations.map((name) => `Matrix: ${name} as `);
  const callers = suite.scenarios.filter(
    ({ title }) => called.some((of) => title.startsWith(of)) || others.has(title),
  );
  return [...new Set([...near.slice(0, 4), ...callers])];
}

/** So that a change of the reasons does not hide what was noticed before. */
const leastNoticed = 86;

/**
 * The traffic shows at most this many that the watcher misses. The sample changes with the catalogue, so the
 * message names them.
 */
const mostMissed = 2;

/**
 * The rounds, by the name in their people and texts. A failure counts if it came three times, between two others;
 * and a tenant that knows somebody from an earlier round may not fail again.
 */
const rounds = ['lab', 'lab', 'lab', 'lab', 'other'];

// 25,000 calls: minutes on a busy machine.
const timeout = 1_500_000;

test('of a hundred deviations each is noticed that the traffic shows', { timeout }, async () => {
  const service = await createService();
  const reasons = new Map<string, string[]>();
  let requests = 0;
  for (const deviation of sample) {
    const { target, effects } = await targetWith(service, deviationsOf([deviation.id]));
    const { watcher, violations } = watcherOf(target, { lagMs: 0 });
    const calls: TracedCall[] = [];
    const observed = watched(target.transport, () => watcher, target.baseUrl);
    const transport = traced({ ...target, transport: observed }, effects, calls);
    const scenarios = trafficFor(deviation);
    const reports: Report[] = [];
    for (const id of rounds) {
      const names = { id, startedAt: new Date().toISOString() };
      const chosen = { ...suite, scenarios };
      reports.push(await reportOf(chosen, { ...target, transport }, {}, { names }));
    }
    await target.close();
    requests += calls.length;
    const reason = violations.length > 0 ? 'noticed' : whyNotShown(calls, reports);
    reasons.set(reason, [...(reasons.get(reason) ?? []), deviation.id]);
  }
  const told = (name: string, value: number | string) =>
    figure('a hundred deviations, watched', name, value);
  told('requests', requests);
  for (const [reason, ids] of reasons) {
    told(reason, ids.length);
    process.stderr.write(
      `${ids.length} ${reason}${reason === 'noticed' ? '' : `: ${ids.join(', ')}`}\n`,
    );
  }
  expect(sample.length).toBe(100);
  expect(requests).toBeGreaterThan(10_000);
  const missed = reasons.get(isShown) ?? [];
  expect(missed.length, missed.join()).toBeLessThanOrEqual(mostMissed);
  expect(reasons.get('noticed')?.length).toBeGreaterThanOrEqual(leastNoticed);
});
