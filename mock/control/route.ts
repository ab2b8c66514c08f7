/** The types of a route of the control API: its parameters, its call, and its answer. */
import { typeOf } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';
import type { World } from '../world/world.ts';
import type { Controlled } from './controlled.ts';

/** The call that a route handles. */
export interface AdminCall {
  readonly service: Controlled;
  readonly request: ExchangeRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as JSON, with the fields that the route knows; an empty object if there is no body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The world of the path. Throws an AdminError if no world has that name. */
  readonly world: World;
}

/** Returns a Reply, or a JSON body (the answer is then 200), or nothing (204). */
export type AdminHandler = (call: AdminCall) => unknown;

/** The types of a body's field, in words. */
const TYPES = {
  text: { types: ['string'], words: 'a string' },
  name: { types: ['string', 'null'], words: 'a string or null' },
  number: { types: ['number', 'integer'], words: 'a number' },
  integer: { types: ['integer'], words: 'an integer' },
  flag: { types: ['boolean'], words: 'true or false' },
  list: { types: ['array'], words: 'a list of ids' },
  object: { types: ['object'], words: 'an object' },
  fixture: { types: ['string', 'object'], words: 'the name of a fixture or a fixture itself' },
  time: { types: ['string'], words: 'an ISO 8601 time' },
} as const;

/** The fields of a body; `unread` if the handler checks them itself. */
type Fields = Readonly<Record<string, keyof typeof TYPES>> | 'unread';

/** A handler that takes a body. */
interface Taking {
  readonly fields: Fields;
  readonly handler: AdminHandler;
}

/**
 * Routes by method, path and query parameters, such as `GET /requests?operation&limit`. `?*` marks a page:
 * it accepts every parameter that a browser or a link appends.
 */
export type AdminRoutes = Readonly<Record<string, AdminHandler | Taking>>;

export function withBody(fields: Fields, handler: AdminHandler): Taking {
  return { fields, handler };
}

/**
 * Throws an AdminError for the first unknown name or wrong value, because an unknown name is probably a
 * typing error.
 */
export function checkRequest(
  { query, body }: Pick<AdminCall, 'query' | 'body'>,
  parameters: readonly string[],
  fields: Fields,
): void {
  if (!parameters.includes('*')) checkKnown(query.keys(), parameters, 'query parameter');
  if (fields === 'unread') return;
  checkKnown(Object.keys(body), Object.keys(fields), 'field');
  for (const [name, type] of Object.entries(fields)) {
    const { types, words } = TYPES[type];
    const value = body[name];
    if (value === undefined || types.some((known) => known === typeOf(value))) continue;
    throw new AdminError(400, `${name} must be ${words}, not ${JSON.stringify(value)}`);
  }
}

function checkKnown(names: Iterable<string>, known: readonly string[], what: string): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new AdminError(400, `The ${what} ${name} is not known${insteadOf(name, known)}`);
  }
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
