import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';

/** What a transport serves. */
export interface Served {
  /** Largest body that is read, bytes. */
  readonly bodyLimit: number;
  /** Ended by whoever made it: what comes from now on comes from a forgotten test. */
  readonly closed: boolean;
  handle(request: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse>;
}
