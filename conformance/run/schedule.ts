/**
 * Runs scenarios side by side. A scenario that writes an area has it for itself; one that waits
 * for an area keeps later ones from slipping in before it, so nobody waits for ever.
 *
 * Once a scenario only reads, and asks for what must be refused, it may share its areas with others
 * that do no more: a service that keeps its promises changes nothing there. While they watch that
 * nothing changes, such others pass those who wait for the areas.
 */

import { type Areas, collide, type Scenario } from '../language/scenario.ts';

/** What a scenario says and hears of those that run beside it. */
export interface Company {
  /** Lets others share the areas that it had for itself: it only watches them, and tries, from now on. */
  readonly share: () => void;
  /**
   * Takes them back. False where others came, or it came to one that shares: then a failure may be of
   * their doing.
   */
  readonly isAlone: () => boolean;
}

/**
 * Answers when all have run; the first rejection stops new starts and is passed on. `mayShare`: which
 * scenarios share from the start, as nothing that they ask for may be done.
 */
export async function runSideBySide(
  scenarios: readonly Scenario[],
  jobs: number,
  run: (scenario: Scenario, company: Company) => Promise<void>,
  mayShare: (scenario: Scenario) => boolean = () => false,
): Promise<void> {
  let queue = scenarios;
  const active = new Map<Scenario, Promise<void>>();
  /** Of those that are active: who shares, and who shared with somebody. */
  const shares = new Set<Scenario>();
  const beside = new Set<Scenario>();
  let failure: { error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const companyOf = (scenario: Scenario): Company => ({
    share: () => {
      shares.add(scenario);
      changed.resolve();
    },
    isAlone: () => {
      if (beside.has(scenario)) return false;
      shares.delete(scenario);
      return true;
    },
  });
  const start = (scenario: Scenario): void => {
    const running = run(scenario, companyOf(scenario))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        for (const list of [active, shares, beside]) list.delete(scenario);
      });
    active.set(scenario, running);
  };
  while (queue.length > 0 && failure === undefined) {
    changed = Promise.withResolvers();
    let held = [...active.keys()].map((one) => areasOf(one, shares.has(one))).reduce(both, nothing);
    /** Also by those who wait and come first. */
    let promised = held;
    const watched = [...shares].some(({ writes }) => writes.size > 0);
    const waiting: Scenario[] = [];
    for (const scenario of queue) {
      const sharesIt = mayShare(scenario);
      const areas = areasOf(scenario, sharesIt);
      const free = !collide(areas, sharesIt && watched ? held : promised);
      const mayStart = active.size < jobs && !active.has(scenario) && free;
      promised = both(promised, areas);
      if (!mayStart) {
        waiting.push(scenario);
        continue;
      }
      held = both(held, areas);
      for (const other of active.keys())
        if (collide(scenario, other)) beside.add(scenario).add(other);
      if (sharesIt) shares.add(scenario);
      start(scenario);
    }
    queue = waiting;
    await Promise.race([...active.values(), changed.promise]);
  }
  await Promise.all(active.values());
  if (failure !== undefined) throw failure.error;
}

const nothing: Areas = { reads: new Set(), writes: new Set() };

function areasOf({ reads, writes }: Scenario, shares: boolean): Areas {
  return shares ? { reads: reads.union(writes), writes: new Set() } : { reads, writes };
}

function both(a: Areas, b: Areas): Areas {
  return { reads: a.reads.union(b.reads), writes: a.writes.union(b.writes) };
}
