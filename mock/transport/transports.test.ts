/**
 * The same requests get the same answers in-process and over a socket. Other tests need a socket:
 * malformed HTTP, and TLS.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock, type Mock, startMock } from '../kits/index.ts';
import { tableNames } from '../world/rows.ts';
import { certificateFor } from './certificate.ts';

const options = { seed: 11, clock: '2026-03-01T12:00:00.000Z' };
type Reach = (path: string, init?: RequestInit) => Promise<Response>;
interface Transport {
  readonly mock: Mock;
  readonly reach: Reach;
}

const inProcess = await createMock(options);
const listening = await startMock(options);
afterAll(() => listening.close());
const transports: readonly (Transport & { readonly name: string })[] = [
  { name: 'in-process', mock: inProcess, reach: (path, init) => inProcess.fetch(path, init) },
  {
    name: 'over a socket',
    mock: listening,
    reach: (path, init) => fetch(`${listening.baseUrl}${path}`, init),
  },
];

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const folder = `${one}/folders/11`;
const toggle = '/build/api/v1/deployments/1/branches/staging-environment';
const recipients = `${one}/notifications/31/recipients`;
const tokens = `${one}/environments/201/tokens-for-meta-sync`;
const log = '/api/v1/audit-logs/export';
const users = '/api/scim/v2/Users';
/** The body of a refusal, which has different fields in the management API and the build API. */
const errorOf = (path: string, message: RegExp) => ({
  [path.startsWith('/build') ? 'message' : 'error']: expect.stringMatching(message),
});

/** A world for one test, and how to reach it as its administrator. */
async function worldOn({ mock, reach }: Transport) {
  const world = await mock.createWorld(options);
  const send: Reach = (path, init = {}) =>
    reach(path, {
      ...init,
      headers: { Authorization: `Bearer ${world.id}-admin`, ...init.headers },
    });
  /** Everything that a request could have changed. */
  const record = () =>
    JSON.stringify([
      tableNames.map((name) => [...world.state.tables[name].changes()]),
      world.state.audit,
    ]);
  return { world, send, record };
}

/** Headers that belong to the connection, not to the answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'content-length', 'transfer-encoding'];
async function whole(response: Response) {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !OF_CONNECTION.includes(name)).sort(),
    body: await response.text(),
  };
}

describe('the answer does not depend on the transport', () => {
  const requests: readonly [string, string, unknown?, string?][] = [
    ['GET', deployments],
    ['GET', `${deployments}/?offset=40&colour=red`],
    ['HEAD', deployments],
    ['GET', `${one}/environments?type=staging`],
    ['PUT', toggle, { branchName: 'feature-orders', enabled: true }],
    ['PUT', toggle, { branchName: 'main', enabled: true }],
    ['GET', `${one}/versions`],
    ['PUT', one, { releaseChannel: 'preview' }],
    ['PUT', folder, { name: 'Gelände ☃ 𝄞' }],
    ['PUT', folder],
    ['POST', tokens, { security_context: { tenant: 'ü' } }],
    ['POST', recipients, { recipients: [{ userId: 2 }, { channelId: 'C1' }] }],
    ['POST', recipients, { recipients: [{ userId: 2 }] }],
    ['GET', `${one}/dbt-sync/sync-completed/result`],
    ['GET', `${log}?search=%C3%BC`],
    ['GET', log],
    ['HEAD', log],
    ['GET', `${users}?count=2`, undefined, 'scim'],
    ['GET', users],
    ['GET', deployments, undefined, 'expired'],
    ['DELETE', folder],
    ['PATCH', one, {}],
    ['GET', '/api/v1/reports'],
    ['GET', '/favicon.ico'],
    ['GET', `${deployments}?limit=%zz`],
    ['GET', `${deployments}/%ff/versions`],
  ];

  test('status, headers and body of a long sequence', async () => {
    const [first = [], second] = await Promise.all(
      transports.map(async ({ mock, reach }) => {
        const id = 'sequence';
        using _world = await mock.createWorld({ ...options, id });
        const answers: unknown[] = [];
        for (const [method, path, body, as = 'admin'] of requests) {
          const answered = await reach(path, {
            method,
            headers: { Authorization: `Bearer ${id}-${as}`, 'Content-Type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          answers.push([method, path, await whole(answered)]);
        }
        return answers;
      }),
    );
    expect(first).toHaveLength(requests.length);
    expect(second).toEqual(first);
  });
});

describe.each(transports)('$name', (transport) => {
  test('an export is streamed without a known length', async () => {
    const { send } = await worldOn(transport);
    const response = await send(log);
    expect(response.headers.get('Content-Length')).toBeNull();
    expect((await response.text()).length).toBeGreaterThan(20_000);
  });

  test('a client that abandons an export harms nothing', async () => {
    const { send } = await worldOn(transport);
    const { body } = await send(log);
    await body?.cancel();
    expect((await send(deployments)).status).toBe(200);
  });

  test.for([deployments, log, `${one}/versions`])(
    'HEAD %s is GET without the body',
    async (path) => {
      const { send } = await worldOn(transport);
      const got = await whole(await send(path));
      const head = await whole(await send(path, { method: 'HEAD' }));
      expect(head.body).toBe('');
      expect(head.status).toBe(200);
      const basis = 'lockstep-basis';
      const others = ([name]: string[]) => name !== basis;
      expect(head.headers.filter(others)).toEqual(got.headers.filter(others));
      expect(Object.fromEntries(head.headers)[basis]).toContain('REQ-8');
    },
  );

  describe('faults', () => {
    test('a body that is cut in the middle cannot be read to its end', async () => {
      const { world, send } = await worldOn(transport);
      world.faults.add({ phase: 'mid-body', times: 1 });
      await expect(send(deployments).then((response) => response.text())).rejects.toThrow();
      expect((await send(deployments)).status).toBe(200);
    });

    test('a stream can be cut as well', async () => {
      const { world, send } = await worldOn(transport);
      world.faults.add({ phase: 'mid-body', times: 1, operation: 'exportAuditLogs' });
      await expect(send(log).then((response) => response.text())).rejects.toThrow();
    });

    test('a cut connection gives no answer, although the request was carried out', async () => {
      const { world, send } = await worldOn(transport);
      world.faults.add({ phase: 'socket', times: 1 });
      await expect(send(folder, { method: 'PUT', body: '{"name":"Cut"}' })).rejects.toThrow();
      expect(world.state.tables.folders.get(11)?.name).toBe('Cut');
      expect((await send(deployments)).status).toBe(200);
    });

    test('a fault after the commit hides a change, a fault before it prevents the change', async () => {
      const { world, send } = await worldOn(transport);
      const rename = (name: string) =>
        send(folder, { method: 'PUT', body: JSON.stringify({ name }) });
      world.faults.add({ phase: 'before', status: 503, retryAfter: 7, times: 1 });
      const before = await rename('Before');
      expect([before.status, before.headers.get('Retry-After')]).toEqual([503, '7']);
      expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
      world.faults.add({ phase: 'after-commit', status: 504, times: 1 });
      expect((await rename('After')).status).toBe(504);
      expect(world.state.tables.folders.get(11)?.name).toBe('After');
    });

    test('a delay only delays, and can be aborted', async () => {
      const { world, send } = await worldOn(transport);
      world.faults.add({ phase: 'before', delayMs: 60, times: 1 });
      const started = performance.now();
      expect((await send(deployments)).status).toBe(200);
      expect(performance.now() - started).toBeGreaterThanOrEqual(50);
      world.faults.add({ phase: 'before', delayMs: 5000, times: 1 });
      const signal = AbortSignal.timeout(30);
      await expect(send(deployments, { signal })).rejects.toThrow();
    });
  });

  describe('an unusable body gets a clear refusal, and nothing changes', () => {
    const writes = [
      ['PUT', toggle],
      ['PUT', folder],
      ['PUT', one],
      ['POST', recipients],
      ['POST', tokens],
    ] as const;
    const bytes = (...codes: number[]) => Uint8Array.from(codes);
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const bodies: readonly [string, string | Uint8Array, RegExp][] = [
      ['half an object', '{"name":', /not JSON/],
      ['no JSON', 'name=Money', /not JSON/],
      ['two objects', '{}{}', /not JSON/],
      ['a comma too many', '{"name":"x",}', /not JSON/],
      ['NaN', '{"position":NaN}', /not JSON/],
      ['a list', '[]', /object/],
      ['a list of lists', '[[{}]]', /object/],
      ['null', 'null', /object/],
      ['a number', '3', /object/],
      ['a string', '"name"', /object/],
      ['true', 'true', /object/],
      ['invalid UTF-8', bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d), /UTF-8/],
      ['half a character', bytes(0x22, 0xe2, 0x82), /UTF-8/],
      ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), /UTF-8/],
      ['a key __proto__', '{"__proto__":{"admin":true}}', /__proto__/],
      ['an escaped key __proto__', '{"\\u005f_proto\\u005F_":{"admin":true}}', /__proto__/],
      ['a key __proto__ deep inside', '{"a":[{"b":{"__proto__":1}}]}', /__proto__/],
      ['deep nesting', nested(101), /deep/],
      ['very deep nesting', '['.repeat(200_000), /deep/],
    ];

    describe.each(bodies)('%s', (_name, body, message) => {
      test.for(writes)('%s %s', async ([method, path]) => {
        const { send, record } = await worldOn(transport);
        const before = record();
        const response = await send(path, {
          method,
          body: body as NonNullable<RequestInit['body']>,
          headers: { 'Content-Type': 'application/json' },
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toEqual(errorOf(path, message));
        expect(record()).toBe(before);
        expect((await send(deployments)).status).toBe(200);
        expect(Object.prototype).not.toHaveProperty('admin');
      });
    });

    test.for<[string, string, unknown]>([
      ['PUT', toggle, { branchName: 'feature-orders', enabled: 'true' }],
      ['PUT', toggle, { branchName: 'feature-orders', enabled: 1 }],
      ['PUT', toggle, { branchName: ['feature-orders'], enabled: true }],
      ['PUT', toggle, { branchId: 102.5, enabled: true }],
      ['PUT', toggle, { branchId: null, enabled: true }],
      ['PUT', folder, { name: ['Money'] }],
      ['PUT', folder, { position: '1' }],
      ['PUT', folder, { position: 1.5 }],
      ['PUT', folder, { name: 'Money', position: {} }],
      ['PUT', one, { releaseChannelVersion: ['1.6.3'] }],
      ['PUT', one, { releaseChannel: { name: 'latest' } }],
      ['POST', recipients, { recipients: {} }],
      ['POST', recipients, { recipients: [2] }],
      ['POST', recipients, { recipients: [null] }],
      ['POST', recipients, { recipients: [{ userId: '2' }] }],
      ['POST', recipients, { recipients: [{ userId: 2 }, { email: true }] }],
      ['POST', recipients, { recipients: [{ userId: 2 }, { groups: 'a' }] }],
      ['POST', tokens, { security_context: [] }],
      ['POST', tokens, { security_context: null }],
      ['POST', tokens, { security_context: {}, expires_in: '60' }],
      ['POST', tokens, { security_context: {}, expires_in: 1e300 }],
      // Defect (see mock-notes): a year of five digits, which the mock's own check turns into a 500.
      ['POST', tokens, { security_context: {}, expires_in: 1e12 }],
    ])('wrong types: %s %s %j', async ([method, path, body]) => {
      const { send, record } = await worldOn(transport);
      const before = record();
      const response = await send(path, { method, body: JSON.stringify(body) });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual(errorOf(path, /./));
      expect(record()).toBe(before);
    });

    test.for(writes)('above 1 MiB: %s %s', async ([method, path]) => {
      const { send, record } = await worldOn(transport);
      const before = record();
      const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
      const response = await send(path, { method, body });
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual(errorOf(path, /larger/));
      expect(record()).toBe(before);
      expect((await send(deployments)).status).toBe(200);
    });

    test('just below 1 MiB is read', async () => {
      const { send, world } = await worldOn(transport);
      const body = JSON.stringify({ name: 'Money', note: 'x'.repeat(1024 * 1024 - 40) });
      const response = await send(folder, { method: 'PUT', body });
      expect(response.status).toBe(200);
      expect(world.state.tables.folders.get(11)?.name).toBe('Money');
    });

    test('1000 recipients with contexts fit', async () => {
      const { send } = await worldOn(transport);
      const items = Array.from({ length: 1000 }, (_, index) => ({
        embedTenantName: 'partner-b',
        externalId: `person-${index}@example.com`,
        securityContext: { tenant: index, teams: ['north', 'south'], note: 'x'.repeat(500) },
        groups: ['everyone'],
      }));
      const body = JSON.stringify({ recipients: items });
      expect((await send(recipients, { method: 'POST', body })).status).toBe(200);
    });
  });

  describe('an unusable target gets a clear refusal', () => {
    test.for([
      [400, 'GET', `${deployments}/%ff/versions`],
      [400, 'GET', `${deployments}/%zz/versions`],
      [400, 'GET', `${deployments}/%/versions`],
      [400, 'GET', `${deployments}/%c3%28/environments`],
      [400, 'GET', `${deployments}/%00/versions`],
      [400, 'GET', `${deployments}/1%2F2/versions`],
      [400, 'GET', `${deployments}/__proto__/versions`],
      [400, 'GET', `${deployments}/constructor/versions`],
      [404, 'GET', `${deployments}/${'9'.repeat(4000)}/versions`],
      [404, 'GET', `${one}/dbt-sync/%2e%2e%2fsync-completed/result`],
      [400, 'PUT', `${one}/folders/1e1`],
      [400, 'PUT', `${one}/folders/0x0b`],
      [400, 'PUT', `${one}/folders/%ff`],
      [400, 'PUT', `${one}/folders/011`],
      [400, 'PUT', `${one}/folders/${'9'.repeat(40)}`],
      [400, 'GET', `${deployments}?limit=%ff`],
      [400, 'GET', `${deployments}?limit=%`],
      [400, 'GET', `${deployments}?limit=1e3`],
      [400, 'GET', `${deployments}?limit=99999999999999999999`],
      [400, 'GET', `${deployments}?offset=-1`],
      [400, 'GET', `${deployments}?limit=`],
      [400, 'GET', `${one}/environments?type=__proto__`],
      [400, 'GET', `${log}?search=%ff`],
      [400, 'GET', `${log}?start=2026-02-31`],
      // Defect (see mock-notes): read as 3 March.
      [400, 'GET', `${log}?start=2026-02-31T00:00:00Z`],
      [400, 'GET', `${log}?end=yesterday`],
      [404, 'GET', '/'],
      [404, 'GET', '/__proto__'],
      [404, 'GET', '/constructor'],
      [404, 'GET', '/api'],
      [404, 'GET', '/api/v2/deployments'],
      [404, 'GET', '/w'],
      [404, 'GET', '/w//api/v1/deployments'],
      [404, 'GET', '/w/%ff/api/v1/deployments'],
      [501, 'GET', '/api/v1/reports'],
      [501, 'GET', '/api/v1'],
      [501, 'GET', '/api/v1//deployments'],
      [501, 'GET', '/api/v1/__proto__'],
      [501, 'POST', '/build/api/v1/uploads'],
      [501, 'DELETE', deployments],
      [501, 'POST', deployments],
      [501, 'PATCH', folder],
      [501, 'GET', folder],
      [501, 'OPTIONS', one],
      [501, 'GET', toggle],
    ] as const)('%i: %s %s', async ([status, method, path]) => {
      const { send, record } = await worldOn(transport);
      const before = record();
      const body = method === 'PUT' ? { body: '{"name":"x"}' } : {};
      const response = await send(path, { method, ...body });
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual(errorOf(path, /./));
      expect(record()).toBe(before);
    });

    test.for([
      [400, `${users}?count=many`],
      [400, `${users}?startIndex=%ff`],
      [501, users, 'DELETE'],
      [501, '/api/scim/v2/Groups'],
      [501, `${users}/1`],
    ] as const)('%i on the SCIM API, in its own shape: %s', async ([status, path, method]) => {
      const { send, world } = await worldOn(transport);
      const response = await send(path, {
        method: method ?? 'GET',
        headers: { Authorization: `Bearer ${world.id}-scim` },
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
      });
    });
  });
});

/** Sends raw bytes, and returns everything that comes back until the connection ends. */
function raw(port: number, bytes: string | Buffer, patienceMs = 2000): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}
/** The first answer of a text, read by its Content-Length. */
function readAnswer(text: string): RawAnswer {
  const [head = '', rest = ''] = text.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: Buffer.from(rest).subarray(0, Number(length)).toString(),
  };
}

describe('requests that only a socket can carry', () => {
  const { port } = listening;
  const ask = (line: string, ...headers: string[]) =>
    [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
  const alive = async () =>
    (await fetch(`${listening.baseUrl}/__admin/health`).then((response) => response.status)) ===
    200;
  const key = 'Authorization: Bearer acme-admin';

  test.for<[string, string, string | Buffer, number]>([
    ['no HTTP', 'hello', 'hello\r\n\r\n', 400],
    ['zeros', 'zeros', Buffer.alloc(64), 400],
    ['a TLS handshake', 'tls', Buffer.from('160301020001000001fc0303', 'hex'), 400],
    ['another version', 'version', ask('GET / HTTP/3.0'), 400],
    ['a method of its own', 'method', ask(`BREW ${deployments} HTTP/1.1`), 400],
    [
      'a length that is not a number',
      'length',
      ask(`PUT ${folder} HTTP/1.1`, 'Content-Length: x'),
      400,
    ],
    ['a length below 0', 'negative', ask(`PUT ${folder} HTTP/1.1`, 'Content-Length: -1'), 400],
    [
      'two lengths',
      'lengths',
      ask(`PUT ${folder} HTTP/1.1`, 'Content-Length: 2', 'Content-Length: 3'),
      400,
    ],
    [
      'a length and chunks',
      'smuggling',
      ask(`PUT ${folder} HTTP/1.1`, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      400,
    ],
    [
      'a chunk that is none',
      'chunk',
      `${ask(`PUT ${folder} HTTP/1.1`, key, 'Transfer-Encoding: chunked')}zz\r\n`,
      400,
    ],
    ['a header without a name', 'nameless', ask(`GET ${deployments} HTTP/1.1`, ': x'), 400],
    ['a header with a control character', 'control', ask(`GET / HTTP/1.1`, 'X: a\u0001b'), 400],
    ['a space in the target', 'space', ask('GET /api/v1/ deployments HTTP/1.1'), 400],
    ['20 KB of one header', 'header', ask('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`), 431],
    [
      'a thousand headers',
      'headers',
      ask(
        'GET / HTTP/1.1',
        ...Array.from({ length: 1000 }, (_, index) => `X-${index}: ${'y'.repeat(20)}`),
      ),
      431,
    ],
    ['a target of 20 KB', 'target', ask(`GET /${'x'.repeat(20_000)} HTTP/1.1`), 431],
  ])('%s', async ([, , bytes, status]) => {
    const answer = readAnswer(await raw(port, bytes));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/./) });
    expect(await alive()).toBe(true);
  });

  test('of two Authorization headers the first counts, by assumption (AUTH-29)', async () => {
    const other = 'Authorization: Bearer never-issued';
    const text = await raw(port, ask(`GET ${deployments} HTTP/1.1`, key, other));
    expect(readAnswer(text).status).toBe(200);
    expect(text).toContain('Lockstep-Basis: assumed; AUTH-29');
    const turned = await raw(port, ask(`GET ${deployments} HTTP/1.1`, other, key));
    expect(readAnswer(turned).status).toBe(401);
  });

  // By default node:http answers these without a body.
  test.for<[string, string, number]>([
    ['no Host', `GET ${deployments} HTTP/1.1\r\nConnection: close\r\n${key}\r\n\r\n`, 400],
    [
      'an expectation that nobody knows',
      ask(`PUT ${folder} HTTP/1.1`, key, 'Expect: the-unexpected', 'Content-Length: 0'),
      417,
    ],
  ])('%s is refused in the shape of an error', async ([, bytes, status]) => {
    const answer = readAnswer(await raw(port, bytes));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/./) });
  });

  test.for<[string, string, number]>([
    ['a credential of 10 KB', `Authorization: Bearer ${'x'.repeat(10_000)}`, 401],
    ['a credential that is not ASCII', 'Authorization: Bearer \u00e9\u00ff', 401],
    ['an empty credential', 'Authorization:', 401],
    ['a tab in a credential', 'Authorization: Bearer\tacme-admin', 401],
    ['two credentials: the first counts', `${key}\r\nAuthorization: Bearer acme-member`, 200],
    ['an upgrade that is not made', `${key}\r\nUpgrade: websocket`, 200],
    ['a cookie and a range', `${key}\r\nCookie: a=b\r\nRange: bytes=0-1`, 200],
    ['a method override that is none', `${key}\r\nX-HTTP-Method-Override: DELETE`, 200],
    ['a media type that cannot be had', `${key}\r\nAccept: image/png`, 200],
  ])('%s', async ([, header, status]) => {
    const answer = readAnswer(await raw(port, ask(`GET ${deployments} HTTP/1.1`, header)));
    expect(answer.status).toBe(status);
  });

  test('the absolute form of a target, as proxies send it', async () => {
    for (const target of [
      `http://anything.example${deployments}?limit=1`,
      `https://tenant.example:8443${deployments}?limit=1`,
    ]) {
      const answer = readAnswer(await raw(port, ask(`GET ${target} HTTP/1.1`, key)));
      expect(answer.status, target).toBe(200);
      expect(answer.body).toContain('"limit":1');
    }
  });

  test.for(['http://anything.example', 'http://anything.example?limit=1', '*', '//x', '/#/api/v1'])(
    'the target %s is refused',
    async (target) => {
      const method = target === '*' ? 'OPTIONS' : 'GET';
      const answer = readAnswer(await raw(port, ask(`${method} ${target} HTTP/1.1`, key)));
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/./) });
    },
  );

  test('pipelined requests are answered in their order', async () => {
    const world = await listening.createWorld(options);
    const as = `Authorization: Bearer ${world.id}-admin`;
    const body = '{"name":"Piped"}';
    const keep = (line: string, ...headers: string[]) =>
      [line, 'Host: localhost', as, ...headers, '', ''].join('\r\n');
    const context = '{"security_context":{}}';
    const text = await raw(
      port,
      keep(`PUT ${folder} HTTP/1.1`, `Content-Length: ${body.length}`) +
        body +
        // This answer is signed asynchronously, so the next request must wait for it.
        keep(`POST ${tokens} HTTP/1.1`, `Content-Length: ${context.length}`) +
        context +
        keep(`GET ${deployments}/99/versions HTTP/1.1`) +
        ask(`GET ${deployments}?limit=1 HTTP/1.1`, as),
    );
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([200, 200, 404, 200]);
    expect(text.indexOf('Piped')).toBeLessThan(text.indexOf('"token"'));
    expect(text.indexOf('"token"')).toBeLessThan(text.indexOf('"pagination"'));
  });

  test('an export comes in chunks', async () => {
    const text = await raw(port, ask(`GET ${log} HTTP/1.1`, key));
    const sizes = [...text.matchAll(/\r\n([0-9a-f]+)\r\n/g)].map(([, size]) => size);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.at(-1)).toBe('0');
  });

  test('a body in chunks, and one that arrives byte by byte', async () => {
    const world = await listening.createWorld(options);
    const as = `Authorization: Bearer ${world.id}-admin`;
    const head = ask(`PUT ${folder} HTTP/1.1`, as, 'Transfer-Encoding: chunked');
    const chunks = [...'{"name":"Chunked"}'].map((character) => `1\r\n${character}\r\n`).join('');
    expect(readAnswer(await raw(port, `${head}${chunks}0\r\n\r\n`)).status).toBe(200);
    expect(world.state.tables.folders.get(11)?.name).toBe('Chunked');
  });

  test('a chunked body above the limit, without a declared length', async () => {
    const world = await listening.createWorld(options);
    const as = `Authorization: Bearer ${world.id}-admin`;
    const head = ask(`PUT ${folder} HTTP/1.1`, as, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const answer = readAnswer(await raw(port, `${head}${chunk.repeat(17)}0\r\n\r\n`));
    expect(answer.status).toBe(413);
    expect(world.state.audit).toEqual([]);
  });

  test('a client that goes away in the middle of its body harms nothing', async () => {
    const world = await listening.createWorld(options);
    const head = ask(`PUT ${folder} HTTP/1.1`, key, 'Content-Length: 100');
    await raw(port, `${head}{"name":`, 50);
    expect(await alive()).toBe(true);
    expect(world.requests.recorded).toBe(0);
  });

  test('a limit of its own', async () => {
    await using small = await startMock({ bodyLimit: 64 });
    const put = (name: string) =>
      fetch(`${small.baseUrl}${folder}`, {
        method: 'PUT',
        headers: { Authorization: 'Bearer acme-admin' },
        body: JSON.stringify({ name }),
      });
    expect((await put('x'.repeat(20))).status).toBe(200);
    expect((await put('x'.repeat(80))).status).toBe(413);
  });

  test('a mock that is closed ends its connections and frees its port', async () => {
    const first = await startMock();
    await fetch(`${first.baseUrl}/__admin/health`);
    await first.close();
    await expect(fetch(`${first.baseUrl}/__admin/health`)).rejects.toThrow();
    await using again = await startMock({ port: first.port });
    expect(again.port).toBe(first.port);
  });

  test('an idle connection outlasts a process that gets no time', async () => {
    const { headers } = await fetch(`${listening.baseUrl}/__admin/health`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });

  test('a port that is taken is an error, not a crash', async () => {
    await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('TLS', async () => {
  const certificate = certificateFor('127.0.0.1');
  const secure = await startMock({ ...options, tls: certificate });
  afterAll(() => secure.close());
  const authorization = 'Bearer acme-admin';

  interface Got {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
  }
  /** One request by hand: fetch takes no certificate authority. */
  function get(
    request: typeof httpsRequest | typeof httpRequest,
    path: string,
    more: { ca?: string; method?: string; host?: string; body?: string } = {},
  ): Promise<Got> {
    const { body, host = '127.0.0.1', ...rest } = more;
    return new Promise((resolve, reject) => {
      const sent = request(
        { host, port: secure.port, path, headers: { authorization }, agent: false, ...rest },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: text,
            }),
          );
        },
      );
      sent.on('error', reject).end(body);
    });
  }
  const { ca } = certificate;

  test('HTTPS works with its authority, by address and by name', async () => {
    expect(secure.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const host of ['127.0.0.1', 'localhost']) {
      const got = await get(httpsRequest, deployments, { ca, host });
      expect(got.status).toBe(200);
      expect(got.headers['lockstep-basis']).toBe('documented');
    }
  });

  test('without the authority the client refuses', async () => {
    await expect(get(httpsRequest, deployments)).rejects.toThrow(/unable to verify/);
  });

  test('a world that is made over HTTPS has addresses of HTTPS', async () => {
    const got = await get(httpsRequest, '/__admin/worlds', { ca, method: 'POST' });
    expect(got.status).toBe(201);
    expect(JSON.parse(got.body)).toMatchObject({
      baseUrl: expect.stringMatching(/^https:/),
      prefixedBaseUrl: expect.stringMatching(/^https:.*\/w\//),
    });
  });

  test('an export streams over HTTPS', async () => {
    const got = await get(httpsRequest, log, { ca });
    expect(got.headers['transfer-encoding']).toBe('chunked');
    expect(got.body.split('\r\n').length).toBeGreaterThan(500);
  });

  test('plain HTTP on the same port is turned away, and changes nothing', async () => {
    const got = await get(httpRequest, folder, { method: 'PUT', body: '{"name":"Plain"}' });
    expect(got.status).toBe(403);
    expect(JSON.parse(got.body)).toEqual({ error: expect.stringMatching(/HTTPS/) });
    expect(got.headers['lockstep-basis']).toBe('assumed; AUTH-17');
    expect(secure.world.state.tables.folders.get(11)?.name).toBe('Finance');
  });

  test('plain HTTP is redirected to HTTPS, or cut off (AUTH-17)', async () => {
    const world = await secure.createWorld({ assumptions: { 'AUTH-17': 'redirect' } });
    const path = `/w/${world.id}${deployments}?limit=1`;
    const sentOn = await get(httpRequest, path);
    expect(sentOn.status).toBe(308);
    expect(sentOn.headers.location).toBe(`https://127.0.0.1:${secure.port}${path}`);
    world.assumptions.set({ 'AUTH-17': 'close' });
    await expect(get(httpRequest, path)).rejects.toThrow(/hang up|reset/i);
  });

  test('bytes that are neither HTTP nor TLS are answered, and harm nothing', async () => {
    expect(await raw(secure.port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    await raw(secure.port, Buffer.from('160301', 'hex'), 100);
    expect((await get(httpsRequest, deployments, { ca })).status).toBe(200);
  });
});
