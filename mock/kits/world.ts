/** One isolated tenant of a mock in this process. */
import type { FixtureInput } from '../../fixtures/format.ts';
import { fixtureOf } from '../../fixtures/from-world.ts';
import { controlOf } from '../../spec/base/control-client.ts';
import type { EventFieldsByType, EventName } from '../areas/events.ts';
import type { LossReport } from '../client/losses-report.ts';
import { repairsOf } from '../control/repair.ts';
import { findRequests, type RequestCriteria } from '../control/request-criteria.ts';
import type { Service } from '../service/service.ts';
import { type Fetch, fetchOf } from '../transport/fetch.ts';
import type { Assumptions } from '../world/assumptions.ts';
import { changesOf, type RowChange } from '../world/changes.ts';
import type { Coverage } from '../world/coverage.ts';
import type { Faults } from '../world/faults.ts';
import type { Journal, JournalEntry } from '../world/journal.ts';
import type { State } from '../world/state.ts';
import type { World as Core } from '../world/world.ts';
import { emitTimed, settle, type TimedEvent, WorldClock } from '../world/world-clock.ts';
import type { AssumptionChoices, WorldRequest } from '../world/world-request.ts';
import type { AnyWorld } from './any-world.ts';
import { append, describeFailures } from './describe.ts';
import { type ClientTest, type LossOptions, loseEach } from './losses.ts';
import { type SweepReport, sweepEach } from './sweep.ts';
import { type VariationOptions, type VariationReport, varyEach } from './variations.ts';

export type WorldFaults = Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>;

/** The requests of a world: its journal, which can be searched. */
export interface WorldRequests extends Journal {
  /** The requests that fit. Throws for criteria that no request can meet. */
  find(criteria?: RequestCriteria): JournalEntry[];
  count(criteria?: RequestCriteria): number;
}

/** The choices of a world at the silences of the contract. */
export interface WorldAssumptions extends Omit<Assumptions, 'set'> {
  /** Switches choices; throws, and changes nothing, if one of them does not exist. */
  set(choices: AssumptionChoices): void;
}

interface OfEvery extends Pick<TimedEvent, 'at' | 'in'> {
  /** Deployment 1 if neither is given. */
  readonly deployment?: string | number;
  readonly deploymentId?: string | number;
}

/** An event with its fields. If its type is known only at run time, the world checks the fields. */
export type KnownEvent<Type extends string> = {
  readonly type: string extends Type ? Type : Type extends EventName ? Type : EventName;
} & (Type extends EventName ? OfEvery & EventFieldsByType[Type] : TimedEvent);

/** Values to send, by name. Every bundled fixture has `admin`. */
export interface Credentials {
  readonly admin: string;
  readonly [name: string]: string;
}

/** A credential of the fixture `acme`, which an editor completes, or of another fixture. */
export type CredentialName =
  | ('admin' | 'member' | 'scoped' | 'oauth' | 'memberOauth')
  | ('embed' | 'adminEmbed' | 'scim' | 'expired' | 'expiredOauth' | 'expiredScim')
  | (string & {});

/** One isolated tenant. */
export interface World extends Disposable {
  readonly id: string;
  /** The address of the mock that has this world. */
  readonly service: Service;
  /**
   * This address also names the world for requests without a credential. With `createMock` it is only a name:
   * the `fetch` of this world and of the mock answer there. The global `fetch` reaches it after
   * `mock.listen()`.
   */
  readonly baseUrl: string;
  /** Adds the admin key if the request has no Authorization header. */
  readonly fetch: Fetch;
  /**
   * A fetch that adds another credential, by its name, if the request has none. Null adds none, so that
   * a client that forgets its credential gets a 401. Throws if the world has no such credential.
   */
  fetchAs(credential: CredentialName | null): Fetch;
  readonly credentials: Credentials;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly clock: WorldClock;
  readonly faults: WorldFaults;
  readonly requests: WorldRequests;
  /** The coverage of its requests since its start. */
  readonly coverage: Coverage;
  readonly state: State;
  readonly assumptions: WorldAssumptions;
  /** The rows that differ from its start. */
  changes(): RowChange[];
  /**
   * The world as a fixture, for a file or another world. The other world gives the same answers as this one
   * does now, at the same time and with the same choices.
   */
  toFixture(): FixtureInput;
  reset(): void;
  /** Saves state, time, randomness and faults; the id is for `restore`. */
  snapshot(): string;
  /** Returns to a snapshot. Throws if no snapshot has that id. */
  restore(snapshot: string): void;
  /** A separate copy, faults included, with a journal of its own. */
  fork(id?: string): World;
  /**
   * Lets something happen on the service's side: now, `at` a time of the world, or after the duration `in`.
   */
  emit<Type extends EventName | (string & {})>(event: KnownEvent<Type>): Record<string, unknown>;
  /**
   * Appends to the error of a failed test the refusals of the world, with their reasons, and the effects of
   * faults, events and adversaries. `lockstep/vitest` and `mock.inWorld` do it by themselves.
   */
  explain<Failure>(error: Failure): Failure;
  /**
   * Runs a client's test once for each request that it makes and each way of losing it, in forks of this
   * world; rejects if the test fails without a fault. The client must use the world that the test gets.
   */
  losses(test: ClientTest<World>, options?: LossOptions): Promise<LossReport>;
  /**
   * Runs a client's test, and again under each alternative of every silence that its answers rested
   * on; rejects if the test fails under the mock's assumptions.
   */
  sweep(test: (world: World) => unknown): Promise<SweepReport>;
  /**
   * Finds the breaches that a client's test would notice: runs the test again for each promise that it meets,
   * with that promise broken. Every run goes through a fork of this world. Rejects if the test fails by
   * itself.
   */
  mutants(test: ClientTest<World>, options?: VariationOptions): Promise<VariationReport>;
  /** All three in one report, as `lockstep client` makes it: alternatives, losses and broken promises. */
  variations(test: ClientTest<World>, options?: VariationOptions): Promise<VariationReport>;
}

/** A credential by its name. Throws if no credential has that name. */
export function credentialOf(credentials: Readonly<Record<string, string>>, name: string): string {
  const credential = credentials[name];
  if (credential !== undefined) return credential;
  const known = Object.keys(credentials).join(', ');
  throw new Error(`the world has no credential ${name}; it has ${known}`);
}

/** A test for any runner. It makes its own world, and explains its failure. */
export type InWorld<Handle> = <Given extends unknown[]>(
  body: (world: Handle, ...given: Given) => unknown,
  request?: WorldRequest,
) => (...given: Given) => Promise<void>;

export function inWorldOf<Handle extends AnyWorld>(
  createWorld: (request?: WorldRequest) => Promise<Handle>,
): InWorld<Handle> {
  return (body, request) =>
    async (...given) => {
      await using world = await createWorld(request);
      try {
        await body(world, ...given);
      } catch (error) {
        throw await world.explain(error);
      }
    };
}

/** A world for code in the service's own process. `origin` gives the present address of the service. */
export function worldOf(service: Service, core: Core, origin: () => string): World {
  const baseUrl = `${origin()}/w/${core.id}`;
  const { defaultWorld } = service;
  const earlier = defaultWorld.journal.recorded;
  const fetchAs = (credential: string | null): Fetch => {
    const signed = credential === null ? undefined : credentialOf(core.credentials, credential);
    return fetchOf(service, baseUrl, signed);
  };
  const control = controlOf(`${origin()}/__admin`, service.options.adminToken, async (request) => {
    const { url, body = null, ...rest } = request;
    const answer = await fetchOf(service, origin())(url, { ...rest, body });
    return { status: answer.status, text: await answer.text() };
  });
  const open = ({ id }: { readonly id: string }): World => {
    const made = service.worlds.get(id);
    if (made === undefined) throw new Error(`there is no world ${id}`);
    return worldOf(service, made, origin);
  };
  const { journal } = core;
  const find = (criteria: RequestCriteria = {}) =>
    findRequests(criteria, core.credentials, journal.list());
  const world: World = {
    id: core.id,
    service,
    get baseUrl() {
      return `${origin()}/w/${core.id}`;
    },
    fetch: fetchOf(service, baseUrl, core.credential('admin')),
    fetchAs,
    get credentials() {
      return core.credentials as Credentials;
    },
    get bindings() {
      return core.bindings;
    },
    clock: new WorldClock(core),
    faults: core.faults,
    requests: Object.assign(journal, {
      find,
      count: (criteria?: RequestCriteria) => find(criteria).length,
    }),
    get coverage() {
      return core.coverage.toCoverage();
    },
    get state() {
      settle(core);
      return core.state;
    },
    get assumptions() {
      return core.assumptions;
    },
    changes() {
      settle(core);
      return changesOf(core.state);
    },
    toFixture: () => fixtureOf(core),
    reset: () => core.reset(),
    snapshot: () => core.snapshot().id,
    restore(snapshot) {
      if (!core.restore(snapshot)) throw new Error(`there is no snapshot ${snapshot}`);
    },
    fork: (id) => worldOf(service, service.forkWorld(core, id), origin),
    emit: (event) => emitTimed(core, event as TimedEvent),
    explain(error) {
      const others = core === defaultWorld ? [] : defaultWorld.journal.list();
      const since = others.filter(({ id }) => id > earlier);
      const repairsFor = (entry: JournalEntry) => repairsOf(service, core, entry);
      return append(error, describeFailures(core.journal, since, repairsFor));
    },
    losses: (test, options) => loseEach(world, test, options),
    sweep: (test) => sweepEach(world, test),
    mutants: (test, options) => world.variations(test, { ...options, kinds: ['mutant'] }),
    variations: (test, options) => varyEach(world, { control, open }, test, options),
    [Symbol.dispose]() {
      if (core === service.defaultWorld) return;
      core.faults.release();
      service.deleteWorld(core);
    },
  };
  return world;
}
