/** Two targets: a mock and an independent tenant. No output file contains data of the tenant. */
import { expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import type { RunOptions } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';
import { inProcessTarget } from '../../lab/exam/in-process.ts';
import { bench } from '../../lab/tenant/measure.ts';
import { createService } from '../../mock/kits/index.ts';
import { comparisonMd, comparisonText } from '../../reports/diff/comparison.ts';
import { diffReports } from '../../reports/diff/reports.ts';
import { diffTargets, type TargetRun } from '../../reports/diff/targets.ts';
import { profileYaml } from '../../reports/profile-yaml.ts';
import { scaled } from '../../spec/testing/campaign.ts';

/** Leaves out long watches, because their repeated answers contain the same data. */
function withoutLongWatches(suite: Suite): Suite {
  const scenarios = suite.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) =>
      step.timing?.kind === 'throughout'
        ? { ...step, timing: { ...step.timing, atLeast: Math.min(step.timing.atLeast, 50) } }
        : step,
    ),
  }));
  return { ...suite, scenarios };
}

const suite = withoutLongWatches(loadOwnSuite());
/** By day some answers of each operation, including refusals; at night all. */
const byDay = [
  ...['DEPL-1', 'ENV-11', 'STAGE-5', 'VER-12', 'UPD-1', 'META-5', 'FOLDER-2', 'RECIP-5'],
  ...['AUDIT-7', 'DBT-1', 'SCIM-11', 'AUTH-8', 'PAGE-6'],
];
const names = { id: 'compared', startedAt: '2026-11-20T05:12:44.120Z' };
const options: RunOptions = {
  allow: 'permanent',
  convergenceMs: 20,
  standards: 'report',
  complete: false,
  jobs: 8,
  only: scaled(0, 1) === 1 ? [] : byDay,
};

async function play(target: Target): Promise<TargetRun> {
  const input = { suite, target, options, names, safety: safetyFacts, version: '0' };
  return await runSuite(input);
}

const service = await createService();
const playMock = async () => await play(await inProcessTarget(service));
const a = await playMock();

test('no data of a target enters a profile or a comparison', async () => {
  // This tenant loses folder names, so checks fail on its data.
  const { tenant, target } = bench({ habits: [], broken: 'folders:rename-lost' });
  const state = tenant.state();
  for (const [index, user] of state.users.entries()) {
    const known = JSON.stringify(target.bindings).includes(user.email);
    const email = known ? user.email : `Canary.mail${index}@canary.example`;
    state.users[index] = { ...user, email, name: `Canary Person ${index}` };
  }
  for (const item of [...state.deployments, ...state.folders]) item.name = `Canary ${item.name}`;
  for (const user of state.embedUsers) {
    user.properties = { securityContext: { token: 'canary-token-0123456789' } };
  }
  state.events = state.events.map((event) => ({ ...event, about: `canary ${event.about}` }));

  const b = await play(target);
  expect(JSON.stringify(b).match(/canary/gi)?.length).toBeGreaterThan(1000);
  const found = [diffTargets(a, b), diffTargets(b, a), diffReports(a.report, b.report)];
  expect(found[0]?.headline).toMatch(/^\d+ target violates, \d+ silence answered differently/);
  const written = [
    profileYaml(b.report),
    ...found.flatMap((one) => [comparisonText(one), comparisonMd(one)]),
  ];
  const secrets = [...target.credentials.values()].map(({ secret }) => secret);
  for (const text of written) {
    expect(text).not.toMatch(/canary|harbour\.example\W*"|mira|jonas|tariffs|haulier/i);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

test('a mock does not differ from a mock', async () => {
  expect(diffTargets(a, await playMock()).headline).toBe('no difference');
});
