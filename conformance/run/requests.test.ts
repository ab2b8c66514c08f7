/** A run on a tenant does no more than it needs: its owner pays for each request, and waits for it. */

import { join } from 'node:path';
import { expect } from 'vitest';
import { verify } from '../commands/verify.ts';
import { loadSuite } from '../language/load.ts';
import type { FakeService } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const verified = (ran: Ran, scenarios: readonly string[]) => {
  const files = scenarios.map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text }));
  return verify(join(ran.out ?? '', 'report.json'), { suite: loadSuite(files) });
};
const follows = { exitCode: 0, problems: [], differences: [] };

/** How often a target was asked for. */
const asked = ({ requests }: FakeService, target: string): number =>
  requests.filter((one) => one === `GET ${target}`).length;

const two = '/api/v1/deployments?limit=2';
const whole = '/api/v1/deployments?limit=1000';

const counting = `
scenario: Counts calls
steps:
  - id: calls
    call: listDeployments
    query: { limit: 2 }
    repeat: { times: 6, ofRun: true }
    observe: { SVC-7: { cases: { unlimited: { that: { value: "{throttled}", is: 0 } } } } }
`;
const busy = (times: number): string => `
scenario: Makes calls of its own
steps:
  - { id: calls, call: listDeployments, query: { limit: 3 }, repeat: { times: ${times} }, checks: { DEPL-1: 200 } }
`;

test.concurrent('calls that the run makes anyway are counted, and spare others', async ({
  service,
}) => {
  const scenarios = [counting, busy(6)];
  const ran = await runYaml(service, scenarios, { jobs: 1 });
  expect(asked(service, two)).toBe(1);
  expect(ran.report?.observations).toMatchObject([{ statement: 'SVC-7', choice: 'unlimited' }]);
  expect(await verified(ran, scenarios)).toMatchObject(follows);
});

test.concurrent('the calls are made if the run makes too few, in each turn', async ({
  service,
}) => {
  // The preflight makes some calls with the same credential.
  const few = counting.replace('times: 6', 'times: 60');
  const ran = await runYaml(service, [few], { tries: 2 });
  expect(asked(service, two)).toBeGreaterThan(50);
  expect(asked(service, two)).toBeLessThan(60);
  expect(await verified(ran, [few])).toMatchObject(follows);
});

test.concurrent('calls of a run that was throttled show no limit, so all are made', async ({
  service,
}) => {
  let left = 1;
  service.intercept = ({ url = '' }) =>
    url.includes('limit=3') && left-- > 0
      ? { status: 429, headers: { 'retry-after': '0' } }
      : undefined;
  await runYaml(service, [counting, busy(6)], { jobs: 1 });
  expect(asked(service, two)).toBe(6);
});

const walk = `
scenario: A walk
steps:
  - id: walk
    call: listDeployments
    walkPages: { limit: 10 }
    checks: { PAGE-6: { walk: { duplicates: [], missing: 0 } } }
`;

test.concurrent('a walk that holds needs no big page before it, unless the scenario names it', async ({
  service,
}) => {
  const names = walk.replace('missing: 0 }', 'missing: 0 }, listed: "{walk.head}"');
  const scenarios = [walk, names.replace('A walk', 'A walk that looks ahead')];
  const ran = await runYaml(service, scenarios);
  expect(asked(service, whole)).toBe(1);
  expect(ran.checks('PAGE-6')).toMatchObject([{ verdict: 'verified' }, { verdict: 'verified' }]);
  expect(await verified(ran, scenarios)).toMatchObject(follows);
});

/** The page at an offset comes empty, so many times. */
function losesPage(service: FakeService, times: number): void {
  let left = times;
  service.amend = ({ url = '' }, body) =>
    url.includes('offset=10&') && left-- > 0
      ? { ...(body as object), data: { deployments: [] } }
      : body;
}

test.concurrent('a walk that always fails is a violation, and is made between big pages', async ({
  service,
}) => {
  losesPage(service, 99);
  const ran = await runYaml(service, [walk]);
  expect(ran.checks('PAGE-6')).toMatchObject([{ verdict: 'violated' }]);
  expect(asked(service, whole)).toBeGreaterThan(3);
  expect(await verified(ran, [walk])).toMatchObject({ ...follows, exitCode: 0 });
});

test.concurrent('a walk that fails once proves nothing: others may have changed the list', async ({
  service,
}) => {
  losesPage(service, 1);
  const ran = await runYaml(service, [walk]);
  expect(ran.checks('PAGE-6')).toMatchObject([{ verdict: 'not-testable' }]);
});

const refusal = `
scenario: Without a credential
steps:
  - { id: none, as: none, call: listDeployments, query: { limit: 2 }, checks: { AUTH-1: 401 } }
`;

test.concurrent('a standard that is only reported is worth no further turn', async ({
  service,
}) => {
  // The service sends no WWW-Authenticate header.
  const ran = await runYaml(service, [refusal], { confirm: true });
  expect(ran.checks('HTTP-1')).toMatchObject([{ verdict: 'deviates' }]);
  expect(asked(service, two)).toBe(1);
  await runYaml(service, [refusal], { confirm: true, standards: 'enforce' });
  expect(asked(service, two)).toBe(3);
});

test.concurrent('a standard that is only reported is not looked for among the known deviations', async ({
  service,
}) => {
  let asked = 0;
  const diagnosing = async () => {
    asked++;
    return { deviations: [], play: async () => ({ statements: [] }), budgetMs: 0 };
  };
  await runYaml(service, [refusal], {}, undefined, { diagnosing });
  expect(asked).toBe(0);
  await runYaml(service, [refusal.replace('401', '403')], {}, undefined, { diagnosing });
  expect(asked).toBe(1);
});
