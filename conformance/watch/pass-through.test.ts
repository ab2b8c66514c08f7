import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type PassThroughOptions, passThrough } from './pass-through.ts';
import type { Exchange } from './traffic.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A service and the way to it; both end with the test. */
async function passing(serve: Serve, more: Partial<PassThroughOptions> = {}) {
  const service = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const direct = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const ended: Exchange[] = [];
  const proxy = await passThrough({
    ...{ to: direct, port: 0, host: '127.0.0.1', onEnd: (exchange) => ended.push(exchange) },
    ...more,
  });
  const close = async () => {
    await proxy.close();
    service.close();
    service.closeAllConnections();
  };
  return { ...proxy, direct, ended, [Symbol.asyncDispose]: close };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** Default: connections are kept. False: one connection for this request alone. */
  readonly agent?: Agent | false;
}

async function send(url: string, { body, ...options }: Sent = {}) {
  const sending = request(url, options);
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  return {
    status: answer.statusCode,
    message: answer.statusMessage,
    raw: answer.rawHeaders,
    bytes,
    answer,
  };
}

const names = (raw: readonly string[]) =>
  raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());

test('method, path, headers, body and status are passed on; connection headers are not', async () => {
  let seen: IncomingMessage | undefined;
  let body = '';
  await using proxy = await passing(async (incoming, outgoing) => {
    seen = incoming;
    body = await text(incoming);
    outgoing.sendDate = false;
    outgoing.writeHead(207, 'As It Likes', [
      ...['X-Twice', '1', 'x-twice', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
      ...['Connection', 'X-Mine', 'X-Mine', 'own', 'Keep-Alive', 'timeout=1'],
    ]);
    outgoing.end('{"a": 1 }');
  });
  const { status, message, raw, bytes } = await send(`${proxy.baseUrl}/a%2Fb//c?x=%20&x=2`, {
    method: 'PATCH',
    headers: {
      'X-Case': 'Kept',
      Connection: 'x-hop, keep-alive',
      'X-Hop': 'own',
      TE: 'trailers, gzip',
    },
    body: Buffer.from('{"b": 2 }'),
  });
  expect([status, message, bytes.toString()]).toEqual([207, 'As It Likes', '{"a": 1 }']);
  expect(raw.slice(0, 8)).toEqual([
    'X-Twice',
    '1',
    'x-twice',
    '2',
    'Set-Cookie',
    'a=1',
    'Set-Cookie',
    'b=2',
  ]);
  expect(names(raw)).not.toContain('x-mine');
  expect([seen?.method, seen?.url, body]).toEqual(['PATCH', '/a%2Fb//c?x=%20&x=2', '{"b": 2 }']);
  expect(seen?.rawHeaders).toContain('X-Case');
  expect(seen?.headers).toMatchObject({ host: new URL(proxy.direct).host, te: 'trailers' });
  expect(seen?.headers['x-hop']).toBeUndefined();
  await expect.poll(() => proxy.ended).toMatchObject([{ status: 207, ending: 'whole' }]);
});

test('nothing is decoded, and no redirect is followed', async () => {
  const packed = gzipSync('a page');
  await using proxy = await passing(({ url }, outgoing) => {
    if (url === '/moved') outgoing.writeHead(302, { Location: 'http://elsewhere.example/' }).end();
    else outgoing.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
  });
  expect((await send(`${proxy.baseUrl}/packed`)).bytes).toEqual(packed);
  const { status, answer } = await send(`${proxy.baseUrl}/moved`);
  expect([status, answer.headers.location]).toEqual([302, 'http://elsewhere.example/']);
});

test.for([
  ['a reason beyond ASCII', 'HTTP/1.1 200 \u20ac'],
  [
    'a hint that Node refuses',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>; title="b c"\r\n\r\nHTTP/1.1 200 OK',
  ],
])('%s breaks no answer', async ([, head = '']) => {
  await using proxy = await passing(({ socket }) =>
    socket.end(`${head}\r\nContent-Length: 1\r\n\r\nx`),
  );
  const { status, bytes } = await send(proxy.baseUrl);
  expect([status, bytes.toString()]).toEqual([200, 'x']);
});

test('trailers go to clients that asked for them', async () => {
  await using proxy = await passing((_, outgoing) => {
    outgoing.writeHead(200, { Trailer: 'X-Sum' });
    outgoing.addTrailers({ 'X-Sum': '7' });
    outgoing.end('x');
  });
  const asked = await send(proxy.baseUrl, { headers: { TE: 'trailers' } });
  expect(asked.answer.trailers).toEqual({ 'x-sum': '7' });
  const others = await send(proxy.baseUrl);
  expect([others.answer.trailers, names(others.raw).includes('trailer')]).toEqual([{}, false]);
});

test('an answer is passed on as it arrives, and waits for a slow client', async () => {
  const piece = Buffer.alloc(1 << 20);
  let written = 0;
  await using proxy = await passing(async (_, outgoing) => {
    outgoing.writeHead(200);
    outgoing.write('first');
    for (let left = 64; left > 0; left--) {
      const more = outgoing.write(piece);
      written += piece.length;
      if (!more) await once(outgoing, 'drain');
    }
    outgoing.end();
  });
  const sending = request(proxy.baseUrl).end();
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  await setTimeout(500);
  // Only as much as the sockets in between can hold.
  expect(written).toBeLessThan(40 << 20);
  let read = 0;
  for await (const chunk of answer) read += (chunk as Buffer).length;
  expect(read).toBe(5 + (64 << 20));
  await expect.poll(() => proxy.ended[0]?.body.missing).toContain('larger than');
});

test('a large request streams, and one that ends early is answered', async () => {
  await using proxy = await passing(async (incoming, outgoing) => {
    outgoing.end(String((await buffer(incoming)).length));
  });
  const body = Buffer.alloc(5 << 20);
  expect((await send(proxy.baseUrl, { method: 'POST', body })).bytes.toString()).toBe(
    String(5 << 20),
  );
  await expect.poll(() => proxy.ended[0]?.sent.bytes).toBeUndefined();
});

test('if the client disconnects, the call to the service ends', async () => {
  let cut = false;
  await using proxy = await passing((_, outgoing) => {
    outgoing.on('close', () => {
      cut = !outgoing.writableFinished;
    });
    outgoing.write('x');
  });
  const sending = request(proxy.baseUrl).end();
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  sending.destroy();
  await expect.poll(() => cut).toBe(true);
  await expect.poll(() => proxy.ended).toMatchObject([{ ending: 'cancelled' }]);
});

test('a client sees that the service died, before its answer or during it', async () => {
  await using proxy = await passing(({ url, socket }, outgoing) => {
    if (url === '/before') return socket.destroy();
    outgoing.writeHead(200, { 'Content-Length': 100 });
    return outgoing.write('half', () => socket.destroy());
  });
  await expect(send(`${proxy.baseUrl}/before`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(send(`${proxy.baseUrl}/middle`)).rejects.toThrow('aborted');
  await expect
    .poll(() => proxy.ended.map(({ ending, status }) => [ending, status]))
    .toEqual([
      ['died', 0],
      ['died', 200],
    ]);
});

const write = { method: 'POST', body: Buffer.from('{}') };

test('a request fails on a used connection only if its own client has used it', async () => {
  const used = new WeakSet<Socket>();
  // It ends each connection at a moment when the next request is already on its way.
  await using proxy = await passing(({ socket }, outgoing) => {
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    return outgoing.end();
  });
  const kept = new Agent({ keepAlive: true });
  for (const url of [proxy.direct, proxy.baseUrl]) {
    for (let count = 0; count < 3; count += 1)
      expect((await send(url, { ...write, agent: false })).status).toBe(200);
    expect((await send(url, { ...write, agent: kept })).status).toBe(200);
    await expect(send(url, { ...write, agent: kept })).rejects.toThrow('socket hang up');
  }
  kept.destroy();
});

test('a request that waits while the service resets the connection is sent over another', async () => {
  /** What a client reads of its POST if the service resets the connection just then. */
  const posted = async () => {
    const sockets: Socket[] = [];
    const bodies: string[] = [];
    await using proxy = await passing(async (incoming, outgoing) => {
      sockets.push(incoming.socket);
      bodies.push(await text(incoming));
      outgoing.end('x');
    });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    await setTimeout(50);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
    sockets[0]?.resetAndDestroy();
    const read = await text(socket);
    await expect.poll(() => proxy.ended.length).toBe(2);
    return { read, bodies, ended: proxy.ended.map(({ ending }) => ending) };
  };
  // As a rule the proxy reads both in one turn. If it has sent the request before, it does not send it again.
  for (let tries = 1; ; tries++) {
    const { read, bodies, ended } = await posted();
    if (read === '' && tries < 20) {
      expect(ended).toEqual(['whole', 'died']);
      continue;
    }
    expect(read).toContain('HTTP/1.1 200 OK');
    expect([bodies, ended]).toEqual([
      ['', '{}'],
      ['whole', 'whole'],
    ]);
    return;
  }
});

test('pipelined requests keep their order on one connection, which ends with the client', async () => {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  await using proxy = await passing(async ({ socket, url = '' }, outgoing) => {
    sockets.add(socket);
    seen.push(url);
    await setTimeout(url === '/1' ? 20 : 0);
    outgoing.end('x');
  });
  const socket = connect(proxy.port, '127.0.0.1');
  for (const path of ['/1', '/2', '/3'])
    socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  await expect.poll(() => seen).toEqual(['/1', '/2', '/3']);
  expect(sockets.size).toBe(1);
  await expect.poll(() => proxy.ended.length).toBe(3);
  socket.destroy();
  await expect.poll(() => [...sockets].map(({ closed }) => closed)).toEqual([true]);
});

test('if the service cannot be reached, the proxy says so', async () => {
  await using proxy = await passing(() => undefined, { to: 'http://127.0.0.1:1' });
  const { status, bytes, answer } = await send(proxy.baseUrl);
  expect([status, answer.headers['lockstep-proxy']]).toEqual([502, 'own answer']);
  expect(bytes.toString()).toContain('http://127.0.0.1:1 cannot be reached: ECONNREFUSED');
});

test.for([
  // Java's own client asks for it on each first request.
  ['h2c', 'Upgrade, HTTP2-Settings', 200],
  ['websocket', 'Upgrade', 501],
] as const)('an upgrade to %s is answered %s %i', async ([upgrade, connection, status]) => {
  let seen: IncomingMessage['headers'] = {};
  await using proxy = await passing(({ headers }, outgoing) => {
    seen = headers;
    outgoing.end();
  });
  const headers = { Connection: connection, Upgrade: upgrade, 'HTTP2-Settings': 'AAMAAABk' };
  expect((await send(proxy.baseUrl, { headers })).status).toBe(status);
  expect([seen.upgrade, seen['http2-settings']]).toEqual([undefined, undefined]);
});

test.for([
  ['GET http://other.example/x HTTP/1.1', '421'],
  ['CONNECT other.example:443 HTTP/1.1', '501'],
])('it refuses a request to another host: %s', async ([line, status]) => {
  await using proxy = await passing((_, outgoing) => outgoing.end());
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(`${line}\r\nHost: other.example\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toContain(`HTTP/1.1 ${status} `);
});

test('the path of the address comes before each path', async () => {
  await using inner = await passing(({ url }, outgoing) => outgoing.end(url));
  await using proxy = await passing(() => undefined, { to: `${inner.direct}/w/mine` });
  expect((await send(`${proxy.baseUrl}/api?x`)).bytes.toString()).toBe('/w/mine/api?x');
});
