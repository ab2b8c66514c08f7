/**
 * Passes all traffic through between a client and one host, and keeps a copy of the judged parts. It passes
 * on method, path, headers, bodies as they stream, status, slowness, cancellation and lost connections. It
 * follows no redirect and decodes nothing.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Report } from '../judge/report.ts';
import { Rate } from '../target/rate.ts';
import { sleep } from '../target/target.ts';
import { Connections, headerBytes, type Trust } from './connections.ts';
import { byName, endToEnd, holdsWord, pairsOf, type RawHeaders } from './hop-headers.ts';
import {
  type Body,
  type Exchange,
  type Head,
  type Headers,
  mostJudged,
  noBody,
  tooLarge,
} from './traffic.ts';
import type { WatchedEntry } from './watcher.ts';

export interface PassThroughOptions extends Trust {
  /**
   * The service, without a trailing slash. Its path, if it has one, is put before each requested
   * path.
   */
  readonly to: string;
  readonly port: number;
  readonly host: string;
  /** Requests per second at most. */
  readonly rate?: number | undefined;
  /** Answers a request that is not passed on; returns false for all others. */
  readonly own?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly onBegin?: ((request: Head) => unknown) | undefined;
  /** Headers to add to an answer: names and values in turn. */
  readonly grade?: ((answer: Graded, begun: unknown) => RawHeaders) | undefined;
  /** Told of each exchange once it is over; `begun` is what `onBegin` answered. */
  readonly onEnd?: ((exchange: Exchange, begun: unknown) => void) | undefined;
}

/** The parts of an answer that are known before its body. */
export interface Graded extends Pick<Exchange, 'request' | 'sent' | 'status' | 'headers'> {}

/** Keeps the last exchanges, and shows them under /__admin of the proxy. */
export interface ProxyJournal {
  record(entry: WatchedEntry): void;
  /** Answers a request for the control API; false for other requests. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** Takes the way to the report so far. */
  onReport(make: () => Report): void;
}

export interface PassingThrough {
  readonly port: number;
  readonly baseUrl: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** The most bytes of all copies at a time. */
const mostHeld = 64 * 2 ** 20;

/** Listens. Rejects with the error of the system if it cannot. */
export async function passThrough(options: PassThroughOptions): Promise<PassingThrough> {
  const { to, host, port } = options;
  const { origin, pathname } = new URL(to);
  const connections = new Connections(origin, options);
  const prefix = pathname.replace(/\/$/, '');
  const way = { options, origin, prefix, connections, held: { bytes: 0 } };
  const rate = options.rate === undefined ? undefined : new Rate(options.rate);
  const server = createServer({
    maxHeaderSize: headerBytes,
    requestTimeout: 0,
    keepAliveTimeout: 75_000,
  });
  server.on('request', (request, response) => {
    if (options.own?.(request, response) === true) return;
    const refused = refusalOf(request);
    if (refused !== undefined) return refuse(response, refused[0], refused[1]);
    const passing = new Passing(request, response, way);
    if (rate === undefined) return passing.begin();
    void rate.pass(false, (ms) => sleep(ms)).then(() => passing.begin());
  });
  // A client that asks for h2c also accepts HTTP/1.1, so the Upgrade header can be ignored.
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    port: listening,
    baseUrl: `http://${shown}:${listening}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await connections.destroy();
    },
  };
}

/** Why a request cannot be passed on, with the status of the refusal. */
function refusalOf({ url = '', headers }: IncomingMessage): readonly [number, string] | undefined {
  if (!url.startsWith('/'))
    return [
      421,
      'this proxy passes requests on to one host alone: send it the path, as to that host',
    ];
  const { upgrade = '' } = headers;
  const isSpoken = upgrade === '' || /^\s*(h2c|tls\/[\d.]+|http\/[\d.]+)\s*(,|$)/i.test(upgrade);
  if (isSpoken || !holdsWord(headers.connection, 'upgrade')) return undefined;
  return [501, `this proxy speaks HTTP alone, and does not upgrade to ${upgrade}`];
}

/** Sends an answer of the proxy itself. The answer says that it is not the service's. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { error: `lockstep proxy: ${message}` };
  answerJson(response, status, body, { 'Lockstep-Proxy': 'own answer' });
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = `${JSON.stringify(body)}\n`;
  const about = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...about, ...headers });
  response.end(text);
}

interface Way {
  readonly options: PassThroughOptions;
  readonly origin: string;
  readonly prefix: string;
  readonly connections: Connections;
  /** Bytes that the copies hold. */
  readonly held: { bytes: number };
}

/** A copy of a body, up to the limits. */
class Copy {
  readonly #held: Way['held'];
  #pieces: Buffer[] | undefined = [];
  #size = 0;

  constructor(held: Way['held']) {
    this.#held = held;
  }

  add(piece: Buffer): void {
    if (this.#pieces === undefined) return;
    this.#size += piece.length;
    this.#held.bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#size > mostJudged || this.#held.bytes > mostHeld) this.release();
  }

  /** Frees the memory of the copy. */
  release(): void {
    if (this.#pieces === undefined) return;
    this.#held.bytes -= this.#size;
    this.#pieces = undefined;
  }

  get body(): Body {
    if (this.#pieces === undefined) return { bytes: undefined, missing: tooLarge };
    return this.#size === 0 ? noBody : { bytes: Buffer.concat(this.#pieces) };
  }
}

/** One request on its way. */
class Passing {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #way: Way;
  readonly #connection: Dispatcher;
  readonly #head: Head;
  readonly #begun: unknown;
  readonly #start = performance.now();
  readonly #sent: Copy;
  readonly #answered: Copy;
  #upload: Transform | undefined;
  #isQueuedAgain = false;
  /** Absent until the request is sent. */
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #ended = false;

  constructor(request: IncomingMessage, response: ServerResponse, way: Way) {
    this.#request = request;
    this.#response = response;
    this.#way = way;
    this.#connection = way.connections.of(request.socket);
    this.#sent = new Copy(way.held);
    this.#answered = new Copy(way.held);
    const { method = 'GET', url = '/', rawHeaders } = request;
    const headers = byName(pairsOf(rawHeaders));
    this.#head = { method, target: url, headers, sentAt: Date.now() };
    this.#begun = way.options.onBegin?.(this.#head);
    response.on('close', () => {
      if (!response.writableFinished) this.#cancelled();
    });
    response.on('error', () => undefined);
    request.on('error', () => this.#cancelled());
  }

  begin(): void {
    if (this.#ended) return;
    const { headers } = this.#request;
    const hasBody =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    this.#upload = hasBody ? this.#copied() : undefined;
    this.#send();
  }

  #send(): void {
    try {
      this.#connection.dispatch(
        {
          path: this.#way.prefix + this.#head.target,
          method: this.#head.method as Dispatcher.HttpMethod,
          headers: this.#ownHeaders(),
          body: this.#upload ?? null,
        },
        this.#handler(),
      );
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  /** The request headers to pass on. The host is the service's, and undici sets the length. */
  #ownHeaders(): string[] {
    const { rawHeaders, headers } = this.#request;
    const kept = endToEnd(rawHeaders, ['host', 'expect', 'trailer']);
    return holdsWord(headers.te, 'trailers') ? [...kept, 'TE', 'trailers'] : kept;
  }

  /** The body of the request, of which a copy is kept as it streams. */
  #copied(): Transform {
    const stream = new PassThrough();
    stream.on('data', (piece: Buffer) => this.#sent.add(piece));
    // The listener starts the flow, so the stream pauses until it has a reader.
    stream.pause();
    stream.on('error', () => undefined);
    return this.#request.pipe(stream);
  }

  #handler(): Dispatcher.DispatchHandler {
    const response = this.#response;
    return {
      onRequestStart: (controller) => {
        this.#controller = controller;
        if (this.#ended) controller.abort(new Error('cancelled'));
      },
      onResponseStart: (controller, status, headers, message) => {
        if (status < 200) {
          if (status === 103 && headers.link !== undefined) this.#hint(headers.link);
          return;
        }
        this.#begin(status, rawOf(controller, headers), message);
      },
      onResponseData: (controller, piece) => {
        this.#answered.add(piece);
        if (response.write(piece)) return;
        controller.pause();
        response.once('drain', () => controller.resume());
      },
      onResponseEnd: (_controller, trailers) => {
        const wanted = holdsWord(this.#request.headers.te, 'trailers');
        if (wanted && Object.keys(trailers).length > 0)
          response.addTrailers(trailers as Record<string, string>);
        response.end();
        // The service may answer before it has read all.
        if (!this.#request.complete) this.#request.unpipe().resume();
        this.#end('whole');
      },
      onResponseError: (_controller, error) => this.#failed(error),
    };
  }

  /** Passes on early hints. Node refuses some valid links, and a hint may be left out. */
  #hint(link: string | string[]): void {
    try {
      this.#response.writeEarlyHints({ link });
    } catch {
      // The answer itself still comes.
    }
  }

  /** Sends status and headers of an answer on at once, before its body. */
  #begin(status: number, raw: RawHeaders, message: string | undefined): void {
    this.#status = status;
    this.#headers = byName(pairsOf(raw));
    const wantsTrailers = holdsWord(this.#request.headers.te, 'trailers');
    const kept = endToEnd(raw, wantsTrailers ? [] : ['trailer']);
    // A 426 needs its Upgrade header.
    const upgrade =
      status === 426 ? [...pairsOf(raw)].find(([name]) => /^upgrade$/i.test(name)) : [];
    const { grade } = this.#way.options;
    const known = { request: this.#head, sent: this.#sent.body, status, headers: this.#headers };
    const added = grade?.(known, this.#begun) ?? [];
    this.#response.sendDate = false;
    // The message was read as UTF-8, and is written as bytes.
    const reason = message === undefined ? undefined : Buffer.from(message).toString('latin1');
    this.#response.writeHead(status, reason, [...kept, ...(upgrade ?? []), ...added]);
    this.#response.flushHeaders();
  }

  #cancelled(): void {
    if (this.#ended) return;
    // First, because an aborted request fails at once.
    this.#end('cancelled');
    this.#controller?.abort(new Error('the client cancelled'));
    this.#upload?.destroy();
  }

  /**
   * If no connection could be made, the proxy answers. If it broke, the client's connection is
   * broken too.
   */
  #failed(error: Error): void {
    if (this.#ended) return;
    if (!this.#response.headersSent && isUnreachable(error)) {
      refuse(this.#response, 502, `${this.#way.origin} cannot be reached: ${codeOf(error)}`);
      this.#end('unreachable');
      return;
    }
    // If an idle connection is reset, `undici` also fails a request that has not been sent. It can be sent anew
    // after `undici` has put its queue in order.
    if (this.#controller === undefined && !this.#isQueuedAgain) {
      this.#isQueuedAgain = true;
      queueMicrotask(() => this.#send());
      return;
    }
    this.#end('died');
    this.#request.unpipe();
    this.#response.destroy();
  }

  #end(ending: Exchange['ending']): void {
    if (this.#ended) return;
    this.#ended = true;
    const exchange: Exchange = {
      ...{ request: this.#head, sent: this.#sent.body, status: this.#status, ending },
      ...{ headers: this.#headers, body: this.#answered.body },
      durationMs: performance.now() - this.#start,
    };
    const { onEnd } = this.#way.options;
    // The answer is on its way; it is judged in a later turn of the event loop.
    setImmediate(() => {
      try {
        onEnd?.(exchange, this.#begun);
      } finally {
        this.#sent.release();
        this.#answered.release();
      }
    });
  }
}

/** The headers with their spelling and order. */
function rawOf({ rawHeaders }: Dispatcher.DispatchController, headers: object): RawHeaders {
  if (Array.isArray(rawHeaders))
    return rawHeaders.map((text) => (typeof text === 'string' ? text : text.toString('latin1')));
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((item: unknown) => [name, String(item)]),
  );
}

const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'EADDRNOTAVAIL'],
]);

function codeOf(error: Error): string {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? 'the request cannot be sent';
}

/** The connection could not be made, the certificate is not trusted, or the request is none. */
function isUnreachable(error: Error): boolean {
  const code = codeOf(error);
  return (
    unreachable.has(code) || /CERT|TLS|SSL|SELF_SIGNED|INVALID_ARG|NOT_SUPPORTED|HPE_/.test(code)
  );
}
