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
  const queue = [...scenarios];
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
    for (let at = 0; at < queue.length && active.size < jobs; ) {
      const before = [...active.keys(), ...queue.slice(0, at)];
      const [scenario] = queue.splice(at, 1);
      if (scenario === undefined) break;
      if (!before.some((other) => collide(scenario, other))) start(scenario);
      else queue.splice(at++, 0, scenario);
    }
    await Promise.race(active.values());
  }
  await Promise.all(active.values());
  if (failure !== undefined) throw failure.error;
}
