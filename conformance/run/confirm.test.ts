/** Failures that must come again to stand, because other people work in the tenant as well. */

import { expect } from 'vitest';
import type { FakeService } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

/** Nothing but the environment of the branch that is switched on may come. */
const scenario = (confirm: string): string => `
scenario: Nothing else comes
effect: reversible
confirm: ${confirm}
steps:
  - { id: first-off, as: admin, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: false } }
  - { id: without, as: admin, call: listEnvironments, path: { deployment_id: "{deployment.id}" }, walkPages: { limit: 20 }, list: "{walk.items[type=staging]}", capture: { before: "{walk.items[type=staging].id}" } }
  - { id: "on", as: admin, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: true } }
  - id: with
    as: admin
    call: listEnvironments
    path: { deployment_id: "{deployment.id}" }
    walkPages: { limit: 20 }
    list: "{walk.items[type=staging]}"
    capture: { came: { from: "{walk.items[type=staging].id}", minus: "{before}" } }
    checks: { STAGE-6: { that: { value: { from: "{walk.items[type=staging].id}", minus: "{before}" }, is: { $length: 1 } } } }
  - { id: "off", as: admin, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: false } }
  - { id: later, again: without, capture: { after: "{walk.items[type=staging].id}" } }
`;
const unless = `
  times: 3
  unless:
    - { value: "{firstTry.came}", is: { $not: { $disjointFrom: "{before}" } } }
    - { value: "{after}", is: { $sameSet: "{before}" } }`;

const lasting = `
  times: 3
  unless it stays: { since: without, seen: with, until: later }`;

/** Beside the branch's own environment, those that `others` gives after so many switches on. */
function environments(
  service: FakeService,
  others: (switchesOn: number, on: boolean) => readonly string[],
): void {
  let wasOn = false;
  let switchesOn = 0;
  service.intercept = (request) => {
    if (request.url?.includes('/environments?') !== true) return undefined;
    const on = service.state.branch.isStagingEnvironmentEnabled;
    if (on && !wasOn) switchesOn++;
    wasOn = on;
    const ids = [...(on ? ['202'] : []), ...others(switchesOn, on)];
    const api_credentials = {
      rest: { url: 'https://x.example/v1' },
      sql: { host: 'x', port: 1 },
    };
    const list = ids.map((id) => ({ id, name: id, type: 'staging', api_credentials }));
    const { searchParams } = new URL(request.url, 'http://localhost');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    const pagination = { offset, limit, total: list.length };
    return { status: 200, body: { data: { environments: list }, pagination } };
  };
}

const verdict = (ran: Ran): unknown => ran.checks('STAGE-6')[0]?.verdict;

test.concurrent('what comes once, and is not seen to come again, is not testable', async ({
  service,
}) => {
  environments(service, (switchesOn) => (switchesOn > 0 ? ['999'] : []));
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('not-testable');
});

test.concurrent('with unless it stands: what came with the switch has stayed, and nothing else moved', async ({
  service,
}) => {
  environments(service, (switchesOn) => (switchesOn > 0 ? ['999'] : []));
  const ran = await runYaml(service, [scenario(unless)]);
  expect(verdict(ran)).toBe('violated');
  expect(ran.checks('STAGE-6')[0]?.actual).toEqual(['202', '999']);
});

test.concurrent('unless it stays proves nothing on a tenant: a colleague may have switched it on', async ({
  service,
}) => {
  environments(service, (switchesOn) => (switchesOn > 0 ? ['999'] : []));
  expect(verdict(await runYaml(service, [scenario(lasting)]))).toBe('not-testable');
});

test.concurrent('a list that moves while the run writes nothing explains a failure', async ({
  service,
}) => {
  // Somebody's environment: on in the first try, and now and then once the tries are over.
  let looks = 0;
  environments(service, (switchesOn, on) => {
    looks = on ? 0 : looks + 1;
    return (on && switchesOn === 1) || looks > 15 ? ['999'] : [];
  });
  const ran = await runYaml(service, [scenario('3')]);
  expect(ran.checks('STAGE-6')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'it failed once, and what it compares moves while the run changes nothing',
  });
});

test.concurrent.for([unless, lasting])(
  'somebody else who switches on and off again is not the service',
  async (confirm, { service }) => {
    environments(service, (switchesOn) => (switchesOn === 1 ? ['999'] : []));
    expect(verdict(await runYaml(service, [scenario(confirm)]))).toBe('not-testable');
  },
);

test.concurrent.for([unless, lasting])(
  'where other things moved while it was tried again, what stayed proves nothing',
  async (confirm, { service }) => {
    environments(service, (switchesOn, on) => [
      ...(switchesOn > 0 ? ['999'] : []),
      ...(switchesOn > 1 && !on ? ['1000'] : []),
    ]);
    expect(verdict(await runYaml(service, [scenario(confirm)]))).toBe('not-testable');
  },
);

test.concurrent('what comes again with every switch stands anyhow', async ({ service }) => {
  environments(service, (switchesOn) =>
    Array.from({ length: switchesOn }, (_, index) => `${900 + index}`),
  );
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('violated');
});

test.concurrent('what comes in one try and goes in the next is not the same failure', async ({
  service,
}) => {
  const both = scenario('3').replace(
    'that: { value: { from: "{walk.items[type=staging].id}", minus: "{before}" }, is: { $length: 1 } }',
    'that: [{ value: { from: "{walk.items[type=staging].id}", minus: "{before}" }, is: { $length: 1 } }, { value: { from: "{before}", minus: "{walk.items[type=staging].id}" }, is: [] }]',
  );
  // Somebody's environment: on while the first try looks, off while the second does.
  environments(service, (switchesOn) => (switchesOn % 2 === 1 ? ['999'] : []));
  const ran = await runYaml(service, [both]);
  expect(ran.checks('STAGE-6')[0]?.verdict).toBe('not-testable');
});

test.concurrent('a failure that was confirmed is not confirmed again in the next turn', async ({
  service,
}) => {
  environments(service, (switchesOn) =>
    Array.from({ length: switchesOn }, (_, index) => `${900 + index}`),
  );
  const ran = await runYaml(service, [scenario('3')], { tries: 2 });
  expect(ran.checks('STAGE-6')[0]?.tries).toEqual({ held: 0, failed: 2 });
  const on = ran.trace.filter((event) => event.type === 'step' && event.step === 'on');
  expect(on).toHaveLength(3 + 1);
});
