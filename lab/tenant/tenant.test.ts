import { expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import { contract } from '../../spec/contract.ts';
import { brokenIn } from '../exam/suite-run.ts';
import { breaking, faults } from './breaking.ts';
import { breaks } from './breaks.ts';
import { type HabitId, habits, odd } from './habits.ts';
import { type BenchOptions, certified, explored } from './measure.ts';
import { writeTenantFile } from './serve.ts';
import { startTenant } from './tenant.ts';
import type { Traits } from './traits.ts';

/** The ids of the promises with a given verdict. */
const having =
  (wanted: string) =>
  ({ statements }: Report): string[] =>
    statements
      .filter(({ level, verdict }) => level !== 'silent' && verdict === wanted)
      .map(({ id }) => id)
      .sort();
const untestedIn = having('not-testable');
const inPart = having('verified-in-part');

/**
 * These cannot be tested: the tenant file has neither an administrator's embed JWT nor an
 * environment of another deployment.
 */
const unknown = ['AUTH-25', 'RECIP-40'];

test('a tenant that keeps its promises is certified', async () => {
  const report = await certified({ habits: [] }, [], 8);
  expect(brokenIn(report)).toEqual([]);
  expect(untestedIn(report)).toEqual(unknown);
  expect(inPart(report)).toEqual([]);
});

test('a tenant without an embed JWT and without ids of branches is certified', async () => {
  const options = { habits: [], embedJwt: false, branchIds: false } as const;
  const report = await certified(options, [
    'AUTH-22',
    'RECIP-22',
    'STAGE-12',
    'BRANCH-2',
    'DEPL-4',
  ]);
  expect(brokenIn(report)).toEqual([]);
});

test('an odd tenant is certified, with some promises verified only in part', async () => {
  // With this habit, every error has an empty message.
  const report = await certified({ habits: [...odd, 'error-is-empty'] }, [], 8);
  expect(report.fired).toBeGreaterThan(0);
  expect(brokenIn(report)).toEqual([]);
  expect(report.leftBehind).toEqual([]);
  expect(untestedIn(report)).toEqual(unknown);
  // With this habit, tokens live for a day at most.
  expect(inPart(report)).toEqual(['META-5']);
});

test.for<[string, Traits, readonly string[]]>([
  ['slow answers', { latency: 5 }, ['DEPL-2', 'VER-8', 'UPD-2']],
  ['too many requests', { throttle: { every: 60, retryAfter: 1 } }, ['DEPL-2', 'FOLDER-2']],
  ['a gateway that fails', { gateway: { every: 40 } }, ['DEPL-2', 'FOLDER-2', 'UPD-2']],
  ['other people', { others: { every: 7, seed: 1 } }, ['STAGE-5']],
  ['a list that grows at its end', { others: { every: 9, seed: 1 } }, ['PAGE-5']],
  ['lists that move', { moving: { every: 11 } }, ['DEPL-2', 'PAGE-5', 'PAGE-6']],
])('%s do not break a promise', async ([, traits, statements]) => {
  const report = await certified({ habits: [], traits }, statements, 8);
  expect(brokenIn(report)).toEqual([]);
  // If a gateway prevented putting back an object, the report says so.
  if (traits.gateway === undefined) expect(report.leftBehind).toEqual([]);
});

test.for([
  'type:listDeployments:data.deployments.*.id',
  'tokens:lifetime-of-call-before',
  'audit:commas-not-quoted',
  'recipients:partial-write-after',
  'versions:switch-lost',
  'credentials:refusal-sticks-to-the-credential',
  'recipients:third-time-created',
  'harbour:renamed-twice',
  'harbour:version-forgotten',
  'versions:head-missing',
])('%s is found', async (broken) => {
  const statements = faults.find(({ id }) => id === broken)?.breaks ?? [];
  const report = await certified({ habits: [], broken }, statements);
  expect(brokenIn(report)).not.toEqual([]);
  expect(report.fired).toBeGreaterThan(0);
});

test.for<[HabitId, readonly string[]]>([
  ['recipients-show-type-alone', ['RECIP-7', 'RECIP-8']],
  ['path-from-the-parent-up', ['FOLDER-11']],
  ['largest-page-is-the-default', ['PAGE-6']],
  ['short-lives-refused', ['META-5', 'META-12']],
  ['names-are-plain', ['FOLDER-1', 'FOLDER-2']],
  ['folder-few-fields', ['FOLDER-10']],
  ['staging-ids-are-new', ['STAGE-12']],
  ['groups-must-exist', ['RECIP-7']],
  ['attributes-must-exist', ['RECIP-7']],
  ['export-times-for-people', ['AUDIT-8', 'AUDIT-9']],
  ['export-times-in-words', ['AUDIT-8', 'AUDIT-9']],
])('%s is allowed', async ([habit, statements]) => {
  const report = await certified({ habits: [habit] }, statements);
  expect(brokenIn(report)).toEqual([]);
  expect(report.fired).toBeGreaterThan(0);
});

test('unreadable times leave the date filters untested, and the report says so', async () => {
  const report = await certified({ habits: ['export-times-in-words'] }, ['AUDIT-5', 'AUDIT-8']);
  expect(report.statements.find(({ id }) => id === 'AUDIT-8')?.verdict).toBe('verified');
  expect(report.statements.find(({ id }) => id === 'AUDIT-5')?.verdict).toBe('not-testable');
});

test.for<BenchOptions>([
  { habits: odd },
  { habits: ['names-are-plain'] },
  { habits: ['staging-ids-are-new'] },
])('a walk finds nothing in %o', async (options) => {
  const { finding, unconfirmed, stopped } = await explored(options, 1, 80);
  expect({ finding, unconfirmed, stopped }).toEqual({ unconfirmed: [] });
});

test('a walk finds a fault that needs a history of calls', async () => {
  const broken = 'lists:total-one-more-between-others';
  const { finding, fired } = await explored({ habits: [], broken }, 3, 400);
  expect(finding?.statement).toBe('PAGE-5');
  expect(fired).toBeGreaterThan(0);
});

test('a fault may take effect only in every n-th call', async () => {
  const ask = async (every: number): Promise<unknown[]> => {
    const tenant = await startTenant({
      before: breaking('drop:listDeployments:data.deployments.*.name', every).before,
    });
    const headers = { authorization: `Bearer ${tenant.credentials.admin}` };
    const names: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      const answer = await fetch(`${tenant.baseUrl}/api/v1/deployments?limit=1`, { headers });
      const { data } = (await answer.json()) as { data: { deployments: { name?: string }[] } };
      names.push(data.deployments[0]?.name !== undefined);
    }
    expect(tenant.requests()).toBe(4);
    await tenant.close();
    return names;
  };
  expect(await ask(1)).toEqual([false, false, false, false]);
  expect(await ask(3)).toEqual([true, true, false, true]);
});

test('fault ids are unique, few faults belong to the tenant alone, habits name statements', () => {
  const ids = faults.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(breaks.length).toBeLessThanOrEqual(20);
  const named = Object.values(habits).map(({ statement }) => statement);
  expect(named.filter((id) => !contract.statements.has(id))).toEqual([]);
});

test('a tenant file names no secret', async ({ onTestFinished }) => {
  const tenant = await startTenant();
  onTestFinished(() => tenant.close());
  const { mkdtempSync, readFileSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const text = readFileSync(writeTenantFile(tenant, mkdtempSync(`${tmpdir()}/harbour-`)), 'utf8');
  for (const secret of Object.values(tenant.env)) expect(text).not.toContain(secret);
});
