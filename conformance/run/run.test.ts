/** Tests verbs, waiting and judging against a small service, each with a pass and a failure. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { planOf } from '../commands/command.ts';
import { verify } from '../commands/verify.ts';
import { loadSuite } from '../language/load.ts';
import { env, startFake, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const walk = (checks: string): string => `
scenario: A walk
effect: none
steps:
  - id: walk
    as: admin
    call: listDeployments
    walkPages: { limit: 7 }
    checks: ${checks}
`;
const PAGE = '{ PAGE-6: { walk: { duplicates: [], missing: 0 }, atLeast: { walk.pages: 3 } } }';

test.concurrent('walkPages finds every item once', async ({ service }) => {
  const ran = await runYaml(service, [walk(PAGE)]);
  expect(ran.report?.exitCode).toBe(0);
  expect(ran.checks('PAGE-6')[0]?.verdict).toBe('verified');
});

test.concurrent('walkPages continues with pages of 20 if larger ones are refused', async ({
  service,
}) => {
  service.intercept = (request) => {
    const limit = new URL(request.url ?? '', 'http://x').searchParams.get('limit');
    return Number(limit) > 20 ? { status: 422 } : undefined;
  };
  const ran = await runYaml(service, [
    walk('{ PAGE-6: { walk: { duplicates: [], missing: 0 } } }').replace('limit: 7', 'limit: 50'),
  ]);
  expect(ran.checks('PAGE-6')[0]?.verdict).toBe('verified');
  expect(service.requests.at(-1)).toContain('limit=20');
});

test.concurrent('walkPages finds a largest page size that pagination does not name', async ({
  service,
}) => {
  service.intercept = (request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    if (pathname !== '/api/v1/deployments' || !(Number(limit) > 21)) return undefined;
    const { data, pagination } = pageOf(offset ?? 0, 21, offset ?? 0);
    return { status: 200, body: { data, pagination: { ...pagination, limit } } };
  };
  const check = '{ PAGE-6: { walk: { duplicates: [], missing: 0 }, atLeast: { walk.pages: 2 } } }';
  const ran = await runYaml(service, [walk(check).replace('limit: 7', 'limit: 30')]);
  expect(ran.checks('PAGE-6')[0]?.verdict).toBe('verified');
});

test.concurrent('walkPages notices pages that overlap, and names the items', async ({
  service,
}) => {
  service.intercept = (request) => {
    const url = new URL(request.url ?? '', 'http://x');
    const offset = Number(url.searchParams.get('offset') ?? 0);
    if (url.pathname !== '/api/v1/deployments' || offset === 0) return undefined;
    return { status: 200, body: pageOf(offset - 1, 7, offset) };
  };
  const ran = await runYaml(service, [walk(PAGE)]);
  expect(ran.exitCode).toBe(1);
  expect(ran.checks('PAGE-6')[0]).toMatchObject({
    verdict: 'violated',
    pointer: '/walk/duplicates',
  });
});

test.concurrent('a walk over a list that changes is not-testable', async ({ service }) => {
  let calls = 0;
  service.intercept = (request) => {
    const url = new URL(request.url ?? '', 'http://x');
    if (url.pathname !== '/api/v1/deployments') return undefined;
    calls++;
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return {
      status: 200,
      body: pageOf(
        Math.max(0, offset - 1),
        Number(url.searchParams.get('limit') ?? 20),
        offset,
        calls,
      ),
    };
  };
  const ran = await runYaml(service, [walk(PAGE)]);
  expect(ran.checks('PAGE-6')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the list changed while it was walked, three times',
  });
});

test.concurrent.for([
  ['the first of six walks', [1], 'not-testable', 'it failed in one of 6 walks'],
  ['two of four walks', [1, 4], 'unstable', 'it failed in one walk and held in another'],
] as const)(
  'a total that is wrong in %s is judged after at most six walks',
  async ([, wrong, verdict, reason], { service }) => {
    let walks = 0;
    service.intercept = (request) => {
      const url = new URL(request.url ?? '', 'http://x');
      if (url.pathname !== '/api/v1/deployments') return undefined;
      const offset = Number(url.searchParams.get('offset') ?? 0);
      const limit = Number(url.searchParams.get('limit') ?? 20);
      if (limit === 7 && offset === 0) walks++;
      const isWrong = limit === 7 && wrong.some((walk) => walk === walks);
      const body = pageOf(offset, limit, offset);
      if (isWrong) body.pagination.total++;
      return { status: 200, body };
    };
    const [check] = (await runYaml(service, [walk(PAGE)])).checks('PAGE-6');
    expect(check).toMatchObject({ verdict, reason: expect.stringContaining(reason) });
  },
);

test.concurrent('a list that grows after its first big page also counts as changing', async ({
  service,
}) => {
  // No page holds more than ten items, and each request adds a deployment.
  let calls = 0;
  service.intercept = (request) => {
    const url = new URL(request.url ?? '', 'http://x');
    if (url.pathname !== '/api/v1/deployments') return undefined;
    calls += 1;
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    const all = Array.from({ length: 25 + calls }, (_, index) => ({
      id: String(index + 1),
      name: 'x',
      created_at: '2026-01-01T00:00:00.000Z',
    }));
    const pagination = { offset, limit: Math.min(limit ?? 10, 10), total: all.length };
    const deployments = all.slice(offset, (offset ?? 0) + pagination.limit);
    return { status: 200, body: { data: { deployments }, pagination } };
  };
  const ran = await runYaml(service, [walk('{ PAGE-6: { walk: { totals: { $length: 1 } } } }')]);
  expect(ran.checks('PAGE-6')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the list changed while it was walked, three times',
  });
});

test.concurrent('a check with too few subjects is not-testable', async () => {
  const small = await startFake(2);
  const ran = await runYaml(small, [walk(PAGE)]);
  await small.close();
  expect(ran.checks('PAGE-6')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the check needs 3 of walk.pages, and saw 1',
  });
});

function pageOf(from: number, limit: number, offset: number, shift = 0) {
  const deployments = Array.from({ length: 25 }, (_, index) => ({
    id: String(index + 1 + shift),
    name: 'x',
    created_at: '2026-01-01T00:00:00.000Z',
  })).slice(from, from + limit);
  return { data: { deployments }, pagination: { offset, limit, total: 25 } };
}

test.concurrent('repeat tells equal answers from different ones', async ({ service }) => {
  const text = `
scenario: Again
effect: none
steps:
  - { id: again, as: admin, call: listDeployments, query: { limit: 3 }, repeat: { times: 3 }, checks: { PAGE-5: { that: { value: "{answers.body}", is: { $every: "{answers[0].body}" } } } } }
`;
  expect((await runYaml(service, [text])).checks('PAGE-5')[0]?.verdict).toBe('verified');
  service.intercept = (request, count) =>
    request.url?.includes('limit=3') === true && count % 2 === 0
      ? { status: 200, body: pageOf(1, 3, 0) }
      : undefined;
  expect((await runYaml(service, [text])).checks('PAGE-5')[0]?.verdict).toBe('violated');
});

const toggle = `
scenario: Toggle
effect: reversible
steps:
  - id: "on"
    as: admin
    call: setStagingEnvironment
    path: { deployment_id: "{deployment.id}" }
    body: { branchName: "{sharedBranch.name}", enabled: true }
    checks: { STAGE-3: { roundTrip: [], body: { data: { isStagingEnvironmentEnabled: true } } } }
  - id: listed
    as: admin
    call: listEnvironments
    path: { deployment_id: "{deployment.id}" }
    walkPages: { limit: 20 }
    eventually: { within: 1s, every: 100ms }
    checks: { STAGE-5: { walk: { items: { $contains: { type: staging } } } } }
  - id: stays
    as: admin
    call: listEnvironments
    path: { deployment_id: "{deployment.id}" }
    stays: 200ms
    checks:
      STAGE-6: { body: { data: { environments: { $length: { $min: 1 } } } } }
      STAGE-5: { body: { data: { environments: { $not: [] } } } }
`;

test.concurrent('written objects are put back, and the ledger is removed', async ({ service }) => {
  const ran = await runYaml(service, [toggle]);
  expect(ran.report?.warnings).toEqual([]);
  expect(ran.checks('STAGE-3')[0]?.verdict).toBe('verified');
  expect(ran.checks('STAGE-5').map((check) => check.verdict)).toEqual(['verified', 'verified']);
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(false);
  expect(ran.report?.eventually[0]?.tookMs).toBeLessThan(300);
  const object = 'staging environment of branch shared of deployment 1';
  expect(ran.report?.plan).toMatchObject([
    { object, effect: 'reversible', actor: 'admin', answer: 'accepted' },
    { object, effect: 'reversible', actor: 'admin', kind: 'put-back' },
  ]);
});

test.concurrent('a change that is undone by itself is noticed, even with a short convergence', async ({
  service,
}) => {
  let shownAt = Number.POSITIVE_INFINITY;
  service.intercept = ({ url = '' }) => {
    const { branch } = service.state;
    if (performance.now() - shownAt > 300) branch.isStagingEnvironmentEnabled = false;
    else if (branch.isStagingEnvironmentEnabled && url.includes('/environments'))
      shownAt = Math.min(shownAt, performance.now());
    return undefined;
  };
  const watched = toggle
    .replace('stays: 200ms', 'stays: 500ms')
    .replace('environments: { $not: [] } ', 'environments: { $contains: { type: staging } } ');
  const ran = await runYaml(service, [watched], { convergenceMs: 50 });
  expect(ran.checks('STAGE-5').map((check) => check.verdict)).toEqual(['verified', 'violated']);
});

test.concurrent('if a change never shows, eventually judges the last answer', async ({
  service,
}) => {
  const never = (path: string): boolean => path.startsWith('/api/v1/deployments/1/environments');
  service.intercept = (request) =>
    never(request.url ?? '')
      ? {
          status: 200,
          body: { data: { environments: [] }, pagination: { offset: 0, limit: 20, total: 0 } },
        }
      : undefined;
  const ran = await runYaml(service, [toggle]);
  expect(ran.checks('STAGE-5')[0]?.verdict).toBe('violated');
  expect(ran.checks('STAGE-5')[1]?.verdict).toBe('violated');
  expect(ran.report?.eventually[0]?.tookMs).toBeNull();
});

test.concurrent.for([
  ['five times the wait', 1000, { late: 'not-testable', next: 'verified' }],
  ['never', Number.POSITIVE_INFINITY, { late: 'violated', next: 'violated' }],
] as const)('a change that shows after %s', async ([, lagMs, came], { service }) => {
  let enabledAt = Number.POSITIVE_INFINITY;
  service.intercept = ({ method, url = '' }) => {
    if (method === 'PUT') enabledAt = performance.now();
    const isSeen = !url.includes('/environments') || performance.now() - enabledAt > lagMs;
    const nothing = { environments: [] };
    const pagination = { offset: 0, limit: 20, total: 0 };
    return isSeen ? undefined : { status: 200, body: { data: nothing, pagination } };
  };
  const [twice = ''] = toggle.split('  - id: stays');
  const check = 'checks: { STAGE-5: { walk: { items: { $contains: { type: staging } } } } }';
  const seen = `{ id: seen, again: listed, eventually: { within: 1s, every: 100ms }, ${check} }`;
  const again = `  - { id: once-more, again: "on" }\n  - ${seen}\n`;
  const text = `${twice}${again}`;
  const ran = await runYaml(service, [text], { convergenceMs: 200 });
  const suite = loadSuite([{ name: 'scenarios/test/0.yaml', text }]);
  const { problems, differences } = await verify(join(ran.folder, 'out'), { suite });
  expect([problems, differences]).toEqual([[], []]);
  const [late, next] = ran.checks('STAGE-5');
  expect({ late: late?.verdict, next: next?.verdict }).toEqual(came);
  if (came.late === 'violated') return;
  expect(late?.reason).toMatch(/^late: it showed after [\d.]+ s, and the run waits 0\.2 s/);
  // The run has learned how long the target takes.
  const [first, second] = ran.report?.eventually.map(({ withinMs }) => withinMs) ?? [];
  expect(first).toBe(200);
  // It counts from the answer to the write, which comes later than the write.
  expect(second).toBeGreaterThan(lagMs / 2);
});

test.concurrent('a scenario above the allowed effect is not-testable, and nothing is written', async ({
  service,
}) => {
  const ran = await runYaml(service, [toggle], { allow: 'none' });
  expect(ran.checks('STAGE-3')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'not allowed: needs --allow reversible',
  });
  expect(service.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  expect(ran.exitCode).toBe(4);
});

test.concurrent('a dry run makes the plan and no call to the service', async ({ service }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  writeFileSync(join(folder, 'tenant.yaml'), tenantYaml(service.baseUrl, false));
  const suite = loadSuite([{ name: 'scenarios/test/0.yaml', text: toggle }]);
  const { plan } = await planOf(
    { tenant: 'tenant.yaml', suite, allow: 'disruptive' },
    { env, cwd: folder, safety: safetyFacts, version: '0.0.0' },
  );
  expect(plan.writes).toHaveLength(2);
  expect(service.requests).toEqual([]);
});

test.concurrent('a breach belongs to the statement of its schema node; undeclared fields are observed', async ({
  service,
}) => {
  service.intercept = (request) =>
    request.url?.startsWith('/api/v1/deployments?') === true
      ? {
          status: 200,
          body: {
            data: { deployments: [{ id: 1, name: 'x', created_at: 'yesterday', more: 1 }] },
            pagination: { offset: 0, limit: 1, total: 1 },
          },
        }
      : undefined;
  const text = `
scenario: Records
effect: none
steps: [{ id: list, as: admin, call: listDeployments, query: { limit: 1 }, checks: { DEPL-1: { status: 200 } } }]
`;
  const ran = await runYaml(service, [text]);
  expect(ran.checks('DEPL-2')[0]).toMatchObject({
    kind: 'contract',
    verdict: 'violated',
    pointer: '/body/data/deployments/0/id',
  });
  expect(ran.checks('DEPL-3')[0]?.verdict).toBe('violated');
  expect(ran.report?.observations).toContainEqual(
    expect.objectContaining({
      kind: 'undeclared-field',
      value: '/data/deployments/*/more',
      operation: 'listDeployments',
    }),
  );
});

test.concurrent('an answer without a body breaks no promise if the description shows none', async ({
  service,
}) => {
  service.intercept = (request) =>
    request.method === 'PUT'
      ? { raw: (response) => void response.writeHead(202).end() }
      : undefined;
  const text = `
scenario: A channel that is sent
effect: disruptive
needs: [versions]
steps:
  - id: put
    as: admin
    call: updateDeployment
    body: {}
    checks: { UPD-1: { status: 202 } }
`;
  const ran = await runYaml(service, [text]);
  expect(ran.checks('UPD-1')[0]?.verdict).toBe('verified');
  expect(ran.checks('SVC-4')).toEqual([]);
});

test.concurrent('a check without a status needs a success; a silence is observed with its choice', async ({
  service,
}) => {
  const text = `
scenario: Missing
effect: none
steps:
  - id: other
    as: admin
    call: listVersions
    path: { deployment_id: "{missing.id}" }
    checks:
      VER-1: { body: { data: { $type: array } } }
      VER-2: { only: { status: 200 }, body: { data: { $length: 1 } } }
    observe:
      ERR-9: { cases: { not-found: { status: 404 }, forbidden: { status: 403 } }, value: "{status}" }
`;
  const ran = await runYaml(service, [text]);
  expect(ran.checks('VER-1')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the call was answered 404',
  });
  expect(ran.checks('ERR-9')[0]).toMatchObject({
    verdict: 'observed',
    actual: { choice: 'not-found', value: 404 },
  });
});

test.concurrent('a failed expect stops the scenario, but undo still runs', async ({ service }) => {
  const text = `
scenario: Stopped
effect: reversible
steps:
  - { id: first, as: admin, call: listDeployments, expect: { status: 201 } }
  - { id: second, as: admin, call: listDeployments, checks: { PAGE-1: { status: 200 } } }
undo:
  - { id: last, as: admin, call: updateFolder, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: {}, checks: { FOLDER-1: { status: 200 } } }
`;
  const ran = await runYaml(service, [text]);
  expect(ran.checks('PAGE-1')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'stopped after step first: it was answered 200, and later steps need another answer',
  });
  expect(ran.checks('FOLDER-1')[0]?.verdict).toBe('verified');
});

test.concurrent('an error of the runner in an undo step prevents neither put-back nor report', async ({
  service,
}) => {
  const text = `
scenario: Renamed
effect: reversible
steps:
  - { id: rename, as: admin, call: updateFolder, body: { name: "lockstep {run.id}" } }
undo:
  - { id: last, as: admin, call: updateFolder, body: {} }
`;
  const suite = loadSuite([{ name: 'scenarios/test/0.yaml', text }]);
  const written = () => service.requests.filter((line) => line.startsWith('PUT'));
  const failOnceWritten = () => {
    if (written().length > 0) throw new Error('a defect of ours');
    return {};
  };
  const scenarios = suite.scenarios.map((scenario) => ({
    ...scenario,
    undo: scenario.undo.map((step) =>
      Object.defineProperty({ ...step }, 'capture', { get: failOnceWritten }),
    ),
  }));
  const before = structuredClone(service.state);
  const ran = await runYaml(service, [], { suite: { ...suite, scenarios } });
  expect(written().length).toBeGreaterThan(1);
  expect(service.state).toEqual(before);
  expect(ran.report?.scenarios[0]).toMatchObject({
    outcome: 'could-not-run',
    reason: 'the runner failed: a defect of ours',
  });
});
