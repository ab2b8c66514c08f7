import {
  bodyText,
  type ExchangeRequest,
  type ExchangeResponse,
  type TransportFault,
} from '../pipeline/exchange.ts';
import { isMidBody } from '../world/faults.ts';

/** What a transport serves. */
export interface Served {
  /** Largest body that is taken, bytes. Of a larger one no more need be handed in than shows that it is larger. */
  readonly bodyLimit: number;
  /** Ended by whoever made it: what comes from now on comes from a forgotten test. */
  readonly closed: boolean;
  handle(request: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse>;
}

export const CLOSED =
  'The mock is closed, and this request came after that: a test has ended without awaiting its client, or a client goes on in the background';

/** Whether a fault loses the whole answer: it cuts the connection first, or leaves nothing to cut. */
export function isLost({ status, body, fault }: ExchangeResponse): boolean {
  const { cut } = fault ?? {};
  return status === 0 || (isMidBody(cut) ? body === null : cut !== undefined);
}

/** What a connection that is cut in the middle still carries. */
export function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

/**
 * Goes on after so many ms, or for ever without them; in any case where the fault is called off. The
 * result ends the wait.
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

/** As many as a body that drips comes in. */
const PIECES = 10;

/**
 * The body of a slow answer as it arrives. Throws if the client goes away, or if the body stalls and
 * the fault is called off. Takes the request, not its signal: a request that is collected no longer
 * hears of an abort.
 */
export function slowPieces(
  result: ExchangeResponse,
  client: { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { fault = {} } = result;
  // At once, for the fault may be called off before the first piece is asked for.
  const off = new AbortController();
  const letGo = fault.hold?.(() => off.abort());
  const ended = AbortSignal.any([off.signal, client.signal]);
  const pause = (ms?: number) =>
    new Promise<void>((resolve) => {
      if (ended.aborted) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      ended.addEventListener('abort', end, { once: true });
    });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      const whole = Buffer.from(await bodyText(result));
      const stalls = fault.cut === 'mid-body-stall';
      const size = Math.max(1, Math.ceil(whole.length / (stalls ? 2 : PIECES)));
      for (let at = 0; at < whole.length; at += size) {
        // The first half comes at once, the second never.
        if (!stalls) await pause((fault.dripMs ?? 0) / PIECES);
        else if (at > 0) await pause();
        client.signal.throwIfAborted();
        if (stalls && at > 0) throw new TypeError('terminated');
        yield whole.subarray(at, at + size);
      }
    } finally {
      letGo?.();
    }
  }
  return pieces();
}
