/** Answers requests: the table of paths, authentication, and the shape of errors. */

import type { Call } from './call.ts';
import { authenticate, type Caller } from './credentials.ts';
import { type Json, Refusal, type Reply, type Request, reply } from './exchange.ts';
import { has } from './habits.ts';
import { audit } from './handlers/audit.ts';
import { dbt } from './handlers/dbt.ts';
import { deployments, environments } from './handlers/deployments.ts';
import { folder } from './handlers/folders.ts';
import { recipients } from './handlers/recipients.ts';
import { scimMedia, users } from './handlers/scim.ts';
import { branches, toggle } from './handlers/staging.ts';
import { token } from './handlers/tokens.ts';
import { update, versions } from './handlers/versions.ts';
import type { State } from './state.ts';

interface Surface {
  readonly prefix: string;
  readonly media?: string;
  readonly admits: (caller: Caller, path: string) => boolean;
  readonly error: (status: number, message: string) => Json;
}

/** The first surface with a matching prefix serves the request. */
const surfaces: readonly Surface[] = [
  {
    prefix: '/api/scim/v2/',
    media: scimMedia,
    admits: ({ kind, admin }) => kind === 'scim' || admin,
    error: (status) => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      scimType: 'noTarget',
    }),
  },
  {
    prefix: '/build/api/v1/',
    admits: ({ kind }) => kind === 'key' || kind === 'oauth',
    error: (status, text) => ({ code: status * 10, problem: { text }, hints: [] }),
  },
  {
    prefix: '/api/v1/',
    // An embed JWT may call only the recipients operation.
    admits: ({ kind }, path) =>
      kind !== 'scim' && (kind !== 'embed' || path.endsWith('/recipients')),
    error: (_status, error) => ({ error }),
  },
];

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly handler: (call: Call) => Reply;
  /** The parameters that the route accepts. */
  readonly query: readonly string[];
}

const route = (
  method: string,
  path: string,
  handler: Route['handler'],
  ...query: readonly string[]
): Route => ({
  method,
  path: new RegExp(`^${path.replace('{at}', '(?<at>[^/]+)').replace('{id}', '(?<id>[^/]+)')}$`),
  handler,
  query,
});

const home = '/api/v1/deployments';
const branchesHome = `/build${home}/{at}/branches`;
const auditFilters = ['start', 'end', 'search', 'eventName', 'userEmail'];
const userQuery = ['count', 'startIndex', 'filter', 'attributes', 'sortBy'];
const routes: readonly Route[] = [
  route('GET', home, deployments, 'offset', 'limit'),
  route('PUT', `${home}/{at}`, update),
  route('GET', `${home}/{at}/environments`, environments, 'type', 'offset', 'limit'),
  route('POST', `${home}/{at}/environments/{id}/tokens-for-meta-sync`, token),
  route('GET', `${home}/{at}/versions`, versions),
  route('GET', `${home}/{at}/dbt-sync/{id}/result`, dbt),
  route('PUT', `${home}/{at}/folders/{id}`, folder),
  route('POST', `${home}/{at}/notifications/{id}/recipients`, recipients),
  route('GET', '/api/v1/audit-logs/export', audit, ...auditFilters),
  route('GET', branchesHome, branches, 'cursor'),
  route('PUT', `${branchesHome}/staging-environment`, toggle),
  route('GET', '/api/scim/v2/Users', users, ...userQuery),
];

/** The largest body, in characters. */
const largestBody = 700_000;

export function answer(request: Request, state: State, now: number): Reply {
  const [path = '', search = ''] = request.target.split('?');
  const surface = surfaces.find(({ prefix }) => path.startsWith(prefix));
  if (surface === undefined) return reply(404, '<h1>Nothing here</h1>', 'text/html');
  try {
    if (!request.secure) throw new Refusal(426, 'E-000 use TLS');
    state.calls += 1;
    const caller = authenticate(request.headers.authorization ?? '');
    const places = routes.filter((one) => one.path.test(path));
    const found = places.find(({ method }) => method === request.method);
    if (found === undefined)
      throw new Refusal(places.length > 0 ? 501 : 404, 'E-010 not on the map');
    if (!surface.admits(caller, path)) {
      const isEmbed = caller.kind === 'embed';
      throw new Refusal(
        isEmbed ? 401 : 403,
        `${isEmbed ? 'E-015' : 'E-013'} this key is for elsewhere`,
      );
    }
    const { at, id = '' } = found.path.exec(path)?.groups ?? {};
    const deployment = Number(at === undefined ? Number.NaN : decoded(at));
    if (at !== undefined) checkScope(caller, deployment, state);
    const query = Object.fromEntries(new URLSearchParams(search));
    const { method, text } = request;
    if (method !== 'GET') checkText(request);
    const strange = Object.keys(query).find((name) => !found.query.includes(name));
    if (strange !== undefined) throw new Refusal(400, `E-200 what is ${strange}?`);
    const call = { state, now, caller, path, deployment, id: decoded(id), query, text };
    const done = found.handler(call);
    if (method !== 'GET' || found.handler === audit) record(call, found);
    return done;
  } catch (error) {
    if (error instanceof Refusal) return refused(error, surface, state);
    throw error;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkScope({ scope }: Caller, id: number, state: State): void {
  if (Number.isNaN(id)) throw new Refusal(404, 'E-016 no such place');
  if (scope !== undefined && !scope.includes(id)) throw new Refusal(403, 'E-017 out of bounds');
  if (!state.deployments.some((deployment) => deployment.id === id))
    throw new Refusal(403, 'E-018 not yours');
}

function checkText({ text, headers }: Request): void {
  if (text.length > largestBody) throw new Refusal(413, 'E-011 too large');
  const json = headers['content-type']?.startsWith('application/json') === true;
  if (text !== '' && !json) throw new Refusal(415, 'E-012 JSON, please');
}

function record({ state, now, caller: { email }, path }: Call, { handler }: Route): void {
  state.events.push({ at: now, name: `api:${handler.name}`, email, about: path });
}

/** Renders a refusal. Each surface has its own shape of errors. */
function refused({ status, message }: Refusal, surface: Surface, state: State): Reply {
  const told = surface.prefix === '/api/v1/' && has(state, 'error-is-empty') ? '' : message;
  const done = reply(status, surface.error(status, told), surface.media);
  const more: Readonly<Record<number, Record<string, string>>> = {
    401: { 'WWW-Authenticate': 'Bearer realm="harbour"' },
    426: { Upgrade: 'TLS/1.2' },
  };
  return { ...done, headers: { ...done.headers, ...more[status] }, why: message.slice(0, 5) };
}
