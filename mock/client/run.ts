/**
 * A run of `lockstep client`: it varies every world of a mock, and records the requests. A mock in
 * a test's own process finds the run in LOCKSTEP_RUN_FILE, and writes its requests there.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { DeviationRecord } from '../world/deviations.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { faultsOf, type Variation } from './variation.ts';

/** The parts of a mock's service that a run needs. */
export interface Watched {
  readonly defaultWorld: World;
  onWorld: ((world: World) => void) | undefined;
  forkWorld(world: World): World;
  deleteWorld(world: World): void;
  handle(request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Uint8Array | undefined;
  }): unknown;
  catalogue(): Promise<{
    readonly catalogue: readonly DeviationRecord[];
    deviationsOf(ids: readonly string[]): readonly DeviationRecord[];
  }>;
}

/** The variation of a run. For a loss, requests are counted across all worlds. */
export type RunOrder = Partial<Pick<Variation, 'assumptions' | 'deviation' | 'loss'>>;

/** A request that reached a world, and whether a deviation had taken effect by then. */
export interface Reached {
  readonly world: string;
  readonly entry: JournalEntry;
  readonly isMet: boolean;
}

/** Loses the request that the variation names, and follows each world from its start. */
export function followRun(
  service: Watched,
  { loss, deviation: named }: RunOrder,
  onRequest: (reached: Reached) => void,
  onWorld: (world: World) => void = () => {},
): void {
  const faults = loss === undefined ? [] : faultsOf(loss);
  service.onWorld = (world) => {
    onWorld(world);
    for (const fault of faults) world.faults.add(fault);
    world.journal.subscribe((entry) => {
      const isMet = world.deviations
        .list()
        .some(({ deviation, effects }) => deviation.id === named && effects > 0);
      onRequest({ world: world.id, entry, isMet });
    });
  };
  service.onWorld(service.defaultWorld);
}

/** The run that this process is part of; undefined if it is not part of one. */
export function runOfProcess(): { order: RunOrder; follow(service: Watched): void } | undefined {
  const { LOCKSTEP_RUN_FILE: file } = process.env;
  if (file === undefined) return undefined;
  const order = JSON.parse(readFileSync(file, 'utf8')) as RunOrder;
  return {
    order,
    follow: (service) =>
      followRun(service, order, ({ world, entry, isMet }) => {
        // Each line is written at once, because a test process may end without notice.
        const { fingerprint } = entry;
        const line = JSON.stringify({ world, entry: { ...entry, fingerprint }, isMet });
        appendFileSync(reachedIn(file), `${line}\n`);
      }),
  };
}

/** The file of the requests that reached the mocks of test processes, one line of JSON each. */
export const reachedIn = (file: string): string => `${file}.requests`;
