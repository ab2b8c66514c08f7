import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { writeTenantFile } from '../lab/tenant/serve.ts';
import { type RunningTenant, startTenant } from '../lab/tenant/tenant.ts';
import { createMock } from '../mock/kits/index.ts';
import { runCapture } from './capture.ts';
import { seedOf } from './invented-names.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-capture-'));
const out = join(folder, 'fixture.yaml');
const seed = 'a long seed that nobody guesses';
const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
let running: RunningTenant;
let tenant = '';
beforeAll(async () => {
  running = await startTenant({ habits: [] });
  tenant = writeTenantFile(running, folder);
  for (const [name, value] of Object.entries(running.env)) vi.stubEnv(name, value);
});
afterEach(() => {
  said.mockClear();
  printed.mockClear();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  said.mockRestore();
  printed.mockRestore();
  await running.close();
});

test('it writes a fixture that a mock serves, and writes its own file again', async () => {
  expect(await runCapture({ tenant, out, seed })).toBe(0);
  const first = readFileSync(out, 'utf8');
  expect(first).toMatch(
    /^# Captured by Lockstep .*\n# Serve it: lockstep mock --fixture fixture.yaml/,
  );
  expect(printed.mock.calls.join('')).toMatch(/fixture\.yaml: 57 deployments, by \d+ reads/);
  expect(said.mock.calls.join('')).toContain('folders and notifications cannot be read');
  expect(await runCapture({ tenant, out, seed })).toBe(0);
  // The tenant's audit log now has the reads of the capture; nothing else has changed.
  const lines = new Set(first.split('\n'));
  const news = readFileSync(out, 'utf8')
    .split('\n')
    .filter((line) => !lines.has(line));
  expect(news.every((line) => line.includes('secondsBefore'))).toBe(true);
  await using mock = await createMock({ fixture: out });
  const list = await mock.world.fetch('/api/v1/deployments');
  expect(await list.json()).toMatchObject({ pagination: { total: 57 } });
  expect(Object.keys(mock.world.credentials)).toContain('scoped');
});

test('names that are kept stay', async () => {
  expect(await runCapture({ tenant, out: join(folder, 'kept.yaml'), seed, keep: ['names'] })).toBe(
    0,
  );
  const text = readFileSync(join(folder, 'kept.yaml'), 'utf8');
  expect(text).toContain('Aarhus terminal 1');
  expect(text).toContain('# Kept as they are: names.');
  expect(text).not.toContain('harbour.example');
});

test('a file of another kind is left alone', async () => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'precious: true\n');
  await expect(runCapture({ tenant, out: other, seed })).rejects.toThrow(/is not a capture/);
  expect(readFileSync(other, 'utf8')).toBe('precious: true\n');
});

test('a short seed is told', async () => {
  expect(await runCapture({ tenant, out, seed: '1' })).toBe(0);
  expect(said.mock.calls.join('')).toContain('a short seed can be guessed');
});

test('a seed is made once, for its user alone', () => {
  const place = inNewFolder();
  const { key } = seedOf(undefined);
  expect(seedOf(undefined)).toEqual({ key });
  expect(statSync(join(place, '.lockstep/capture-seed')).mode & 0o777).toBe(0o600);
});

test.for<[what: string, plant: (place: string) => void]>([
  [
    'a seed',
    (place) => {
      mkdirSync(join(place, '.lockstep'));
      writeFileSync(join(place, '.lockstep/capture-seed'), 'known\n', { mode: 0o644 });
    },
  ],
  [
    'a link for the seed',
    (place) => {
      mkdirSync(join(place, '.lockstep'));
      symlinkSync('../published', join(place, '.lockstep/capture-seed'));
    },
  ],
  ['a link for its folder', (place) => symlinkSync('.', join(place, '.lockstep'))],
])('%s that came with a checkout is not taken', ([, plant]) => {
  const place = inNewFolder();
  plant(place);
  const before = readdirSync(place);
  expect(() => seedOf(undefined)).toThrow(/can find the real names/);
  expect(readdirSync(place)).toEqual(before);
});

/** It is the working folder until the test is over. */
function inNewFolder(): string {
  const place = mkdtempSync(join(tmpdir(), 'lockstep-seed-'));
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(place);
  onTestFinished(() => cwd.mockRestore());
  return place;
}
