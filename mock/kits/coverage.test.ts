import { expect, test } from 'vitest';
import { CoverageCount } from '../world/coverage.ts';
import { addSurvived, coverageText, survivedIn } from './coverage.ts';
import { createMock, type World } from './index.ts';
import { survivedBy, sweepBody } from './sweep.ts';

test('what the reporter prints', async () => {
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
    Lockstep: what these tests met of the contract
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
    "
  `);
});

test('nothing met, nothing relied on', async () => {
  await using mock = await createMock();
  const text = coverageText(mock.world.coverage);
  expect(text).toContain('They rely on promises alone.');
  expect(text).toMatch(/never called: listDeployments, .*listScimUsers/);
});

test('what a sweep has survived is not listed as relied on, unless another test relies on it', async () => {
  await using mock = await createMock();
  const listWith = (path: string) => async (world: World) => {
    expect((await world.fetch(path)).status).toBeLessThan(500);
  };
  const slash = listWith('/api/v1/deployments/');
  const swept = await mock.createWorld();
  await sweepBody(mock, swept, {}, slash);
  const first = survivedIn(swept.coverage, survivedBy(swept));
  expect(first).toMatchObject({ 'REQ-1': 1 });
  expect(coverageText(swept.coverage, first)).toMatch(/^Survived by a sweep: .*REQ-1/m);
  expect(coverageText(swept.coverage, first)).not.toMatch(/rely on/);

  const unswept = await mock.createWorld();
  await slash(unswept);
  const total = new CoverageCount();
  total.merge(swept.coverage);
  total.merge(unswept.coverage);
  const survived = addSurvived(first, survivedIn(unswept.coverage, survivedBy(unswept)));
  expect(coverageText(total.toCoverage(), survived)).toMatch(
    /rely on .*\n(?: .*\n)* {2}REQ-1 \(2 answers\)/,
  );
});

test('a sweep that fails has survived nothing', async () => {
  await using mock = await createMock();
  const world = await mock.createWorld();
  const relying = async (one: World) => {
    expect((await one.fetch('/api/v1/deployments/')).status).toBe(200);
  };
  await expect(sweepBody(mock, world, {}, relying)).rejects.toThrow(/REQ-1/);
  expect(survivedBy(world).size).toBe(0);
});
