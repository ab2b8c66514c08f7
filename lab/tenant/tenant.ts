/** A hosted tenant in miniature: it keeps the promises of the description in a way of its own. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type BreakId, breakOf } from './breaks/table.ts';
import { callers } from './credentials.ts';
import { type Reply, type Request, reply } from './exchange.ts';
import { type QuirkId, quirks } from './quirks.ts';
import { seed } from './seed.ts';
import { type Around, answer } from './service.ts';
import type { Habits, State } from './state.ts';
import { type TenantFile, tenantFile } from './tenant-file.ts';
import { intercepted, meanwhile, Past, type Traits } from './traits.ts';

export interface TenantOptions {
  /** The tenant's clock, in milliseconds since 1970; default the wall's. */
  readonly now?: () => number;
  /** How the tenant lets time pass; default on the wall's clock. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly traits?: Traits;
  /** Default `odd`. */
  readonly habits?: Habits;
  /** Default true: there is an embed JWT. */
  readonly embedJwt?: boolean;
  /** Default true: the tenant file names the ids of branches. */
  readonly branchIds?: boolean;
  readonly quirk?: QuirkId | undefined;
  readonly broken?: BreakId | undefined;
  /** The break takes effect at every n-th chance; default at each. */
  readonly every?: number;
  /** PEM; with it the tenant listens for HTTPS and refuses HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Tenant {
  readonly credentials: Readonly<Record<string, string>>;
  /** Values of the environment variables that the tenant file names. */
  readonly env: Readonly<Record<string, string>>;
  readonly state: State;
  /** Requests so far. */
  readonly requests: () => number;
  /** How often the break took effect. */
  readonly fired: () => number;
  /** Answers without a socket. */
  answer(request: Request): Promise<Reply>;
  tenantFile(baseUrl: string): TenantFile;
}

/** A tenant without a socket. */
export function makeTenant(options: TenantOptions = {}): Tenant {
  const { now = Date.now, traits = {}, broken, every = 1 } = options;
  const wait = options.wait ?? ((ms) => new Promise((done) => setTimeout(done, ms)));
  const state = seed(now(), options.habits ?? 'odd');
  const past = new Past(traits.lag ?? 0);
  let requests = 0;
  let chances = 0;
  let fired = 0;
  const fires = (): boolean => {
    chances += 1;
    if (chances % every !== 0) return false;
    fired += 1;
    return true;
  };
  const odd = quirks.find(({ id }) => id === options.quirk);
  const rows = [broken === undefined ? undefined : breakOf(broken), odd];
  const around = rows.reduce<Around>(
    (inner, row) => (row === undefined ? inner : within(row.make({ state, now, fires }), inner)),
    (call, serve) => serve(call),
  );
  const people = callers.filter(({ name }) => name !== 'embed' || options.embedJwt !== false);
  return {
    state,
    credentials: Object.fromEntries(people.map(({ name, secret }) => [name, secret])),
    env: Object.fromEntries(people.map(({ name, secret }) => [envName(name), secret])),
    requests: () => requests,
    fired: () => fired,
    tenantFile: (baseUrl) =>
      tenantFile({
        baseUrl,
        state,
        now: now(),
        people: people.map(({ name }) => name),
        envName,
        branchIds: options.branchIds !== false,
      }),
    async answer(request) {
      requests += 1;
      const count = requests;
      if (traits.latency !== undefined) await wait(traits.latency);
      const stopped = intercepted(traits, count);
      if (stopped !== undefined) return stopped;
      meanwhile(traits, state, count, now());
      const lagging = (traits.lag ?? 0) > 0;
      if (lagging && request.method !== 'GET') past.keep(state, now());
      const seen = lagging && request.method === 'GET' ? past.seen(state, now()) : state;
      return answer(request, seen, now(), around);
    },
  };
}

/** One hook around another. */
const within =
  (outer: Around, inner: Around): Around =>
  (call, serve) =>
    outer(call, (wanted) => inner(wanted, serve));

const envName = (name: string): string => `HARBOUR_${name.toUpperCase()}`;

export interface RunningTenant extends Tenant {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback. */
export async function startTenant(options: TenantOptions = {}): Promise<RunningTenant> {
  const tenant = makeTenant(options);
  const { tls } = options;
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    respond(tenant, request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const server = tls === undefined ? createServer(listen) : createSecureServer(tls, listen);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    ...tenant,
    baseUrl,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  tenant: Tenant,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://tenant.invalid');
  const request: Request = {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    text: Buffer.concat(chunks).toString('utf8'),
    secure: true,
  };
  const { status, headers, text } = wire(await tenant.answer(request).catch(failed));
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : text);
}

const failed = (error: unknown): Reply => reply(500, { error: String(error) });

/** A reply as it goes over the wire. */
export function wire({ status, headers, body, media }: Reply): {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
} {
  if (body === undefined) return { status, headers, text: '' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': media, ...headers }, text };
}
