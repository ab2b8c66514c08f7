/** Before anything is judged: tests that the preflight checks the tenant file's claims. */

import { expect } from 'vitest';
import type { FakeService } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const enable = `
scenario: Enable
effect: reversible
steps:
  - id: "on"
    as: admin
    call: setStagingEnvironment
    path: { deployment_id: "{deployment.id}" }
    body: { branchName: "{sharedBranch.name}", enabled: true }
    checks: { STAGE-1: { status: 200 } }
`;
const branchesPath = '/build/api/v1/deployments/1/branches';

/** Serves branches of these names, in pages if a size is given. */
function branches(service: FakeService, names: readonly string[], size = names.length): void {
  service.intercept = (request) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== branchesPath) return undefined;
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const start = size === names.length ? 0 : offset;
    const page = names.slice(start, start + size);
    return {
      status: 200,
      body: { data: page.map((name, at) => ({ id: name === 'shared' ? 102 : at, name })) },
    };
  };
}

test.concurrent('a missing branch makes its scenarios not-testable, and nothing is written', async ({
  service,
}) => {
  branches(service, ['main', 'another']);
  const ran = await runYaml(service, [enable]);
  expect(ran.report?.preflight).toEqual([
    { name: 'sharedBranch', kind: 'binding', message: 'the branches list holds no shared' },
  ]);
  expect(ran.checks('STAGE-1')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'sharedBranch: the branches list holds no shared',
  });
  expect(service.requests.filter((line) => line.startsWith('PUT'))).toEqual([]);
});

test.concurrent('below its address, a service may refuse before it looks for the path', async ({
  service,
}) => {
  let asked = 0;
  service.intercept = () => ({ status: asked++ % 2 === 0 ? 404 : 401 });
  const ran = await runYaml(service, [enable], { baseUrl: `${service.baseUrl}/api/v1` });
  expect(ran).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('every probe is answered 401 or 404'),
  });
});

const many = Array.from({ length: 70 }, (_, index) => `branch-${index}`);

test.concurrent.for<[string, string[], number]>([
  ['on the third page', [...many.slice(0, 45), 'shared'], 20],
  ['on the second page of fifty', [...many, 'shared'], 50],
  ['in a list without pages', [...many, 'shared'], 71],
])('a branch %s is found', async ([, names, size], { service }) => {
  branches(service, names, size);
  expect((await runYaml(service, [enable])).report?.preflight).toEqual([]);
});

test.concurrent.for<[string, object]>([
  ['goes on, as it says', { data: [{ name: 'main' }], hasMore: true }],
  ['has a cursor', { data: [{ name: 'main' }], next: 'abc' }],
  ['says that there are more', { data: [{ name: 'main' }], pagination: { total: 12 } }],
  ['may be a page', { data: many.slice(0, 20).map((name) => ({ name })) }],
  ['names branches differently', { data: [{ branchName: 'main', owner: { name: 'Ines' } }] }],
  ['names them in another field', { data: [{ name: 'Orders', ref: 'shared' }] }],
])('a list that %s does not count as missing a branch', async ([, body], { service }) => {
  service.intercept = (request) =>
    request.url?.startsWith(branchesPath) === true ? { status: 200, body } : undefined;
  expect((await runYaml(service, [enable])).report?.preflight).toEqual([]);
});

test.concurrent('a finding names a branch that the list calls differently', async ({ service }) => {
  const body = { data: [{ name: 'shared', type: 'production' }], total: 1 };
  service.intercept = (request) =>
    request.url?.startsWith(branchesPath) === true ? { status: 200, body } : undefined;
  expect((await runYaml(service, [enable])).report?.preflight).toEqual([
    {
      name: 'sharedBranch',
      kind: 'binding',
      message: 'the branches list calls shared production, not shared',
    },
  ]);
});

test.concurrent('a finding names a credential that every tried surface refuses', async ({
  service,
}) => {
  service.intercept = (request) =>
    request.url?.startsWith('/api/scim') === true ? { status: 401 } : undefined;
  const ran = await runYaml(service, [enable]);
  expect(ran.report?.preflight).toEqual([
    {
      name: 'scim',
      kind: 'credential',
      message: expect.stringMatching(/^it is answered 401 wherever it was tried: it is stale/),
    },
  ]);
});
