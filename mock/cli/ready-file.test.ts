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
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { version } from '../../spec/base/version.ts';
import { launch, serve } from '../testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-ready-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder of the test's own. */
function place(): string {
  return mkdtempSync(join(folder, 'place-'));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

test('the file says who serves where, lies there alone, and is gone after a clean stop', async () => {
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

test('under --tls it names the authority, which is gone as well', async () => {
  const file = join(place(), 'ready.json');
  const mock = await serve('--tls', '--ready-file', file);
  const { ca } = readJson(file) as { ca: string };
  expect(readFileSync(ca, 'utf8')).toContain('BEGIN CERTIFICATE');
  mock.child.kill('SIGTERM');
  await mock.ended;
  expect([existsSync(file), existsSync(ca)]).toEqual([false, false]);
});

test('the token of the control API is not in it', async () => {
  const file = join(place(), 'ready.json');
  // Any variable that is set will do.
  await using _mock = await serve('--ready-file', file, '--admin-token-env', 'PATH');
  expect(readFileSync(file, 'utf8')).not.toContain(process.env.PATH);
});

test.for([
  ['of a process that was killed', '{"name":"lockstep","pid":1,"baseUrl":"http://127.0.0.1:1"}'],
  ['that mktemp has made', ''],
])('a file %s is replaced', async ([, text = '']) => {
  const file = join(place(), 'ready.json');
  writeFileSync(file, text);
  await using mock = await serve('--ready-file', file);
  expect(readJson(file)).toMatchObject({ pid: mock.child.pid, baseUrl: mock.url });
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

test.for([['http'], ['https', '--tls']])(
  'the file of a mock that still serves over %s is not taken over: exit 2, and who it is',
  async ([, ...tls]) => {
    const file = join(place(), 'ready.json');
    await using mock = await serve('--ready-file', file, ...tls);
    const before = readFileSync(file, 'utf8');
    const { code, stderr } = await launch('mock', '--port', '0', '--ready-file', file).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`the mock at ${mock.url} (process ${mock.child.pid}) still serves`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
);

test('the file of a process that runs, but is no mock, is replaced', async () => {
  const file = join(place(), 'ready.json');
  const { pid } = process;
  writeFileSync(file, JSON.stringify({ name: 'lockstep', pid, baseUrl: 'http://127.0.0.1:1' }));
  await using mock = await serve('--ready-file', file);
  expect(readJson(file)).toMatchObject({ pid: mock.child.pid });
});

test('a start that fails leaves the file as it was', async () => {
  const file = join(place(), 'ready.json');
  const stale = '{"name":"lockstep","pid":1,"baseUrl":"http://127.0.0.1:1"}';
  writeFileSync(file, stale);
  await using mock = await serve();
  const { port } = new URL(mock.url);
  const { code, stderr } = await launch('mock', '--port', port, '--ready-file', file).ended;
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
  /** The port is taken: a start that came so far as to listen would complain of that. */
  async function expectRefused(file: string, message: RegExp) {
    await using taken = await serve();
    const { port } = new URL(taken.url);
    const ended = await launch('mock', '--port', port, '--ready-file', file).ended;
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
  }

  test('a folder that is not there', async () => {
    const file = join(place(), 'none/ready.json');
    await expectRefused(file, /--ready-file .*none\/ready\.json: there is no folder .*none;/);
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

  test('a file of somebody else stays as it is', async () => {
    const file = join(place(), 'package.json');
    writeFileSync(file, '{"name":"mine"}');
    await expectRefused(file, /has not written this file/);
    expect(readFileSync(file, 'utf8')).toBe('{"name":"mine"}');
  });
});

/** Whatever a client leaves open must not hold a stop. */
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
  // Sent at last or cut off: either is an end.
  const delayed = Promise.allSettled([mock.get('/api/v1/deployments')]);
  await expect.poll(async () => (await fetch(`${world}/faults`)).text()).toContain('"seen":1');
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
  await delayed;
});
