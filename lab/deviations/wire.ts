/**
 * A target that can be broken, and what passes between it and its callers. Operators know nothing
 * else of it: a world of the mock is one, an independent service can be another.
 */
import { isObject, type JsonObject, parseJson } from '../../spec/base/json.ts';
import { type CredentialKind, contract, type Operation } from '../../spec/contract.ts';

/** A request as an HTTP server has it. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty where there is no body. */
  readonly text: string;
  readonly secure: boolean;
}

/** An answer. */
export interface Reply {
  readonly status: number;
  /** Names in any letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value; a text where the media type is another; undefined for no body. */
  readonly body: unknown;
  /** The statement that a refusal rests on, where the target knows it. */
  readonly why?: string | undefined;
}

/** Somebody who has a credential. */
export interface Caller {
  /** As a tenant file calls it: `admin`, `member`, `scoped`, `expired`. */
  readonly name: string;
  readonly secret: string;
  readonly kind: CredentialKind;
  readonly admin: boolean;
  /** Deployments that it may reach; undefined for all. */
  readonly scope?: readonly string[] | undefined;
  readonly expired: boolean;
}

export interface Target {
  handle(request: Request): Reply | Promise<Reply>;
  /** What the target remembers, to be put back any number of times. */
  snapshot(): unknown;
  restore(snapshot: unknown): void;
  /** Milliseconds since 1970. */
  now(): number;
  readonly callers: readonly Caller[];
}

/** A request of the contract, read. */
export interface Call extends Request {
  readonly operation: Operation;
  /** Values of the path, by the name of their parameter. */
  readonly path: Readonly<Record<string, string>>;
  /** The first value of each parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** What is sent as JSON; empty where that is no object. */
  readonly body: JsonObject;
}

const routes = [...contract.operations.values()].map((operation) => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = operation.path.replaceAll(/\{\w+\}/g, '([^/]+)');
  return { operation, names, pattern: new RegExp(`^${path}/?$`) };
});

/** A request, read; undefined where the contract has no such operation. */
export function readCall(request: Request): Call | undefined {
  const [path = '', query = ''] = request.target.split('?');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = routes.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  );
  if (route === undefined) return undefined;
  const values = route.pattern.exec(path)?.slice(1) ?? [];
  const named = route.names.map((name, index) => [name, decoded(values[index] ?? '')]);
  const body = request.text === '' ? undefined : parseJson(request.text);
  return {
    ...request,
    operation: route.operation,
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

/** What another call has otherwise than a call. */
export interface Other {
  readonly operation?: Operation;
  readonly path?: Readonly<Record<string, string>>;
  /** Undefined leaves a parameter out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A secret; with its scheme where there is a space in it. */
  readonly secret?: string | undefined;
}

/** The call with something otherwise. */
export function otherCall(call: Call, { secret, ...other }: Other): Call {
  const { operation, path, query } = { ...call, ...other };
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
  const isOtherPath = other.operation ?? other.path ?? other.query;
  const isOtherBody = 'body' in other;
  const text = isOtherBody && other.body !== undefined ? JSON.stringify(other.body) : '';
  const { authorization } = call.headers;
  return {
    ...call,
    operation,
    path,
    query: Object.fromEntries(asked),
    method: operation.method,
    target: isOtherPath === undefined ? call.target : `${filled}${search}`,
    text: isOtherBody ? text : call.text,
    body: isOtherBody ? (isObject(other.body) ? other.body : {}) : call.body,
    headers: {
      ...call.headers,
      'content-type': text === '' ? call.headers['content-type'] : 'application/json',
      authorization: secret === undefined ? authorization : header(secret),
    },
  };
}

const header = (secret: string) => (secret.includes(' ') ? secret : `Bearer ${secret}`);

/** Whose secret stands anywhere in the Authorization header. */
export function callerOf(call: Call, { callers }: Target): Caller | undefined {
  const words = call.headers.authorization?.split(/[\s",]+/) ?? [];
  return callers.find(({ secret }) => words.includes(secret));
}

/** The deployment that a call names; empty where it names none. */
export function deploymentOf({ operation, path }: Call): string {
  return path[operation.requires.deployment ?? ''] ?? '';
}

export const isServed = ({ status }: Reply): boolean => status >= 200 && status < 300;
export const isRefused = ({ status }: Reply): boolean => status >= 400;
