/**
 * The one place that says what a difference is: a table of how something came out before, and how it
 * comes out now. The gate compares each check of a night with the baseline; `diff` compares each
 * statement of two reports, or of two targets. Pure.
 */

import type { Report, StatementResult, StatementVerdict } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { compareSilence } from './silences.ts';

/** How something came out. `in part`: some of it held, nothing failed, and the rest was not tried. */
export interface Outcome {
  readonly state: 'failed' | 'held' | 'in part' | 'untried';
  readonly verdict: StatementVerdict;
}

/**
 * Failed now: `broke` held before, `firstSeen` was not tried, `otherwise` failed in another way,
 * `still` in the same. Not failed now: `mended` failed before, and of the last two only one of the
 * sides tried it. Silences are `otherwise` if they were answered so, and not tried by both if nothing
 * was asked at the same place.
 */
export type Kind =
  | 'broke'
  | 'firstSeen'
  | 'mended'
  | 'otherwise'
  | 'still'
  | 'noLongerTried'
  | 'newlyTried'
  | 'same';

/** What only one side tried is no change, with one exception: a failure is news if nobody tried it. */
const table: Record<Outcome['state'] | 'unknown', Record<Outcome['state'], Kind>> = {
  // If a part was not tried, it may be the part that failed.
  failed: { failed: 'still', held: 'mended', 'in part': 'noLongerTried', untried: 'noLongerTried' },
  held: { failed: 'broke', held: 'same', 'in part': 'same', untried: 'noLongerTried' },
  'in part': { failed: 'broke', held: 'same', 'in part': 'same', untried: 'noLongerTried' },
  untried: { failed: 'firstSeen', held: 'newlyTried', 'in part': 'newlyTried', untried: 'same' },
  unknown: { failed: 'firstSeen', held: 'same', 'in part': 'same', untried: 'same' },
};

/** One side may not know what the other has. */
export interface Pair<Was, Now> {
  readonly key: string;
  readonly kind: Kind;
  readonly was: Was | undefined;
  readonly now: Now | undefined;
}

/** Everything that one of the two sides has, in the order of now. */
export function compare<Was extends Outcome, Now extends Outcome>(
  before: ReadonlyMap<string, Was>,
  after: ReadonlyMap<string, Now>,
): Pair<Was, Now>[] {
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => {
    const [was, now] = [before.get(key), after.get(key)];
    const kind = table[was?.state ?? 'unknown'][now?.state ?? 'untried'];
    const otherwise = kind === 'still' && was?.verdict !== now?.verdict;
    return { key, kind: otherwise ? 'otherwise' : kind, was, now };
  });
}

/** How a verdict is compared with others. */
export function stateOf(verdict: StatementVerdict): Outcome['state'] {
  if (isFailure(verdict)) return 'failed';
  if (verdict === 'verified-in-part') return 'in part';
  return verdict === 'verified' || verdict === 'observed' ? 'held' : 'untried';
}

/** The statements of two reports; of silences also the answers that differ. */
export function compareStatements(last: Report, now: Report) {
  return compare(outcomesOf(last), outcomesOf(now)).map((pair) => {
    const { was, now: is } = pair;
    const silent = was?.level === 'silent' && is?.level === 'silent';
    const answers = silent ? compareSilence(was, is) : undefined;
    return { ...pair, kind: answers?.kind ?? pair.kind, answers };
  });
}

export type StatementPair = ReturnType<typeof compareStatements>[number];

function outcomesOf({ statements }: Report): Map<string, StatementResult & Outcome> {
  return new Map(statements.map((one) => [one.id, { ...one, state: stateOf(one.verdict) }]));
}
