/** A route of the control API: what it sees, and what it may answer. */
import type { ExchangeRequest } from '../pipeline/exchange.ts';
import type { World } from '../world/world.ts';
import type { Controlled } from './controlled.ts';

/** What a route sees. */
export interface AdminCall {
  readonly service: Controlled;
  readonly request: ExchangeRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as JSON; an empty object where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AdminAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Text in pieces, instead of a JSON body. */
  readonly stream?: Iterable<string> | AsyncIterable<string>;
  readonly headers?: Record<string, string>;
}

/** A request to the control API that cannot be done; answered with `{ error }`. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type AdminHandler = (call: AdminCall) => AdminAnswer | Promise<AdminAnswer>;
/** A route of a world: `{w}` has been found. */
export type WorldHandler = (call: AdminCall, world: World) => AdminAnswer | Promise<AdminAnswer>;
export type Routes<Handler> = Readonly<Record<string, Handler>>;
