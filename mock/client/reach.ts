/**
 * Finds the broken promises that the tests would meet: it repeats their requests, and the mock
 * counts.
 */
// The function is imported, because tests may replace the global one.
import { setImmediate as turn } from 'node:timers/promises';
import type { DeviationRecord } from '../world/deviations.ts';
import type { JournalEntry } from '../world/journal.ts';
import { servedStatus, targetOf } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import type { Watched } from './run.ts';

/** The parts of a mock that repeat requests. */
type Repeating = Omit<Watched, 'defaultWorld'>;

/** A world as it began, and the requests that reached it. */
export interface Begun {
  readonly pristine: World;
  readonly entries: readonly JournalEntry[];
}

/** The deviations that take effect if the same requests come again. */
export async function reachedBy(
  service: Repeating,
  begun: readonly Begun[],
): Promise<readonly DeviationRecord[]> {
  const { catalogue, deviationsOf } = await service.catalogue();
  const called = new Map(
    begun.map((one) => [one, new Set(one.entries.map(({ operation }) => operation))]),
  );
  const reached: DeviationRecord[] = [];
  for (const { id } of catalogue.filter(({ foundBy }) => foundBy !== 'explore')) {
    // A mock that runs already must serve other requests meanwhile.
    await turn();
    for (const deviation of deviationsOf([id])) {
      for (const one of begun) {
        const isCalled = deviation.operations.some((name) => called.get(one)?.has(name));
        if (!isCalled || !(await takesEffect(service, deviation, one))) continue;
        reached.push(deviation);
        break;
      }
    }
  }
  return reached;
}

async function takesEffect(
  service: Repeating,
  deviation: DeviationRecord,
  { pristine, entries }: Begun,
): Promise<boolean> {
  const { onWorld } = service;
  service.onWorld = undefined;
  const world = service.forkWorld(pristine);
  service.onWorld = onWorld;
  world.isCounted = false;
  world.deviations.set([deviation]);
  try {
    for (const entry of entries) {
      // The service did nothing for a request that a fault kept from it.
      if (servedStatus(entry) === null) continue;
      await repeat(service, world, entry);
      if ((world.deviations.list()[0]?.effects ?? 0) > 0) return true;
    }
    return false;
  } finally {
    service.deleteWorld(world);
  }
}

async function repeat(service: Repeating, world: World, entry: JournalEntry): Promise<void> {
  const { method, headers, credential, requestBody } = entry;
  const secret = credential === null ? undefined : world.credentials[credential];
  await service.handle({
    method,
    target: `/w/${world.id}${targetOf(entry)}`,
    headers: { ...headers, authorization: secret && `Bearer ${secret}` },
    body: requestBody === null ? undefined : Buffer.from(requestBody),
  });
}
