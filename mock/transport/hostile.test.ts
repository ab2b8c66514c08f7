/**
 * Attacks of hostile clients, pages and peers. The mock answers or closes the connection, and
 * continues to serve.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { readText } from '../../fixtures/read.ts';
import { createLog } from '../cli/log.ts';
import { createMock, startMock } from '../kits/index.ts';
import { certificateFor } from './certificate.ts';
import { listen } from './node-http.ts';

const mock = await createMock({ seed: 5, cors: ['http://localhost:5173'] });
afterAll(() => mock.close());
const authorization = 'Bearer acme-admin';
const recipients = '/api/v1/deployments/1/notifications/31/recipients';
const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { authorization, 'content-type': 'application/json', ...headers },
});
const journal = async () => (await mock.fetch('/__admin/worlds/acme/requests?limit=1')).text();

describe('a fixture over the control API', () => {
  test.each(['.npmrc', '/etc/passwd', '../acme.yaml', 'package', 'file:acme', 'largest'])(
    'is never the path of a file: %s',
    async (fixture) => {
      const response = await mock.fetch('/__admin/worlds', post(JSON.stringify({ fixture })));
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: string };
      expect(error).toContain('expected a bundled name (acme, empty, basic-plan, large)');
    },
  );
});

describe('a text that is meant to take long', () => {
  const texts = {
    'an email of dots': `a@${'.'.repeat(300_000)}`,
    'an email of at signs': '@'.repeat(300_000),
    'many beginnings of tokens': '-eyJ'.repeat(200_000),
    'many beginnings of tokens with dots': '.eyJ-'.repeat(180_000),
    'many beginnings of credentials': 'bearer '.repeat(120_000),
    'quotes and colons': '\\":'.repeat(200_000),
  };
  test.each(Object.entries(texts))('%s', async (_name, text) => {
    const started = performance.now();
    const body = `{"recipients":[{"email":"${text}"}]}`;
    expect((await mock.fetch(recipients, post(body))).status).toBe(400);
    await journal();
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test('a body that is nested deep is refused, and neither journal nor live stream breaks', async () => {
  const live = await mock.fetch('/__admin/worlds/acme/events');
  const reader = live.body?.getReader();
  for (const body of ['['.repeat(200_000), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`]) {
    expect((await mock.fetch(recipients, post(body))).status).toBe(400);
  }
  expect(await journal()).toContain('nested more than 100 levels deep');
  const pieces = [await reader?.read(), await reader?.read()];
  const decoded = pieces.map((piece) => new TextDecoder().decode(piece?.value));
  expect(decoded).toEqual([': connected\n\n', expect.stringContaining('event: request')]);
  await reader?.cancel();
});

test('an unread live stream holds the last requests only, and says so', async () => {
  const world = await mock.createWorld();
  const live = await mock.fetch(`/__admin/worlds/${world.id}/events`);
  const reader = live.body?.getReader();
  const piece = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await piece()).toBe(': connected\n\n');
  for (let index = 0; index < 500; index += 1) await world.fetch('/api/v1/deployments?limit=1');
  const rest = [];
  do rest.push(await piece());
  while (!rest.at(-1)?.startsWith('id: 500\n'));
  expect(rest.length).toBeLessThan(110);
  expect(rest.join('')).toMatch(
    /: requests before \d+ were dropped: this stream is read too slowly/,
  );
  await reader?.cancel();
});

describe('a page in a browser', () => {
  const pages = {
    'of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'of another port': { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
    'in a sandbox': { 'sec-fetch-site': 'cross-site', origin: 'null' },
    'that hides its origin': { 'sec-fetch-site': 'cross-site' },
  };
  test.each(Object.entries(pages))('%s reads and changes nothing', async (_name, headers) => {
    const before = mock.world.requests.last()?.id;
    for (const path of [recipients, '/__admin/reset']) {
      const response = await mock.fetch(path, post('{}', headers));
      expect(response.status).toBe(403);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    }
    expect(mock.world.requests.last()?.id).toBe(before);
  });

  test('uses up no fault by a hidden frame', async () => {
    const world = await mock.createWorld();
    world.faults.add({ status: 503, times: 1 });
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', authorization };
    const framed = await mock.fetch(`/w/${world.id}/api/v1/deployments`, { headers });
    expect(framed.status).toBe(403);
    expect((await world.fetch('/api/v1/deployments')).status).toBe(503);
  });

  test('of a name that was given the address of this machine reads nothing', async () => {
    await using listening = await startMock({ allowHosts: ['mock.example'] });
    const statusOf = async (host: string, path: string) => {
      const socket = connect(listening.port, '127.0.0.1');
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer acme-admin\r\n`;
      socket.write(`${head}Connection: close\r\n\r\n`);
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
    };
    for (const path of ['/api/v1/deployments', '/__admin/worlds', '/__admin/health']) {
      for (const host of [
        'evil.example',
        'evil.example:80',
        'evil.invalid',
        'localhost.evil.example',
      ])
        expect([host, path, await statusOf(host, path)]).toEqual([host, path, 403]);
      for (const host of [
        'localhost',
        '127.0.0.1:4010',
        '[::1]:1',
        'a.localhost',
        'mock.example:1',
      ])
        expect([host, path, await statusOf(host, path)]).toEqual([host, path, 200]);
    }
  });

  test('may lead a person here by a link', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await mock.fetch('/__admin/', { headers })).status).toBe(200);
  });

  const origin = 'http://localhost:5173';
  test('of an origin that is allowed calls the service, and reads its answer', async () => {
    const headers = { origin, 'sec-fetch-site': 'same-site', authorization };
    const asked = await mock.fetch(recipients, {
      method: 'OPTIONS',
      headers: {
        origin,
        'sec-fetch-site': 'same-site',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type',
    });
    const answered = await mock.fetch('/api/v1/deployments', { headers });
    expect(answered.status).toBe(200);
    expect(Object.fromEntries(answered.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('Lockstep-Basis'),
      vary: 'Origin',
    });
  });

  test('of an origin that is not allowed learns the option for it, in every browser', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const told: string[] = [];
    await using strange = await createMock();
    strange.service.onTurnedAway = (body) => told.push(body);
    const asked = await strange.fetch(recipients, { method: 'OPTIONS', headers });
    expect(asked.status).toBe(403);
    expect(asked.headers.has('access-control-allow-origin')).toBe(false);
    expect(await asked.text()).toContain(`lockstep mock --cors ${origin}`);
    // The browser hides the answer from the page and its user, so the mock logs it too.
    expect(told).toEqual([expect.stringContaining(`lockstep mock --cors ${origin}`)]);
    expect(strange.world.requests.recorded).toBe(0);
  });

  test('that a person opens at the root leads to the console', async () => {
    const page = await mock.fetch('/', { headers: { accept: 'text/html,*/*' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<a href="/__admin/">');
    const client = await mock.fetch('/', { headers: { accept: '*/*' } });
    expect(client.status).toBe(404);
    expect(await client.text()).toContain('console is at /__admin/');
    const below = await mock.fetch(`/w/${mock.world.id}/__admin/worlds`);
    expect(await below.text()).toContain('console is at /__admin/, not below a world');
  });

  test('of an origin that is allowed does not use the control API', async () => {
    const headers = { origin, 'sec-fetch-site': 'same-site' };
    const response = await mock.fetch('/__admin/worlds', { headers });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('the control API takes none');
  });
});

const secretNames = [
  ...[
    'AWS_SECRET_ACCESS_KEY',
    'private_key',
    'x-access-key',
    'token[]',
    'user[password]',
    'apikey',
  ],
  ...[
    'x-amz-security-token',
    'x-goog-api-key',
    'session_id',
    'id_token_hint',
    'client-assertion-jwt',
  ],
  ...[
    'passwd',
    'pwd',
    'passphrase',
    'authCode',
    'credentials',
    'x-signature-256',
    'otp',
    'secretId',
  ],
  ...['X-Authorization', 'db_pass', 'SMTP_PASS', 'sig', 'csrf', 'creds', 'SAMLResponse', 'sid'],
];
const secretBodies = (canary: string): string[] => [
  ...secretNames.flatMap((name) => [
    JSON.stringify({ [name]: canary }),
    JSON.stringify({ deep: [{ [name]: [1, { value: canary }] }] }),
    // JSON inside a JSON text, pairs of a name and a value, and a repeated field.
    JSON.stringify({ body: JSON.stringify({ event: JSON.stringify({ [name]: canary }) }) }),
    JSON.stringify({ env: [{ name, value: canary }], headers: [[name, canary]] }),
    `{"a":{"${name}":"${canary}"},"a":1}`,
    `{"body":${JSON.stringify(JSON.stringify({ [name]: canary }))},"cut":`,
    // The name is long, and the value has separators.
    `{"${'x'.repeat(300)}-${name}":"${canary}`,
    `a=1&${name}=a%20,;${canary}'&b=2`,
    `payload=${encodeURIComponent(JSON.stringify({ [name]: canary }))}`,
    // A body that is too long for the journal, which cuts it.
    `{"a":1,"${name}":"${canary}`,
    `{"a":1,"${name}":{"value":"${canary}`,
    `{"a":"${'x'.repeat(60_000)}","${name}":"${canary}","b":"${'x'.repeat(60_000)}"}`,
    `a=1&${name}=${canary}&b=2`,
    `a=1&${encodeURIComponent(name)}=${canary}`,
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${canary}\r\n--b--`,
    `--b\r\ncontent-disposition: FORM-DATA; NAME*=UTF-8''${name}\r\n\r\na\r\n--${canary}\r\n--b--`,
  ]),
  `{"pin_token":${Number.parseInt(canary, 36)},"text":"Basic ${canary}"}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${canary}\n-----END RSA PRIVATE KEY-----`,
  JSON.stringify({ pem: `-----BEGIN EC PRIVATE KEY-----\n${canary}` }),
  `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${canary}\n-----END RSA PRIVATE KEY-----`,
  JSON.stringify({ url: `https://user:a@${canary}@a.example/` }),
  `user: me\npassword: a ${canary}\n`,
  `<login xmlns="x"><password type='a'>${canary}</password><a token='${canary}'/></login>`,
];

test('a test can keep its own secrets in the journal', async () => {
  const keeping = await createMock({ keepSecrets: true });
  await keeping.world.fetch('/api/v1/deployments?token=canary7f3a');
  const shown = await (await keeping.fetch('/__admin/worlds/acme/requests')).text();
  expect(shown).toContain('token=canary7f3a');
  expect(shown).not.toContain('acme-admin');
  await keeping.close();
});

test("a client's own secret is in no journal, no HAR and no log", async () => {
  const canary = 'canary7f3a';
  const world = await mock.createWorld();
  const lines: string[] = [];
  mock.service.onAnswer = createLog('pretty', (line) => lines.push(line));
  await world.fetch(`/api/v1/deployments?api_key=${canary}&access%5Ftoken=${canary}&limit=1`, {
    headers: {
      'x-api-key': canary,
      'x-auth-token': canary,
      'proxy-authorization': `Basic ${canary}`,
      cookie: `session=${canary}`,
    },
  });
  const body = { recipients: [], clientSecret: canary, password: `a"${canary}` };
  await world.fetch(recipients, post(JSON.stringify(body)));
  for (const sent of secretBodies(canary))
    await world.fetch(recipients, { method: 'POST', body: sent });
  for (const name of secretNames) {
    const value = `${name}=${canary}`;
    await world.fetch(`/api/v1/deployments?${encodeURIComponent(name)}=${canary}&${value}`, {
      headers: {
        referer: `https://app.example/cb?x=1&${value}`,
        'x-context': JSON.stringify({ [name]: canary }),
        link: `<https://u:${canary}@app.example/?${value}>; rel=next`,
        ...(/^[\w-]+$/.test(name) ? { [name]: canary } : {}),
      },
    });
  }
  mock.service.onAnswer = undefined;
  const written = await Promise.all(
    ['requests', 'requests.har'].map(async (path) =>
      (await mock.fetch(`/__admin/worlds/${world.id}/${path}`)).text(),
    ),
  );
  expect([...written, ...lines].join('\n')).toContain('<hidden>');
  expect([...written, ...lines].join('\n')).not.toContain(canary);
});

test('a path reaches the terminal without commands for a terminal or a CI', async () => {
  const lines: string[] = [];
  mock.service.onAnswer = createLog('pretty', (line) => lines.push(line));
  await mock.service.handle({
    method: 'GET',
    target: '/api/v1/deployments/\u001b[2J\n::error::x\u009b\u202e?\u001b]0;x',
    headers: { authorization },
    body: undefined,
  });
  mock.service.onAnswer = undefined;
  expect(lines.join('')).toContain('\\u{1b}[2J\\n\\u{3a}:error::x\\u{9b}\\u{202e}');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  expect(lines.join('')).not.toMatch(/[\u001b\u009b\u202e]|\n./);
});

describe('a peer that stops sending', () => {
  const hello = Buffer.from('160301', 'hex');
  const half = 'GET /api/v1/deployments HTTP/1.1\r\nHost: x\r\n';
  const peers = {
    'sends nothing': { tls: true },
    'sends half a handshake': { tls: true, bytes: hello },
    'sends half a request in clear to HTTPS': { tls: true, bytes: Buffer.from(half) },
    'sends nothing after the handshake': { tls: true, secure: true },
    'sends half a request over TLS': { tls: true, secure: true, bytes: Buffer.from(half) },
    'sends half a request': { tls: false, bytes: Buffer.from(half) },
  };
  test.each(Object.entries(peers))('%s is disconnected', async (_name, peer) => {
    const { tls, secure, bytes } = { secure: false, bytes: undefined, ...peer };
    const certificate = tls ? certificateFor('127.0.0.1') : undefined;
    const options = { port: 0, host: '127.0.0.1', tls: certificate, patienceMs: 100 };
    const server = await listen(mock.service, options);
    try {
      const to = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
      const socket = secure ? connectTls(to) : connect(to);
      socket.on('error', () => {});
      const closed = once(socket, 'close');
      if (bytes !== undefined) socket.write(bytes);
      socket.resume();
      await closed;
    } finally {
      await server.close();
    }
  });
});

describe('a fixture that is made to take long', () => {
  const one = { id: 1, name: 'Only' };
  const hostile = {
    'ten thousand unknown keys': {
      fixture: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1])),
      says: /expected one of.*\n.*and 9,?901 more problems/s,
    },
    'nine thousand folders in each other, in a circle': {
      fixture: {
        deployments: [one],
        folders: Array.from({ length: 9000 }, (_, index) => ({
          id: index + 1,
          name: 'x',
          parentId: index === 0 ? 9000 : index,
        })),
      },
      says: /expected no circle: folder 1 is in itself/,
    },
  };
  test.each(Object.entries(hostile))('%s', async (_name, { fixture, says }) => {
    const started = performance.now();
    await expect(mock.createWorld({ fixture })).rejects.toThrow(says);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('aliases of aliases', async () => {
    const lines = [...'bcdefgh'].map((name, index) => {
      const before = `*${'abcdefg'[index]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    const text = ['a: &a [x, x, x]', ...lines].join('\n');
    await expect(readText(text, 'bomb.yaml', () => Promise.reject())).rejects.toMatchObject({
      problems: [expect.stringMatching(/^bomb\.yaml:\d+:\d+: expected aliases to repeat at most/)],
    });
  });
});

test("a request for a simulated answer that does not exist is the client's error", async () => {
  const ask = (prefer: string, accept: string) =>
    mock.fetch('/api/v1/deployments', { headers: { authorization, prefer, accept } });
  expect((await ask('code=404', 'application/xml')).status).toBe(400);
  expect((await ask('code=200; example=none', '*/*')).status).toBe(400);
});

describe('the memory that the control API uses', () => {
  test('is bounded: rows of large worlds, events that wait, live streams', async () => {
    await using own = await createMock();
    const make = async (parameters: object) =>
      (await own.fetch('/__admin/worlds', post(JSON.stringify({ fixture: 'large', parameters }))))
        .status;
    expect(await make({ deployments: 100_000, foldersPerDeployment: 100_000 })).toBe(400);
    const event = (size: number) =>
      post(JSON.stringify({ type: 'publishVersion', in: { hours: 1 }, version: 'x'.repeat(size) }));
    const at = '/__admin/worlds/acme/events';
    expect((await own.fetch(at, event(20_000))).status).toBe(413);
    expect((await own.fetch(at, event(1))).status).toBe(201);
    const streams: Response[] = [];
    for (let index = 0; index < 300; index += 1) {
      const live = await own.fetch(at);
      if (live.status !== 200) break;
      await live.body?.getReader().read();
      streams.push(live);
    }
    expect(streams.length).toBeGreaterThan(100);
    expect(streams.length).toBeLessThan(300);
    expect((await own.fetch(at)).status).toBe(409);
  });
});

test('of a long name the audit log holds the beginning', async () => {
  const world = await mock.createWorld();
  world.assumptions.set({ 'FOLDER-26': 'none' });
  const body = JSON.stringify({ name: 'x'.repeat(900_000) });
  const path = '/api/v1/deployments/1/folders/13';
  expect((await world.fetch(path, { method: 'PUT', body })).status).toBe(200);
  const event = mock.service.worlds.get(world.id)?.state.audit.at(-1);
  expect(event?.name).toBe('FolderUpdated');
  expect(event?.details.length).toBeLessThan(3000);
});

describe('many requests on one connection', () => {
  const lines = (request: string, times: number) =>
    `${request}\r\nHost: localhost\r\n\r\n`.repeat(times);

  test('keep nobody waiting', async () => {
    await using served = await startMock();
    const sockets = Array.from({ length: 40 }, () => connect(served.port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.resume();
      socket.write(lines('GET /api/v1/deployments HTTP/1.1', 90));
    }
    await once(sockets[0] as (typeof sockets)[0], 'data');
    const headers = { authorization };
    expect((await fetch(`${served.baseUrl}/api/v1/deployments`, { headers })).status).toBe(200);
    const [own] = served.world.requests.list().filter(({ status }) => status === 200);
    // The attackers send 3600 requests. This request comes after those that the mock answered while
    // it connected.
    expect(own?.id).toBeLessThan(1800);
    for (const socket of sockets) socket.destroy();
  });

  test.each(['openapi.json', 'contract.json', 'contract.yaml'])(
    'for a document of the control API are answered with it: %s',
    async (name) => {
      const started = performance.now();
      for (let index = 0; index < 300; index += 1)
        await (await mock.fetch(`/__admin/${name}`)).text();
      expect(performance.now() - started).toBeLessThan(6000);
    },
  );

  test('are answered in their order, and end the connection if they are too many', async () => {
    await using served = await startMock();
    const socket = connect(served.port, '127.0.0.1');
    const close = 'GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    socket.write(`${lines('GET /api/v1/deployments HTTP/1.1', 20)}${close}`);
    const statuses = (await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g);
    expect(statuses.map(([, status]) => status).toArray()).toEqual([
      ...Array(20).fill('401'),
      '200',
    ]);
    const greedy = connect(served.port, '127.0.0.1');
    greedy.on('error', () => {}).resume();
    greedy.write(lines('GET /api/v1/deployments HTTP/1.1', 1000));
    await once(greedy, 'close');
    expect(served.world.requests.last()?.id).toBeLessThan(150);
  });

  test('without a token only health and the files of the console answer', async () => {
    const guarded = await createMock({ adminToken: 'let-me-in' });
    const statusOf = async (path: string) => (await guarded.fetch(`/__admin${path}`)).status;
    for (const path of ['/openapi.json', '/docs', '/statements', '/operations', '/coverage'])
      expect([path, await statusOf(path)]).toEqual([path, 403]);
    for (const path of ['/health', '', '/console/console.js'])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    await guarded.close();
  });
});

test("Java's request with a body that asks for another protocol is answered", async () => {
  const served = await startMock();
  const socket = connect(served.port, '127.0.0.1');
  const body = '{"id": "java"}';
  socket.write(
    `POST /__admin/worlds HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 .*"id": ?"java"/s);
  // The connection is still open, and does not delay the close.
  await served.close();
});

test('a request after one that asks for another protocol is answered', async () => {
  await using served = await startMock();
  const socket = connect(served.port, '127.0.0.1');
  const host = 'Host: localhost\r\n';
  socket.write(
    `GET /api/v1/deployments HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /__admin/health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
  );
  const statuses = (await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g);
  expect(statuses.map(([, status]) => status).toArray()).toEqual(['401', '200']);
});

test('over plain HTTP a mock with HTTPS serves only its certificate and its health', async () => {
  const tls = certificateFor('127.0.0.1');
  await using served = await startMock({ tls });
  const plain = served.baseUrl.replace('https', 'http');
  expect((await fetch(`${plain}/__admin/ca.pem`)).status).toBe(200);
  expect((await fetch(`${plain}/__admin/health`)).status).toBe(200);
  for (const path of ['/__admin/worlds', '/__admin/'])
    expect([path, (await fetch(`${plain}${path}`)).status]).toEqual([path, 403]);
});

test('an unreadable request is refused after the answer to the one that came with it', async () => {
  await using served = await startMock();
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`GET /api/v1/deployments HTTP/1.1\r\nHost: localhost\r\n\r\nno HTTP at all\r\n\r\n`);
  const statuses = (await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g);
  expect(statuses.map(([, status]) => status).toArray()).toEqual(['401', '400']);
});
