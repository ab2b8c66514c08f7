import { expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { targetWith } from '../exam/in-process.ts';
import { reportOf } from '../exam/suite-run.ts';
import { drawn, type Named, tenantOf } from '../honest/draw.ts';
import { honestTarget } from '../honest/honest.ts';
import { withLedger } from '../tenant/measure.ts';
import { watched, watcherOf } from './watched-traffic.ts';

const suite = loadOwnSuite();

/** The report of a watcher about the traffic between the whole suite and an honest tenant. */
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

// Two tenants of each base; `npm run nightly` plays more.
test.for([...drawn('mock', 2, 11), ...drawn('tenant', 2, 11)])(
  'an honest tenant has no finding: $base $ids',
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

/**
 * The traffic must show at least this many of the sample. The rest is not certain: a gateway or
 * another user may be the cause, or the client did not make the call to compare with.
 */
const leastNoticed = 53;

test('the traffic shows at least 53 of a hundred deviations', async () => {
  const service = await createService();
  let noticed = 0;
  for (const { id, operations, breaks } of sample) {
    const { target } = await targetWith(service, deviationsOf([id]));
    const near = suite.scenarios.filter(
      (one) =>
        operations.some((name) => one.operations?.has(name)) &&
        breaks.some((statement) => one.statements.has(statement)),
    );
    const { watcher, violations } = watcherOf(target, { lagMs: 0 });
    const transport = watched(target.transport, () => watcher, target.baseUrl);
    await reportOf({ ...suite, scenarios: near.slice(0, 2) }, { ...target, transport });
    await target.close();
    if (violations.length > 0) noticed += 1;
  }
  expect(sample.length).toBe(100);
  expect(noticed).toBeGreaterThanOrEqual(leastNoticed);
});
