/**
 * Spreads the ways of making calls over the scenarios of a run. The aim is to try each promise in each way
 * once; the limit is `mostMore`. The same input gives the same result.
 */

import { equal } from '../../spec/base/json.ts';
import { changesIn, type Variation } from '../judge/report.ts';
import { everyStep, isWrite, type Scenario, type Whole } from '../language/scenario.ts';
import { type Call, type Calls, callsOf, type Place } from './calls.ts';
import { rewrites } from './rewrites.ts';
import { texts } from './texts.ts';
import { plain } from './variation.ts';
import { callerIn, mixed, singles, type Worth, waysOf } from './ways.ts';

export interface Cover {
  /** The variations of a scenario's turns that every run plays; at least one. */
  readonly turns: (scenario: Scenario) => readonly Variation[];
  /** The variations of further turns. After the last one they start again. */
  readonly more: (scenario: Scenario) => readonly Variation[];
  /**
   * The turns that find the cause of a failure in a mixture: the scenario as written, each change
   * alone, and the mixture again.
   */
  readonly apart: (scenario: Scenario, variation: Variation) => readonly Variation[];
  /** For each step of a variation, its caller, its deployment and its spelling. */
  readonly waysOf: (
    scenario: Scenario,
    variation: Variation,
  ) => ReadonlyMap<string, readonly string[]>;
}

export interface CoverOptions {
  /** Whether the run may play a scenario of the whole suite. */
  readonly mayRun: (scenario: Scenario) => boolean;
  /** Whether it may play the scenario more than once. */
  readonly mayRepeat: (scenario: Scenario) => boolean;
}

/** The largest share that variations add to the calls of a run. */
const mostMore = 0.165;

export function coverOf(whole: Whole, place: Place, { mayRun, mayRepeat }: CoverOptions): Cover {
  const all = whole.scenarios.filter(mayRun).map((scenario) => callsOf(scenario, whole, place));
  const goals = new Goals();
  const turns = new Map<string, Variation[]>();
  const take = (calls: Calls, variation: Variation): void => {
    goals.take(calls, variation);
    const { title } = calls.scenario;
    turns.set(title, [...(turns.get(title) ?? []), variation]);
  };
  // The scenarios with the fewest calls choose first, and `extra` ones last. A failure in a mixture is played
  // again, so a scenario that cannot be repeated has one change at a time.
  const best = (calls: Calls): Variation => bestOf(calls, goals, mayRepeat(calls.scenario));
  const inOrder = (a: Calls, b: Calls): number =>
    Number(a.scenario.extra) - Number(b.scenario.extra) || a.calls.length - b.calls.length;
  for (const calls of all.toSorted(inOrder)) take(calls, best(calls));
  let left = mostMore * all.reduce((sum, { cost }) => sum + cost, 0);
  // The worth of an attempt can only fall, so only the best candidate is computed again.
  const worthOf = (calls: Calls): number => goals.gain(calls, best(calls)) / calls.cost;
  // A reversible scenario that cannot be repeated leaves only things that expire, such as a token. So it may have
  // further turns. So may a disruptive one that waits for nothing, such as a switch to the version that runs.
  const mayAdd = (scenario: Scenario): boolean =>
    mayRepeat(scenario) ||
    scenario.effect === 'reversible' ||
    (scenario.effect === 'disruptive' && everyStep(scenario).every(({ timing }) => !timing));
  const offers = new Map(
    all
      .filter(({ cost, scenario }) => cost > 0 && mayAdd(scenario))
      .map((calls) => [calls, worthOf(calls)]),
  );
  for (;;) {
    const offer = mostWorth([...offers.keys()], (calls) => offers.get(calls) ?? 0);
    if (offer === undefined) break;
    const [worth, known] = [worthOf(offer), offers.get(offer)];
    if (worth !== known) offers.set(offer, worth);
    else if (offer.cost > left) offers.delete(offer);
    else {
      take(offer, best(offer));
      left -= offer.cost;
    }
  }
  const callsIn = new Map(all.map((calls) => [calls.scenario.title, calls]));
  return {
    turns: ({ title }) => turns.get(title) ?? [plain],
    more: ({ title }) => {
      const calls = callsIn.get(title);
      return calls === undefined ? [plain] : singles(calls);
    },
    apart: ({ title }, variation) => apart(callsIn.get(title), variation),
    waysOf: ({ title }, variation) => {
      const { calls = [] } = callsIn.get(title) ?? {};
      // A call after a write also tests the write.
      const written = new Set<string>();
      return new Map(
        calls.map((call) => {
          const own = waysOf(call, variation);
          if (isWrite(call.step)) for (const way of own) written.add(way);
          return [call.step.id, [...new Set([...own, ...written])]];
        }),
      );
    },
  };
}

/**
 * The most important goal is to try each promise in each way; then each check of it. A way that a
 * service may refuse counts less.
 */
const worthOfPromise = 8;
const worthOfOpen = 0.1;

const shareOf = (way: string): number => (rewrites[way]?.open || way in texts ? worthOfOpen : 1);

/**
 * The goals of a run: each promise of each operation, and each check, in each way; and each caller with each
 * spelling.
 */
class Goals {
  readonly #numbers = new Map<string, number>();
  readonly #ofCalls = new Map<Call, Map<string, readonly number[]>>();
  readonly #worth: number[] = [];

  /** The worth of goals that nothing has reached yet, neither in the run nor in the variation that is being made. */
  worth(): Worth {
    const given = new Set<number>();
    const of = (call: Call, way: string, caller?: string): readonly number[] => [
      ...this.#of(call, way),
      ...this.#together(call, way, caller),
    ];
    return {
      of: (...made) => this.#sum(of(...made).filter((goal) => !given.has(goal))),
      give: (...made) => {
        for (const goal of of(...made)) given.add(goal);
      },
    };
  }

  gain(calls: Calls, variation: Variation): number {
    return this.#sum(new Set(this.#in(calls, variation)));
  }

  take(calls: Calls, variation: Variation): void {
    for (const goal of this.#in(calls, variation)) this.#worth[goal] = 0;
  }

  #sum(goals: Iterable<number>): number {
    let sum = 0;
    for (const goal of goals) sum += this.#worth[goal] ?? 0;
    return sum;
  }

  #in({ calls }: Calls, variation: Variation): number[] {
    return calls.flatMap((call) => {
      const caller = callerIn(call, variation);
      const ways = waysOf(call, variation);
      return ways.flatMap((way) => [...this.#of(call, way), ...this.#together(call, way, caller)]);
    });
  }

  /** A service may refuse a spelling to some callers only, so each caller is tried with each spelling. */
  #together({ step, rewritten, checks }: Call, way: string, caller: string | undefined): number[] {
    const isSpelling = rewritten.some((name) => name === way || rewrites[name]?.instead === way);
    if (caller === undefined || !isSpelling || checks.length === 0) return [];
    return [
      this.#number(`${step.operation?.id} as ${caller} ${way}`, worthOfPromise * shareOf(way)),
    ];
  }

  /** The goals as numbers, because they are looked up many thousands of times. */
  #of(call: Call, way: string): readonly number[] {
    const ways = this.#ofCalls.get(call) ?? new Map<string, readonly number[]>();
    this.#ofCalls.set(call, ways);
    const known = ways.get(way);
    if (known !== undefined) return known;
    const { step, checks } = call;
    const worth = shareOf(way);
    const made = checks.flatMap(({ statement, location: { file, line, column } }) => [
      this.#number(`${statement} ${step.operation?.id} ${way}`, worthOfPromise * worth),
      this.#number(`${file}:${line}:${column} ${way}`, worth),
    ]);
    ways.set(way, [...new Set(made)]);
    return ways.get(way) ?? [];
  }

  #number(goal: string, worth: number): number {
    const number = this.#numbers.get(goal) ?? this.#numbers.size;
    this.#numbers.set(goal, number);
    this.#worth[number] ??= worth;
    return number;
  }
}

/** The item with the greatest worth; undefined if no item is worth more than 0. */
function mostWorth<T>(items: readonly T[], worth: (item: T) => number): T | undefined {
  let [best, most]: [T | undefined, number] = [undefined, 0];
  for (const item of items) {
    const own = worth(item);
    if (own > most) [best, most] = [item, own];
  }
  return best;
}

/** The variation that reaches most new goals. */
function bestOf(calls: Calls, goals: Goals, mayMix: boolean): Variation {
  const all = singles(calls).filter((one) => mayMix || !isOpenTo(one));
  if (mayMix) {
    const places: readonly Variation[] = calls.movable ? [plain, { elsewhere: true }] : [plain];
    const free = calls.calls.some((call) => call.free);
    const named = free ? [undefined, ...Object.keys(texts)] : [undefined];
    const bases = places.flatMap((place) =>
      named.map((text) => (text ? { ...place, text } : place)),
    );
    const made = bases.map((base) => mixed(calls, base, goals.worth()));
    // A mixture with only one change equals that change.
    all.push(
      ...made.map(
        (one) => all.find((same) => equal(same, one)) ?? { ...one, mixed: true as const },
      ),
    );
  }
  return mostWorth(all, (one) => goals.gain(calls, one)) ?? plain;
}

/** Whether a service may refuse the variation. */
function isOpenTo({ rewritten = {}, text }: Variation): boolean {
  const names = Object.values(rewritten).flat();
  return text !== undefined || names.some((name) => rewrites[name]?.open === true);
}

function apart(calls: Calls | undefined, variation: Variation): readonly Variation[] {
  if (calls === undefined) return [];
  if (variation.mixed !== true) return isOpenTo(variation) ? [plain] : [];
  const changes = new Set(changesIn(variation));
  const used = singles(calls).filter((one) =>
    changesIn(one).every((change) => changes.has(change)),
  );
  return [...used, variation, variation];
}
