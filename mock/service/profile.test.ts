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
