/** A route of the control API: what it sees, and what it may answer. */
import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';
import type { World } from '../world/world.ts';
import type { Controlled } from './controlled.ts';

/** What a route sees. */
export interface AdminCall {
  readonly service: Controlled;
  readonly request: ExchangeRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as JSON, with the fields that the route takes; an empty object where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer that is more than a JSON body with 200. */
export class Reply {
  readonly response: ExchangeResponse;
  constructor(status: number, body: ExchangeResponse['body'], headers: Record<string, string>) {
    this.response = { status, body, headers };
  }
}

export function json(status: number, body: unknown): Reply {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return new Reply(status, JSON.stringify(body), headers);
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

/** Gives a Reply, a JSON body that is answered with 200, or nothing, which is answered with 204. */
export type AdminHandler = (call: AdminCall) => unknown;
export type AdminRoutes = Readonly<Record<string, AdminHandler>>;
/** Routes of a world: `{w}` has been found. */
export type WorldRoutes = Readonly<Record<string, (call: AdminCall, world: World) => unknown>>;
