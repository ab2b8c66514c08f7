/**
 * A request with its facts from the contract. They are derived once, from the request itself and never
 * from the scenario's names, and go with the request to all users.
 */

import { canonical, isObject, parseJson } from '../../spec/base/json.ts';
import { decoded } from '../../spec/base/visible.ts';
import type { Effect, Operation } from '../../spec/contract.ts';
import { operationRoutes } from '../../spec/routes.ts';
import { safeMethods } from '../language/scenario.ts';
import { asText } from '../language/template.ts';

/** A request without a host. */
export interface CallRequest {
  readonly method: string;
  /** With path parameters filled in; without the base and the query. */
  readonly path: string;
  /** A list repeats its parameter; null leaves it out. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case; includes the Authorization header, if there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it is sent. */
  readonly text: string | undefined;
  /** The body before it was written, for references. */
  readonly body: unknown;
  readonly plain: boolean;
}

/** An object that a write may change. */
export interface TenantObject {
  /** The same for every write to it, however its path is spelt. */
  readonly key: string;
  /** For people: `folder 11 of deployment 1`. */
  readonly text: string;
  /** Undefined if the contract has no such operation. */
  readonly operation: Operation | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  /** The fields of the body that name it, as they were sent. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
}

export class TargetCall {
  readonly request: CallRequest;
  /** Path and query. */
  readonly place: string;
  /** The operation of the request; of HEAD, that of GET. */
  readonly operation: Operation | undefined;
  /** The parameters of its path, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined for a request that cannot write. */
  readonly object: TenantObject | undefined;
  /** The body as a value; undefined if it is not JSON. */
  readonly sent: unknown;
  /** Whether an answer from there may hold a secret, whatever the method is. */
  readonly secret: boolean;

  constructor(request: CallRequest) {
    const { method, path } = request;
    const found = climbs.test(path) ? nothing : operationRoutes.at(path);
    const own = found.get(method);
    this.request = request;
    this.place = placeOf(request);
    const route = method === 'HEAD' ? found.get('GET') : own;
    this.operation = route?.value;
    const texts = Object.entries(route?.params ?? {});
    this.parameters = Object.fromEntries(texts.map(([name, text]) => [name, decoded(text)]));
    this.sent = request.body ?? parseJson(request.text);
    this.object = isRead(request) ? undefined : objectOf(request, own?.value, this);
    this.secret = climbs.test(path) || [...found.values()].some(({ value }) => value.secret);
  }
}

/** Headers by which some services take a request for one of another method. */
export const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

function isRead({ method, headers }: CallRequest): boolean {
  return safeMethods.includes(method) && !methodOverrides.some((name) => name in headers);
}

/** The operations of a path that is not in the contract: none. */
const nothing: ReturnType<typeof operationRoutes.at> = new Map();

/** A client or proxy on the way would change such a path. */
const climbs = /[/\\](\.|%2e){1,2}([/\\]|$)/i;

/** A call of plain values, such as the engine's own. */
export function callTo(
  method: string,
  path: string,
  body?: unknown,
  { headers, query = {} }: Partial<Pick<CallRequest, 'headers' | 'query'>> = {},
): TargetCall {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { headers: { ...type, ...headers }, text, body };
  return new TargetCall({ method, path, query, ...sent, plain: false });
}

/** A path of the contract with its parameters filled in, encoded. */
export function pathTo(path: string, values: unknown): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(asText(isObject(values) ? values[name] : undefined)),
  );
}

function placeOf({ path, query }: CallRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item != null) parameters.append(name, asText(item));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

function objectOf(
  { method, path }: CallRequest,
  operation: Operation | undefined,
  { parameters, sent }: Pick<TargetCall, 'parameters' | 'sent'>,
): TenantObject {
  if (operation === undefined) {
    const text = `${method} ${path}`;
    const nothing = { operation: undefined, parameters: {}, fields: {} };
    return { key: text, text, ...nothing, effect: 'permanent' };
  }
  const { text = operation.id, fields: names = [] } = operation.object ?? {};
  const fields = Object.fromEntries(
    names.flatMap((name) =>
      isObject(sent) && sent[name] !== undefined ? [[name, sent[name]]] : [],
    ),
  );
  const named = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return {
    key: canonical([operation.id, parameters, Object.fromEntries(named)]),
    text: fill(text, { ...parameters, ...fields }),
    operation,
    parameters,
    fields,
    effect: operation.effect,
  };
}

/** Puts values into a text; `{a|b}` is the first of them that is given. */
function fill(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{([^}]*)\}/g, (_whole, names: string) => {
    const given = names.split('|').find((name) => values[name] !== undefined);
    return given === undefined ? '(none named)' : String(values[given]);
  });
}

/** An empty value takes a header away, so that a body can come without a media type. */
export function withoutEmpty(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}
