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

import type { DeviationId } from '../../lab/deviations/deviation-ids.generated.ts';
import { handlers } from '../areas/all-handlers.ts';
import { events } from '../areas/events.ts';
import { runOfProcess } from '../client/run.ts';
import { isThisMachine } from '../pipeline/exchange.ts';
import { loadFixture } from '../service/fixture.ts';
import { createSimulator } from '../service/prism.ts';
import { assumptionsOf, type ChoiceSources } from '../service/profile.ts';
import { Service, type ServiceOptions } from '../service/service.ts';
import { type Fetch, fetchOf } from '../transport/fetch.ts';
import { type Listening, listen } from '../transport/node-http.ts';
import type { Coverage } from '../world/coverage.ts';
import type { FixtureName, LargeParameters } from '../world/world-request.ts';
import { checkOptions, type WorldRequest } from '../world/world-request.ts';
import { putThrough, type Through } from './through.ts';
import { type InWorld, inWorldOf, type World, worldOf } from './world.ts';

export type { DeviationId } from '../../lab/deviations/deviation-ids.generated.ts';
export { lossPhases } from '../client/loss-phases.ts';
export type * from '../client/losses-report.ts';
export type { RequestCriteria } from '../control/request-criteria.ts';
export type { Fetch } from '../transport/fetch.ts';
export type { Duration, PastEvent, ScheduledEvent, Time } from '../world/clock.ts';
export type { Coverage } from '../world/coverage.ts';
export type { Explanation, Repair, RepairStep } from '../world/explanation.ts';
export type { Fault, FaultCall, FaultOrder } from '../world/fault.ts';
export type { ActiveFault } from '../world/faults.ts';
export type { JournalEntry, StruckBy } from '../world/journal.ts';
export type * from '../world/rows.ts';
export type { ServiceEvent } from '../world/service-event.ts';
export type { TimedEvent, WorldClock } from '../world/world-clock.ts';
export type { AssumptionChoices, FixtureName, WorldRequest } from '../world/world-request.ts';
export type { ClientTest, LossOptions } from './losses.ts';
export {
  type Adversity,
  type PaginationAdversary,
  paginationAdversary,
} from './pagination-adversary.ts';
export { type RemoteFaultOrder, RemoteMock, type RemoteWorld } from './remote-world.ts';
export type { Alternative, SweepReport, SweepRun } from './sweep.ts';
export type { Through } from './through.ts';
export type { VariationOptions, VariationReport } from './variations.ts';
export type { KnownEvent, World, WorldFaults, WorldRequests } from './world.ts';

/** Options of a mock that its service has as well. */
const ofService = [
  'clock',
  'seed',
  'assumptions',
  'unitCountAlias',
  'gradeHeaders',
  'cors',
  'bodyLimit',
  'idleMs',
  'idPrefix',
  'adminToken',
  'allowHosts',
  'keepSecrets',
] as const satisfies readonly (keyof ServiceOptions)[];

export interface MockOptions
  extends Pick<ServiceOptions, (typeof ofService)[number]>,
    ChoiceSources {
  /** A bundled fixture (`acme`, `empty`, `basic-plan`, `large`), the path of a fixture file, or the fixture itself. */
  readonly fixture?: FixtureName | object | undefined;
  readonly parameters?: LargeParameters | undefined;
  /** OpenAPI document that answers everything that the contract does not model. */
  readonly description?: string | undefined;
  /** Ids of deviations that are switched on in every world. */
  readonly deviations?: readonly (DeviationId | (string & {}))[] | undefined;
  /**
   * Clients get the answers of the tenant, through a `lockstep proxy`. Default: LOCKSTEP_THROUGH, its
   * address, and LOCKSTEP_THROUGH_WRITES=yes.
   */
  readonly through?: Through | undefined;
}

export interface StartOptions extends MockOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /**
   * PEM texts; with them the mock speaks HTTPS. Clients trust `ca`, which they find at `/__admin/ca.pem`.
   * Without `ca` they trust the certificate itself.
   */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string } | undefined;
}

export interface Mock extends AsyncDisposable {
  /** Answers any request, the control API included. */
  readonly fetch: Fetch;
  /** With `createMock` it is only a name, until the mock listens. */
  readonly baseUrl: string;
  /**
   * Gives the mock an address on this machine, for a client that accepts no `fetch`. Rejects if it has one
   * already.
   */
  listen(options?: { readonly port?: number }): Promise<Pick<Listening, 'port' | 'baseUrl'>>;
  /** The world for requests that name no world. */
  readonly world: World;
  readonly service: Service;
  createWorld(request?: WorldRequest): Promise<World>;
  /**
   * A test for any runner, with a world of its own: `test('...', mock.inWorld(async (world) => { ... }))`. If
   * the test fails, its error names the refusals of the world and their reasons.
   */
  readonly inWorld: InWorld<World>;
  /** The coverage of the requests to all worlds, deleted worlds included. */
  readonly coverage: Coverage;
  /** How the answers of a tenant differed from the mock's; none unless it is put `through` a proxy. */
  readonly differences: readonly string[];
  /** Resets the default world and drops all others. */
  reset(): void;
  /** Ends all waiting answers. Every later request rejects, over a socket or in-process. */
  close(): Promise<void>;
}

const ofMock = [
  ...['fixture', 'parameters', 'description', 'profile', 'strict', 'deviations', 'through'],
];
const optionNames = [...ofService, ...ofMock];
const startNames = [...optionNames, 'port', 'host', 'tls'];

/** A client that tries to connect there gets an error with this host name, which says what to do. */
const NOWHERE = 'http://no-socket-use-world-fetch-or-startmock.invalid';

/** A mock without a socket. Rejects with a FixtureError or WorldError if it cannot start. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions(options, optionNames, 'A mock');
  // The mock may get an address later. It will be an address of this machine.
  const service = await createService({ ...options, loopbackOnly: true });
  return mockOf(service, await putThrough(service, options.through));
}

/** A mock that listens; by default on a free port of this machine. */
export async function startMock(
  options: StartOptions = {},
): Promise<Mock & Pick<Listening, 'port'>> {
  checkOptions(options, startNames, 'A mock');
  const { port = 0, host = '127.0.0.1', tls } = options;
  const service = await createService({ ...options, loopbackOnly: isThisMachine(host) });
  const differences = await putThrough(service, options.through);
  const listening = await listen(service, { port, host, tls });
  const mock = mockOf(service, differences, listening);
  return Object.assign(mock, { port: listening.port });
}

export async function createService(
  options: MockOptions & Pick<StartOptions, 'tls'> & Pick<ServiceOptions, 'loopbackOnly'> = {},
): Promise<Service> {
  const { fixture = 'acme', parameters, description, tls, profile, strict, ...rest } = options;
  const catalogue = () => import('../../lab/areas/catalogue.ts');
  const run = runOfProcess();
  const { assumptions, deviation = [] } = run?.order ?? {};
  const deviations = [deviation, options.deviations ?? []].flat();
  const service = new Service({
    ...rest,
    assumptions: { ...assumptions, ...(await assumptionsOf(options)) },
    areas: { handlers, events, catalogue },
    fixture: await loadFixture(fixture, parameters),
    loadAgain: () => loadFixture(fixture, parameters),
    ...(await createSimulator(description)),
    deviations: deviations.length > 0 ? (await catalogue()).deviationsOf(deviations) : [],
    authority: tls?.ca ?? tls?.cert,
  });
  run?.follow(service);
  return service;
}

function mockOf(service: Service, differences: readonly string[], at?: Listening): Mock {
  let listening = at === undefined ? undefined : Promise.resolve(at);
  let baseUrl = at?.baseUrl ?? NOWHERE;
  const origin = () => baseUrl;
  const close = async () => {
    service.closed = true;
    for (const world of service.worlds.values()) world.faults.release();
    // If the mock could not listen, the caller of `listen` already has the error.
    await (await listening?.catch(() => undefined))?.close();
  };
  const createWorld = async (request?: WorldRequest) =>
    worldOf(service, await service.createWorld(request), origin);
  return {
    fetch: fetchOf(service, baseUrl),
    get baseUrl() {
      return baseUrl;
    },
    async listen({ port = 0 } = {}) {
      if (listening !== undefined) throw new Error(`The mock listens already, at ${baseUrl}`);
      listening = listen(service, { port, host: '127.0.0.1' });
      const found = await listening.catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
      baseUrl = found.baseUrl;
      return found;
    },
    service,
    get world() {
      return worldOf(service, service.defaultWorld, origin);
    },
    createWorld,
    inWorld: inWorldOf(createWorld),
    get coverage() {
      return service.coverage();
    },
    differences,
    reset: () => service.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
