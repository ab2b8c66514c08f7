/** `lockstep client` as a process: signals, and what it prints of the plain run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { launch } from '../mock/testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-client-bin-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = (name: string, text: string): readonly string[] => {
  writeFileSync(join(folder, name), text);
  return ['--', process.execPath, join(folder, name)];
};

test.for([['SIGTERM'], ['SIGHUP'], ['SIGINT', 'SIGINT']] as const)(
  '%j ends the command and all that it has started',
  async (signals) => {
    const beats = join(folder, `${signals.join('-')}.txt`);
    const beat = `setInterval(() => require('fs').appendFileSync(${JSON.stringify(beats)}, '.'), 20)`;
    // Neither of the two ends by itself, nor by a signal that asks for it.
    const text = `
    import { spawn } from 'node:child_process';
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
    spawn(process.execPath, ['-e', ${JSON.stringify(beat)}], { stdio: 'ignore' });
    setInterval(() => {}, 1000);
  `;
    const { child, ended } = launch('client', ...script('stubborn.mjs', text));
    const heard = () => readFileSync(beats, { encoding: 'utf8', flag: 'a+' });
    await expect.poll(heard).not.toBe('');
    for (const signal of signals) {
      child.kill(signal);
      await pause(100);
    }
    const { code } = await ended;
    expect(code).toBe(signals.length > 1 ? 130 : 4);
    const last = heard();
    await pause(200);
    expect(heard()).toBe(last);
  },
);

test('prints the output of a failed plain run, and why nothing follows', async () => {
  const { code, stderr } = await launch(
    'client',
    ...script('elsewhere.mjs', `console.log('one of my tests fails'); process.exit(1)`),
  ).ended;
  expect(code).toBe(4);
  expect(stderr).toContain('one of my tests fails');
  expect(stderr).toMatch(/no request reached the mock: .*LOCKSTEP_BASE_URL/);
});

test('the command that repeats a run names the fixture, and --run takes all that begin so', async () => {
  const text = `
    const { LOCKSTEP_BASE_URL: base, LOCKSTEP_ADMIN_KEY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key };
    const answer = await fetch(base + '/api/v1/deployments', { headers });
    if (!answer.ok) process.exit(1);
  `;
  const args = ['--fixture', 'basic-plan', '--mutants', '--run', 'status:*', '--jobs', '1'];
  const { stdout, stderr, code } = await launch('client', ...args, ...script('list.mjs', text))
    .ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Repeat one: lockstep client --fixture basic-plan --run ID -- ');
  expect(stdout).toMatch(/status:listDeployments:200:20\d/);
  expect(stderr).toMatch(
    /Now 0 alternatives, 0 losses and \d broken promises, a run for each, 1 at a time/,
  );
});
