/** `lockstep env`: from a mock in the background to the variables of a script. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotThere, Refused } from '../../spec/base/refused.ts';
import { variableOf } from '../client/variables.ts';
import { startMock } from '../kits/index.ts';
import { launch, program, serve, run as start } from '../testing/program.ts';
import { runEnv } from './env-command.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lockstep-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a file for this test, which need not exist yet. */
function fileIn(name: string): string {
  return join(mkdtempSync(join(folder, 'place-')), name);
}

/** One mock for all tests that only read. */
const shared = await startMock();
afterAll(() => shared.close());
const env = (...args: string[]) => launch('env', '--base-url', shared.baseUrl, ...args).ended;

describe('the variables', () => {
  test('of the default world, by the names that tenant files have', async () => {
    const { code, stdout, stderr } = await env('--shell', 'dotenv');
    expect([code, stderr]).toEqual([0, '']);
    expect(parseEnv(stdout)).toEqual({
      LOCKSTEP_BASE_URL: shared.baseUrl,
      LOCKSTEP_PREFIXED_BASE_URL: `${shared.baseUrl}/w/acme`,
      LOCKSTEP_WORLD: 'acme',
      LOCKSTEP_ADMIN_KEY: 'acme-admin',
      LOCKSTEP_MEMBER_KEY: 'acme-member',
      LOCKSTEP_SCOPED_KEY: 'acme-scoped',
      LOCKSTEP_EXPIRED_KEY: 'acme-expired',
      LOCKSTEP_EXPIRED_OAUTH_TOKEN: 'acme-expiredOauth',
      LOCKSTEP_EXPIRED_SCIM_TOKEN: 'acme-expiredScim',
      LOCKSTEP_OAUTH_TOKEN: 'acme-oauth',
      LOCKSTEP_MEMBER_OAUTH_TOKEN: 'acme-memberOauth',
      LOCKSTEP_EMBED_TOKEN: 'acme-embed',
      LOCKSTEP_ADMIN_EMBED_TOKEN: 'acme-adminEmbed',
      LOCKSTEP_SCIM_TOKEN: 'acme-scim',
    });
  });

  test('fit the tenant file of the guide', async () => {
    const guide = readFileSync(new URL('../../conformance/README.md', import.meta.url), 'utf8');
    const asked = [...guide.matchAll(/env: (LOCKSTEP_\w+)/g)].map(([, name]) => name);
    const { text } = await runEnv({ baseUrl: shared.baseUrl, shell: 'dotenv' });
    const given = Object.keys(parseEnv(text));
    expect(asked.length).toBeGreaterThan(2);
    expect(given).toEqual(expect.arrayContaining(asked));
  });

  test.for([
    ['admin', 'LOCKSTEP_ADMIN_KEY'],
    ['memberOauth', 'LOCKSTEP_MEMBER_OAUTH_TOKEN'],
    ['key2Sales', 'LOCKSTEP_KEY2_SALES_KEY'],
  ] as const)('of a fixture of one’s own: %s is %s', ([credential, variable]) => {
    expect(variableOf(credential)).toBe(variable);
  });

  test('--world new makes a world each time, and its credentials work there', async () => {
    const one = parseEnv((await env('--world', 'new', '--shell', 'dotenv')).stdout);
    const again = await runEnv({ baseUrl: shared.baseUrl, world: 'new', shell: 'dotenv' });
    const other = parseEnv(again.text);
    expect(one.LOCKSTEP_WORLD).not.toBe(other.LOCKSTEP_WORLD);
    const headers = { Authorization: `Bearer ${one.LOCKSTEP_SCOPED_KEY}` };
    const answered = await fetch(`${one.LOCKSTEP_BASE_URL}/api/v1/deployments`, { headers });
    expect(answered.status).toBe(200);
    expect(answered.headers.get('Lockstep-World')).toBe(one.LOCKSTEP_WORLD);
  });

  test('--world ID is a world that is there', async () => {
    using world = await shared.createWorld({ id: 'mine', fixture: 'empty' });
    const { stdout } = await env('--world', world.id, '--shell', 'dotenv');
    expect(parseEnv(stdout)).toMatchObject({ LOCKSTEP_WORLD: 'mine' });
    expect(parseEnv(stdout).LOCKSTEP_ADMIN_KEY).toBe(world.credentials.admin);
  });
});

describe('a mock with TLS and a token', () => {
  const readyFile = fileIn('ready.json');
  let mock: Awaited<ReturnType<typeof serve>>;
  // Any variable that is set can serve as a token.
  const token = ['--admin-token-env', 'PATH'];
  beforeAll(async () => {
    mock = await serve('--tls', '--ready-file', readyFile, ...token);
  });
  afterAll(() => mock[Symbol.asyncDispose]());

  test('its authority comes from the ready file and is printed', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...without } = process.env;
    const args = [program, 'env', '--ready-file', readyFile, ...token];
    const { code, stdout, stderr } = await start(process.execPath, args, { env: without }).ended;
    expect([code, stderr]).toEqual([0, '']);
    // A separate process, because Node reads the variable when it starts.
    const script = `fetch(process.env.LOCKSTEP_BASE_URL + '/api/v1/deployments', {
      headers: { Authorization: 'Bearer ' + process.env.LOCKSTEP_ADMIN_KEY },
    }).then(({ status }) => console.log(status));`;
    const answered = await run('sh', [
      '-c',
      `${stdout}test -s "$LOCKSTEP_CA" && "$0" -e "$1"`,
      process.execPath,
      script,
    ]);
    expect(answered.stdout).toBe('200\n');
  });

  test('an authority that the environment already names stays, and a warning says so', async () => {
    const command = { readyFile, adminToken: process.env.PATH, shell: 'dotenv' } as const;
    const named = (text: string) => Object.keys(parseEnv(text)).filter((name) => /_CA/.test(name));
    const without = await runEnv(command);
    expect(named(without.text)).toEqual(['LOCKSTEP_CA', 'NODE_EXTRA_CA_CERTS']);
    expect(without.warning).toBeUndefined();
    const { text, warning } = await runEnv(command, { NODE_EXTRA_CA_CERTS: '/etc/own.pem' });
    expect(named(text)).toEqual(['LOCKSTEP_CA']);
    expect(warning).toMatch(/NODE_EXTRA_CA_CERTS is \/etc\/own\.pem and stays so/);
    const earlier = { NODE_EXTRA_CA_CERTS: '/tmp/of-another', LOCKSTEP_CA: '/tmp/of-another' };
    expect(await runEnv(command, earlier)).toEqual(without);
  });

  test('without the token: the message asks for it, and exit 2', async () => {
    const { code, stderr } = await launch('env', '--ready-file', readyFile).ended;
    expect(stderr).toMatch(/Lockstep-Admin-Token.*--admin-token-env/);
    expect(code).toBe(2);
  });

  test('with a wrong token: the message says so, without advice to give one', async () => {
    const wrong = runEnv({ readyFile, adminToken: 'wrong', shell: 'sh' });
    await expect(wrong).rejects.toThrow(/token.* that was sent is not the one/i);
    await expect(wrong).rejects.not.toThrow(/--admin-token-env/);
  });

  test('without the authority: the message tells the option for it, and exit 4', async () => {
    const command = { baseUrl: mock.url, adminToken: process.env.PATH, shell: 'sh' } as const;
    const error = await runEnv({ ...command, ca: join(folder, 'absent.pem') }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(NotThere);
    expect(error).toHaveProperty('message', expect.stringContaining('absent.pem'));
    const { code, stderr } = await launch('env', '--base-url', mock.url, ...token).ended;
    expect(stderr).toMatch(/No mock can be reached at https:.*verify the first certificate.*--ca/);
    expect(code).toBe(4);
  });
});

describe('--wait', () => {
  test('waits for a mock that is starting, despite the file of a killed one', async () => {
    const readyFile = fileIn('ready.json');
    writeFileSync(readyFile, '{"name":"lockstep","pid":1,"baseUrl":"http://127.0.0.1:1"}');
    const waiting = launch('env', '--ready-file', readyFile, '--wait', '30s').ended;
    await using mock = await serve('--ready-file', readyFile);
    const { code, stdout } = await waiting;
    expect(code).toBe(0);
    expect(stdout).toContain(`export LOCKSTEP_BASE_URL='${mock.url}'\n`);
    expect(stdout).toContain(`export LOCKSTEP_PID='${mock.child.pid}'\n`);
  });

  test('gives up when the time is over, and names that time', async () => {
    const { code, stderr } = await launch('env', '--ready-file', fileIn('none'), '--wait', '50ms')
      .ended;
    expect(stderr).toMatch(
      /^lockstep: No mock has written .*none; start one .*\(after 0\.05 s\)\n$/,
    );
    expect(code).toBe(4);
  });

  test('does not wait if waiting cannot help', async () => {
    const { code } = await env('--world', 'nowhere', '--wait', '10m');
    expect(code).toBe(2);
  });
});

describe('without a mock: one line, exit 4, and a text that fails in its shell', () => {
  test('no file', async () => {
    const ended = await launch('env', '--ready-file', fileIn('ready.json')).ended;
    expect(ended).toMatchObject({ code: 4, stdout: 'false\n' });
    expect(ended.stderr).toMatch(/^lockstep: No mock has written .*--wait 10s.*\n$/);
  });

  test('a file of a process that is gone', async () => {
    const readyFile = fileIn('ready.json');
    const gone = await serve('--ready-file', readyFile);
    gone.child.kill('SIGKILL');
    await gone.ended;
    const { code, stderr } = await launch('env', '--ready-file', readyFile).ended;
    expect(stderr).toContain(`No mock can be reached at ${gone.url}`);
    expect(stderr).toContain(`process ${gone.child.pid}, which has left ${readyFile}, is gone`);
    expect(code).toBe(4);
  });

  test('an address of another program', async () => {
    await using server = createServer((_, response) => response.end('{"name":"other"}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const baseUrl = `http://127.0.0.1:${address.port}`;
    const error = await runEnv({ baseUrl, shell: 'sh' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotThere);
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(`${baseUrl} is not a Lockstep mock`),
    );
  });
});

describe('a wrong command: exit 2, and a text that fails in its shell', () => {
  test.for([
    ['an option that there is not', ['--wrold', 'new'], /unknown option/],
    ['a shell that there is not', ['--shell', 'fish'], /Allowed choices are sh, dotenv/],
    ['a file and an address', ['--ready-file', 'x'], /cannot be used with/],
    ['a variable that is not set', ['--admin-token-env', 'LOCKSTEP_NOT_SET'], /--admin-token-env/],
    ['no time', ['--wait', 'long'], /duration/],
  ] as const)('%s', async ([, args, message]) => {
    const { code, stdout, stderr } = await env(...args);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, 'false\n']);
  });

  /** The command prints the message of a Refused and exits with 2, as the last test shows. */
  test.for([
    ['no address', 'acme.example.com', /not the address of a mock, such as http:/],
    ['a prefix', 'http://127.0.0.1:1/w/acme', /a world is named with --world/],
  ] as const)('%s', async ([, baseUrl, message]) => {
    const refused = runEnv({ baseUrl, shell: 'sh' });
    await expect(refused).rejects.toBeInstanceOf(Refused);
    await expect(refused).rejects.toThrow(message);
  });

  test('a file that is not a ready file', async () => {
    const readyFile = fileIn('package.json');
    writeFileSync(readyFile, '{"name":"mine"}');
    const refused = runEnv({ readyFile, shell: 'sh' });
    await expect(refused).rejects.toBeInstanceOf(Refused);
    await expect(refused).rejects.toThrow('has not written this file');
  });

  test('an unknown world; the shell that evaluates it stops', async () => {
    const { code, stdout, stderr } = await env('--world', 'nowhere');
    expect(stderr).toMatch(/no world .*nowhere.*--world new/);
    expect([code, stdout]).toEqual([2, 'false\n']);
    const script = 'set -e; eval "$0"; echo went on';
    await expect(run('sh', ['-c', script, stdout])).rejects.toMatchObject({ code: 1, stdout: '' });
  });
});
