import type { ExchangeRequest, ExchangeResponse, TransportFault } from '../pipeline/exchange.ts';

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
  return status === 0 || (cut === 'mid-body' ? body === null : cut !== undefined);
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
