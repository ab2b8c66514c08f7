/** A mock in another process, and its worlds, reached through the control API. */
import { Agent, fetch as send } from 'undici';
import {
  type Control,
  ControlError,
  controlOf,
  type ToldWorld,
  worldBy,
} from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import type { Fetch } from '../transport/fetch.ts';
import { timeOf } from '../world/clock.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { Duration, FaultOrder, Time, TimedEvent, WorldRequest } from './index.ts';

/** A fault without what only code in the mock's own process can decide. */
export type RemoteFaultOrder = Omit<FaultOrder, 'when' | 'onStrike'>;

/**
 * What a request is found by; what is left out does not matter. The operation is null for a request
 * that matched none, the credential for one that had none of this world's.
 */
export type RequestCriteria = { readonly operation?: string | null } & Partial<
  Pick<JournalEntry, 'method' | 'path' | 'status' | 'credential'>
>;

/** One isolated tenant. Its parts have the names of the `World` of `lockstep/mock`; each step is a promise. */
export interface RemoteWorld extends AsyncDisposable {
  readonly id: string;
  /** Reaches the world by its credentials. */
  readonly baseUrl: string;
  /** Names the world for requests without a credential as well. */
  readonly prefixedBaseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Takes a path from the world's root, and adds the admin key if the request has no Authorization header. */
  readonly fetch: Fetch;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): Promise<number>;
    freeze(at?: Time): Promise<void>;
    run(from?: Time): Promise<void>;
    advance(by: Duration): Promise<void>;
  };
  readonly faults: {
    /** The id of the fault. */
    add(order: RemoteFaultOrder): Promise<string>;
    /** Removes all faults, and ends what they delay or stall. */
    clear(): Promise<void>;
  };
  readonly requests: {
    count(criteria?: RequestCriteria): Promise<number>;
    /** Records of the journal, as `/__admin/openapi.json` describes them. */
    find(criteria?: RequestCriteria): Promise<readonly Readonly<Record<string, unknown>>[]>;
    clear(): Promise<void>;
  };
  readonly assumptions: {
    /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`. */
    set(choices: Readonly<Record<string, string>>): Promise<void>;
  };
  reset(): Promise<void>;
  /** The id of the snapshot. */
  snapshot(): Promise<string>;
  restore(snapshot: string): Promise<void>;
  fork(id?: string): Promise<RemoteWorld>;
  /** Lets something happen on the service's side: now, `at` a time of the world, or `in` a while. */
  emit(event: TimedEvent): Promise<Readonly<Record<string, unknown>>>;
  /** Drops the world. That it is gone already, or its container is stopped, is no error. */
  delete(): Promise<void>;
}

/** A mock in another process, reached over sockets of its own. */
export class RemoteMock {
  /** Rejects with a ControlError. */
  readonly control: Control;
  readonly #sockets: Agent;

  /** `adminUrl` ends in `/__admin`. `ca` is PEM; without it no HTTPS certificate but a public one is trusted. */
  constructor(adminUrl: string, token?: string, ca?: string) {
    this.#sockets = new Agent(ca === undefined ? {} : { connect: { ca } });
    this.control = controlOf(adminUrl, token, async ({ url, body = null, ...request }) => {
      const response = await this.fetch(url, { ...request, body });
      return { status: response.status, text: await response.text() };
    });
  }

  /** Follows no redirect. */
  readonly fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, body, signal } = request;
    const headers = [...request.headers];
    const sent = { method, headers, body, signal, duplex: 'half', redirect: 'manual' } as const;
    const answer = await send(request.url, { ...sent, dispatcher: this.#sockets });
    // undici's class is another one than Node's own, and tests ask for that.
    return new Response(answer.body, { status: answer.status, headers: [...answer.headers] });
  };

  /** Makes a world. Rejects with a ControlError. */
  async world(request: WorldRequest = {}): Promise<RemoteWorld> {
    return remoteWorld(this, await worldBy(this.control, 'POST', 'worlds', request));
  }

  /** Ends its connections. */
  close(): Promise<void> {
    return this.#sockets.destroy();
  }
}

function remoteWorld(mock: RemoteMock, world: ToldWorld): RemoteWorld {
  const call = (method: string, path: string, body?: object) =>
    mock.control(method, `worlds/${world.id}${path}`, body);
  const done = async (method: string, path: string, body?: object): Promise<void> => {
    await call(method, path, body);
  };
  const setClock = (time: Time | undefined, frozen: boolean) => {
    const now = time === undefined ? undefined : new Date(timeOf(time)).toISOString();
    return done('PUT', '/clock', { now, frozen });
  };
  const drop = () =>
    done('DELETE', '').catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  return {
    ...world,
    fetch(input, init) {
      const isPath = typeof input === 'string' && input.startsWith('/');
      const request = new Request(isPath ? `${world.prefixedBaseUrl}${input}` : input, init);
      if (!request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${world.credentials.admin}`);
      }
      return mock.fetch(request);
    },
    clock: {
      now: async () => Date.parse(text(await call('GET', '/clock'), 'now')),
      freeze: (at) => setClock(at, true),
      run: (from) => setClock(from, false),
      advance: (by) => done('POST', '/clock/advance', by),
    },
    faults: {
      add: async (order) => text(await call('POST', '/faults', order), 'id'),
      clear: () => done('DELETE', '/faults'),
    },
    requests: {
      count: async (criteria = {}) =>
        Number((await call('POST', '/requests/count', criteria)).count),
      find: async (criteria = {}) => {
        const { requests } = await call('POST', '/requests/find', criteria);
        return Array.isArray(requests) ? requests.filter(isObject) : [];
      },
      clear: () => done('DELETE', '/requests'),
    },
    assumptions: { set: (choices) => done('PUT', '/assumptions', choices) },
    reset: () => done('POST', '/reset'),
    snapshot: async () => text(await call('POST', '/snapshots'), 'id'),
    restore: (id) => done('POST', `/snapshots/${encodeURIComponent(id)}/restore`),
    fork: async (id) =>
      remoteWorld(mock, await worldBy(mock.control, 'POST', `worlds/${world.id}/fork`, { id })),
    emit: (event) => call('POST', '/events', event),
    delete: drop,
    [Symbol.asyncDispose]: drop,
  };
}

function isGone(error: unknown): boolean {
  if (error instanceof ControlError) return error.status === 404;
  const cause = error instanceof TypeError ? error.cause : undefined;
  return isObject(cause) && cause.code === 'UND_ERR_DESTROYED';
}

/** The text in a field of an answer. */
function text(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field];
  if (typeof value === 'string') return value;
  throw new TypeError(`the control API gave no ${field}: ${JSON.stringify(answer)}`);
}
