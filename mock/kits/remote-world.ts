/** A mock in another process, and its worlds, reached through the control API. */
import type { Agent } from 'undici';
import type { FixtureInput } from '../../fixtures/format.ts';
import {
  type Control,
  ControlError,
  controlOf,
  type ToldWorld,
  worldBy,
} from '../../spec/base/control-client.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import type { EventName } from '../areas/events.ts';
import type { LossReport } from '../client/losses-report.ts';
import { undici } from '../transport/dispatcher.ts';
import type { Fetch } from '../transport/fetch.ts';
import type { Assumption } from '../world/assumptions.ts';
import type { RowChange } from '../world/changes.ts';
import { type Duration, type Time, timeOf } from '../world/clock.ts';
import type { Coverage } from '../world/coverage.ts';
import type { Repair } from '../world/explanation.ts';
import type { Fault, FaultOrder } from '../world/fault.ts';
import type { ActiveFault } from '../world/faults.ts';
import { type JournalEntry, withBodies } from '../world/journal.ts';
import type { WorldRequest } from '../world/world-request.ts';
import { append, describeFailures, refusedAndPrinted } from './describe.ts';
import { type ClientTest, type LossOptions, loseEach } from './losses.ts';
import { type SweepReport, sweepEach } from './sweep.ts';
import { type VariationOptions, type VariationReport, varyEach } from './variations.ts';
import {
  type Credentials,
  credentialOf,
  inWorldOf,
  type KnownEvent,
  type World,
  type WorldAssumptions,
  type WorldFaults,
  type WorldRequests,
} from './world.ts';

/** A fault without `when`, because that function runs only in the mock's own process. */
export type RemoteFaultOrder = Omit<FaultOrder, 'when'>;

/** A value of this process is there at once; a value of another process comes later. */
type Later<Part> = Part extends (...given: infer Given) => infer Result
  ? (...given: Given) => Promise<Awaited<Result>>
  : Promise<Part>;
type Remote<Parts> = { readonly [Name in keyof Parts]: Later<Parts[Name]> };

/**
 * One isolated tenant. Code for the `World` of `lockstep/mock` works with this one if each step has an
 * `await`. Members that only a world in this process can have are left out.
 */
export interface RemoteWorld
  extends AsyncDisposable,
    Remote<Pick<World, 'changes' | 'coverage' | 'reset' | 'restore' | 'snapshot' | 'toFixture'>>,
    Pick<World, 'bindings' | 'credentials' | 'fetchAs' | 'id'> {
  /** Reaches the world by its credentials. */
  readonly baseUrl: string;
  /** This address also names the world for requests without a credential. */
  readonly prefixedBaseUrl: string;
  /** Takes a path from the world's root, and adds the admin key if the request has no Authorization header. */
  readonly fetch: Fetch;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): Promise<number>;
    freeze(at?: Time): Promise<void>;
    run(from?: Time): Promise<void>;
    advance(by: Duration): Promise<void>;
  };
  readonly faults: Remote<Omit<WorldFaults, 'add'>> & {
    add(order: RemoteFaultOrder): Promise<Fault>;
  };
  /** As the control API sends them, with secrets hidden in their texts. */
  readonly requests: Remote<
    Pick<
      WorldRequests,
      'clear' | 'count' | 'dropped' | 'find' | 'get' | 'last' | 'list' | 'notes' | 'recorded'
    >
  >;
  readonly assumptions: Remote<Pick<WorldAssumptions, 'choice' | 'list' | 'set'>>;
  fork(id?: string): Promise<RemoteWorld>;
  /**
   * Lets something happen on the service's side: now, `at` a time of the world, or after the duration `in`.
   */
  emit<Type extends EventName | (string & {})>(
    event: KnownEvent<Type>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Appends the refusals of the world, with their reasons, to the error of a failed test. */
  explain<Failure>(error: Failure): Promise<Failure>;
  losses(test: ClientTest<RemoteWorld>, options?: LossOptions): Promise<LossReport>;
  sweep(test: (world: RemoteWorld) => unknown): Promise<SweepReport>;
  mutants(test: ClientTest<RemoteWorld>, options?: VariationOptions): Promise<VariationReport>;
  variations(test: ClientTest<RemoteWorld>, options?: VariationOptions): Promise<VariationReport>;
  /** Drops the world. It also succeeds if the world was deleted before, or its container is stopped. */
  delete(): Promise<void>;
}

/**
 * A mock in another process, reached over sockets of its own. Its members have the same names as those of
 * `Mock`.
 */
export class RemoteMock {
  /** Rejects with a ControlError. */
  readonly control: Control;
  readonly #sockets: Agent;

  /** `adminUrl` ends in `/__admin`. `ca` is PEM; without it no HTTPS certificate but a public one is trusted. */
  constructor(adminUrl: string, token?: string, ca?: string) {
    this.#sockets = new (undici().Agent)(ca === undefined ? {} : { connect: { ca } });
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
    const answer = await undici().fetch(request.url, { ...sent, dispatcher: this.#sockets });
    // The class `Response` of undici is not Node's own class, and tests expect Node's.
    return new Response(answer.body, { status: answer.status, headers: [...answer.headers] });
  };

  /** Makes a world. Rejects with a ControlError. */
  async createWorld(request: WorldRequest = {}): Promise<RemoteWorld> {
    return remoteWorld(this, await worldBy(this.control, 'POST', 'worlds', request));
  }

  /**
   * A test for any runner, with a world of its own; the error of a failed test names the world's refusals and
   * their reasons.
   */
  readonly inWorld = inWorldOf<RemoteWorld>((request) => this.createWorld(request));

  /** The coverage of all worlds, deleted ones included. */
  get coverage(): Promise<Coverage> {
    return this.control('GET', 'coverage').then((told) => told as unknown as Coverage);
  }

  /** Resets every world, and drops those made since the start. */
  async reset(): Promise<void> {
    await this.control('POST', 'reset');
  }

  /** Ends its connections. */
  close(): Promise<void> {
    return this.#sockets.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function remoteWorld(mock: RemoteMock, told: ToldWorld): RemoteWorld {
  const call = (method: string, path: string, body?: object) =>
    mock.control(method, `worlds/${told.id}${path}`, body);
  const done = async (method: string, path: string, body?: object): Promise<void> => {
    await call(method, path, body);
  };
  const setClock = (time: Time | undefined, frozen: boolean) => {
    const now = time === undefined ? undefined : new Date(timeOf(time)).toISOString();
    return done('PUT', '/clock', { now, frozen });
  };
  const dropUnlessGone = (error: unknown) => {
    if (!isGone(error)) throw error;
  };
  const drop = () => done('DELETE', '').catch(dropUnlessGone);
  const credentials = told.credentials as Credentials;
  const fetchAs = (credential: string | null): Fetch => {
    const signed = credential === null ? null : credentialOf(credentials, credential);
    return (input, init) => {
      const isPath = typeof input === 'string' && input.startsWith('/');
      const request = new Request(isPath ? `${told.prefixedBaseUrl}${input}` : input, init);
      if (signed !== null && !request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${signed}`);
      }
      return mock.fetch(request);
    };
  };
  const entriesIn = ({ requests }: JsonObject) =>
    Array.isArray(requests) ? requests.filter(isObject).map(entryOf) : [];
  const list = async () => entriesIn(await call('GET', '/requests'));
  const last = async () => entriesIn(await call('GET', '/requests?limit=1'))[0];
  const dropped = async () => Number((await call('GET', '/requests?limit=1')).dropped);
  const notes = async () => (await call('GET', '/requests?limit=1')).notes as string[];
  const assumptions = async () => (await call('GET', '/assumptions')).assumptions as Assumption[];
  const world: RemoteWorld = {
    ...told,
    credentials,
    fetch: fetchAs('admin'),
    fetchAs,
    clock: {
      now: async () => Date.parse(text(await call('GET', '/clock'), 'now')),
      freeze: (at) => setClock(at, true),
      run: (from) => setClock(from, false),
      advance: (by) => done('POST', '/clock/advance', by),
    },
    faults: {
      async add(order) {
        // JSON would leave it out without a message.
        if ((order as FaultOrder).when !== undefined) {
          throw new TypeError('when is a function, which does not reach another process');
        }
        return (await call('POST', '/faults', order)) as unknown as Fault;
      },
      list: async () => (await call('GET', '/faults')).faults as ActiveFault[],
      remove: (id) =>
        done('DELETE', `/faults/${encodeURIComponent(id)}`).then(
          () => true,
          (error: unknown) => {
            dropUnlessGone(error);
            return false;
          },
        ),
      clear: () => done('DELETE', '/faults'),
    },
    requests: {
      get recorded() {
        return last().then((entry) => entry?.id ?? dropped());
      },
      get dropped() {
        return dropped();
      },
      get notes() {
        return notes();
      },
      list,
      last,
      get: async (id) => (await list()).find((entry) => entry.id === id),
      find: async (criteria = {}) => entriesIn(await call('POST', '/requests/find', criteria)),
      count: async (criteria = {}) =>
        Number((await call('POST', '/requests/count', criteria)).count),
      clear: () => done('DELETE', '/requests'),
    },
    get coverage() {
      return call('GET', '/coverage').then((coverage) => coverage as unknown as Coverage);
    },
    assumptions: {
      list: assumptions,
      async choice(id) {
        const found = (await assumptions()).find(({ statement }) => statement === id);
        if (found !== undefined) return found.choice;
        throw new Error(`${id} is not a silent statement`);
      },
      set: (choices) => done('PUT', '/assumptions', choices),
    },
    changes: async () => changesIn(await call('GET', '/diff')),
    toFixture: () => call('GET', '/fixture') as Promise<FixtureInput>,
    reset: () => done('POST', '/reset'),
    snapshot: async () => text(await call('POST', '/snapshots'), 'id'),
    restore: (id) => done('POST', `/snapshots/${encodeURIComponent(id)}/restore`),
    fork: async (id) =>
      remoteWorld(mock, await worldBy(mock.control, 'POST', `worlds/${told.id}/fork`, { id })),
    emit: (event) => call('POST', '/events', event),
    async explain(error) {
      const entries = await list();
      const found = new Map<number, readonly Repair[]>();
      for (const { id } of refusedAndPrinted(entries)) {
        // The journal may have forgotten it by now.
        const { repairs } = await call('GET', `/requests/${id}`).catch(() => ({ repairs: [] }));
        found.set(id, repairs as readonly Repair[]);
      }
      const requests = { list: () => entries, notes: await notes() };
      return append(
        error,
        describeFailures(requests, [], ({ id }) => found.get(id) ?? []),
      );
    },
    losses: (test, options) => loseEach(world, test, options),
    sweep: (test) => sweepEach(world, test),
    mutants: (test, options) => world.variations(test, { ...options, kinds: ['mutant'] }),
    variations: (test, options) =>
      varyEach(
        world,
        { control: mock.control, open: (made) => remoteWorld(mock, made) },
        test,
        options,
      ),
    delete: drop,
    [Symbol.asyncDispose]: drop,
  };
  return world;
}

/** An entry in the form of the journal, from its form in the control API. */
function entryOf(told: JsonObject): JournalEntry {
  const { at, basis, assumed, requestBody, responseBody, changes, ...same } = told;
  const isAssumed = basis === 'assumed' && Array.isArray(assumed);
  const entry = {
    ...same,
    at: Date.parse(String(at)),
    basis: isAssumed ? `assumed; ${assumed.join(', ')}` : basis,
    assumed,
    requestBody: bodyText(requestBody),
    responseBody: bodyText(responseBody),
    changes,
  };
  return withBodies(entry as unknown as JournalEntry);
}

function bodyText(value: unknown): string | null {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function changesIn({ changes }: JsonObject): RowChange[] {
  const byTable = changes as Readonly<
    Record<
      string,
      Record<string, { readonly before: object | null; readonly after: object | null }>
    >
  >;
  return Object.entries(byTable).flatMap(([table, rows]) =>
    Object.entries(rows).map(([key, { before, after }]) => ({
      ...{ table: table as RowChange['table'], key },
      ...{ before: before ?? undefined, after: after ?? undefined },
    })),
  );
}

function isGone(error: unknown): boolean {
  if (error instanceof ControlError) return error.status === 404;
  const cause = error instanceof TypeError ? error.cause : undefined;
  return isObject(cause) && cause.code === 'UND_ERR_DESTROYED';
}

function text(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field];
  if (typeof value === 'string') return value;
  throw new TypeError(`the control API gave no ${field}: ${JSON.stringify(answer)}`);
}
