/**
 * An undici `Dispatcher` whose other end is a world: code with a hard-coded host reaches it without
 * a socket, through `fetch(url, { dispatcher })`, `undici.request` or `setGlobalDispatcher`.
 */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { type Duplex, duplexPair } from 'node:stream';
// The function is imported, because tests may replace the global one.
import { setImmediate } from 'node:timers';
import type { Dispatcher } from 'undici';
import { httpServer } from './node-http.ts';
import { CLOSED, type Served } from './served.ts';

/** A world, or a mock with all its worlds. */
export interface Reachable {
  readonly baseUrl: string;
  readonly service: Served;
}

export interface DispatcherOptions {
  /** Origins that the world answers for, such as `https://acme.example.com`; all by default. */
  readonly origins?: readonly string[] | undefined;
  /**
   * The dispatcher for requests to other origins. Without it they fail, so that no test uses the
   * network by accident.
   */
  readonly elsewhere?: Dispatcher | undefined;
}

/** Routes requests to a world. If a mock is given, each credential names the world. */
export function dispatcherOf(target: Reachable, options: DispatcherOptions = {}): Dispatcher {
  const { Agent, Dispatcher1Wrapper, errors } = undici();
  const origins = options.origins?.map(readOrigin);
  const server = httpServer(rooted(target), false);
  const cut = () => new errors.SocketError('other side closed');
  const agent = new Agent({
    // This is asynchronous, because undici would miss a connection that exists immediately. undici accepts
    // any stream as a socket, but its types do not.
    connect: ({ protocol }, done) =>
      queueMicrotask(() => done(null, connectTo(server, protocol === 'https:', cut) as never)),
  });
  const guarded = agent.compose((dispatch) => (request, handler) => {
    const origin = request.origin === undefined ? undefined : new URL(request.origin).origin;
    if (origins !== undefined && (origin === undefined || !origins.includes(origin))) {
      if (options.elsewhere !== undefined) return options.elsewhere.dispatch(request, handler);
      const names = origins.join(', ');
      throw new errors.InvalidArgumentError(
        `This dispatcher answers for ${names}, not for ${origin}; give dispatcherOf an elsewhere to let other requests through`,
      );
    }
    if (target.service.closed) throw new Error(CLOSED);
    return dispatch(request, handler);
  });
  // The `fetch` of Node 22 and 24, and undici 6 and 7, bring handlers of an older form.
  return new Dispatcher1Wrapper(guarded);
}

/** Throws a TypeError if a text is not exactly an origin. */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (bare) return url.origin;
  throw new TypeError(
    `${JSON.stringify(text)} is not an origin: a scheme and a host are expected, such as https://acme.example.com, and nothing after them`,
  );
}

/**
 * undici is loaded on demand, because it takes longer than the rest of the mock, and replaces the global
 * dispatcher.
 */
export function undici(): typeof import('undici') {
  return createRequire(import.meta.url)('undici') as typeof import('undici');
}

/** The service with its paths below the path of the target's address. */
function rooted({ service, baseUrl }: Reachable): Served {
  const { host, pathname } = new URL(baseUrl);
  return {
    bodyLimit: service.bodyLimit,
    closed: false,
    // The request did not come over a network.
    handle({ remote: _remote, ...request }) {
      const target = `${pathname.replace(/\/$/, '')}${request.target}`;
      // The world sees the requested host. The control API answers only to its own host.
      const headers = target.startsWith('/__admin')
        ? { ...request.headers, host }
        : request.headers;
      return service.handle({ ...request, target, headers });
    },
  };
}

/**
 * Makes a connection in memory, and returns the client's end. If one end is lost, the other is lost
 * as well.
 */
function connectTo(server: Server, secure: boolean, cut: () => Error): Duplex {
  const [near, far] = duplexPair();
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy(cut()));
  const lose = far.destroy.bind(far);
  // This is asynchronous, as on a network. Otherwise a `fetch` that loses its connection within the head of
  // the answer would wait forever.
  const destroy = (error?: Error) => {
    setImmediate(() => lose(error));
    return far;
  };
  const facts = { remoteAddress: '127.0.0.1', destroy, resetAndDestroy: destroy };
  server.emit('connection', Object.assign(far, facts, secure ? { encrypted: true } : {}));
  return near;
}
