import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../testing/program.ts';
import { CoverageCount } from '../world/coverage.ts';
import { addSwept, coverageText, everySweep } from './coverage.ts';
import { createMock, type World } from './index.ts';
import LockstepReporter, { type ReporterOptions } from './vitest-reporter.ts';

test('the reporter prints calls, silences and privileges', async () => {
  await using mock = await createMock();
  const { world } = mock;
  await world.fetch('/api/v1/deployments/?limit=20');
  await world.fetch('/api/v1/deployments?offset=20');
  await world.fetch('/api/v1/deployments/1/folders/13', { method: 'PUT', body: '{"name":7}' });
  await world.fetch('/favicon.ico');
  const { assumptions, ...rest } = world.coverage;
  const [first] = Object.entries(assumptions);
  const text = coverageText({ ...rest, assumptions: Object.fromEntries([first ?? []]) });
  expect(text).toMatchInlineSnapshot(`
    "
    Lockstep: contract coverage of these tests
      listDeployments: 200 x2; never 401, 403, 4XX, 5XX
        pages: first x1, middle x1; never whole, last, beyond
      updateFolder: 400 x1; never 200, 401, 403, 404, 5XX
      never called: updateDeployment, listEnvironments, createMetaSyncToken, listVersions, getDbtSyncResult, addNotificationRecipients, exportAuditLogs, listBranches, setStagingEnvironment, listScimUsers
      1 request matched no operation
    The least that their calls needed:
      admin: A key of a user without the admin role would have done; listDeployments shows a scoped key its own deployments only. (listDeployments)
    They rely on 1 assumption; a client should survive each:
      REQ-1 (1 answer): Whether a path with a slash at the end is served.
        assumed: served
        could be: not-found (404)
        could be: redirect (a redirect to the path without it)
    "
  `);
});

test('nothing met, nothing relied on', async () => {
  await using mock = await createMock();
  const text = coverageText(mock.world.coverage);
  expect(text).toContain('They rely on promises alone.');
  expect(text).toMatch(/never called: listDeployments, .*listScimUsers/);
});

/** The findings of the sweeps since the last call. */
function sweptNow() {
  const { lockstepSwept } = everySweep;
  delete everySweep.lockstepSwept;
  return addSwept(lockstepSwept);
}

const listWith = (path: string, most: number) => async (world: World) => {
  expect((await world.fetch(path)).status).toBeLessThan(most);
};

test('a silence that a sweep survived is listed only if another test relies on it', async () => {
  await using mock = await createMock();
  const slash = listWith('/api/v1/deployments/', 500);
  const world = await mock.createWorld();
  sweptNow();
  expect(await world.sweep(slash)).toMatchObject({ ok: true, findings: [] });
  const first = sweptNow();
  expect(first.survived).toMatchObject({ 'REQ-1': 1 });
  expect(coverageText(world.coverage, first)).toMatch(/^Survived by a sweep: .*REQ-1/m);
  expect(coverageText(world.coverage, first)).not.toMatch(/rely on/);

  const unswept = await mock.createWorld();
  await slash(unswept);
  const total = new CoverageCount();
  total.merge(world.coverage);
  total.merge(unswept.coverage);
  expect(coverageText(total.toCoverage(), addSwept(first, sweptNow()))).toMatch(
    /rely on .*\n(?: .*\n)* {2}REQ-1 \(2 answers\)/,
  );
});

test('a sweep that fails has survived nothing, and the alternative that failed is named', async () => {
  await using mock = await createMock();
  const world = await mock.createWorld();
  sweptNow();
  const { ok, text } = await world.sweep(listWith('/api/v1/deployments/', 400));
  expect([ok, text]).toEqual([false, expect.stringMatching(/REQ-1/)]);
  const swept = sweptNow();
  expect(swept).toEqual({ survived: {}, failed: { 'REQ-1': ['not-found'] } });
  expect(coverageText(world.coverage, addSwept(swept, swept))).toMatch(
    /assumed: served\n {4}a test fails under: not-found \(404\)$/m,
  );
});

describe('the reporter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-reporter-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Runs one test, which calls one operation, or others, with these options of the reporter. */
  async function report(name: string, options: ReporterOptions, tests = 'deployments are listed') {
    const config = join(folder, `${name}.config.mjs`);
    const reporter = fileURLToPath(new URL('./vitest-reporter.ts', import.meta.url));
    const test = {
      include: ['calls.ts'],
      testNamePattern: tests,
      reporters: [[reporter, options]],
    };
    writeFileSync(config, `export default { test: ${JSON.stringify(test)} };`);
    const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
    const root = fileURLToPath(new URL('./testing', import.meta.url));
    return run(process.execPath, [vitest, 'run', '--config', config, '--root', root]).ended;
  }

  test.concurrent('prints, writes a file, and fails a run that calls too few operations', async () => {
    const figures = join(folder, 'coverage.json');
    const { code, stdout, stderr } = await report('few', { threshold: 50, file: figures });
    expect(stdout).toContain('listDeployments: 200 x1');
    expect(stderr).toMatch(
      /the tests call 8 % of the operations, below the threshold of 50 %; never/,
    );
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(figures, 'utf8'))).toMatchObject({
      operations: { listDeployments: { 200: 1 } },
      swept: { survived: {}, failed: {} },
    });
  });

  test.concurrent('is quiet, writes a text, and lets a run pass that calls enough', async () => {
    const file = join(folder, 'coverage.txt');
    const { code, stdout, stderr } = await report('enough', { quiet: true, file, threshold: 8 });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(readFileSync(file, 'utf8')).toMatch(/^Lockstep: contract coverage[\s\S]*200 x1/);
  });

  test.concurrent('counts the requests to any world, also of a mock that a test starts', async () => {
    const { code, stdout, stderr } = await report('others', { threshold: 50 }, 'other worlds');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('listEnvironments: 200 x1;');
    expect(stdout).toContain('listVersions: 200 x1;');
    expect(stdout).toContain('listBranches: 200 x1;');
    expect(stdout).toContain('listScimUsers: 200 x1;');
    // Once without a loss, once with it.
    expect(stdout).toContain('exportAuditLogs: 200 x2;');
    // Its other runs are under choices that no test relies on.
    expect(stdout).toContain('listDeployments: 200 x1;');
    expect(stdout).toMatch(/^Survived by a sweep: .*REQ-1/m);
  });

  test('refuses unknown options', () => {
    const misspelt: object = { treshold: 50 };
    expect(() => new LockstepReporter(misspelt)).toThrow(/no option treshold; threshold is/);
    expect(() => new LockstepReporter({ threshold: 101 })).toThrow(/0 to 100, not 101/);
  });
});
