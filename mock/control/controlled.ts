import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';
import type { Coverage } from '../world/coverage.ts';
import type { DeviationRecord } from '../world/deviations.ts';
import type { World } from '../world/world.ts';
import type { WorldRequest } from '../world/world-request.ts';

/** The worlds of a mock, as the control API uses them. */
export interface Controlled {
  readonly options: {
    /** The value that Lockstep-Admin-Token must have. */
    readonly adminToken?: string | undefined;
    /** Host names that the mock answers to, in addition to those of this machine. */
    readonly allowHosts?: readonly string[] | undefined;
    /** PEM of the certificate that clients of HTTPS have to trust. */
    readonly authority?: string | undefined;
  };
  readonly worlds: ReadonlyMap<string, World>;
  readonly defaultWorld: World;
  use(id: string): World | undefined;
  createWorld(request: WorldRequest): Promise<World>;
  forkWorld(world: World, id?: string): World;
  deleteWorld(world: World): void;
  /** Answers in any world, such as a trial copy. Listeners are not called. */
  answerIn(world: World, request: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse>;
  /** Throws a WorldError if so many more rows would exceed the limit of all worlds. */
  makeRoom(rows: number): void;
  reset(): void;
  /** Reads the fixture's file again. Rejects with a FixtureError; then nothing has changed. */
  reload(): Promise<void>;
  coverage(): Coverage;
  /** Called with each world that is made. */
  onWorld: ((world: World) => void) | undefined;
  handle(request: ExchangeRequest): unknown;
  /** Every deviation that a world can have; loaded on demand. */
  catalogue(): Promise<{
    readonly catalogue: readonly DeviationRecord[];
    describeDeviation(deviation: DeviationRecord): object;
    deviationsOf(ids: readonly string[]): readonly DeviationRecord[];
  }>;
}
