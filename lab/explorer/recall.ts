/**
 * Calls of a walk that can be made again, and must be answered by the same rules: nothing has been
 * written since that they depend on. A fault that only a history shows is a fault of such a call.
 */

import type { Answer } from '../../conformance/language/answer.ts';
import { statusFits } from '../../conformance/language/evaluate.ts';
import type { Check, Step } from '../../conformance/language/scenario.ts';
import { canonical } from '../../spec/base/json.ts';
import { Random } from '../../spec/base/random.ts';
import type { Entry } from './contradiction.ts';
import { pick } from './pick.ts';

export interface Recollection {
  readonly key: string;
  /** Who asked, and for what. */
  readonly sent: string;
  readonly step: Step;
  /** What the names of its scenario stood for. */
  readonly names: Entry['names'];
}

export class Recall {
  readonly #known = new Map<string, Recollection>();
  /** The last write of each area, as it was sent. */
  readonly #written = new Map<string, string>();
  /** How often a call came right behind another, by operation and whether that one was refused. */
  readonly #pairs = new Map<string, number>();
  /** How often each statement was judged. */
  readonly #judged = new Map<string, number>();
  #last = '';
  #cast: { readonly seed: number; readonly members: readonly Recollection[] } | undefined;

  /** Takes in a call that was judged by these checks and broke none. */
  learn({ step, names, answer }: Entry, checks: readonly Check[]): void {
    const { operation, timing } = step;
    if (operation === undefined) return;
    const refused = answer.status >= 400 && answer.status < 500;
    const pair = `${this.#last} ${operation.id}`;
    this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0) + 1);
    this.#last = `${operation.id} ${refused}`;
    for (const { statement } of checks) {
      this.#judged.set(statement, (this.#judged.get(statement) ?? 0) + 1);
    }
    const sent = sentIn(step, answer);
    const area = operation.lock?.writes;
    if (area !== undefined && refused && !isRefusal(checks)) return;
    if (area !== undefined && !refused) {
      // What was just written is written again without a change.
      const changes = operation.idempotent === false || this.#written.get(area) !== sent;
      this.#written.set(area, sent);
      if (changes) this.#forget(area);
      if (changes) return;
    }
    if (timing !== undefined) return;
    const key = `${sent} ${checks.map(({ statement }) => statement).join(' ')}`;
    this.#known.delete(key);
    this.#known.set(key, { key, sent, step: { ...step, checks }, names });
  }

  /** What moves judged the same call by, whoever makes it now and what for. */
  checksOf({ step, answer }: Entry): readonly Check[] {
    const sent = sentIn(step, answer);
    const same = [...this.#known.values()].filter((call) => call.sent === sent);
    return same.flatMap(({ names, step: { checks } }) => (names.size === 0 ? checks : []));
  }

  /**
   * One of a few calls that are made in turns: of an operation, of somebody or of both, and others
   * of any. The same cast comes for the same seed, until another is asked for.
   */
  member(seed: number, index: number): Recollection | undefined {
    if (this.#cast?.seed !== seed) this.#cast = { seed, members: this.#casting(new Random(seed)) };
    const member = pick(this.#cast.members, index);
    return member && this.#known.get(member.key);
  }

  /**
   * Of an operation that came least often behind a call like the last, one that is judged by what was
   * least often judged, or by most. `turn` says which operation, where several came as seldom.
   */
  rarest(turn: number, index: number): Recollection | undefined {
    const judged = [...this.#known.values()].filter(({ step }) => step.checks.length > 0);
    const operations = Map.groupBy(judged, ({ step }) => step.operation?.id ?? '');
    const after = (id: string): number => this.#pairs.get(`${this.#last} ${id}`) ?? 0;
    const ids = [...operations.keys()].sort();
    const least = Math.min(...ids.map(after));
    const rare = pick(
      ids.filter((id) => after(id) === least),
      turn,
    );
    const times = ({ step }: Recollection): number =>
      Math.min(...step.checks.map(({ statement }) => this.#judged.get(statement) ?? 0));
    const calls = [...(operations.get(rare ?? '') ?? [])].sort((a, b) => times(a) - times(b));
    const most = calls.toSorted((a, b) => b.step.checks.length - a.step.checks.length);
    return pick([...calls.slice(0, 2), ...most.slice(0, 2)], index);
  }

  #casting(random: Random): Recollection[] {
    const all = [...this.#known.values()];
    const operationOf = ({ step }: Recollection): unknown => step.operation?.id;
    const actorOf = ({ step }: Recollection): unknown => canonical(step.as);
    const both = (call: Recollection): string => `${operationOf(call)} ${actorOf(call)}`;
    const some = (of: (call: Recollection) => unknown): readonly Recollection[] =>
      pick([...Map.groupBy(all, of).values()], random.next()) ?? [];
    const others = (count: number) =>
      Array.from({ length: count }, () => pick(some(operationOf), random.next()));
    const trait = pick([operationOf, operationOf, actorOf, both], random.next()) ?? both;
    const last = all.at(-1);
    const own =
      last !== undefined && random.below(3) === 0
        ? all.filter((call) => trait(call) === trait(last))
        : some(trait);
    // What is judged shows most.
    const judged = own.filter(({ step }) => step.checks.length > 0);
    const chosen = Array.from({ length: 1 + random.below(4) }, (_, index) =>
      pick(index % 2 === 0 && judged.length > 0 ? judged : own, random.next()),
    );
    return [...chosen, ...others(random.below(3))].filter((call) => call !== undefined);
  }

  #forget(area: string): void {
    for (const { key, step } of this.#known.values()) {
      const { reads, writes } = step.operation?.lock ?? {};
      if (reads === area || (writes === area && !isRefusal(step.checks))) this.#known.delete(key);
    }
  }
}

const sentIn = ({ as, mode }: Step, { request }: Answer): string =>
  canonical([as, mode?.kind, request]);

/** Whether a write that keeps these checks was refused. */
export function isRefusal(checks: readonly Check[]): boolean {
  return checks.some(
    ({ conditions: { status } }) =>
      status !== undefined && ![200, 201, 202, 204].some((code) => statusFits(code, status)),
  );
}
