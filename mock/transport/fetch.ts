/** Answers fetch calls in-process, without a socket. */
import type { ExchangeRequest, ExchangeResponse, TransportFault } from '../pipeline/exchange.ts';
import { BODILESS } from '../world/fault.ts';
import { CLOSED, half, isLost, isSlow, type Served, slowBody, waitOut } from './served.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes a fetch that reaches the service, whatever host a URL names. A path such as
 * /api/v1/deployments is resolved below `baseUrl`, which may name a world.
 */
export function fetchOf(service: Served, baseUrl: string, credential?: string): Fetch {
  return async (input, init) => {
    if (service.closed) throw new Error(CLOSED);
    const isPath = typeof input === 'string' && input.startsWith('/');
    const target = isPath ? `${baseUrl}${input}` : input;
    const whole = target instanceof Request ? target : new URL(target, `${baseUrl}/`);
    const request = new Request(whole, init);
    const headers = Object.fromEntries(request.headers);
    if (credential !== undefined) headers.authorization ??= `Bearer ${credential}`;
    const url = new URL(request.url);
    headers.host ??= url.host;
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const exchange: ExchangeRequest = {
      method: request.method,
      target: `${url.pathname}${url.search}`,
      headers,
      body,
      secure: url.protocol === 'https:',
    };
    request.signal.throwIfAborted();
    return toResponse(await service.handle(exchange), request);
  };
}

async function toResponse(result: ExchangeResponse, request: Request): Promise<Response> {
  const { fault } = result;
  if (fault?.delayMs !== undefined) await wait(fault.delayMs, fault, request);
  const empty = BODILESS.includes(result.status) || result.body === null;
  if (isLost({ ...result, body: empty ? null : result.body })) return lose(fault, request);
  const body = empty ? null : webBody(result, request);
  return new Response(body, { status: result.status, headers: result.headers });
}

function webBody(
  result: ExchangeResponse,
  request: Request,
): string | ReadableStream<Uint8Array> | null {
  const { body, fault } = result;
  const cut = fault?.cut === 'mid-body';
  if (isSlow(result)) return slowBody(result, request);
  if (body === null || (typeof body === 'string' && !cut)) return body;
  const pieces = typeof body === 'string' ? [body] : body;
  return ReadableStream.from(cut ? cutOff(pieces) : pieces).pipeThrough(new TextEncoderStream());
}

/** The part of a cut body that reaches the client. */
async function* cutOff(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield half(piece);
    throw new TypeError('terminated', { cause: new Error('the body was cut by a fault') });
  }
}

/**
 * Rejects like fetch. If the connection stalls, it rejects when the client aborts or the fault
 * ends.
 */
async function lose(fault: TransportFault | undefined, request: Request): Promise<never> {
  if (fault?.cut === 'stall') await wait(undefined, fault, request);
  const cause =
    fault?.cut === 'reset'
      ? Object.assign(new Error('the connection was reset by a fault'), { code: 'ECONNRESET' })
      : Object.assign(new Error('the connection was closed by a fault'), {
          code: 'UND_ERR_SOCKET',
        });
  throw new TypeError('fetch failed', { cause });
}

/**
 * Waits for a time, or without a limit, or until the fault is removed. Rejects if the client
 * aborts. It takes the request and not its signal, because a garbage-collected request no longer
 * forwards an abort.
 */
function wait(ms: number | undefined, fault: TransportFault, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = waitOut(fault, ms, () => {
      request.signal.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      stop();
      reject(request.signal.reason as Error);
    };
    request.signal.addEventListener('abort', abort, { once: true });
    if (request.signal.aborted) abort();
  });
}
