/** Finds the silences that two runs asked at the same place, with different answers. */

import { canonical, equal, isObject, outline } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import type { CheckResult, StatementResult } from '../judge/report.ts';

/**
 * The sorted, distinct answers at one place. There are several if the place was asked more than
 * once.
 */
interface Answer {
  readonly seen: readonly string[];
}

/** The place is a step of a scenario. */
export interface PlacedAnswer extends Answer {
  readonly scenario: string;
  readonly step: string;
}

/** Compares the answers of two sides at the places that both have. */
export function compareAnswers<Was extends Answer, Now extends Answer>(
  before: ReadonlyMap<string, Was>,
  after: ReadonlyMap<string, Now>,
) {
  const asked = [...after].flatMap(([place, now]) => {
    const was = before.get(place);
    return was === undefined ? [] : [{ was, now }];
  });
  const changed = asked.filter(({ was, now }) => !equal(was.seen, now.seen));
  return {
    asked: asked.length > 0,
    changed,
    was: sorted(changed.flatMap(({ was }) => was.seen)),
    now: sorted(changed.flatMap(({ now }) => now.seen)),
  };
}

/**
 * The differences in the answers to a silence. If the runs have no place in common, all answers are
 * compared.
 */
export function compareSilence(last: StatementResult, now: StatementResult) {
  // Facts that came with the choices, such as a status, may rest on another silence.
  const choices = [last, now].some(({ checks }) => checks.some((check) => choiceOf(check)));
  const { asked, ...compared } = compareAnswers(answersOf(last, choices), answersOf(now, choices));
  const found = isAsLate(last, now) ? { ...compared, changed: [] } : compared;
  const isChanged = found.changed.length > 0;
  if (asked)
    return { ...found, kind: isChanged ? 'silence answered differently' : 'same' } as const;
  const all = ({ checks }: StatementResult): string[] =>
    sorted([...answersOf({ checks }).values()].flatMap(({ seen }) => seen));
  const [was, is] = [all(last), all(now)];
  return { ...found, was, now: is, kind: equal(was, is) ? 'same' : 'no longer tried' } as const;
}

/** Whether both showed the choice that a single observation proves. Others may have been seen in a lucky moment. */
function isAsLate(last: StatementResult, now: StatementResult): boolean {
  const { conclusive } = contract.statements.get(now.id) ?? {};
  const shows = ({ checks }: StatementResult): boolean =>
    checks.some((check) => choiceOf(check) === conclusive);
  return conclusive !== undefined && shows(last) && shows(now);
}

/** The answers by place. With `choices`, only observations of a choice count. */
export function answersOf(
  { checks }: Pick<StatementResult, 'checks'>,
  choices = false,
): Map<string, PlacedAnswer> {
  const observed = checks.filter(
    (check) => check.verdict === 'observed' && (!choices || choiceOf(check) !== undefined),
  );
  return byPlace(observed.map((check) => ({ ...check, answer: answerOf(check) })));
}

export function byPlace(
  all: readonly { readonly scenario: string; readonly step: string; readonly answer: string }[],
): Map<string, PlacedAnswer> {
  const places = new Map<string, PlacedAnswer>();
  for (const { scenario, step, answer } of all) {
    const place = canonical([scenario, step]);
    const before = places.get(place)?.seen ?? [];
    places.set(place, { scenario, step, seen: sorted([...before, answer]) });
  }
  return places;
}

/** The id of the choice that was seen; `other` if the contract does not know it. */
function choiceOf({ actual }: CheckResult): string | undefined {
  const { choice } = isObject(actual) ? actual : { choice: undefined };
  return typeof choice === 'string' && /^[a-z][a-z0-9-]{0,60}$/.test(choice) ? choice : undefined;
}

/** The choice that an observation showed, or an outline of the answer without the tenant's data. */
function answerOf(check: CheckResult): string {
  const { actual } = check;
  const choice = choiceOf(check);
  if (choice !== undefined && choice !== 'other') return choice;
  return outlined(isObject(actual) ? actual.value : actual);
}

/** The outline of an answer that fits no known choice: its status or its shape. */
export function outlined(value: unknown): string {
  if (value === undefined || value === null) return 'something else';
  const shown = outline(value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
