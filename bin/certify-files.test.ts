/** `certify` with files of one's own, as somebody types it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { lockstep as inProcess, program, run } from '../mock/testing/program.ts';

const cwd = mkdtempSync(join(tmpdir(), 'lockstep-files-'));
const mine = (status: number): string =>
  `scenario: Mine\nsteps:\n  - { id: page, call: listDeployments, checks: { X-MINE-1: ${status} } }\n`;

const lockstep = (...args: readonly string[]) => inProcess(args, { cwd });

test.concurrent('files run alone, are traced, and are verified from the report', async () => {
  writeFileSync(join(cwd, 'mine.yaml'), mine(200));
  const made = await lockstep(
    'self-certify',
    '--scenarios',
    'mine.yaml',
    '--no-suite',
    '--trace',
    '--out',
    'o',
  );
  expect(made.code).toBe(0);
  expect(made.stderr).toMatch(/\nMine\n {2}page {2}admin {2}GET \S+deployments -> 200, \d+ ms\n/);
  expect(made.stdout).toContain('1 file of yours');
  expect(made.stdout).toContain('NOTHING BROKEN  1 file of yours ran, and broke nothing.');
  expect((await lockstep('verify', 'o')).code).toBe(0);
});

test.concurrent('a file of the suite runs alone by the name that --list prints', async () => {
  const file = 'conformance/scenarios/folders/rename.yaml';
  const made = await lockstep('self-certify', '--scenarios', file, '--no-suite', '--out', 'ours');
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/1 file of our suite\b.*in 1 scenario/s);
});

test.concurrent('a watch runs again when a file changes, and survives an error in it', async () => {
  writeFileSync(join(cwd, 'watched.yaml'), mine(201));
  const args = ['self-certify', '--scenarios', 'watched.yaml', '--no-suite', '--watch'];
  const { child, ended, printed } = run(process.execPath, [program, ...args], { cwd });
  const says = (text: string) =>
    vi.waitFor(() => expect(printed.stdout + printed.stderr).toContain(text), 60_000);
  await says('FAILED');
  await says('waiting for a change');
  writeFileSync(join(cwd, 'watched.yaml'), 'scenario: [');
  await says('watched.yaml:1:');
  writeFileSync(join(cwd, 'watched.yaml'), mine(200));
  await says('NOTHING BROKEN');
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test.concurrent.for([
  [['--watch'], '--watch needs --scenarios'],
  [['--no-suite'], '--no-suite needs --scenarios'],
] as const)('%j is refused', async ([args, message]) => {
  const made = await lockstep('certify', '--base-url', 'http://127.0.0.1:1', ...args);
  expect(made.code).toBe(2);
  expect(made.stderr).toContain(message);
});
