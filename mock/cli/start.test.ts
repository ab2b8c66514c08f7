/** `lockstep mock` as people start it, as a separate process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Refused } from '../../spec/base/refused.ts';
import { createMock } from '../kits/index.ts';
import { loadFixture } from '../service/fixture.ts';
import { createSimulator } from '../service/prism.ts';
import { readProfile } from '../service/profile.ts';
import { type Ended, launch, lockstep, serve } from '../testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** A start that must fail. */
const failing = (...args: string[]) => lockstep(['mock', '--port', '0', ...args]);

/** Status of a GET over HTTPS as the administrator; 3 s at most. */
function statusOver(url: string, trust: { readonly ca: string; readonly servername?: string }) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer acme-admin' };
    get(url, { ...trust, headers, agent: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('timeout', () => reject(new Error('no answer within 3 s')))
      .on('error', reject);
  });
}

describe('the banner', () => {
  test('its curl line works unchanged; over plain HTTP there is no authority', async () => {
    await using mock = await serve();
    expect((await mock.get('/__admin/ca.pem')).status).toBe(404);
    const [, header = '', url = ''] = /curl -i -H '([^']+)' (\S+)/.exec(mock.banner) ?? [];
    const [name = '', value = ''] = header.split(': ');
    const response = await fetch(url, { headers: { [name]: value } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ pagination: { total: 45 } });
  });

  test('it names the fixture, the base URL, every credential, and the control API; --clock freezes', async () => {
    await using mock = await serve('--fixture', 'basic-plan', '--clock', '2026-03-01T12:00:00Z');
    const frozen = await mock.get('/api/v1/deployments');
    expect(frozen.headers.get('Date')).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
    expect(mock.banner).toContain(`Lockstep serves the fixture basic-plan at ${mock.url}`);
    for (const name of ['admin', 'member', 'scoped', 'oauth', 'embed', 'expired', 'scim']) {
      expect(mock.banner).toContain(`acme-${name}\n`);
    }
    expect(mock.banner).toContain(`${mock.url}/__admin/`);
  });
});

describe('a start that cannot work says why in one line, and exits 2', () => {
  /** One line that starts with the program's name, and nothing on stdout. */
  function expectLine({ code, stdout, stderr }: Ended, message: RegExp): void {
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect([code, stdout]).toEqual([2, '']);
  }

  /** The command prints the message of each Refused in this way. */
  async function expectRefused(start: Promise<unknown>, message: RegExp): Promise<void> {
    const error = await start.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toHaveProperty('message', expect.stringMatching(message));
    expect((error as Refused).message).not.toContain('\n');
  }

  test('the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const ended = await lockstep(['mock', '--port', String(address.port)]);
    server.close();
    expectLine(ended, new RegExp(`Port ${address.port} of 127\\.0\\.0\\.1 is taken.*--port`));
  });

  test('an unknown fixture', async () => {
    expectLine(await failing('--fixture', 'nowhere'), /nowhere: expected acme, empty/);
  });

  test('a fixture with a mistake: file, line and column', async () => {
    const file = write('fixture.yaml', 'deployments:\n  - { id: 1, name: One }\n  - { id: 2 }\n');
    expectLine(await failing('--fixture', file), /fixture\.yaml:3:\d+: .*name is missing/);
  });

  test('a fixture that is not YAML', async () => {
    const file = write('broken.yaml', 'deployments: [\n');
    await expectRefused(loadFixture(file), /broken\.yaml:\d+:\d+: /);
  });

  test('a profile with an unknown choice', async () => {
    const file = write('profile.yaml', 'REQ-1: not-found\nSTAGE-9: teapot\n');
    expectLine(await failing('--profile', file), /profile\.yaml:2:1: STAGE-9 has no choice teapot/);
  });

  test.for([
    ['an unknown statement', 'NONE-1: x\n', /:1:1: there is no statement NONE-1/],
    ['a promise', 'STAGE-3: x\n', /:1:1: STAGE-3 is documented, not silent/],
    ['a list', '- STAGE-9\n', /:1:1: a profile maps/],
    ['invalid YAML', 'STAGE-9: [\n', /:\d+:\d+: /],
  ] as const)('a profile with %s', async ([name, text, message]) => {
    const file = write(`${name.replaceAll(' ', '-')}.yaml`, text);
    await expectRefused(readProfile(file), message);
  });

  test('a profile that is not there', async () => {
    await expectRefused(readProfile(join(folder, 'absent.yaml')), /absent\.yaml/);
  });

  test('a clock that is not a time', async () => {
    expectLine(await failing('--clock', 'tomorrow'), /"tomorrow" is not an ISO 8601 time/);
    const zoneless = createMock({ clock: '2026-01-31T09:30:00' });
    await expectRefused(zoneless, /names no time zone; end it with Z/);
  });

  test('an option that npm kept for itself, because -- was missing, gets a hint', async () => {
    const { code, stderr } = await lockstep(['mock', '4011']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm start -- --port 4011')]);
  });

  test('a description that is not there', async () => {
    expectLine(await failing('--description', join(folder, 'none.yaml')), /none\.yaml/);
  });

  test('a variable for the token that is not set', async () => {
    expectLine(
      await failing('--admin-token-env', 'LOCKSTEP_NOT_SET'),
      /that --admin-token-env names/,
    );
  });

  test.for([
    ['no OpenAPI', 'name: x\n'],
    ['no YAML', 'paths: [\n'],
    ['empty', ''],
  ] as const)('a description that is %s', async ([name, text]) => {
    const file = write(`description-${name.replace(' ', '-')}.yaml`, text);
    await expectRefused(createSimulator(file), /description-/);
  });

  test('a certificate name that is not a host name', async () => {
    expectLine(await failing('--tls', 'mock internal'), /--tls takes host names.*"mock internal"/);
  });

  test('an address of another machine', async () => {
    expectLine(await failing('--host', '192.0.2.1'), /192\.0\.2\.1 is not an address/);
  });
});

describe('a command line that cannot be read: usage, exit 2', () => {
  test.for([
    [['mock', '--port', 'many']],
    [['mock', '--port', '70000']],
    [['mock', '--seed', 'x']],
    [['mock', '--process', '1000']],
    [['mock', '--alias', 'unitCount']],
    [['mock', '--alias', 'other=NAME']],
    [['mock', '--log', 'loud']],
    [['mock', '--colour']],
    [['serve']],
  ])('lockstep %j', async ([args = []]) => {
    const { code, stderr } = await lockstep(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: /);
  });

  test('--version and --help exit 0', async () => {
    const [version, help] = await Promise.all([
      launch('--version').ended,
      launch('mock', '--help').ended,
    ]);
    expect([version.code, help.code]).toEqual([0, 0]);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(help.stdout).toContain('--fixture');
  });
});

describe('options', () => {
  test('--alias gives the field its real name', async () => {
    await using mock = await serve('--alias', 'unitCount=widgetCount');
    const response = await mock.get('/api/v1/deployments/1/dbt-sync/sync-completed/result');
    const body: unknown = await response.json();
    expect(body).toHaveProperty('widgetCount');
    expect(body).not.toHaveProperty('unitCount');
  });

  test('--seed twice gives the same bytes', async () => {
    const run = async (seed: string) => {
      await using mock = await serve('--seed', seed);
      const texts: string[] = [];
      for (const [path, init] of [
        ['/api/v1/deployments'],
        [
          '/api/v1/deployments/1/environments/201/tokens-for-meta-sync',
          { method: 'POST', body: '{"security_context":{"a":1}}' },
        ],
        ['/api/v1/deployments/1/folders/11', { method: 'PUT', body: '{"name":"Money"}' }],
        ['/api/v1/audit-logs/export'],
      ] as const) {
        const response = await mock.get(path, init);
        texts.push(`${response.status} ${response.headers.get('Date')} ${await response.text()}`);
      }
      return texts;
    };
    const [first, second, other] = await Promise.all([run('7'), run('7'), run('8')]);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('--tls serves HTTPS; the banner names the authority, and its curl line trusts it', async () => {
    await using mock = await serve('--tls');
    const [, trusted = '', url = ''] =
      /curl -i --cacert (\S+) -H '[^']+' (\S+)/.exec(mock.banner) ?? [];
    expect(mock.banner).toContain(`certificate authority to trust: ${trusted}`);
    expect(await statusOver(url, { ca: readFileSync(trusted, 'utf8') })).toBe(200);
  });

  test('--tls takes names; the API serves the authority if no file can be written', async () => {
    vi.stubEnv('TMPDIR', write('no-folder', ''));
    await using mock = await serve('--tls', 'mock.internal,10.0.0.7');
    vi.unstubAllEnvs();
    const authority = `${mock.url}/__admin/ca.pem`;
    expect(mock.banner).toContain(`certificate authority to trust: ${authority}\n`);
    const ca = await fetch(authority.replace('https:', 'http:')).then((answer) => answer.text());
    for (const servername of ['localhost', 'mock.internal']) {
      expect(await statusOver(mock.url, { ca, servername })).toBe(404);
    }
    const other = statusOver(mock.url, { ca, servername: 'elsewhere.internal' });
    await expect(other).rejects.toThrow(/elsewhere\.internal/);
  });

  test('the ids of worlds have the --process number; a restart does not reuse ids', async () => {
    const idOfNewWorld = async () => {
      await using mock = await serve('--process', '2');
      const made = await mock.get('/__admin/worlds', { method: 'POST' });
      return ((await made.json()) as { id: string }).id;
    };
    const [before, after] = [await idOfNewWorld(), await idOfNewWorld()];
    for (const id of [before, after]) expect(id).toMatch(/^p2r[a-z0-9]+w1$/);
    expect(after).not.toBe(before);
  });

  test('--profile and --strict choose at silences, the profile last', async () => {
    const profile = write('choices.yaml', 'REQ-1: not-found\nREQ-2: ignored\n');
    await using mock = await serve('--profile', profile, '--strict');
    expect((await mock.get('/api/v1/deployments/')).status).toBe(404);
    expect((await mock.get('/api/v1/deployments?colour=red')).status).toBe(200);
    const put = { method: 'PUT', body: '{"colour":"red"}' };
    const json = { ...put, headers: { 'Content-Type': 'application/json' } };
    expect((await mock.get('/api/v1/deployments/1/folders/11', json)).status).toBe(400);
    expect((await mock.get('/api/v1/deployments/1/folders/11', put)).status).toBe(415);
  });

  test('--log json writes a line for each answer on stderr, without secrets', async () => {
    const { child, printed, ended } = launch('mock', '--port', '0', '--log', 'json');
    await expect.poll(() => printed.stdout).toContain('/__admin/\n');
    const url = / at (http:\S+)/.exec(printed.stdout)?.[1] ?? '';
    const headers = { Authorization: 'Bearer acme-member' };
    await fetch(`${url}/api/v1/deployments?key=acme-admin`, { headers });
    await fetch(`${url}/api/v1/audit-logs/export`, { headers });
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toMatchObject([
      { operation: 'listDeployments', credential: 'member', status: 200, basis: 'assumed; REQ-2' },
      { operation: 'exportAuditLogs', status: 403, error: expect.any(String) },
    ]);
    expect(stderr).not.toContain('acme-');
  });
});

describe('the end', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    '%s exits 0, open connections or not',
    async (signal) => {
      const mock = await serve();
      await mock.get('/api/v1/deployments');
      mock.child.kill(signal);
      expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
      await expect(mock.get('/api/v1/deployments')).rejects.toThrow();
    },
  );
});
