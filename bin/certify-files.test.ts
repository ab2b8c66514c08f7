/** `certify` with files of one's own, as somebody types it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';

const program = fileURLToPath(new URL('lockstep.js', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'lockstep-files-'));
const mine = (status: number): string =>
  `scenario: Mine\nsteps:\n  - { id: page, call: listDeployments, checks: { X-MINE-1: ${status} } }\n`;

function lockstep(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd });
  const told = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (told.stdout += String(data)));
  child.stderr.on('data', (data) => (told.stderr += String(data)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, told, ended };
}

test.concurrent('files run alone, are traced, and are verified from the report', async () => {
  writeFileSync(join(cwd, 'mine.yaml'), mine(200));
  const run = lockstep(
    'self-certify',
    '--scenarios',
    'mine.yaml',
    '--no-suite',
    '--trace',
    '--out',
    'o',
  );
  expect(await run.ended).toBe(0);
  expect(run.told.stderr).toMatch(
    /\nMine\n {2}page {2}admin {2}GET \S+deployments -> 200, \d+ ms\n/,
  );
  expect(run.told.stdout).toContain('1 file of yours');
  expect(run.told.stdout).toContain('NOTHING BROKEN  1 file of yours ran, and broke nothing.');
  const verified = lockstep('verify', 'o');
  expect(await verified.ended).toBe(0);
});

test.concurrent('a file of the suite runs alone by the name that --list prints', async () => {
  const file = 'conformance/scenarios/folders/rename.yaml';
  const run = lockstep('self-certify', '--scenarios', file, '--no-suite', '--out', 'ours');
  expect(await run.ended).toBe(0);
  expect(run.told.stdout).toMatch(/1 file of our suite\b.*in 1 scenario/s);
});

test.concurrent('a watch runs again when a file changes, and survives an error in it', async () => {
  writeFileSync(join(cwd, 'watched.yaml'), mine(201));
  const run = lockstep('self-certify', '--scenarios', 'watched.yaml', '--no-suite', '--watch');
  const says = (text: string) =>
    vi.waitFor(() => expect(run.told.stdout + run.told.stderr).toContain(text), 60_000);
  await says('FAILED');
  await says('waiting for a change');
  writeFileSync(join(cwd, 'watched.yaml'), 'scenario: [');
  await says('watched.yaml:1:');
  writeFileSync(join(cwd, 'watched.yaml'), mine(200));
  await says('NOTHING BROKEN');
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
});

test.concurrent.for([
  [['--watch'], '--watch needs --scenarios'],
  [['--no-suite'], '--no-suite needs --scenarios'],
] as const)('%j is refused', async ([args, message]) => {
  const run = lockstep('certify', '--base-url', 'http://127.0.0.1:1', ...args);
  expect(await run.ended).toBe(2);
  expect(run.told.stderr).toContain(message);
});
