/**
 * The one place that names differences: a table of each state before and now. The gate compares each
 * check of a night with the baseline; `diff` compares each statement of two reports, or of two targets.
 * Pure.
 */

import { equal } from '../../spec/base/json.ts';
import type { CheckResult, Report, StatementResult, StatementVerdict } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { compareSilence } from './silences.ts';

const states = ['failed', 'held', 'in part', 'untried'] as const;

/**
 * The state of a check or statement. `in part`: some checks held, none failed, and the rest was not
 * tried.
 */
export interface Outcome {
  readonly state: (typeof states)[number];
  readonly verdict: StatementVerdict;
}

/** A silence is `no longer tried` if the two sides asked nothing at the same place. */
export type Kind =
  | 'broken'
  | 'first seen broken'
  | 'broken in another way'
  | 'still broken'
  | 'mended'
  | 'silence answered differently'
  | 'no longer tried'
  | 'newly tried'
  | 'same';

/**
 * A row for each state before, with a kind for each state now, in the order of the states. A part
 * that only one side tried counts as unchanged. But a failure of a part that the earlier side did
 * not try is new.
 */
const table: Record<Outcome['state'] | 'unknown', readonly [Kind, Kind, Kind, Kind]> = {
  // If a part was not tried, it may be the part that failed.
  failed: ['still broken', 'mended', 'no longer tried', 'no longer tried'],
  held: ['broken', 'same', 'same', 'no longer tried'],
  'in part': ['broken', 'same', 'same', 'no longer tried'],
  untried: ['first seen broken', 'newly tried', 'newly tried', 'same'],
  unknown: ['first seen broken', 'same', 'same', 'same'],
};

/** The two states of one thing. One of them may be missing. */
export interface Pair<Was, Now> {
  readonly key: string;
  readonly kind: Kind;
  readonly was: Was | undefined;
  readonly now: Now | undefined;
}

/** Compares everything that at least one side has, in the order of the newer side. */
export function compare<Was extends Outcome, Now extends Outcome>(
  before: ReadonlyMap<string, Was>,
  after: ReadonlyMap<string, Now>,
): Pair<Was, Now>[] {
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => {
    const [was, now] = [before.get(key), after.get(key)];
    const kind = table[was?.state ?? 'unknown'][states.indexOf(now?.state ?? 'untried')] ?? 'same';
    const another = kind === 'still broken' && was?.verdict !== now?.verdict;
    return { key, kind: another ? 'broken in another way' : kind, was, now };
  });
}

/** The state that stands for a verdict in the comparison. */
export function stateOf(verdict: StatementVerdict): Outcome['state'] {
  if (isFailure(verdict)) return 'failed';
  if (verdict === 'verified-in-part') return 'in part';
  return verdict === 'verified' || verdict === 'observed' ? 'held' : 'untried';
}

/** Compares the statements of two reports. For silences it also gives the different answers. */
export function compareStatements(last: Report, now: Report) {
  return compare(outcomesOf(last), outcomesOf(now)).map((pair) => {
    const { was, now: is } = pair;
    const silent = was?.level === 'silent' && is?.level === 'silent';
    const answers = silent ? compareSilence(was, is) : undefined;
    const kind = pair.kind === 'no longer tried' && hasMended(was, is) ? 'mended' : pair.kind;
    return { ...pair, kind: answers?.kind ?? kind, answers };
  });
}

/** Whether a statement failed before, and each of its failed checks holds now. The others were perhaps not tried. */
function hasMended(was?: StatementResult, now?: StatementResult): boolean {
  const failed = was?.checks.filter(({ verdict }) => isFailure(verdict)) ?? [];
  const held = (failure: CheckResult): boolean => {
    const same = now?.checks.filter((one) => isSameCheck(one, failure)) ?? [];
    return same.length > 0 && same.every(({ verdict }) => verdict === 'verified');
  };
  return failed.length > 0 && failed.every(held);
}

const isSameCheck = (a: CheckResult, b: CheckResult): boolean =>
  a.scenario === b.scenario && a.step === b.step && equal(a.location, b.location);

export type StatementPair = ReturnType<typeof compareStatements>[number];

function outcomesOf({ statements }: Report): Map<string, StatementResult & Outcome> {
  return new Map(statements.map((one) => [one.id, { ...one, state: stateOf(one.verdict) }]));
}
