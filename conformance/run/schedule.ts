/**
 * Runs scenarios side by side. A scenario that writes an area has it for itself; one that waits
 * for an area keeps later ones from slipping in before it, so nobody waits for ever.
 */

import { collide, type Scenario } from '../language/scenario.ts';

/** Answers when all have run; the first rejection stops new starts and is passed on. */
export async function runSideBySide(
  scenarios: readonly Scenario[],
  jobs: number,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  let queue = scenarios;
  const active = new Map<Scenario, Promise<void>>();
  let failure: { error: unknown } | undefined;
  const start = (scenario: Scenario): void => {
    const running = run(scenario)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => active.delete(scenario));
    active.set(scenario, running);
  };
  while (queue.length > 0 && failure === undefined) {
    // What those that run, or wait and come first, read and write.
    const held = { reads: new Set<string>(), writes: new Set<string>() };
    const hold = ({ reads, writes }: Scenario): void => {
      for (const area of reads) held.reads.add(area);
      for (const area of writes) held.writes.add(area);
    };
    for (const scenario of active.keys()) hold(scenario);
    const waiting: Scenario[] = [];
    for (const scenario of queue) {
      const mayStart = active.size < jobs && !active.has(scenario) && !collide(scenario, held);
      hold(scenario);
      if (mayStart) start(scenario);
      else waiting.push(scenario);
    }
    queue = waiting;
    await Promise.race(active.values());
  }
  await Promise.all(active.values());
  if (failure !== undefined) throw failure.error;
}
