/**
 * A target for deviations, with its requests and replies. A world of the mock is a target, and an independent
 * service can be one. Operators use nothing else of a target.
 */
import { isObject, type JsonObject, parseJson } from '../../spec/base/json.ts';
import type { CredentialKind, Operation } from '../../spec/contract.ts';
import { operationRoutes } from '../../spec/routes.ts';

/** A request, as an HTTP server receives it. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty if there is no body. */
  readonly text: string;
  readonly secure: boolean;
}

export interface Reply {
  readonly status: number;
  /** Names in upper or lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value; a text if the media type is not JSON; undefined for no body. */
  readonly body: unknown;
  /** The statement that a refusal rests on, if the target knows it. */
  readonly why?: string | undefined;
}

/** A caller with a credential. */
export interface Caller {
  /** Its name in a tenant file: `admin`, `member`, `scoped`, `expired`. */
  readonly name: string;
  readonly secret: string;
  readonly kind: CredentialKind;
  readonly admin: boolean;
  /** The deployments that it may reach; undefined means all. */
  readonly scope?: readonly string[] | undefined;
  readonly expired: boolean;
}

export interface Target {
  handle(request: Request): Reply | Promise<Reply>;
  /** The target's memory. It can be restored any number of times. */
  snapshot(): unknown;
  restore(snapshot: unknown): void;
  /** Milliseconds since 1970. */
  now(): number;
  readonly callers: readonly Caller[];
}

/** A request to an operation of the contract, parsed. */
export interface Call extends Request {
  readonly operation: Operation;
  /** Values of the path, by the name of their parameter. */
  readonly path: Readonly<Record<string, string>>;
  /** The first value of each parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON object that is sent; empty if it is not an object. */
  readonly body: JsonObject;
}

/** Parses a request; undefined if the contract has no such operation. */
export function readCall(request: Request): Call | undefined {
  const [path = '', query = ''] = request.target.split('?');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = operationRoutes.find(method, path);
  if (route === undefined) return undefined;
  const named = Object.entries(route.params).map(([name, value]) => [name, decoded(value)]);
  const body = request.text === '' ? undefined : parseJson(request.text);
  return {
    ...request,
    operation: route.value,
    path: Object.fromEntries(named),
    query: Object.fromEntries([...new URLSearchParams(query)].reverse()),
    body: isObject(body) ? body : {},
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parts of a call that another call replaces. */
export interface Other {
  readonly operation?: Operation;
  readonly path?: Readonly<Record<string, string>>;
  /** Undefined leaves a parameter out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A secret. If it has a space in it, it begins with its scheme. */
  readonly secret?: string | undefined;
}

/** The call, with some parts replaced. */
export function otherCall(call: Call, { secret, ...other }: Other): Call {
  const { operation, path, query } = { ...call, ...other };
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const asked = new URLSearchParams(given);
  const isThere = (other.operation ?? other.path ?? other.query) === undefined;
  const body = isObject(other.body) ? other.body : {};
  const sends = 'body' in other ? { text: JSON.stringify(other.body) ?? '', body } : {};
  const type = other.body === undefined ? {} : { 'content-type': 'application/json' };
  const authorization = secret?.includes(' ') ? secret : `Bearer ${secret}`;
  return {
    ...{ ...call, ...sends, operation, path, query: Object.fromEntries(given) },
    method: operation.method,
    target: isThere ? call.target : `${filled}${asked.size === 0 ? '' : `?${asked}`}`,
    headers: { ...call.headers, ...type, ...(secret === undefined ? {} : { authorization }) },
  };
}

/** The caller whose secret occurs in the Authorization header. */
export function callerOf(call: Call, { callers }: Target): Caller | undefined {
  const words = call.headers.authorization?.split(/[\s",]+/) ?? [];
  return callers.find(({ secret }) => words.includes(secret));
}

/** The deployment that a call names; empty if it names none. */
export function deploymentOf({ operation, path }: Call): string {
  return path[operation.requires.deployment ?? ''] ?? '';
}

export const isServed = ({ status }: Reply): boolean => status >= 200 && status < 300;
export const isRefused = ({ status }: Reply): boolean => status >= 400;
