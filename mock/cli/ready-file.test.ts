/** `lockstep mock --ready-file`: a mock in the background, from its start to its end. */
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Refused } from '../../spec/base/refused.ts';
import { version } from '../../spec/base/version.ts';
import { launch, lockstep, serve } from '../testing/program.ts';
import { checkReadyFile, writeReadyFile } from './ready-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-ready-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder of the test's own. */
function place(): string {
  return mkdtempSync(join(folder, 'place-'));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A port in use. A mock that tried to listen on it would report that. */
const taken = createServer().listen(0, '127.0.0.1');
await once(taken, 'listening');
afterAll(() => taken.close());
const { port: takenPort } = taken.address() as AddressInfo;
const startAtTakenPort = (file: string) =>
  lockstep(['mock', '--port', String(takenPort), '--ready-file', file]);

test('the file names process and address, and is removed at a clean stop', async () => {
  const where = place();
  const file = join(where, 'ready.json');
  const mock = await serve('--ready-file', file);
  expect(readJson(file)).toEqual({
    name: 'lockstep',
    version,
    pid: mock.child.pid,
    baseUrl: mock.url,
    world: 'acme',
    credentials: expect.objectContaining({ admin: 'acme-admin', memberOauth: 'acme-memberOauth' }),
  });
  expect(readdirSync(where)).toEqual(['ready.json']);
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(where)).toEqual([]);
});

test('with --tls it names the authority, which is removed as well, and never a token', async () => {
  const file = join(place(), 'ready.json');
  // Any variable that is set will do for a token of the control API.
  const mock = await serve('--tls', '--ready-file', file, '--admin-token-env', 'PATH');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(process.env.PATH);
  const { ca } = readJson(file) as { ca: string };
  expect(readFileSync(ca, 'utf8')).toContain('BEGIN CERTIFICATE');
  // The mock still serves, so no other mock may write there.
  await expect(checkReadyFile(file)).rejects.toThrow(
    `the mock at ${mock.url} (process ${mock.child.pid}) still serves`,
  );
  expect(readFileSync(file, 'utf8')).toBe(text);
  mock.child.kill('SIGTERM');
  await mock.ended;
  expect([existsSync(file), existsSync(ca)]).toEqual([false, false]);
});

const stale = '{"name":"lockstep","pid":1,"baseUrl":"http://127.0.0.1:1"}';

test('a file of a process that was killed is replaced', async () => {
  const file = join(place(), 'ready.json');
  writeFileSync(file, stale);
  await using mock = await serve('--ready-file', file);
  expect(readJson(file)).toMatchObject({ pid: mock.child.pid, baseUrl: mock.url });
});

test.for([
  ['that mktemp has made', ''],
  ['of a process that runs, but is not a mock,', stale.replace('"pid":1', `"pid":${process.pid}`)],
])('a file %s is replaced', async ([, text = '']) => {
  const file = join(place(), 'ready.json');
  writeFileSync(file, text);
  await checkReadyFile(file);
  const remove = writeReadyFile(file, { baseUrl: 'http://new', world: 'acme', credentials: {} });
  expect(readJson(file)).toMatchObject({ pid: process.pid, baseUrl: 'http://new' });
  remove();
  expect(existsSync(file)).toBe(false);
});

test('a mock that stops leaves the file that a later one has written', async () => {
  const file = join(place(), 'ready.json');
  await using first = await serve('--ready-file', file);
  rmSync(file);
  await using second = await serve('--ready-file', file);
  first.child.kill('SIGTERM');
  await first.ended;
  expect(readJson(file)).toMatchObject({ pid: second.child.pid });
});

test('the file of a serving mock stays: exit 2, and a line names that mock', async () => {
  const file = join(place(), 'ready.json');
  await using mock = await serve('--ready-file', file);
  const before = readFileSync(file, 'utf8');
  const { code, stderr } = await lockstep(['mock', '--port', '0', '--ready-file', file]);
  expect(code).toBe(2);
  expect(stderr).toContain(`the mock at ${mock.url} (process ${mock.child.pid}) still serves`);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a start that fails does not change the file', async () => {
  const file = join(place(), 'ready.json');
  writeFileSync(file, stale);
  const { code, stderr } = await startAtTakenPort(file);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Port \d+ .* is taken/);
  expect(readFileSync(file, 'utf8')).toBe(stale);
});

test('with --log silent a mock with a ready file prints nothing at all', async () => {
  const file = join(place(), 'ready.json');
  const { child, ended } = launch('mock', '--port', '0', '--log', 'silent', '--ready-file', file);
  await expect.poll(() => existsSync(file)).toBe(true);
  const { baseUrl } = readJson(file) as { baseUrl: string };
  expect((await fetch(`${baseUrl}/api/v1/deployments`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('a path that cannot be written: one line, exit 2, before anything listens', () => {
  /** The command says the message of a Refused, and exits 2: the first test shows it. */
  async function expectRefused(file: string, message: RegExp) {
    const error: unknown = await checkReadyFile(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toHaveProperty('message', expect.stringMatching(message));
    expect((error as Refused).message).not.toContain('\n');
  }

  test('a folder that is not there', async () => {
    const ended = await startAtTakenPort(join(place(), 'none/ready.json'));
    expect(ended.stderr).toMatch(/--ready-file .*none\/ready\.json: there is no folder .*none;/);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
  });

  test('a folder', async () => {
    await expectRefused(place(), /this is not a file/);
  });

  test('a file in a file', async () => {
    const file = join(place(), 'file');
    writeFileSync(file, '');
    await expectRefused(join(file, 'ready.json'), /there is no folder/);
  });

  test('a link, which a rename would replace', async () => {
    const where = place();
    mkdirSync(join(where, 'folder'));
    symlinkSync(join(where, 'folder/ready.json'), join(where, 'link'));
    await expectRefused(join(where, 'link'), /this is not a file/);
  });

  test('a file of another program stays unchanged', async () => {
    const file = join(place(), 'package.json');
    writeFileSync(file, '{"name":"mine"}');
    await expectRefused(file, /has not written this file/);
    expect(readFileSync(file, 'utf8')).toBe('{"name":"mine"}');
  });
});

/** A request or connection that a client leaves open must not delay a stop. */
describe.for([['http'], ['https', '--tls']])('SIGTERM ends a mock over %s', ([, ...tls]) => {
  test('with a request that is never finished and a connection that says nothing', async () => {
    const mock = await serve(...tls);
    const { port, hostname } = new URL(mock.url);
    for (const said of ['', 'GET /api/v1/deployments HTTP/1.1\r\nHost: x\r\n']) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      await once(socket, 'connect');
      socket.write(said);
    }
    mock.child.kill('SIGTERM');
    expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('SIGTERM ends a mock that sends events, keeps a connection and delays an answer', async () => {
  const mock = await serve();
  const world = `${mock.url}/__admin/worlds/acme`;
  const events = await new Promise<NodeJS.ReadableStream>((resolve) => {
    get(`${world}/events`, resolve);
  });
  events.on('error', () => {});
  const delay = { operation: 'listDeployments', phase: 'before', delayMs: 600_000 };
  await fetch(`${world}/faults`, { method: 'POST', body: JSON.stringify(delay) });
  // The delayed answer may be sent or cut off.
  const delayed = Promise.allSettled([mock.get('/api/v1/deployments')]);
  await expect.poll(async () => (await fetch(`${world}/faults`)).text()).toContain('"seen":1');
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
  await delayed;
});
