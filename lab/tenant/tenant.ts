/** A small hosted tenant. It keeps the promises of the description, with choices of its own. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Caller, callers } from './credentials.ts';
import { type Reply, type Request, reply } from './exchange.ts';
import { type HabitId, odd } from './habits.ts';
import { seed } from './seed.ts';
import { answer } from './service.ts';
import type { State } from './state.ts';
import { type TenantFile, tenantFile } from './tenant-file.ts';
import { intercepted, meanwhile, Past, type Traits } from './traits.ts';

export interface TenantOptions {
  /** The tenant's clock, in milliseconds since 1970; by default the real one. */
  readonly now?: () => number;
  /** How the tenant waits; by default in real time. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly traits?: Traits;
  /** The default is `odd`. Without habits, the tenant behaves in the usual way. */
  readonly habits?: readonly HabitId[];
  /** Whether there is an embed JWT; the default is true. */
  readonly embedJwt?: boolean;
  /** Whether the tenant file has the ids of branches; the default is true. */
  readonly branchIds?: boolean;
  /** Wraps the service, for example with a fault. */
  readonly before?: ((service: Service) => Handle) | undefined;
}

export type Handle = (request: Request) => Reply | Promise<Reply>;

/** The service without its network layer. */
export interface Service {
  readonly handle: Handle;
  readonly now: () => number;
  readonly callers: readonly Caller[];
  readonly snapshot: () => State;
  readonly restore: (snapshot: State) => void;
}

export interface Tenant {
  readonly credentials: Readonly<Record<string, string>>;
  /** Values of the environment variables that the tenant file names. */
  readonly env: Readonly<Record<string, string>>;
  readonly state: () => State;
  readonly requests: () => number;
  /** Answers a request without a socket. */
  answer(request: Request): Promise<Reply>;
  tenantFile(baseUrl: string): TenantFile;
}

/** Makes a tenant without a socket. */
export function makeTenant(options: TenantOptions = {}): Tenant {
  const { now = Date.now, traits = {}, habits = odd, before } = options;
  const wait = options.wait ?? ((ms) => new Promise((done) => setTimeout(done, ms)));
  let state = seed(now(), habits);
  let requests = 0;
  const people = callers.filter(({ name }) => name !== 'embed' || options.embedJwt !== false);
  const past = new Past(traits.lag ?? 0);
  const service: Service = {
    now,
    callers: people,
    snapshot: () => structuredClone(state),
    restore: (snapshot) => {
      state = structuredClone(snapshot);
    },
    handle: (request) => answer(request, past.seen(state, request.method, now()), now()),
  };
  const handle = before?.(service) ?? service.handle;
  return {
    state: () => state,
    credentials: Object.fromEntries(people.map(({ name, secret }) => [name, secret])),
    env: Object.fromEntries(people.map(({ name, secret }) => [envName(name), secret])),
    requests: () => requests,
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
      return handle(request);
    },
  };
}

const envName = (name: string): string => `HARBOUR_${name.toUpperCase()}`;

export interface RunningTenant extends Tenant {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback. */
export async function startTenant(options: TenantOptions = {}): Promise<RunningTenant> {
  const tenant = makeTenant(options);
  const server = createServer((request, response) => {
    respond(tenant, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...tenant,
    baseUrl: `http://127.0.0.1:${port}`,
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
  const { method = 'GET', url: target = '/', headers } = incoming;
  const named = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  const text = Buffer.concat(chunks).toString('utf8');
  const request = { method, target, headers: Object.fromEntries(named), text, secure: true };
  const failed = (error: unknown): Reply => reply(500, { error: String(error) });
  const done = await tenant.answer(request).catch(failed);
  response.writeHead(done.status, done.headers);
  response.end(method === 'HEAD' ? undefined : textOf(done));
}

export function textOf({ headers, body }: Reply): string {
  if (body === undefined) return '';
  const isJson = /json/.test(headers['Content-Type'] ?? 'json');
  return typeof body === 'string' && !isJson ? body : JSON.stringify(body);
}
