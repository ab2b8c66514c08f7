import { setTimeout as pause } from 'node:timers/promises';
import {
  bodyText,
  type ExchangeRequest,
  type ExchangeResponse,
  type TransportFault,
} from '../pipeline/exchange.ts';
import { isMidBody } from '../world/faults.ts';

/** The service as a transport uses it. */
export interface Served {
  /** Largest body, bytes. A transport may cut a larger body, as long as it stays larger than this. */
  readonly bodyLimit: number;
  /** True after the owner has closed the mock. A later request comes from a test that nobody awaited. */
  readonly closed: boolean;
  handle(request: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse>;
}

export const CLOSED =
  'The mock is closed, and this request came after that: a test has ended without awaiting its client, or a client goes on in the background';

/**
 * Whether a fault loses the whole answer: it cuts the connection before the body, or there is no body to cut.
 */
export function isLost({ status, body, fault }: ExchangeResponse): boolean {
  const { cut } = fault ?? {};
  return status === 0 || (isMidBody(cut) ? body === null : cut !== undefined);
}

/** The part of a text that a connection carries before it is cut in the middle. */
export function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

/**
 * Calls `go` after `ms`, or when the fault is removed; without `ms` only then. The result cancels
 * the wait.
 */
export function waitOut(fault: TransportFault, ms: number | undefined, go: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    letGo?.();
  };
  const end = () => {
    stop();
    go();
  };
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  const letGo = fault.hold?.(end);
  return stop;
}

/** Whether a fault sends the body in pieces with pauses between them, or stalls within it. */
export function isSlow({ body, fault }: ExchangeResponse): boolean {
  return body !== null && (fault?.dripMs !== undefined || fault?.cut === 'mid-body-stall');
}

/** The number of pieces of a body that drips. */
const PIECES = 10;

/** The longest time of a timer, longer than any test. */
const FOR_EVER = 2 ** 31 - 1;

/**
 * The body of a slow answer, as it arrives. It fails if the client disconnects, or if it stalls and
 * the fault is removed. It takes the request and not its signal, because a garbage-collected
 * request no longer forwards an abort.
 */
export function slowBody(
  result: ExchangeResponse,
  client: { readonly signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const { fault = {} } = result;
  const stalls = fault.cut === 'mid-body-stall';
  const ended = new AbortController();
  const end = () => {
    letGo?.();
    ended.abort();
  };
  client.signal.addEventListener('abort', end);
  // This is registered at once, because the fault may be removed before the reader asks for the first piece.
  const letGo = fault.hold?.(end);
  let whole: Buffer | undefined;
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      whole ??= Buffer.from(await bodyText(result));
      const size = Math.max(1, Math.ceil(whole.length / (stalls ? 2 : PIECES)));
      // A stalled body sends its first half at once, and never the second.
      const stalled = at > 0 ? FOR_EVER : 0;
      const ms = stalls ? stalled : (fault.dripMs ?? 0) / PIECES;
      await pause(ms, undefined, { signal: ended.signal }).catch(() => {});
      client.signal.throwIfAborted();
      if (stalls && at > 0) throw new TypeError('terminated');
      controller.enqueue(whole.subarray(at, at + size));
      at += size;
      if (at < whole.length) return;
      end();
      controller.close();
    },
    cancel: end,
  });
}
