/**
 * A run does not pass if an object stays changed, the tenant file is contradicted, or a check is
 * unstable.
 */

import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verify } from '../commands/verify.ts';
import { reasonOf } from '../judge/rules-of-evidence.ts';
import { loadSuite } from '../language/load.ts';
import type { FakeService } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const statement = (ran: Ran, id: string): unknown =>
  ran.report?.statements.find((item) => item.id === id);

const list = `
scenario: The list says how long it is
as: admin
steps:
  - { id: list, call: listDeployments, checks: { PAGE-4: { body: { pagination: { total: 25 } } } } }
`;

/** Every third list gives a total that is one too large. */
function everyThird(service: FakeService): void {
  let lists = 0;
  service.amend = (request, body) => {
    const { url = '' } = request;
    if (!url.startsWith('/api/v1/deployments') || url.endsWith('/versions')) return body;
    lists += 1;
    if (lists % 3 !== 0) return body;
    const { pagination } = body as { pagination: object };
    return { ...(body as object), pagination: { ...pagination, total: 26 } };
  };
}

describe('a promise broken in every third request', () => {
  test.concurrent('is missed by one try, and the report says how little one try shows', async ({
    service,
  }) => {
    everyThird(service);
    const ran = await runYaml(service, [list]);
    expect(ran.exitCode).toBe(0);
    expect(statement(ran, 'PAGE-4')).toMatchObject({
      verdict: 'verified',
      tries: { held: 1, failed: 0 },
      failureRate: expect.closeTo(0.95),
    });
  });

  test.concurrent('is unstable in twelve tries, fails the run, and shows a pass and a failure', async ({
    service,
  }) => {
    everyThird(service);
    const ran = await runYaml(service, [list], { tries: 12 });
    expect(ran.exitCode).toBe(1);
    expect(statement(ran, 'PAGE-4')).toMatchObject({ verdict: 'unstable' });
    const [check] = ran.checks('PAGE-4');
    expect(check).toMatchObject({
      verdict: 'unstable',
      actual: 26,
      reason: reasonOf({ rule: 'at-times', failed: check?.tries?.failed ?? 0, tries: 12 }),
      held: [expect.stringMatching(/^evidence\//)],
    });
    expect(check?.held).not.toEqual(check?.evidence);
  });

  test.concurrent('verifies from its evidence', async ({ service }) => {
    everyThird(service);
    const ran = await runYaml(service, [list], { tries: 12 });
    const suite = loadSuite([{ name: 'scenarios/test/0.yaml', text: list }]);
    const again = await verify(join(ran.out ?? '', 'report.json'), { suite });
    expect(again).toMatchObject({ problems: [], differences: [], exitCode: 0 });
  });
});

test.concurrent('a soak goes on until its time is over', async ({ service }) => {
  // The soak is long enough for a second try on a busy machine.
  const ran = await runYaml(service, [list], { soakMs: 1000 });
  const { tries, failureRate } = statement(ran, 'PAGE-4') as {
    tries: { held: number; failed: number };
    failureRate: number;
  };
  expect(tries.failed).toBe(0);
  expect(tries.held).toBeGreaterThan(1);
  // A single passed try would still allow a failure rate of 95 %.
  expect(failureRate).toBeLessThan(0.95);
});

const twice = `
scenario: Two readings agree
confirm: 3
as: admin
steps:
  - { id: once, call: listDeployments, capture: { before: "{body.pagination.total}" } }
  - { id: again, again: once, checks: { PAGE-4: { body: { pagination: { total: "{before}" } } } } }
`;

/** The lists in this range of requests give a total that is one too large. */
function oneMore(service: FakeService, from: number, to: number): void {
  let lists = 0;
  service.amend = (request, body) => {
    const judged = request.url === '/api/v1/deployments' && request.headers.authorization;
    if (judged === undefined || judged === false) return body;
    lists += 1;
    const total = lists >= from && lists <= to ? 26 : 25;
    return { ...(body as object), pagination: { offset: 0, limit: 20, total } };
  };
}

test.concurrent('a check that fails once and holds again is unstable', async ({ service }) => {
  oneMore(service, 2, 2);
  const ran = await runYaml(service, [twice]);
  expect(ran.checks('PAGE-4')[0]).toMatchObject({
    verdict: 'unstable',
    reason: 'it failed in one try and held in another',
    held: [expect.stringMatching(/#3$/)],
  });
  expect(ran.exitCode).toBe(1);
});

test.concurrent('a lasting change by others explains a failure', async ({ service }) => {
  oneMore(service, 2, Number.POSITIVE_INFINITY);
  const ran = await runYaml(service, [twice]);
  expect(ran.checks('PAGE-4')[0]).toMatchObject({ verdict: 'not-testable' });
  expect(ran.exitCode).toBe(0);
});

const shows = `
scenario: A branch's environment shows
effect: reversible
as: admin
steps:
  - { id: enable, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: true } }
  - id: shown
    call: listEnvironments
    path: { deployment_id: "{deployment.id}" }
    eventually: { every: 100ms }
    checks: { STAGE-5: { body: { data: { environments: { $contains: { type: staging } } } } } }
`;

test.concurrent.for([
  ['shows only after the wait is a gap that is called late', 1500, 'not-testable', 0],
  ['never shows is a violation', Number.POSITIVE_INFINITY, 'violated', 1],
] as const)('what %s', async ([, afterMs, verdict, exitCode], { service }) => {
  let enabled = false;
  let firstPollAt: number | undefined;
  service.intercept = (request) => {
    enabled ||= request.method === 'PUT';
    if (request.url?.includes('/environments') !== true) return undefined;
    if (enabled) firstPollAt ??= performance.now();
    if (firstPollAt !== undefined && performance.now() - firstPollAt >= afterMs) return undefined;
    const pagination = { offset: 0, limit: 20, total: 0 };
    return { status: 200, body: { data: { environments: [] }, pagination } };
  };
  const ran = await runYaml(service, [shows, list], { convergenceMs: 1000 });
  const [check] = ran.checks('STAGE-5');
  expect(check?.verdict).toBe(verdict);
  if (verdict === 'not-testable') expect(check?.reason).toMatch(/^late: it showed after /);
  expect(ran.exitCode).toBe(exitCode);
  const suite = loadSuite(
    [shows, list].map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })),
  );
  const again = await verify(join(ran.out ?? '', 'report.json'), { suite });
  expect(again).toMatchObject({ problems: [], differences: [] });
});

const rename = `
scenario: A folder takes a name
effect: reversible
as: admin
path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }
steps:
  - { id: rename, call: updateFolder, body: { name: "lockstep {run.id}" }, checks: { FOLDER-1: 200 } }
`;

test.concurrent('an object that could not be put back ends the run with 5', async ({ service }) => {
  // The folder keeps the first name that it gets.
  let kept: string | undefined;
  service.amend = (request, body) => {
    if (request.url?.includes('/folders/') !== true) return body;
    const { name } = service.state.folder;
    if (name !== 'Finance') kept ??= name;
    if (kept !== undefined) service.state.folder.name = kept;
    return { ...(body as object), name: service.state.folder.name };
  };
  const ran = await runYaml(service, [rename]);
  expect(statement(ran, 'FOLDER-1')).toMatchObject({ verdict: 'verified' });
  expect(ran.exitCode).toBe(5);
  expect(ran.report?.leftBehind).toMatchObject([
    {
      object: 'folder 11 of deployment 1',
      was: { name: 'Finance' },
      now: { name: expect.stringMatching(/^lockstep /) },
      reason: 'its state still differs',
    },
  ]);
  // The put-back was accepted but had no effect: that breaks the promise about names.
  expect(statement(ran, 'FOLDER-2')).toMatchObject({ verdict: 'violated' });
});

test.concurrent('a run that judges no promise ends as an observation', async ({ service }) => {
  const observes = list.replace(
    'checks: { PAGE-4: {',
    'observe: { PAGE-7: { value: "{status}" } }, checks: { PAGE-4: {',
  );
  const ran = await runYaml(service, [observes], { only: ['PAGE-7'] });
  expect(ran.exitCode).toBe(0);
  expect(ran.report?.totals.statements.documented.verified).toBe(0);
});

test.concurrent('a credential that is refused everywhere contradicts the tenant file: the run ends with 4', async ({
  service,
}) => {
  service.intercept = (request) =>
    request.url?.startsWith('/api/scim') === true ? { status: 401 } : undefined;
  const ran = await runYaml(service, [list]);
  expect(statement(ran, 'PAGE-4')).toMatchObject({ verdict: 'verified' });
  expect(ran.exitCode).toBe(4);
});

test.concurrent('a narrower run does not replace a report without --force', async ({ service }) => {
  const whole = await runYaml(service, [list]);
  const narrow = { only: ['PAGE-4'], out: whole.out };
  const refused = await runYaml(service, [list], narrow);
  expect(refused).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/holds a report that covers all statements: .* --force/),
  });
  expect((await runYaml(service, [list], { ...narrow, force: true })).exitCode).toBe(0);
  expect((await runYaml(service, [list], { out: whole.out })).exitCode).toBe(0);
});

test('an interrupted run does not replace a whole report without --force', async ({ service }) => {
  const { folder, out } = await runYaml(service, [list]);
  const again = async (force: boolean) => {
    const stop = new AbortController();
    return await runYaml(service, [list], { out, force }, folder, {
      signal: stop.signal,
      onProgress: ({ type }) => type === 'scenario-started' && stop.abort(new Error('enough')),
    });
  };
  const kept = await again(false);
  expect(kept.report?.interrupted).toBe(true);
  expect(kept.out).toBe(join(folder, 'reports', 'out', kept.report?.runId ?? ''));
  expect((await again(true)).out).toBe(out);
});

test('a failure at 404 names the keys of the tenant file that may be wrong', async ({
  service,
}) => {
  service.intercept = ({ url }) => (url?.includes('/versions') ? { status: 404 } : undefined);
  const ran = await runYaml(service, [
    `
scenario: Versions
steps:
  - { call: listVersions, checks: { VER-1: { status: 200 } } }
`,
  ]);
  expect(ran.checks('VER-1')[0]).toMatchObject({
    verdict: 'violated',
    reason: 'Answered 404. The tenant file may be wrong: bindings.deployment.',
  });
});

test('a missing binding is named once', async ({ service }) => {
  const two = '{ a: "{personalBranch.id}", b: "{personalBranch.name}" }';
  const ran = await runYaml(service, [
    list.replace('call: listDeployments', `call: listDeployments, query: ${two}`),
  ]);
  expect(ran.checks('PAGE-4')[0]?.reason).toBe('the tenant file binds no personalBranch');
});
