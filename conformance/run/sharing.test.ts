/** On a tenant, scenarios that send refused writes share an area while they watch it. */

import { join } from 'node:path';
import { expect } from 'vitest';
import { verify } from '../commands/verify.ts';
import { loadSuite } from '../language/load.ts';
import type { FakeService } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const staging = '/build/api/v1/deployments/1/branches/staging-environment';

/** A refused switch of the branch, which the list must not show. */
const refused = (title: string, statement: string, as: string): string => `
scenario: ${title}
confirm: 3
as: admin
steps:
  - { id: before, call: listEnvironments }
  - { id: refused, as: ${as}, call: setStagingEnvironment, body: { branchName: shared, enabled: true }, expect: 401 }
  - id: after
    again: before
    stays: true
    checks: { ${statement}: { same set: before } }
`;
const scenarios = [
  refused('Nobody switches', 'AUTH-1', 'none'),
  refused('Letters are not a key', 'AUTH-3', '{ header: "Bearer letters" }'),
];

/** Makes the service carry out a switch that it refuses, if the request has this authorization. */
function doesAllTheSame(service: FakeService, authorization: string | undefined): void {
  service.intercept = (request) => {
    const { method, url, headers } = request;
    if (method === 'PUT' && url === staging && headers.authorization === authorization)
      service.state.branch.isStagingEnvironmentEnabled = true;
    return undefined;
  };
}

const verified = (ran: Ran) => {
  const suite = loadSuite(
    scenarios.map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })),
  );
  return verify(join(ran.out ?? '', 'report.json'), { suite });
};

test.concurrent('their watches run in parallel', async ({ service }) => {
  const ran = await runYaml(service, scenarios);
  const happened = ran.progress.map(({ type }) => type).filter((type) => /^(wait|sc)/.test(type));
  expect(happened.slice(-4)).toEqual(['waiting', 'waiting', 'scenario-ended', 'scenario-ended']);
  expect([ran.checks('AUTH-1'), ran.checks('AUTH-3')]).toMatchObject([
    [{ verdict: 'verified' }],
    [{ verdict: 'verified' }],
  ]);
  expect(ran.report?.scenarios.map(({ tries }) => tries)).toEqual([undefined, undefined]);
});

test.concurrent('a failure in company is tried alone, and only its cause is reported', async ({
  service,
}) => {
  doesAllTheSame(service, undefined);
  const ran = await runYaml(service, scenarios);
  expect(ran.checks('AUTH-1')).toMatchObject([
    { verdict: 'violated', scenario: 'Nobody switches' },
  ]);
  expect(ran.checks('AUTH-3')).toMatchObject([{ verdict: 'verified' }]);
  const again = ran.report?.scenarios.map(({ tries, concurrent }) => ({ tries, concurrent }));
  expect(again).toEqual([
    { tries: 2, concurrent: true },
    { tries: 2, concurrent: true },
  ]);
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(false);
  expect(ran.report?.leftBehind).toEqual([]);
});

test.concurrent('a failure that occurs only in company is reported as a warning', async ({
  service,
}) => {
  doesAllTheSame(service, undefined);
  const { intercept } = service;
  let times = 0;
  service.intercept = (request) => {
    if (request.method === 'PUT' && request.headers.authorization === undefined) times += 1;
    return times > 1 ? undefined : intercept?.(request, times);
  };
  const ran = await runYaml(service, scenarios);
  expect(ran.checks('AUTH-1')).toMatchObject([{ verdict: 'verified' }]);
  expect(ran.report?.warnings).toEqual([
    expect.stringContaining('passed alone: Nobody switches; Letters are not a key'),
  ]);
});

test.concurrent('the certificate of a shared watch verifies from its evidence', async ({
  service,
}) => {
  doesAllTheSame(service, 'Bearer letters');
  const ran = await runYaml(service, scenarios);
  expect(ran.exitCode).toBe(1);
  expect(await verified(ran)).toMatchObject({ problems: [], differences: [] });
});

const quick = `
scenario: Nobody switches at once
steps:
  - { id: refused, as: none, call: setStagingEnvironment, body: { branchName: shared, enabled: true }, checks: { AUTH-1: 401 } }
  - { id: after, call: listEnvironments, stays: 300ms }
`;
const slow = `
scenario: Letters are not a key, later
as: admin
steps:
  - { id: before, call: listEnvironments, repeat: { times: 5 } }
  - { id: refused, as: { header: "Bearer letters" }, call: setStagingEnvironment, body: { branchName: shared, enabled: true }, checks: { AUTH-3: 401 } }
  - { id: after, again: before, stays: true }
`;

test.concurrent("a gateway's answer is not a failure if the write is refused alone", async ({
  service,
}) => {
  let left = 1;
  service.intercept = ({ method, headers }) =>
    method === 'PUT' && headers.authorization === undefined && left-- > 0
      ? { status: 529 }
      : undefined;
  const ran = await runYaml(service, [quick, slow], { convergenceMs: 1000 });
  expect(ran.report?.scenarios).toContainEqual(
    expect.objectContaining({ scenario: 'Nobody switches at once', concurrent: true, tries: 2 }),
  );
  expect(ran.checks('AUTH-1')).toMatchObject([{ verdict: 'verified' }]);
  expect(ran.exitCode).toBe(0);
  expect(ran.report?.warnings).toEqual([]);
  service.intercept = ({ method, headers }) =>
    method === 'PUT' && headers.authorization === undefined ? { status: 529 } : undefined;
  const again = await runYaml(service, [quick, slow], { convergenceMs: 1000 });
  expect(again.checks('AUTH-1')).toMatchObject([{ verdict: 'violated', actual: 529 }]);
});

test.concurrent('the last of several sharing scenarios restores the object', async ({
  service,
}) => {
  doesAllTheSame(service, undefined);
  const ran = await runYaml(service, [quick, slow], { convergenceMs: 1000 });
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(false);
  expect(ran.report?.leftBehind).toEqual([]);
  // The first scenario leaves this to the other, which still watches. So there are two refused
  // switches and one put-back.
  const { requests } = service;
  const switches = requests.filter((line) => line === `PUT ${staging}`);
  expect(switches).toHaveLength(3);
  expect(requests.lastIndexOf(`PUT ${staging}`)).toBeGreaterThan(
    requests.lastIndexOf('GET /api/v1/deployments/1/environments'),
  );
});

test.concurrent('a scenario that writes shares its area only after its last write is visible', async ({
  service,
}) => {
  const writes = `
scenario: A branch is switched on and off
as: admin
steps:
  - { id: on, call: setStagingEnvironment, body: { branchName: shared, enabled: true } }
  - { id: off, again: on, body: { branchName: shared, enabled: false } }
  - { id: shows, call: listEnvironments, stays: true, checks: { STAGE-6: { body: { data: { environments: { $length: 1 } } } } } }
`;
  const ran = await runYaml(service, [...scenarios, writes]);
  expect(ran.report?.scenarios.flatMap(({ tries = [] }) => tries)).toEqual([]);
  expect(ran.checks('AUTH-1')).toMatchObject([{ verdict: 'verified' }]);
  const switches = service.requests.filter((line) => line === `PUT ${staging}`);
  // Two refused switches, then on and off. The scenario's own last write put the branch back, so no other is sent.
  expect(switches).toHaveLength(4);
});
