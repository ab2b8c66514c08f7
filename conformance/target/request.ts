/** The call of a step, its caller, and its form on the wire. */

import { isObject } from '../../spec/base/json.ts';
import type { Redactor } from '../../spec/base/redactor.ts';
import { version } from '../../spec/base/version.ts';
import type { Step } from '../language/scenario.ts';
import { resolve, type Scope, Unresolved } from '../language/template.ts';
import { pathTo, TargetCall, withoutEmpty } from './call.ts';
import { Unsafe } from './guard.ts';
import type { Credential, Target, WireRequest } from './target.ts';

/** The changes that a verb or a wait makes to the step's own query. */
export type QueryChange = Readonly<Record<string, unknown>>;

/** Throws Unresolved. The path keeps its parameters encoded. */
export function callOf(
  step: Step,
  actor: Pick<Actor, 'headers'>,
  scope: Scope,
  change: QueryChange = {},
): TargetCall {
  const { operation, request } = step;
  const headers = Object.fromEntries(
    Object.entries(resolve(step.headers, scope) as object).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]),
  );
  const body = step.body === undefined ? undefined : resolve(step.body, scope);
  let text: string | undefined;
  if (step.rawBody !== undefined) text = String(resolve(step.rawBody, scope));
  else if (step.body !== undefined) text = JSON.stringify(body);
  if (text !== undefined && headers['content-type'] === undefined) {
    headers['content-type'] = 'application/json';
  }
  const path =
    operation === undefined
      ? String(resolve(request?.path ?? '/', scope))
      : pathTo(operation.path, resolve(step.path, scope));
  return new TargetCall({
    method: (step.method ?? operation?.method ?? request?.method ?? 'GET').toUpperCase(),
    path,
    query: { ...(resolve(step.query, scope) as object), ...change },
    headers: { ...headers, ...actor.headers },
    text,
    body,
    plain: step.plain,
  });
}

export interface Actor {
  /** The Authorization header; empty for a call without a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The credential, if it is sent unchanged as a Bearer token. */
  readonly credential: string | undefined;
  /** For the plan and the report. */
  readonly label: string;
}

export const nobody: Actor = { headers: {}, credential: undefined, label: 'none' };

/** Throws Unresolved if the target lacks the credential. */
export function actorOf(
  as: unknown,
  credentials: ReadonlyMap<string, Credential>,
  scope: Scope,
): Actor {
  const value = isObject(as) && 'header' in as ? as : resolve(as, scope);
  if (value === 'none') return nobody;
  if (!isObject(value)) {
    const name = String(value);
    const secret = credentials.get(name)?.secret;
    if (secret === undefined) throw new Unresolved(name, `there is no credential ${name}`);
    return { headers: { authorization: `Bearer ${secret}` }, credential: name, label: name };
  }
  const { header } = value;
  const secrets: Scope = {
    lookup: (root) =>
      root === 'credentials'
        ? Object.fromEntries([...credentials].map(([name, item]) => [name, item.secret]))
        : scope.lookup(root),
  };
  return {
    headers: { authorization: String(resolve(header, secrets)) },
    credential: undefined,
    label: `header ${JSON.stringify(header)}`,
  };
}

/** The User-Agent shows the operators of the tenant that this is a run and not an attack. */
const ownHeaders = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'user-agent': `lockstep/${version}`,
};

/** The request as it is sent. Throws Unsafe if it would leave the host, or show a secret. */
export function wireRequest(
  { request, place }: TargetCall,
  { baseUrl }: Pick<Target, 'baseUrl'>,
  redactor: Redactor,
): WireRequest {
  const { headers, method, path, plain, text } = request;
  // The same place over plain HTTP: the same port if the address names one, else 80.
  const base = plain ? baseUrl.replace(/^https:/, 'http:') : baseUrl;
  const url = `${base}${place}`;
  if (new URL(url).host !== new URL(base).host) throw new Unsafe(`${path} leads to another host`);
  if (redactor.holds(url) || redactor.holds(text ?? '')) {
    throw new Unsafe(`${path}: the request holds a secret outside the Authorization header`);
  }
  if (plain && Object.values(headers).some((value) => redactor.text(value) !== value)) {
    throw new Unsafe('a credential is never sent over plain HTTP');
  }
  return {
    method,
    url,
    headers: withoutEmpty({ ...ownHeaders, ...headers }),
    body: text,
  };
}
