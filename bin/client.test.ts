/** `lockstep client` as a process: signals, and what it prints of the plain run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readReliance } from '../conformance/compare/read-reliance.ts';
import { launch, lockstep } from '../mock/testing/program.ts';

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
  const { code, stderr } = await lockstep([
    'client',
    ...script('elsewhere.mjs', `console.log('one of my tests fails'); process.exit(1)`),
  ]);
  expect(code).toBe(4);
  expect(stderr).toContain('one of my tests fails');
  expect(stderr).toMatch(/no request reached the mock: .*LOCKSTEP_BASE_URL/);
});

const lists = `
  const { LOCKSTEP_BASE_URL: base, LOCKSTEP_ADMIN_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key };
  const answer = await fetch(base + '/api/v1/deployments', { headers });
  console.log('answered', answer.status);
  if (answer.status !== 200) process.exit(1);
`;

test('--reliance writes a file that the gate reads', async () => {
  const clients = mkdtempSync(join(folder, 'clients-'));
  const args = ['--mutants', '--budget', '9s', '--reliance', join(clients, 'lists.json')];
  const { code, stderr } = await lockstep(['client', ...args, ...script('relies.mjs', lists)]);
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^\d+ of \d+, about \d s left$/m);
  expect(readReliance(clients)).toMatchObject({
    clients: [{ name: 'lists', reliance: { asked: ['promises'] } }],
    warnings: [],
  });
  const both = await lockstep([
    ...['client', '--run', 'A', ...args],
    ...script('relies.mjs', lists),
  ]);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out --run') });
});

test('--update-baseline accepts what fails now, so that it no longer fails the run', async () => {
  const file = join(folder, 'accepted.json');
  const failing = `${lists} if (process.env.LOCKSTEP_RUN !== 'plain') process.exit(1);`;
  const args = ['client', '--run', 'PAGE-*', '--baseline', file];
  const command = script('trusts.mjs', failing.replace('deployments', 'deployments?offset=90'));
  expect(await lockstep([...args, ...command])).toMatchObject({ code: 1 });
  const updated = await lockstep([...args, '--update-baseline', ...command]);
  expect(updated, updated.stderr).toMatchObject({ code: 0 });
  expect(updated.stdout).toMatch(/they fail with \d+\./);
  expect(await lockstep([...args, ...command])).toMatchObject({ code: 0 });
});

test('runs that are asked for print their output under their names, and what repeats them can be pasted', async () => {
  const args = ['--run', 'status:listDeployments:200:500', '--timeout', '20s'];
  const command = script('asked.mjs', lists);
  const { stdout, stderr } = await lockstep(['client', ...args, ...command, 'a b']);
  expect(stderr).toMatch(/^==> status-listDeployments-200-500 <==\nanswered 500$/m);
  expect(stdout).toMatch(/^Repeat one: lockstep client --timeout 20s --run ID -- .* 'a b'$/m);
});

test('the exit code is 4 if no run met what it varies', async () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, 'plain.log'), 'of yesterday');
  const text = `${lists.replace('/api/v1/deployments', "' + (process.env.LOCKSTEP_RUN === 'plain' ? '/api/v1/deployments' : '/api/v1/nothing') + '")} `;
  const { code, stdout, stderr } = await lockstep([
    ...['client', '--run', 'status:listDeployments:200:500', '--log', folder],
    ...['xml', 'html'].flatMap((end) => ['--out', join(folder, `other.${end}`)]),
    ...script('other.mjs', text),
  ]);
  expect(code, stderr).toBe(4);
  expect(read('plain.log')).toBe('answered 200\n');
  expect(stdout).toContain('1 run did not meet the variation');
  expect(read('other.xml')).toMatch(
    /<skipped message="the run sent other requests than the plain run"/,
  );
  expect(read('other.html')).toContain('1 runs did not meet the variation.');
});

test('the command that repeats a run names the fixture, and --run takes all that begin so', async () => {
  const text = `
    const { LOCKSTEP_BASE_URL: base, LOCKSTEP_ADMIN_KEY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key };
    const answer = await fetch(base + '/api/v1/deployments', { headers });
    if (!answer.ok) process.exit(1);
  `;
  const args = ['--fixture', 'basic-plan', '--mutants', '--run', 'status:*', '--jobs', '1'];
  const { stdout, stderr, code } = await lockstep(['client', ...args, ...script('list.mjs', text)]);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Repeat one: lockstep client --fixture basic-plan --run ID -- ');
  expect(stdout).toMatch(/status:listDeployments:200:20\d/);
  expect(stderr).toMatch(
    /Now 0 alternatives, 0 losses and \d broken promises, a run for each, 1 at a time/,
  );
});
