/** The control API under /__admin, as a client in any language uses it: the mock as a whole, keys, and who may use it. */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock, startMock } from '../kits/index.ts';
import { control, deployments, refused, rename } from './testing/control.ts';

const { ask, mock, worldWith } = await control();

describe('the mock as a whole', () => {
  test('GET health', async () => {
    expect(await ask('/health')).toMatchObject({
      status: 200,
      body: { name: 'lockstep', version: expect.stringMatching(/^\d+\.\d+\.\d+/), protocol: 1 },
    });
  });

  test('GET statements', async () => {
    const { status, body } = await ask('/statements');
    expect(status).toBe(200);
    const { statements } = body as { statements: { id: string; level: string }[] };
    expect(new Set(statements.map(({ level }) => level))).toEqual(
      new Set(['documented', 'standard', 'silent']),
    );
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
  });

  test('GET statements/{id}: one of them', async () => {
    expect(await ask('/statements/REQ-1')).toMatchObject({
      status: 200,
      body: { id: 'REQ-1', level: 'silent', assumption: { id: 'served' } },
    });
    expect(await ask('/statements/req-1')).toMatchObject(
      refused(404, /req-1 is not known; REQ-1 is/),
    );
    expect(await ask('/statements/REQ-999')).toMatchObject(refused(404, /statements lists all/));
  });

  test('GET version', async () => {
    expect(await ask('/version')).toMatchObject({
      status: 200,
      body: { version: expect.any(String), contract: '1.0.0', protocol: 1 },
    });
  });

  test('GET docs is a page', async () => {
    const response = await mock.fetch('/__admin/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain('<html');
  });

  test('GET coverage counts statuses by operation, and assumptions, of all worlds', async () => {
    await using own = await createMock();
    const world = await own.createWorld();
    await own.world.fetch(`${deployments}/`);
    await world.fetch(deployments);
    await world.fetch(`${deployments}/99/versions`);
    await world.fetch('/favicon.ico');
    const all = await ask('/coverage', 'GET', undefined, own);
    expect(all).toMatchObject({
      status: 200,
      body: {
        operations: { listDeployments: { 200: 2 }, listVersions: { 404: 1 }, updateFolder: {} },
        pages: { listDeployments: { first: 2 } },
        assumptions: {
          'REQ-1': {
            text: 'Whether a path with a slash at the end is served.',
            answers: 1,
            choices: { served: 1 },
            alternatives: [{ id: 'not-found' }, { id: 'redirect' }],
          },
          'ERR-9': { answers: 1 },
        },
        privileges: { admin: { operations: { listDeployments: 2 }, admin: false } },
        unmatched: 1,
      },
    });
    const one = await ask(`/worlds/${world.id}/coverage`, 'GET', undefined, own);
    expect(one.body).toMatchObject({ operations: { listDeployments: { 200: 1 } } });
    await ask(`/worlds/${world.id}`, 'DELETE', undefined, own);
    expect(await ask('/coverage', 'GET', undefined, own)).toEqual(all);
  });

  test('POST reset drops what was made and resets the default world', async () => {
    await using own = await createMock();
    const made = await own.createWorld();
    await rename(own.world, 'Money');
    expect(await ask('/reset', 'POST', undefined, own)).toMatchObject({
      status: 200,
      body: { worlds: ['acme'] },
    });
    expect(own.world.state.tables.folders.get(11)?.name).toBe('Finance');
    expect((await ask(`/worlds/${made.id}`, 'GET', undefined, own)).status).toBe(404);
  });

  test.for([
    ['GET', '/nothing', 404],
    ['POST', '/health', 405],
    ['PATCH', '/worlds', 405],
    ['GET', '/worlds/acme/reset', 405],
    ['GET', '/worlds/acme/nothing', 404],
    ['GET', '/worlds/nowhere', 404],
    ['POST', '/worlds/nowhere/reset', 404],
    ['GET', '/worlds/__proto__/state', 404],
    ['GET', '/worlds/%ff/state', 404],
  ] as const)('%s %s: %i with an error', async ([method, path, status]) => {
    const answer = await ask(path, method);
    expect(answer).toMatchObject(refused(status, /./));
    expect(answer.headers.has('Allow')).toBe(status === 405);
  });

  test('a slash at the end is served', async () => {
    expect((await ask('/health/')).status).toBe(200);
  });

  test.for([
    ['half an object', '{', /JSON/],
    ['a list', '[]', /JSON/],
    ['null', 'null', /JSON/],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /UTF-8/],
  ] as const)('%s is not a valid body: 400', async ([, body, says]) => {
    const response = await mock.fetch('/__admin/worlds', { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(says) });
  });
});

describe('keys', () => {
  test('GET jwks.json: the public key alone', async () => {
    const { get } = await worldWith();
    const { status, body } = await get('/jwks.json');
    expect(status).toBe(200);
    expect(body).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
          kid: expect.any(String),
        },
      ],
    });
  });
});

describe('access to the control API', () => {
  const from = (
    on: Mock,
    headers: Record<string, string>,
    remote = false,
    target = '/__admin/version',
  ) =>
    on.service.handle({
      method: 'GET',
      target,
      headers: { host: 'localhost:4010', ...headers },
      body: undefined,
      remote,
    });

  test.for<[number, Record<string, string>]>([
    [200, {}],
    [200, { host: '127.0.0.1:4010' }],
    [200, { host: '[::1]:4010' }],
    [200, { host: 'LOCALHOST' }],
    [200, { origin: 'http://localhost:4010' }],
    [403, { host: 'evil.example' }],
    [403, { host: 'evil.example:4010', origin: 'http://evil.example:4010' }],
    [403, { host: 'localhost.evil.example' }],
    [403, { host: '127.0.0.1.evil.example' }],
    [403, { origin: 'http://evil.example' }],
    [403, { origin: 'http://localhost:4011' }],
    [403, { origin: 'null' }],
  ])('%i for %j', async ([status, headers]) => {
    const answer = await from(mock, headers);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatch(/"error":/);
  });

  test('another machine is refused if no token is set', async () => {
    expect((await from(mock, {}, true)).status).toBe(403);
  });

  test('a token, if one is set, decides for this machine and for others', async () => {
    await using guarded = await createMock({ adminToken: 'let-me-in' });
    const token = { 'lockstep-admin-token': 'let-me-in' };
    const without = await from(guarded, {});
    expect([without.status, without.body]).toEqual([403, expect.stringContaining('needs the')]);
    const wrong = await from(guarded, { 'lockstep-admin-token': 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([403, expect.stringContaining('is not the one')]);
    expect(wrong.body).not.toContain('wrong');
    expect((await from(guarded, token)).status).toBe(200);
    expect((await from(guarded, { ...token, host: 'mock.internal' }, true)).status).toBe(200);
    expect((await from(guarded, { ...token, origin: 'http://evil.example' })).status).toBe(403);
  });

  test.for(['/__admin/health', '/__admin/ca.pem'])(
    'a client that looks for a mock need not show the token: %s',
    async (target) => {
      await using guarded = await createMock({ adminToken: 'let-me-in' });
      const anywhere = { host: 'mock.internal' };
      expect((await from(guarded, anywhere, true, target)).status).not.toBe(403);
      expect((await from(mock, {}, true, target)).status).toBe(403);
    },
  );

  test('no journal holds the token', async () => {
    await using guarded = await createMock({ adminToken: 'let-me-in' });
    await guarded.world.fetch(deployments, { headers: { 'Lockstep-Admin-Token': 'let-me-in' } });
    const listed = await guarded.fetch('/__admin/worlds/acme/requests', {
      headers: { 'Lockstep-Admin-Token': 'let-me-in' },
    });
    expect(listed.status).toBe(200);
    expect(await listed.text()).not.toContain('let-me-in');
  });

  test('over a socket a foreign Host is refused, and nothing is done', async () => {
    await using listening = await startMock();
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(listening.port, '127.0.0.1', () =>
        socket.write(
          'POST /__admin/worlds HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        ),
      );
      socket.on('data', (piece) => {
        text += String(piece);
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 403/);
    expect(listening.service.worlds.size).toBe(1);
  });

  test('a credential of the service opens nothing here, and none is needed', async () => {
    const answer = await mock.fetch('/__admin/health', {
      headers: { Authorization: 'Bearer wrong' },
    });
    expect(answer.status).toBe(200);
  });
});
