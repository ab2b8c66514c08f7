/** From a request to an answer: the table of paths, who may come in, and what an error looks like. */

import { authenticate, type Caller } from './credentials.ts';
import {
  type Call,
  type Json,
  type KnownCall,
  type Operation,
  type Reply,
  type Request,
  reply,
} from './exchange.ts';
import { audit } from './handlers/audit.ts';
import { dbt } from './handlers/dbt.ts';
import { deployments, environments } from './handlers/deployments.ts';
import { folder } from './handlers/folders.ts';
import { recipients } from './handlers/recipients.ts';
import { scimMedia, users } from './handlers/scim.ts';
import { branches, toggle } from './handlers/staging.ts';
import { token } from './handlers/tokens.ts';
import { update, versions } from './handlers/versions.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state.ts';

export type Handler = (call: KnownCall, state: State, now: number) => Reply;
/** Serves a call or stands around those that do. */
export type Serve = (call: Call) => Reply;
export type Around = (call: Call, serve: Serve) => Reply;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly operation: Operation;
  /** Whether the first value of the path is a deployment. */
  readonly scoped: boolean;
  readonly handler: Handler;
}

const scim = '/api/scim/v2/';
const build = '/build/api/v1/';
const management = '/api/v1/';
const one = '([^/]+)';

const route = (method: string, path: string, operation: Operation, handler: Handler): Route => ({
  method,
  path: new RegExp(`^${path}$`),
  operation,
  scoped: path.includes(`deployments/${one}`),
  handler,
});

const home = `${management}deployments`;
const routes: readonly Route[] = [
  route('GET', home, 'deployments', deployments),
  route('PUT', `${home}/${one}`, 'update', update),
  route('GET', `${home}/${one}/environments`, 'environments', environments),
  route('POST', `${home}/${one}/environments/${one}/tokens-for-meta-sync`, 'token', token),
  route('GET', `${home}/${one}/versions`, 'versions', versions),
  route('GET', `${home}/${one}/dbt-sync/${one}/result`, 'dbt', dbt),
  route('PUT', `${home}/${one}/folders/${one}`, 'folder', folder),
  route('POST', `${home}/${one}/notifications/${one}/recipients`, 'recipients', recipients),
  route('GET', `${management}audit-logs/export`, 'audit', audit),
  route('GET', `${build}deployments/${one}/branches`, 'branches', branches),
  route('PUT', `${build}deployments/${one}/branches/staging-environment`, 'toggle', toggle),
  route('GET', `${scim}Users`, 'users', users),
];

const surfaces = [scim, build, management];

/** The most that a body may hold, in characters. */
const largestBody = 700_000;

export function answer(request: Request, state: State, now: number, around: Around): Reply {
  const { path } = request;
  const surface = surfaces.find((prefix) => path.startsWith(prefix));
  if (surface === undefined) return { ...reply(404, '<h1>Nothing here</h1>'), media: 'text/html' };
  if (!request.secure)
    return { ...refused(426, 'use TLS', surface), headers: { upgrade: 'TLS/1.2' } };
  state.calls += 1;
  const authorization = request.headers.authorization ?? '';
  const found = routes.find(
    (candidate) => candidate.method === request.method && candidate.path.test(path),
  );
  const guarded = (work: () => Reply): Reply => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Refusal) return refused(error.status, error.message, surface);
      throw error;
    }
  };
  if (found === undefined) {
    return guarded(() => {
      authenticate(authorization);
      const known = routes.some((candidate) => candidate.path.test(path));
      throw new Refusal(known ? 501 : 404, 'E-010 not on the map');
    });
  }
  const [, ...values] = found.path.exec(path) ?? [];
  const call: Call = {
    request,
    operation: found.operation,
    path: values.map(decode),
    query: request.query,
    authorization,
    json: parsed(request.text),
  };
  const serve: Serve = (wanted) => guarded(() => admitted(found, wanted, surface, state, now));
  return around(call, serve);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function admitted(found: Route, call: Call, surface: string, state: State, now: number): Reply {
  const caller = authenticate(call.authorization);
  checkKind(caller, found.operation, surface);
  if (found.scoped) checkScope(caller, Number(call.path[0]), state);
  const { method, text, headers } = call.request;
  if (method !== 'GET') {
    if (text.length > largestBody) throw new Refusal(413, 'E-011 too large');
    const json = (headers['content-type'] ?? '').startsWith('application/json');
    if (text !== '' && !json) throw new Refusal(415, 'E-012 JSON, please');
  }
  const done = found.handler({ ...call, caller }, state, now);
  if (method === 'GET' && found.operation !== 'audit') return done;
  state.events.push({
    at: now,
    name: `api:${found.operation}`,
    email: caller.email,
    about: call.request.path,
  });
  return done;
}

function checkKind(caller: Caller, operation: Operation, surface: string): void {
  if (surface === scim) {
    if (caller.kind !== 'scim' && !caller.admin)
      throw new Refusal(403, 'E-013 not for provisioning');
  } else if (caller.kind === 'scim') {
    throw new Refusal(403, 'E-014 for provisioning only');
  } else if (caller.kind === 'embed' && operation !== 'recipients') {
    throw new Refusal(401, 'E-015 for embedding only');
  }
}

function checkScope({ scope }: Caller, id: number, state: State): void {
  if (Number.isNaN(id)) throw new Refusal(404, 'E-016 no such place');
  if (scope !== undefined && !scope.includes(id)) throw new Refusal(403, 'E-017 out of bounds');
  if (!state.deployments.some((deployment) => deployment.id === id))
    throw new Refusal(403, 'E-018 not yours');
}

/** Each surface has its own shape of an error. */
function refused(status: number, message: string, surface: string): Reply {
  const headers: Record<string, string> =
    status === 401 ? { 'www-authenticate': 'Bearer realm="harbour"' } : {};
  if (surface === management) return { ...reply(status, { error: message }), headers };
  if (surface === build) {
    return {
      ...reply(status, { code: status * 10, problem: { text: message }, hints: [] }),
      headers,
    };
  }
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return {
    ...reply(status, { schemas, status: String(status), scimType: 'noTarget' }),
    headers,
    media: scimMedia,
  };
}
