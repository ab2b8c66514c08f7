/** Serves a mock over node:http, or over HTTPS and refuses plain HTTP on the same port. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createServer, HttpResponse } from '../../spec/base/builtins.ts';
import { Refused } from '../../spec/base/refused.ts';
import { inBatches } from '../../spec/base/turns.ts';
import type { ExchangeRequest, ExchangeResponse, TransportFault } from '../pipeline/exchange.ts';
import { half, isLost, isSlow, type Served, slowBody, waitOut } from './served.ts';

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** PEM texts; with them the server speaks HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** How long a client may take for a handshake, and for the head of a request, ms (default 60,000). */
  readonly patienceMs?: number | undefined;
}

export interface Listening {
  readonly port: number;
  /** Origin to call, without a slash at its end. */
  readonly baseUrl: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

type Answering = ServerResponse<IncomingMessage>;

const TLS_HANDSHAKE = 0x16;
const PATIENCE_MS = 60_000;

function serverOptions(patienceMs = PATIENCE_MS) {
  return {
    // A missing Host gets an error of the service's shape, not node's empty 400.
    requireHostHeader: false,
    headersTimeout: patienceMs,
    handshakeTimeout: patienceMs,
    // After this time Node ends an idle connection even if a request has just come on it. Its own 5 s are too short for a
    // machine that sometimes gives the process no time.
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: Math.min(patienceMs, 30_000),
    // A listener for upgrades gets no body from Node. Node itself reads an upgrade request that has a body.
    shouldUpgradeCallback: (request: IncomingMessage) => !hasBody(request),
  };
}

/** Listens. Rejects with the error of the system (EADDRINUSE and so on) if it cannot. */
export async function listen(service: Served, options: ListenOptions): Promise<Listening> {
  const { tls, patienceMs = PATIENCE_MS } = options;
  const plain = httpServer(service, tls !== undefined, patienceMs);
  const sockets = new Set<Socket>();
  let front: TcpServer = plain;
  const servers: Server[] = [plain];
  if (tls !== undefined) {
    // `node:https` is loaded only for TLS, because loading takes 6 ms.
    const https = process.getBuiltinModule('node:https');
    const { key, cert } = tls;
    const secureServer = https.createServer({ key, cert, ...serverOptions(patienceMs) });
    const secure = prepared(service, secureServer, false);
    servers.push(secure);
    // These two servers never listen themselves. But Node closes idle connections only in a server that
    // listens.
    for (const server of servers) server.emit('listening');
    // One port serves both. The first byte shows whether a connection begins with a TLS handshake.
    front = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.setTimeout(patienceMs, () => socket.destroy());
      socket.once('data', (chunk: Buffer) => {
        socket.setTimeout(0);
        socket.removeAllListeners('timeout');
        socket.pause();
        socket.unshift(chunk);
        const encrypted = chunk[0] === TLS_HANDSHAKE;
        (encrypted ? secure : plain).emit('connection', socket);
        // TLS reads the socket itself, so it must not be resumed here.
        if (!encrypted) socket.resume();
      });
    });
  }
  front.on('connection', (socket) => {
    if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket));
    sockets.add(socket);
  });
  front.listen(options.port, options.host);
  await once(front, 'listening');
  const address = front.address();
  const port = address !== null && typeof address === 'object' ? address.port : options.port;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const shown = host === '0.0.0.0' || host === '[::]' ? '127.0.0.1' : host;
  return {
    port,
    baseUrl: `${tls === undefined ? 'http' : 'https'}://${shown}:${port}`,
    close: () =>
      new Promise((resolve) => {
        ready.flush();
        front.close(() => resolve());
        for (const server of servers) {
          server.closeAllConnections();
          // This also stops the server's timer.
          if (server !== front) server.close();
        }
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * A server that does not listen yet. `plain` says that its requests come without TLS, and must be
 * refused.
 */
export function httpServer(service: Served, plain: boolean, patienceMs?: number): Server {
  return prepared(service, createServer(serverOptions(patienceMs)), plain);
}

/**
 * Makes a server answer requests. Errors that node would answer itself get the error shape of the
 * service.
 */
function prepared<Kind extends Server>(service: Served, server: Kind, plain: boolean): Kind {
  const inTurn = oneAtATime((response) => receive(service, response, plain));
  server.on('request', (_request, response: Answering) => inTurn(response));
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new HttpResponse(request);
    response.assignSocket(socket);
    // The mock supports no other protocol, so it reads the following bytes as HTTP again.
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.unshift(head);
      server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
    });
    inTurn(response as Answering);
  });
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    sendError(response, 417, `The expectation ${headers.expect} cannot be met`);
  });
  return server;
}

/** The most requests that may wait on one connection. */
const MOST_WAITING = 100;

/**
 * Answers the requests of a connection one at a time, each in a new turn of the event loop.
 * Otherwise a client that sends a thousand requests at once would keep all others waiting.
 */
function oneAtATime(take: (response: Answering) => void): (response: Answering) => void {
  const lines = new WeakMap<Socket, (response: Answering) => void>();
  return (response) => {
    const { socket } = response.req;
    const line = lines.get(socket) ?? lineOf(socket, take);
    lines.set(socket, line);
    line(response);
  };
}

/** The requests of one connection. */
function lineOf(socket: Socket, take: (response: Answering) => void) {
  const behind: Answering[] = [];
  let isBusy = false;
  const begin = (response: Answering): void => {
    isBusy = true;
    response.on('close', ended);
    take(response);
  };
  const next = (): void => {
    const response = behind.shift();
    if (response !== undefined && !socket.destroyed) begin(response);
  };
  const ended = (): void => {
    if (behind.length === 0) isBusy = false;
    else setImmediate(next);
  };
  return (response: Answering): void => {
    if (!isBusy) begin(response);
    else if (behind.push(response) > MOST_WAITING) socket.destroy();
  };
}

function receive(service: Served, response: Answering, plain: boolean): void {
  const { bodyLimit: limit } = service;
  const { req: message } = response;
  response.sendDate = false;
  if (message.headers.host === undefined && message.httpVersion === '1.1') {
    sendError(response, 400, 'The Host header is missing');
    return;
  }
  if (!hasBody(message)) {
    respond(service, toRequest(message, undefined, plain), response);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    // Bytes above the limit are read and dropped, so that the client can read the answer.
    if (size <= limit) chunks.push(chunk);
    size += chunk.length;
  });
  message.on('end', () => {
    respond(service, toRequest(message, Buffer.concat(chunks), plain), response);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function toRequest(
  message: IncomingMessage,
  body: Uint8Array | undefined,
  plain: boolean,
): ExchangeRequest {
  const isLoopback = /^(::1$|(::ffff:)?127\.)/.test(message.socket.remoteAddress ?? '');
  return {
    method: message.method ?? 'GET',
    target: message.url ?? '/',
    headers: headersOf(message),
    body,
    plain,
    secure: 'encrypted' in message.socket,
    remote: !isLoopback,
  };
}

/** Of several Authorization headers node gives only the first, but it can list all. */
function headersOf(message: IncomingMessage): ExchangeRequest['headers'] {
  const headers = message.headers as ExchangeRequest['headers'];
  let sent = 0;
  // Each name is followed by its value.
  for (let at = 0; at < message.rawHeaders.length; at += 2)
    if (/^authorization$/i.test(message.rawHeaders[at] ?? '')) sent += 1;
  if (sent < 2) return headers;
  return { ...headers, authorization: message.headersDistinct.authorization?.join(', ') };
}

function respond(service: Served, request: ExchangeRequest, response: Answering): void {
  try {
    const answered = service.handle(request);
    if (answered instanceof Promise) {
      answered.then(
        (result) => send(result, response),
        (error: unknown) => fail(error, response),
      );
    } else send(answered, response);
  } catch (error) {
    fail(error, response);
  }
}

function send(result: ExchangeResponse, response: Answering): void {
  const { fault, headers, body } = result;
  if (fault?.delayMs !== undefined) {
    const { delayMs, ...rest } = fault;
    const stop = waitOut(fault, delayMs, () => {
      response.off('close', stop);
      send({ ...result, fault: rest }, response);
    });
    response.once('close', stop);
    return;
  }
  if (isLost(result)) {
    lose(fault, response);
    return;
  }
  if (isSlow(result)) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.writeHead(result.status, headers);
    response.flushHeaders();
    pipeline(Readable.fromWeb(slowBody(result, gone)), response, () => {});
    return;
  }
  if (typeof body === 'string') {
    headers['Content-Length'] ??= String(Buffer.byteLength(body));
    response.writeHead(result.status, headers);
    if (fault?.cut === 'mid-body') {
      response.write(half(body), () => response.req.socket.destroy());
    } else ready.add({ response, body });
  } else if (body === null) {
    response.writeHead(result.status, headers);
    response.end();
  } else {
    response.writeHead(result.status, headers);
    stream(body, response, fault?.cut === 'mid-body');
  }
}

/**
 * Answers go out together. The first one wakes a waiting client, which costs more than making most answers;
 * the others find the client awake. Code that ends a connection sends the waiting answers first.
 */
const ready = inBatches<{ readonly response: Answering; readonly body: string }>((all) => {
  for (const { response, body } of all) response.end(body);
});

/**
 * Ends the connection without an answer. A stall lasts until the client disconnects, or until
 * close().
 */
function lose(fault: TransportFault | undefined, response: Answering): void {
  const { socket } = response.req;
  ready.flush();
  if (fault?.cut === 'stall') {
    response.once(
      'close',
      waitOut(fault, undefined, () => socket.destroy()),
    );
  } else if (fault?.cut === 'half-close') socket.end();
  // Only a plain TCP connection can be reset. A TLS connection ends without its closing message.
  else if (fault === undefined || 'encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Sends pieces as fast as the client reads them, until either side ends. */
function stream(
  pieces: Iterable<string> | AsyncIterable<string>,
  response: Answering,
  cut: boolean,
): void {
  const source = Readable.from(pieces);
  if (!cut) {
    // If one end fails, the other is closed.
    pipeline(source, response, () => {});
    return;
  }
  source.once('end', () => response.end());
  source.once('error', () => response.req.socket.destroy());
  source.once('data', (piece: string) => {
    source.destroy();
    response.write(half(piece), () => response.req.socket.destroy());
  });
}

/**
 * The answer to a request that may not go on to a tenant (501), or to a defect of the mock. A defect is
 * reported in full, so that no reader mistakes it for the service's answer. No test expects a 501, so no test
 * passes by accident because of a refusal.
 */
function fail(error: unknown, response: ServerResponse): void {
  if (error instanceof Refused) {
    process.stderr.write(`lockstep: ${error.message}\n`);
    sendError(response, 501, error.message);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`lockstep: a request failed inside the mock\n${text}\n`);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text500 = `Lockstep failed on this request; this is a defect of the mock: ${String(error)}`;
  sendError(response, 500, text500);
}

function sendError(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Answers a request that node:http could not read, in the management API's error shape, if it was HTTP at all. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  ready.flush();
  const { code = '' } = error;
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!socket.writable || !(isLate || code.startsWith('HPE_'))) {
    socket.destroy();
    return;
  }
  const [status, text] = isLate
    ? ['408 Request Timeout', 'The rest of the request did not come in time']
    : code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large']
      : ['400 Bad Request', `The request is not HTTP that can be read: ${error.message}`];
  const body = JSON.stringify({ error: text });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
