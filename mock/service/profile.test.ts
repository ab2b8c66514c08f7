/** The sources of a mock's choices, in a test process and on the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMock } from '../kits/index.ts';
import { WorldError } from '../world/world-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-profile-'));
afterAll(() => rmSync(folder, { recursive: true }));
const profile = join(folder, 'profile.yaml');
writeFileSync(profile, 'STAGE-9: conflict\nREQ-2: ignored\n');

test('a profile chooses for every world, before strict and after assumptions', async () => {
  await using mock = await createMock({
    ...{ profile, strict: true },
    assumptions: { 'STAGE-9': 'forbidden' },
  });
  const world = await mock.createWorld();
  const { assumptions } = world;
  expect(assumptions.choice('STAGE-9')).toBe('forbidden');
  expect(assumptions.choice('REQ-2')).toBe('ignored');
  // Strict alone: a body that is not sent as JSON.
  const body = JSON.stringify({ name: 'Q1' });
  const path = '/api/v1/deployments/1/folders/13';
  expect((await world.fetch(path, { method: 'PUT', body })).status).toBe(415);
});

test('a profile adds a status, a number, headers and fields, and chooses for one operation', async () => {
  const learned = join(folder, 'learned.yaml');
  const lines = [
    'STAGE-9: bad-request 422',
    'ERR-5 listScimUsers: default',
    'SCIM-12: number 7',
    'AUDIT-14: titled When What Who Address Note',
    'SVC-22 listDeployments: more x-request-id',
    'SVC-17 listDeployments: more /data/deployments/*/region:string /pagination/cursor:null',
  ];
  writeFileSync(learned, lines.join('\n'));
  await using mock = await createMock({ profile: learned });
  const world = await mock.createWorld();
  const ask = async (path: string, more: object = {}) => {
    const answer = await world.fetch(path, more);
    return { answer, body: (await answer.json()) as never };
  };
  const { answer, body } = await ask('/api/v1/deployments?limit=2');
  expect(answer.headers.get('x-request-id')).toBe('invented');
  expect(body).toMatchObject({
    data: { deployments: [{ region: 'invented' }, { id: '2', region: 'invented' }] },
    pagination: { limit: 2, cursor: null },
  });
  // Another operation has none of them, and the choice of its own assumption.
  const other = await ask('/api/v1/deployments/1/environments?limit=x');
  expect(other.answer.status).toBe(400);
  expect(other.answer.headers.has('x-request-id')).toBe(false);
  const scim = { headers: { Authorization: `Bearer ${world.credentials.scim}` } };
  const users = await ask('/api/scim/v2/Users?count=x', scim);
  expect(users.body).toMatchObject({ itemsPerPage: 7 });
  const refused = await ask('/build/api/v1/deployments/1/branches/staging-environment', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ branchName: 'dev-ana', enabled: true }),
  });
  expect(refused.answer.status).toBe(422);
  const log = await (await world.fetch('/api/v1/audit-logs/export?end=2000-01-01')).text();
  expect(log).toBe('When,What,Who,Address,Note\r\n');
  const whole = await (await world.fetch('/api/v1/audit-logs/export')).text();
  expect(whole.split('\r\n')[1]).toMatch(/^[\d-]{10}T[\d:.]+Z,[\w ]+,\S+@\S+,192\.0\.2\.\d+,/);
});

test.for([
  ['STAGE-9: bad-request 200', 'STAGE-9: bad-request takes no detail such as 200'],
  ['SVC-22: more', 'the mock cannot act on SVC-22: more: a client ignores them'],
  ['SVC-22: more a/b', 'SVC-22: more takes no detail such as a/b'],
  ['STAGE-9 listBranches: conflict', 'STAGE-9 is not about listBranches'],
])('a profile with %s is refused', async ([line, message]) => {
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(wrong, `${line}\n`);
  await expect(createMock({ profile: wrong })).rejects.toThrow(message);
});

test('an error in a profile is reported with its place', async () => {
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(wrong, 'STAGE-9: teapot\n');
  await expect(createMock({ profile: wrong })).rejects.toThrow(
    /wrong\.yaml:1:1: STAGE-9 has no choice teapot/,
  );
});

test.for([[profile], [['STAGE-9']], [null]])(
  'assumptions that are not a record, %j, are refused with advice',
  async ([given]) => {
    const assumptions = given as never;
    const refused = /^assumptions are choices by statement, .*createMock\({ profile: /;
    await expect(createMock({ assumptions })).rejects.toThrow(refused);
    await using mock = await createMock();
    await expect(mock.createWorld({ assumptions })).rejects.toThrow(WorldError);
    await expect(mock.createWorld({ assumptions })).rejects.toThrow(refused);
    expect(() => mock.world.assumptions.set(assumptions)).toThrow(refused);
  },
);
