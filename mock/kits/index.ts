/**
 * The mock in a test process: `createMock()` answers fetch calls without a socket, `startMock()`
 * also listens. Both are disposable.
 *
 * ```ts
 * await using mock = await createMock();
 * const world = await mock.createWorld();
 * const response = await world.fetch('/api/v1/deployments');
 * ```
 */

import type { Deviation } from '../deviations/deviation.ts';
import { type LargeParameters, loadFixture } from '../service/fixture.ts';
import { createSimulator } from '../service/prism.ts';
import { checkOptions, namesOf, Service, type WorldRequest } from '../service/service.ts';
import { type Fetch, fetchOf } from '../transport/fetch.ts';
import { type Listening, listen } from '../transport/node-http.ts';
import type { Assumptions } from '../world/assumptions.ts';
import type { Coverage } from '../world/coverage.ts';
import type { Fault, FaultOrder } from '../world/fault.ts';
import type { ActiveFault } from '../world/faults.ts';
import type { Journal } from '../world/journal.ts';
import type { State } from '../world/state.ts';
import type { World as Core } from '../world/world.ts';
import { emitTimed, settle, type TimedEvent, WorldClock } from '../world/world-clock.ts';
import {
  type CampaignOptions,
  type CampaignReport,
  type CampaignTest,
  runCampaign,
  type Stage,
} from './campaign.ts';

export type { WorldRequest } from '../service/service.ts';
export type { Fetch } from '../transport/fetch.ts';
export type { Duration, Time } from '../world/clock.ts';
export type { Coverage } from '../world/coverage.ts';
export type { Explanation } from '../world/explanation.ts';
export type { Fault, FaultCall, FaultOrder } from '../world/fault.ts';
export type { ActiveFault } from '../world/faults.ts';
export type { JournalEntry, StruckBy } from '../world/journal.ts';
export type { PastEvent, ScheduledEvent } from '../world/schedule.ts';
export type { ServiceEvent } from '../world/service-event.ts';
export type { TimedEvent, WorldClock } from '../world/world-clock.ts';
export {
  type CampaignFinding,
  type CampaignOptions,
  type CampaignOutcome,
  type CampaignReport,
  type CampaignRequest,
  type CampaignRun,
  type CampaignTest,
  campaignPhases,
} from './campaign.ts';
export {
  type Adversity,
  type PaginationAdversary,
  paginationAdversary,
} from './pagination-adversary.ts';

export interface MockOptions {
  /** A bundled fixture (`acme`, `empty`, `basic-plan`, `large`) or the path of a fixture file. */
  readonly fixture?: string | undefined;
  readonly parameters?: LargeParameters | undefined;
  /** ISO 8601: freezes the clock of every world that is given none. */
  readonly clock?: string | undefined;
  readonly seed?: number | undefined;
  /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`. */
  readonly assumptions?: Readonly<Record<string, string>> | undefined;
  /** OpenAPI document from which all is answered that the contract does not model. */
  readonly description?: string | undefined;
  readonly unitCountAlias?: string | undefined;
  /** Send Lockstep-Basis and Lockstep-World (default true). */
  readonly gradeHeaders?: boolean | undefined;
  readonly adminToken?: string | undefined;
  /** Ids of deviations that every world makes. */
  readonly deviations?: readonly string[] | undefined;
  /** Largest body that is read, bytes (default 1 MiB). */
  readonly bodyLimit?: number | undefined;
}

export interface StartOptions extends MockOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** PEM texts; with them the mock speaks HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/** The faults of a world. */
export interface WorldFaults {
  /** Orders a fault. Throws a FaultError where there is no such fault; then nothing was ordered. */
  add(order: FaultOrder): Fault;
  list(): ActiveFault[];
  /** Calls one off by its id, and ends what it delays or stalls; false where it was over already. */
  remove(id: string): boolean;
  /** Calls all faults off, and ends what they delay or stall. */
  clear(): void;
  /**
   * Runs a client's test once for each request that it makes and each way of losing it, in forks of
   * this world; rejects where the test fails without a fault. The client must use the world that the
   * test is handed.
   */
  campaign(test: CampaignTest<World>, options?: CampaignOptions): Promise<CampaignReport>;
}

/** One isolated tenant. */
export interface World extends Disposable {
  readonly id: string;
  /**
   * Names the world for requests without a credential as well. Of `createMock` it is a name only: this
   * world's `fetch` and the mock's answer at it, the global one finds nobody there.
   */
  readonly baseUrl: string;
  /** Answers as the world's administrator where a request has no Authorization header. */
  readonly fetch: Fetch;
  /**
   * A fetch that signs with another credential, by its name; null adds none, so that a client which
   * forgets its own is refused as it would be there. What a request has itself always counts. Throws
   * where the world has no such credential.
   */
  fetchAs(credential: string | null): Fetch;
  readonly credentials: Readonly<Record<string, string>>;
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
  emit(event: TimedEvent): Record<string, unknown>;
}

export interface Mock extends AsyncDisposable {
  /** Answers any request, the control API included. */
  readonly fetch: Fetch;
  readonly baseUrl: string;
  /** The world that requests reach that name none. */
  readonly world: World;
  readonly service: Service;
  createWorld(request?: WorldRequest): Promise<World>;
  /** What the requests of all worlds have met, those that are gone included. */
  readonly coverage: Coverage;
  /** Resets the default world and drops all others. */
  reset(): void;
  /** Ends what waits; a request after that rejects, whichever way it comes. */
  close(): Promise<void>;
}

const optionNames = namesOf<MockOptions>({
  fixture: true,
  parameters: true,
  clock: true,
  seed: true,
  assumptions: true,
  description: true,
  unitCountAlias: true,
  gradeHeaders: true,
  adminToken: true,
  deviations: true,
  bodyLimit: true,
});
const startNames = [...optionNames, 'port', 'host', 'tls'];

const NOWHERE = 'http://localhost';

/** A mock without a socket. Rejects with a FixtureError or WorldError where it cannot start. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions(options, optionNames, 'A mock');
  const service = await createService(options);
  return mockOf(service, NOWHERE, async () => {});
}

/** A mock that listens, on a free port of this machine unless told otherwise. */
export async function startMock(
  options: StartOptions = {},
): Promise<Mock & Pick<Listening, 'port'>> {
  checkOptions(options, startNames, 'A mock');
  const service = await createService(options);
  const { port = 0, host = '127.0.0.1', tls } = options;
  const listening = await listen(service, { port, host, tls });
  const mock = mockOf(service, listening.baseUrl, () => listening.close());
  return Object.assign(mock, { port: listening.port });
}

export async function createService(
  options: MockOptions & Pick<StartOptions, 'tls'> = {},
): Promise<Service> {
  const simulator = await createSimulator(options.description);
  return new Service({
    fixture: await loadFixture(options.fixture ?? 'acme', options.parameters),
    clock: options.clock,
    seed: options.seed,
    assumptions: options.assumptions,
    unitCountAlias: options.unitCountAlias,
    gradeHeaders: options.gradeHeaders,
    simulate: simulator.simulate,
    describes: options.description === undefined ? undefined : simulator.describes,
    bodyLimit: options.bodyLimit,
    deviations: await loadDeviations(options.deviations),
    adminAccess: options.adminToken === undefined ? {} : { token: options.adminToken },
    authority: options.tls?.cert,
  });
}

async function loadDeviations(ids: readonly string[] | undefined): Promise<readonly Deviation[]> {
  if (ids === undefined || ids.length === 0) return [];
  const { deviationsOf } = await import('../service/catalogue.ts');
  return deviationsOf(ids);
}

function mockOf(service: Service, baseUrl: string, end: () => Promise<void>): Mock {
  const close = () => {
    service.closed = true;
    for (const world of service.worlds.values()) world.faults.release();
    return end();
  };
  return {
    fetch: fetchOf(service, baseUrl),
    baseUrl,
    service,
    get world() {
      return worldOf(service, service.defaultWorld, baseUrl);
    },
    createWorld: async (request) => worldOf(service, await service.createWorld(request), baseUrl),
    get coverage() {
      return service.coverage();
    },
    reset: () => service.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function worldOf(service: Service, core: Core, origin: string): World {
  const baseUrl = `${origin}/w/${core.id}`;
  const fetchAs = (credential: string | null): Fetch => {
    const known = Object.keys(core.credentials);
    if (credential !== null && !known.includes(credential)) {
      throw new Error(`the world has no credential ${credential}; it has ${known.join(', ')}`);
    }
    const signed = credential === null ? undefined : core.credential(credential);
    return rooted(fetchOf(service, baseUrl, signed), baseUrl);
  };
  const stage = (): Stage<World> => {
    const world = service.forkWorld(core);
    return {
      world,
      origin: core,
      handle: worldOf(service, world, origin),
      end() {
        world.faults.release();
        service.deleteWorld(world);
      },
    };
  };
  return {
    id: core.id,
    baseUrl,
    fetch: rooted(fetchOf(service, baseUrl, core.credential('admin')), baseUrl),
    fetchAs,
    get credentials() {
      return core.credentials;
    },
    bindings: service.fixtureOf(core).bindings(core.startedAt),
    clock: new WorldClock(core),
    faults: {
      add: (order) => core.faults.add(order),
      list: () => core.faults.list(),
      remove: (id) => core.faults.remove(id),
      clear: () => core.faults.clear(),
      campaign: (test, options) => runCampaign(stage, test, options),
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
    [Symbol.dispose]() {
      if (core === service.defaultWorld) return;
      core.faults.release();
      service.deleteWorld(core);
    },
  };
}

/** A path such as /api/v1/deployments is taken from the world's root, not from the host's. */
function rooted(reach: Fetch, baseUrl: string): Fetch {
  return (input, init) =>
    reach(typeof input === 'string' && input.startsWith('/') ? `${baseUrl}${input}` : input, init);
}
