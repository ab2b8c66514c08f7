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

import { bindings } from '../areas/bindings.ts';
import { events } from '../areas/events.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { loadFixture } from '../service/fixture.ts';
import { createSimulator } from '../service/prism.ts';
import { Service } from '../service/service.ts';
import { type Fetch, fetchOf } from '../transport/fetch.ts';
import { type Listening, listen } from '../transport/node-http.ts';
import type { Coverage } from '../world/coverage.ts';
import type { LargeParameters } from '../world/world-request.ts';
import { checkOptions, namesOf, type WorldRequest } from '../world/world-request.ts';
import { type World, worldOf } from './world.ts';

export type { Fetch } from '../transport/fetch.ts';
export type { Duration, PastEvent, ScheduledEvent, Time } from '../world/clock.ts';
export type { Coverage } from '../world/coverage.ts';
export type { Explanation } from '../world/explanation.ts';
export type { Fault, FaultCall, FaultOrder } from '../world/fault.ts';
export type { ActiveFault } from '../world/faults.ts';
export type { JournalEntry, StruckBy } from '../world/journal.ts';
export type { ServiceEvent } from '../world/service-event.ts';
export type { TimedEvent, WorldClock } from '../world/world-clock.ts';
export type { WorldRequest } from '../world/world-request.ts';
export { type CampaignOptions, type CampaignTest, campaignPhases } from './campaign.ts';
export type {
  CampaignFinding,
  CampaignOutcome,
  CampaignReport,
  CampaignRequest,
  CampaignRun,
} from './campaign-report.ts';
export {
  type Adversity,
  type PaginationAdversary,
  paginationAdversary,
} from './pagination-adversary.ts';
export type { World, WorldFaults } from './world.ts';

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
  const { fixture = 'acme', parameters, description, adminToken, tls, ...rest } = options;
  const simulator = await createSimulator(description);
  return new Service({
    ...rest,
    areas: { bindings, events, catalogue: () => import('../areas/catalogue.ts') },
    fixture: await loadFixture(fixture, parameters),
    simulate: simulator.simulate,
    describes: description === undefined ? undefined : simulator.describes,
    deviations: await loadDeviations(options.deviations),
    adminAccess: adminToken === undefined ? {} : { token: adminToken },
    authority: tls?.cert,
  });
}

async function loadDeviations(ids: readonly string[] | undefined): Promise<readonly Deviation[]> {
  if (ids === undefined || ids.length === 0) return [];
  const { deviationsOf } = await import('../areas/catalogue.ts');
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
