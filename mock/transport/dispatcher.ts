/**
 * An undici `Dispatcher` whose other end is a world: code with a hard-coded host reaches it without
 * a socket, through `fetch(url, { dispatcher })`, `undici.request` or `setGlobalDispatcher`.
 */
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { arrayBuffer } from 'node:stream/consumers';
import type { Dispatcher } from 'undici';
import type { Fetch } from './fetch.ts';

/** A world, or a whole mock. */
export interface Reachable {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** Of a world. */
  fetchAs?(credential: null): Fetch;
}

export interface DispatcherOptions {
  /** Origins that the world answers for, such as `https://acme.example.com`; all by default. */
  readonly origins?: readonly string[] | undefined;
  /** Takes requests to other origins. Without it they fail: no test reaches a network unasked. */
  readonly elsewhere?: Dispatcher | undefined;
}

/** Routes requests to a world, or to the world that each credential names where a mock is given. */
export function dispatcherOf(target: Reachable, options: DispatcherOptions = {}): Dispatcher {
  const { Dispatcher, errors } = undici();
  const origins = options.origins?.map(readOrigin);
  const dispatch: Dispatcher['dispatch'] = (request, given) => {
    const origin = request.origin === undefined ? undefined : new URL(request.origin).origin;
    if (origins !== undefined && (origin === undefined || !origins.includes(origin))) {
      if (options.elsewhere !== undefined) return options.elsewhere.dispatch(request, given);
      const names = origins.join(', ');
      throw new errors.InvalidArgumentError(
        `This dispatcher answers for ${names}, not for ${origin}; give dispatcherOf an elsewhere to let other requests through`,
      );
    }
    void exchange(target, request, modern(given as AnyHandler), errors.SocketError);
    return true;
  };
  return Object.assign(new Dispatcher(), { dispatch, close: ended, destroy: ended });
}

/** Throws a TypeError where a text is more than an origin, or less. */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (bare) return url.origin;
  throw new TypeError(
    `${JSON.stringify(text)} is not an origin: a scheme and a host are expected, such as https://acme.example.com, and nothing behind them`,
  );
}

/** On demand: loading undici takes longer than the rest of the mock, and replaces the global dispatcher. */
function undici(): typeof import('undici') {
  return createRequire(import.meta.url)('undici') as typeof import('undici');
}

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>;

async function exchange(
  target: Reachable,
  request: Dispatcher.DispatchOptions,
  handler: Handler,
  SocketError: new (message: string) => Error,
): Promise<void> {
  const controller = new Controller();
  try {
    handler.onRequestStart(controller, {});
    controller.throwIfAborted();
    const response = await send(target, request, controller.signal);
    controller.throwIfAborted();
    controller.rawHeaders = [...response.headers].flat().map((text) => Buffer.from(text, 'latin1'));
    const statusText = response.statusText || (STATUS_CODES[response.status] ?? '');
    handler.onResponseStart(
      controller,
      response.status,
      Object.fromEntries(response.headers),
      statusText,
    );
    for await (const chunk of response.body ?? []) {
      await controller.resumed();
      controller.throwIfAborted();
      handler.onResponseData(controller, Buffer.from(chunk));
    }
    await controller.resumed();
    controller.throwIfAborted();
    handler.onResponseEnd(controller, {});
  } catch (error) {
    handler.onResponseError(
      controller,
      controller.reason ?? (isCut(error) ? new SocketError('other side closed') : (error as Error)),
    );
  }
}

/** What `Fetch` rejects with where a fault cuts the connection, as a client's socket would see it. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
}

async function send(
  target: Reachable,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers(headersOf(request.headers));
  const query = new URLSearchParams(queryOf(request.query)).toString();
  const { origin, pathname } = new URL(target.baseUrl);
  const asked = request.origin === undefined ? origin : new URL(request.origin).origin;
  const path = `${pathname.replace(/\/$/, '')}${request.path}${query === '' ? '' : `?${query}`}`;
  // The world sees the host that was asked; the control API answers to none but its own.
  const url = `${path.startsWith('/__admin') ? origin : asked}${path}`;
  // A world's own fetch speaks as its administrator where a credential is missing; a client must not.
  const reach = target.fetchAs?.(null) ?? target.fetch;
  const body = await bodyOf(request.body);
  return reach(url, {
    method: request.method,
    headers,
    signal,
    ...(body === undefined ? {} : { body }),
  });
}

function* queryOf(query: Dispatcher.DispatchOptions['query']): Generator<[string, string]> {
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      yield [name, item === null || item === undefined ? '' : String(item)];
    }
  }
}

/** Headers come as a record, as pairs, or as names and values in turn. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): [string, string][] {
  if (headers === null || headers === undefined) return [];
  const given: Iterable<unknown> = isIterable(headers) ? headers : Object.entries(headers);
  const items = [...given];
  const pairs = items.every(Array.isArray)
    ? items
    : items.flatMap((name, index) => (index % 2 === 0 ? [[name, items[index + 1]]] : []));
  return pairs.flatMap(([name, value]: unknown[]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value])
      .filter((item) => item !== undefined)
      .map((item): [string, string] => [String(name), String(item)]),
  );
}

/** As bytes, so that no Content-Type is made up for them; a form brings its own. */
async function bodyOf(body: unknown): Promise<Uint8Array<ArrayBuffer> | FormData | undefined> {
  if (body === null || body === undefined) return undefined;
  if (isForm(body)) {
    const form = new FormData();
    for (const [name, value] of body) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, value.name);
    }
    return form;
  }
  const isWhole = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
  const bytes = isWhole
    ? new Blob([body as Blob]).arrayBuffer()
    : arrayBuffer(body as AsyncIterable<unknown>);
  return new Uint8Array(await bytes);
}

/** A form of any undici: each version has a class of its own. */
function isForm(body: object | string): body is FormData {
  return typeof body === 'object' && Symbol.toStringTag in body
    ? body[Symbol.toStringTag] === 'FormData'
    : false;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

/** How a handler holds back, goes on with, or ends its exchange. */
class Controller implements Dispatcher.DispatchController {
  readonly #abort = new AbortController();
  #going: PromiseWithResolvers<void> | undefined;
  rawHeaders: Buffer[] = [];

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get reason(): Error | null {
    return this.aborted ? (this.signal.reason as Error) : null;
  }

  get paused(): boolean {
    return this.#going !== undefined;
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
    this.resume();
  }

  pause(): void {
    this.#going ??= Promise.withResolvers();
  }

  resume(): void {
    this.#going?.resolve();
    this.#going = undefined;
  }

  async resumed(): Promise<void> {
    await this.#going?.promise;
  }

  throwIfAborted(): void {
    this.signal.throwIfAborted();
  }
}

/** Handlers of undici 6 and 7, and of the `fetch` in Node 22 and 24. */
interface LegacyHandler {
  onConnect?(abort: (reason: Error) => void, context: object): void;
  onHeaders?(
    status: number,
    headers: Buffer[],
    resume: () => void,
    statusText: string,
  ): boolean | undefined;
  onData?(chunk: Buffer): boolean | undefined;
  onComplete?(trailers: Buffer[]): void;
  onError?(error: Error): void;
}

type AnyHandler = Handler | LegacyHandler;

function modern(handler: AnyHandler): Handler {
  if ('onRequestStart' in handler) return handler;
  return {
    onRequestStart: (controller) =>
      handler.onConnect?.((reason) => controller.abort(reason), {}) ?? undefined,
    onResponseStart(controller, status, _headers, statusText) {
      const raw = (controller as Controller).rawHeaders;
      const goOn = handler.onHeaders?.(status, raw, () => controller.resume(), statusText ?? '');
      if (goOn === false) controller.pause();
    },
    onResponseData(controller, chunk) {
      if (handler.onData?.(chunk as Buffer) === false) controller.pause();
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  };
}

function ended(...args: unknown[]): Promise<void> {
  const callback = args.at(-1);
  if (typeof callback === 'function') queueMicrotask(() => callback());
  return Promise.resolve();
}
