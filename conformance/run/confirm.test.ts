/** Failures that count only if they occur again, because other users work in the tenant too. */

import { expect } from 'vitest';
import type { FakeService } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

/** A scenario in which only the enabled branch's environment may appear. */
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
/**
 * The branch's environment, and those of other users, by the number of times that it was enabled.
 */
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

test.concurrent('a failure that does not occur again makes the check not-testable', async ({
  service,
}) => {
  environments(service, (switchesOn) => (switchesOn > 0 ? ['999'] : []));
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('not-testable');
});

test.concurrent('a list that moves while the run writes nothing explains a failure', async ({
  service,
}) => {
  // Another user's environment: present in the first attempt, and sometimes after the attempts.
  let looks = 0;
  environments(service, (switchesOn, on) => {
    looks = on ? 0 : looks + 1;
    return (on && switchesOn === 1) || looks > 15 ? ['999'] : [];
  });
  const ran = await runYaml(service, [scenario('3')]);
  expect(ran.checks('STAGE-6')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the items that it compares come or go while the run changes nothing',
  });
});

test.concurrent('a branch that another user enables and disables is not blamed on the service', async ({
  service,
}) => {
  environments(service, (switchesOn) => (switchesOn === 1 ? ['999'] : []));
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('not-testable');
});

test.concurrent('other items that move during the new attempt explain nothing', async ({
  service,
}) => {
  environments(service, (switchesOn, on) => [
    ...(switchesOn > 0 ? ['999'] : []),
    ...(switchesOn > 1 && !on ? ['1000'] : []),
  ]);
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('not-testable');
});

test.concurrent('a failure that occurs with every switch counts', async ({ service }) => {
  environments(service, (switchesOn) =>
    Array.from({ length: switchesOn }, (_, index) => `${900 + index}`),
  );
  expect(verdict(await runYaml(service, [scenario('3')]))).toBe('violated');
});

test.concurrent('an item that appears in one attempt and disappears in the next is another failure', async ({
  service,
}) => {
  const both = scenario('3').replace(
    'that: { value: { from: "{walk.items[type=staging].id}", minus: "{before}" }, is: { $length: 1 } }',
    'that: [{ value: { from: "{walk.items[type=staging].id}", minus: "{before}" }, is: { $length: 1 } }, { value: { from: "{before}", minus: "{walk.items[type=staging].id}" }, is: [] }]',
  );
  // Another user's environment: present in the first attempt, absent in the second.
  environments(service, (switchesOn) => (switchesOn % 2 === 1 ? ['999'] : []));
  const ran = await runYaml(service, [both]);
  expect(ran.checks('STAGE-6')[0]?.verdict).toBe('not-testable');
});

/**
 * Loses an item of the list in each attempt. `later` gives the items by the number of later reads.
 */
async function losing(service: FakeService, later: (look: number) => readonly string[]) {
  let looks = 0;
  environments(service, (_, on) => {
    looks = on ? 0 : looks + 1;
    if (on) return [];
    return looks < 2 ? ['999'] : later(looks);
  });
  const keeps = scenario('3').replace(
    /STAGE-6: \{ that.*$/m,
    'STAGE-5: { changed: { since: without, lost: 0 } } }',
  );
  return (await runYaml(service, [keeps])).checks('STAGE-5')[0];
}

test.concurrent('an item that fails in each attempt and also moves by itself belongs to another user', async ({
  service,
}) => {
  const check = await losing(service, (look) => (look > 9 && look % 2 === 0 ? [] : ['999']));
  expect(check).toMatchObject({
    verdict: 'not-testable',
    reason: 'the items that it compares come or go while the run changes nothing',
  });
});

test.concurrent('an item that only the switch removes is an error of the service', async ({
  service,
}) => {
  // Meanwhile another item moves.
  const check = await losing(service, (look) => (look % 3 === 0 ? ['999', '1000'] : ['999']));
  expect(check?.verdict).toBe('violated');
});

const switches = (ran: Ran): number =>
  ran.trace.filter((event) => event.type === 'step' && event.step === 'on').length;

test.concurrent('a change that never shows is confirmed in one turn', async ({ service }) => {
  const pagination = { offset: 0, limit: 20, total: 0 };
  service.intercept = ({ url }) =>
    url?.includes('/environments?') === true
      ? { status: 200, body: { data: { environments: [] }, pagination } }
      : undefined;
  const gains = scenario('3').replace(
    /STAGE-6: \{ that.*$/m,
    'STAGE-5: { changed: { since: without, added: { $min: 1 } } } }',
  );
  const ran = await runYaml(service, [gains], { tries: 2 });
  expect(ran.checks('STAGE-5')[0]?.tries).toEqual({ held: 0, failed: 2 });
  expect(switches(ran)).toBe(3 + 1);
});

test.concurrent('an item that other users may have made is confirmed in each turn', async ({
  service,
}) => {
  environments(service, (switchesOn) =>
    Array.from({ length: switchesOn }, (_, index) => `${900 + index}`),
  );
  const ran = await runYaml(service, [scenario('3')], { tries: 2 });
  expect(ran.checks('STAGE-6')[0]?.tries).toEqual({ held: 0, failed: 2 });
  expect(switches(ran)).toBe(3 + 3);
});
