/** One isolated tenant of a mock in this process. */
import type { EventName } from '../areas/events.ts';
import type { Service } from '../service/service.ts';
import { type Fetch, fetchOf } from '../transport/fetch.ts';
import type { Assumptions } from '../world/assumptions.ts';
import type { Coverage } from '../world/coverage.ts';
import type { Fault, FaultOrder } from '../world/fault.ts';
import type { ActiveFault } from '../world/faults.ts';
import type { Journal } from '../world/journal.ts';
import type { State } from '../world/state.ts';
import type { World as Core } from '../world/world.ts';
import { emitTimed, settle, type TimedEvent, WorldClock } from '../world/world-clock.ts';
import { type CampaignOptions, type CampaignTest, runCampaign } from './campaign.ts';
import type { CampaignReport } from './campaign-report.ts';
import { append, describeFailures } from './describe.ts';

/** The faults of a world. */
export interface WorldFaults {
  /** Adds a fault. Throws a FaultError where there is no such fault; then none was added. */
  add(order: FaultOrder): Fault;
  list(): ActiveFault[];
  /** Removes one by its id, and ends what it delays or stalls; false where it was over already. */
  remove(id: string): boolean;
  /** Removes all faults, and ends what they delay or stall. */
  clear(): void;
  /**
   * Runs a client's test once for each request that it makes and each way of losing it, in forks of
   * this world; rejects where the test fails without a fault. The client must use the world that the
   * test is handed.
   */
  campaign(test: CampaignTest<World>, options?: CampaignOptions): Promise<CampaignReport>;
}

/** An event whose type there is; where only the program knows the type, the world looks at it. */
export type KnownEvent<Type extends string> = TimedEvent & {
  readonly type: Type;
} & (string extends Type ? unknown : { readonly type: EventName });

/** Values to send, by name. Every bundled fixture has `admin`. */
export interface Credentials {
  readonly admin: string;
  readonly [name: string]: string;
}

/** A credential of the fixture `acme`, which an editor completes, or of another one. */
export type CredentialName =
  | ('admin' | 'member' | 'scoped' | 'oauth' | 'memberOauth')
  | ('embed' | 'adminEmbed' | 'scim' | 'expired' | 'expiredOauth' | 'expiredScim')
  | (string & {});

/** One isolated tenant. */
export interface World extends Disposable {
  readonly id: string;
  /** Of the mock that it is a world of. */
  readonly service: Service;
  /**
   * Names the world for requests without a credential as well. With `createMock` it is a name only:
   * this world's `fetch` and the mock's answer at it, the global `fetch` does not reach it.
   */
  readonly baseUrl: string;
  /** Adds the admin key if the request has no Authorization header. */
  readonly fetch: Fetch;
  /**
   * A fetch that adds another credential, by its name, if the request has none. Null adds none, so that
   * a client that forgets its credential gets a 401. Throws where the world has no such credential.
   */
  fetchAs(credential: CredentialName | null): Fetch;
  readonly credentials: Credentials;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly clock: WorldClock;
  readonly faults: WorldFaults;
  readonly requests: Journal;
  /** What its requests have met since its start. */
  readonly coverage: Coverage;
  readonly state: State;
  readonly assumptions: Assumptions;
  reset(): void;
  /** Saves state, time, randomness and faults; the id is for `restore`. */
  snapshot(): string;
  /** Returns to a snapshot. Throws where there is none of that id. */
  restore(snapshot: string): void;
  /** A copy that goes its own way from here, faults included, with a journal of its own. */
  fork(id?: string): World;
  /** Lets something happen on the service's side: now, `at` a time of the world, or `in` a while. */
  emit<Type extends string>(event: KnownEvent<Type>): Record<string, unknown>;
  /**
   * Appends to the error of a failed test what the world refused, and why, and what faults, events
   * and adversaries did. `lockstep/vitest` and `mock.inWorld` do it by themselves.
   */
  explain<Failure>(error: Failure): Failure;
}

/** A world of a service as code in its process uses it. `origin` is where the service answers. */
export function worldOf(service: Service, core: Core, origin: string): World {
  const baseUrl = `${origin}/w/${core.id}`;
  const { defaultWorld } = service;
  const earlier = defaultWorld.journal.recorded;
  let bindings: Record<string, unknown> | undefined;
  const fetchAs = (credential: string | null): Fetch => {
    const known = Object.keys(core.credentials);
    if (credential !== null && !known.includes(credential)) {
      throw new Error(`the world has no credential ${credential}; it has ${known.join(', ')}`);
    }
    const signed = credential === null ? undefined : core.credential(credential);
    return fetchOf(service, baseUrl, signed);
  };
  const forkForRun = () => {
    const world = service.forkWorld(core);
    return { world, handle: worldOf(service, world, origin) };
  };
  return {
    id: core.id,
    service,
    baseUrl,
    fetch: fetchOf(service, baseUrl, core.credential('admin')),
    fetchAs,
    get credentials() {
      return core.credentials as Credentials;
    },
    get bindings() {
      bindings ??= core.bindings;
      return bindings;
    },
    clock: new WorldClock(core),
    faults: {
      add: (order) => core.faults.add(order),
      list: () => core.faults.list(),
      remove: (id) => core.faults.remove(id),
      clear: () => core.faults.clear(),
      campaign: (test, options) => runCampaign(core, forkForRun, test, options),
    },
    requests: core.journal,
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
    reset: () => core.reset(),
    snapshot: () => core.snapshot().id,
    restore(snapshot) {
      if (!core.restore(snapshot)) throw new Error(`there is no snapshot ${snapshot}`);
    },
    fork: (id) => worldOf(service, service.forkWorld(core, id), origin),
    emit: (event) => emitTimed(core, event),
    explain(error) {
      const others = core === defaultWorld ? [] : defaultWorld.journal.list();
      const since = others.filter(({ id }) => id > earlier);
      return append(error, describeFailures(core.journal, since));
    },
    [Symbol.dispose]() {
      if (core === service.defaultWorld) return;
      core.faults.release();
      service.deleteWorld(core);
    },
  };
}
