/** A world of a mock in another process, moved through the control API. */
import type { Fetch } from '../transport/fetch.ts';
import { timeOf } from '../world/clock.ts';
import type { Duration, FaultOrder, Time, TimedEvent, WorldRequest } from './index.ts';

/** A fault without what only code in the mock's own process can decide. */
export type RemoteFaultOrder = Omit<FaultOrder, 'when' | 'onStrike'>;

/** What a request is found by; what is left out does not matter. */
export interface RequestCriteria {
  /** Null for a request that matched none. */
  readonly operation?: string | null;
  readonly method?: string;
  /** Without the world's prefix, and without the query. */
  readonly path?: string;
  /** Status of the answer. */
  readonly status?: number;
  /** Name of the credential, such as `admin`; null for a request that had none of this world's. */
  readonly credential?: string | null;
}

/** One isolated tenant. Its parts have the names of the `World` of `lockstep/mock`; each step is a promise. */
export interface RemoteWorld extends AsyncDisposable {
  readonly id: string;
  /** Reaches the world by its credentials. */
  readonly baseUrl: string;
  /** Names the world for requests without a credential as well. */
  readonly prefixedBaseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Answers as the world's administrator where a request has no Authorization header. */
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
    /** Calls all faults off, and ends what they delay or stall. */
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

/** The control API has refused, or has answered what it never should. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;

  constructor(call: string, status: number, reason: string) {
    super(`${call} was answered ${status}: ${reason}`);
    this.status = status;
  }
}

type Answer = Readonly<Record<string, unknown>>;

/** Calls the control API; `path` is taken from `/__admin/`. Rejects with a ControlError. */
export type Control = (method: string, path: string, body?: object) => Promise<Answer>;

export function controlOf(adminUrl: string, token: string, fetch: Fetch): Control {
  return async (method, path, body) => {
    const call = `${method} ${adminUrl}/${path}`;
    const response = await fetch(`${adminUrl}/${path}`, {
      method,
      headers: { 'Lockstep-Admin-Token': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = readObject(text);
    if (!response.ok) throw new ControlError(call, response.status, String(answer?.error ?? text));
    if (answer === undefined) throw new ControlError(call, response.status, `no object: ${text}`);
    return answer;
  };
}

/** Makes a world. Rejects with a ControlError. */
export async function makeWorld(
  control: Control,
  fetch: Fetch,
  request: WorldRequest = {},
): Promise<RemoteWorld> {
  return remoteWorld(control, fetch, await control('POST', 'worlds', request));
}

function remoteWorld(control: Control, fetch: Fetch, answer: Answer): RemoteWorld {
  const world = readWorld(answer);
  const at = `worlds/${world.id}`;
  const drop = async () => {
    await control('DELETE', at).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  };
  return {
    ...world,
    fetch: (input, init) => {
      const url =
        typeof input === 'string' && input.startsWith('/')
          ? `${world.prefixedBaseUrl}${input}`
          : input;
      const request = new Request(url, init);
      if (!request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${world.credentials.admin}`);
      }
      return fetch(request);
    },
    clock: {
      now: async () => Date.parse(text(await control('GET', `${at}/clock`), 'now')),
      freeze: async (now) =>
        void (await control('PUT', `${at}/clock`, { now: iso(now), frozen: true })),
      run: async (now) =>
        void (await control('PUT', `${at}/clock`, { now: iso(now), frozen: false })),
      advance: async (by) => void (await control('POST', `${at}/clock/advance`, by)),
    },
    faults: {
      add: async (order) => text(await control('POST', `${at}/faults`, order), 'id'),
      clear: async () => void (await control('DELETE', `${at}/faults`)),
    },
    requests: {
      count: async (criteria = {}) => {
        const { count } = await control('POST', `${at}/requests/count`, criteria);
        return Number(count);
      },
      find: async (criteria = {}) => {
        const { requests } = await control('POST', `${at}/requests/find`, criteria);
        return Array.isArray(requests) ? requests.filter(isObject) : [];
      },
      clear: async () => void (await control('DELETE', `${at}/requests`)),
    },
    assumptions: {
      set: async (choices) => void (await control('PUT', `${at}/assumptions`, choices)),
    },
    reset: async () => void (await control('POST', `${at}/reset`)),
    snapshot: async () => text(await control('POST', `${at}/snapshots`), 'id'),
    restore: async (snapshot) => {
      await control('POST', `${at}/snapshots/${encodeURIComponent(snapshot)}/restore`);
    },
    fork: async (id) => remoteWorld(control, fetch, await control('POST', `${at}/fork`, { id })),
    emit: (event) => control('POST', `${at}/events`, event),
    delete: drop,
    [Symbol.asyncDispose]: drop,
  };
}

function isGone(error: unknown): boolean {
  if (error instanceof ControlError) return error.status === 404;
  const cause = error instanceof TypeError ? error.cause : undefined;
  return isObject(cause) && cause.code === 'UND_ERR_DESTROYED';
}

function readWorld(answer: Answer) {
  const { credentials, bindings } = answer;
  if (!isObject(credentials) || !isObject(bindings)) {
    throw new TypeError(`the control API described no world: ${JSON.stringify(answer)}`);
  }
  return {
    id: text(answer, 'id'),
    baseUrl: text(answer, 'baseUrl'),
    prefixedBaseUrl: text(answer, 'prefixedBaseUrl'),
    credentials: Object.fromEntries(
      Object.keys(credentials).map((name) => [name, text(credentials, name)]),
    ),
    bindings,
  };
}

function text(answer: Answer, field: string): string {
  const value = answer[field];
  if (typeof value === 'string') return value;
  throw new TypeError(`the control API gave no ${field}: ${JSON.stringify(answer)}`);
}

/** An object from JSON, an empty one where there is nothing; undefined where it is something else. */
function readObject(json: string): Answer | undefined {
  try {
    const value: unknown = json === '' ? {} : JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function iso(time: Time | undefined): string | undefined {
  return time === undefined ? undefined : new Date(timeOf(time)).toISOString();
}
