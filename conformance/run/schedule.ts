/**
 * Runs scenarios in parallel. A scenario that writes an area locks it. If a scenario waits for an
 * area, later scenarios cannot overtake it, so no scenario waits for ever.
 *
 * After its last real write, a scenario only reads or sends refused writes. Then it may share its
 * areas with other scenarios in this state, because a correct service changes nothing for them.
 * Such scenarios may overtake others that wait for the areas.
 */

import { type Areas, collide, type Scenario } from '../language/scenario.ts';

/** The link of a scenario to those that run in parallel with it. */
export interface Company {
  /** Lets others share its areas: from now on it only watches them, or sends refused writes. */
  readonly share: () => void;
  /**
   * Locks the areas again. Returns false if the scenario shared them with others meanwhile: then others may
   * have caused a failure.
   */
  readonly isAlone: () => boolean;
}

type Run = (scenario: Scenario, company: Company) => Promise<void>;

/**
 * Resolves when all scenarios have run. The first rejection prevents further starts, and is passed
 * on. `mayShare`: the scenarios that share from the start, because all their writes must be
 * refused.
 */
export async function runInParallel(
  scenarios: readonly Scenario[],
  jobs: number,
  run: Run,
  mayShare: (scenario: Scenario) => boolean = () => false,
): Promise<void> {
  const stage = new Stage(jobs, run, mayShare);
  let queue = scenarios;
  while (queue.length > 0 && stage.failure === undefined) queue = await stage.startFrom(queue);
  await Promise.all(stage.active.values());
  if (stage.failure !== undefined) throw stage.failure.error;
}

class Stage {
  readonly active = new Map<Scenario, Promise<void>>();
  failure: { readonly error: unknown } | undefined;
  readonly #jobs: number;
  readonly #run: Run;
  readonly #mayShare: (scenario: Scenario) => boolean;
  /**
   * The active scenarios that share their areas, and those that have shared them with another one.
   */
  readonly #shares = new Set<Scenario>();
  readonly #concurrent = new Set<Scenario>();
  #changed = Promise.withResolvers<void>();

  constructor(jobs: number, run: Run, mayShare: (scenario: Scenario) => boolean) {
    this.#jobs = jobs;
    this.#run = run;
    this.#mayShare = mayShare;
  }

  /** Starts the scenarios that can start. Resolves with the rest when something has changed. */
  async startFrom(queue: readonly Scenario[]): Promise<readonly Scenario[]> {
    this.#changed = Promise.withResolvers();
    let held = [...this.active.keys()]
      .map((one) => areasOf(one, this.#shares.has(one)))
      .reduce(both, nothing);
    /** The areas that are locked, or that earlier waiting scenarios need. */
    let promised = held;
    const watched = [...this.#shares].some(({ writes }) => writes.size > 0);
    const waiting = queue.filter((scenario) => {
      const shares = this.#mayShare(scenario);
      const areas = areasOf(scenario, shares);
      const isFree = !collide(areas, shares && watched ? held : promised);
      promised = both(promised, areas);
      if (this.active.size >= this.#jobs || this.active.has(scenario) || !isFree) return true;
      held = both(held, areas);
      this.#start(scenario, shares);
      return false;
    });
    await Promise.race([...this.active.values(), this.#changed.promise]);
    return waiting;
  }

  #start(scenario: Scenario, shares: boolean): void {
    for (const other of this.active.keys())
      if (collide(scenario, other)) this.#concurrent.add(scenario).add(other);
    if (shares) this.#shares.add(scenario);
    const running = this.#run(scenario, this.#companyOf(scenario))
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        for (const list of [this.active, this.#shares, this.#concurrent]) list.delete(scenario);
      });
    this.active.set(scenario, running);
  }

  #companyOf(scenario: Scenario): Company {
    return {
      share: () => {
        this.#shares.add(scenario);
        this.#changed.resolve();
      },
      isAlone: () => {
        if (this.#concurrent.has(scenario)) return false;
        this.#shares.delete(scenario);
        return true;
      },
    };
  }
}

const nothing: Areas = { reads: new Set(), writes: new Set() };

function areasOf({ reads, writes }: Scenario, shares: boolean): Areas {
  return shares ? { reads: reads.union(writes), writes: new Set() } : { reads, writes };
}

function both(a: Areas, b: Areas): Areas {
  return { reads: a.reads.union(b.reads), writes: a.writes.union(b.writes) };
}
