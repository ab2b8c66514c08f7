import { expect, test } from 'vitest';
import { exitCodes, type Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { targetWith } from '../exam/in-process.ts';
import { reportOf } from '../exam/suite-run.ts';
import { drawn, type Named, packs, singles, tenantOf } from '../honest/draw.ts';
import { honestTarget, scenariosNear } from '../honest/honest.ts';
import { withLedger } from '../tenant/measure.ts';
import { isShown, type TracedCall, traced, whyNotShown } from './unshown.ts';
import { watched, watcherOf } from './watched-traffic.ts';

const suite = loadOwnSuite();

/** A watcher's report on the traffic of the suite, or of some scenarios, with an honest tenant. */
async function saidOf(named: Named, scenarios = suite.scenarios) {
  const { target: own, convergenceMs } = await honestTarget(tenantOf(named));
  const { watcher, violations } = watcherOf(own, { lagMs: 10 * convergenceMs });
  const transport = watched(own.transport, () => watcher, own.baseUrl, own.now);
  const target = { ...own, transport };
  const run = (more: Parameters<typeof reportOf>[3]) =>
    reportOf({ ...suite, scenarios }, target, { convergenceMs, jobs: 8 }, more);
  await (target.kind === 'tenant' ? withLedger((openLedger) => run({ openLedger })) : run({}));
  await target.close();
  const { statements, requests, exitCode } = watcher.report();
  const verified = statements.filter(({ verdict }) => verdict.startsWith('verified'));
  if (exitCode === exitCodes.violation && violations.length === 0) violations.push('exit code 1');
  const accused = violations.map((violation) => `${named.ids.join(' + ')}: ${violation}`);
  return { accused, verified: verified.length, requests: requests.total };
}

test.for([...drawn('mock', 2, 11), ...drawn('tenant', 2, 11)])(
  'an honest tenant is judged, and not accused: $base $ids',
  async (named) => {
    const { accused, verified } = await saidOf(named);
    expect(accused).toEqual([]);
    expect(verified).toBeGreaterThan(50);
  },
);

// At night some 2,000 runs.
const timeout = 3_600_000;

test('no tenant of the leniency exam is accused', { timeout }, async () => {
  const all = [...packs('tenant'), ...singles('mock')];
  const tenants = all.filter((_, at) => at % scaled(150, 1) === 0);
  const accused: string[] = [];
  let requests = 0;
  for (const named of tenants) {
    const said = await saidOf(named, await scenariosNear(tenantOf(named)));
    accused.push(...said.accused);
    requests += said.requests;
  }
  const told = (name: string, value: number) => figure('honest tenants, watched', name, value);
  told('tenants', tenants.length);
  told('requests', requests);
  told('violations', accused.length);
  expect(accused).toEqual([]);
});

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
