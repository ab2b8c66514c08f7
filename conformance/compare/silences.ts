/** Which silences two runs saw answered otherwise, by what both of them asked. */

import { canonical, isObject, outline } from '../../spec/base/json.ts';
import type { CheckResult, StatementResult } from '../judge/report.ts';

export interface SilenceChange {
  readonly id: string;
  readonly text: string;
  /** Choices, or the outlines of what came where none is known; sorted, without doubles. */
  readonly was: readonly string[];
  readonly now: readonly string[];
  /** The first place where they differ. */
  readonly scenario: string;
  readonly step: string;
}

/** How the answers to a silence differ; undefined where the two have no observation in common. */
export function compareSilence(
  last: StatementResult,
  now: StatementResult,
): SilenceChange | 'same' | undefined {
  // What came beside the choices, such as a status, may rest on another silence.
  const choices = [last, now].some(({ checks }) => checks.some((check) => choiceOf(check)));
  const [before, after] = [answersOf(last, choices), answersOf(now, choices)];
  const places = [...after.keys()].filter((place) => before.has(place));
  const [first, ...others] = places.flatMap((place) => {
    const [was, is] = [before.get(place), after.get(place)];
    if (was === undefined || is === undefined || canonical(was.seen) === canonical(is.seen)) {
      return [];
    }
    return [{ was: was.seen, now: is.seen, scenario: is.check.scenario, step: is.check.step }];
  });
  if (first === undefined) return places.length > 0 ? 'same' : undefined;
  const all = [first, ...others];
  const { id, text } = now;
  const { scenario, step } = first;
  const was = sorted(all.flatMap((place) => place.was));
  return { id, text, was, now: sorted(all.flatMap((place) => place.now)), scenario, step };
}

/** All that a silence was answered with. */
export function answersTo(statement: StatementResult): string[] {
  return sorted([...answersOf(statement, false).values()].flatMap(({ seen }) => seen));
}

interface Seen {
  readonly check: CheckResult;
  /** Several where it was asked more than once there. */
  readonly seen: readonly string[];
}

/** By scenario and step; of some silences only what is a choice or none of the known ones. */
export function answersOf(
  { checks }: Pick<StatementResult, 'checks'>,
  choices = false,
): Map<string, Seen> {
  const observed = checks.filter(
    (check) => check.verdict === 'observed' && (!choices || choiceOf(check) !== undefined),
  );
  const places = Map.groupBy(observed, ({ scenario, step }) => canonical([scenario, step]));
  return new Map(
    [...places].flatMap(([place, all]) => {
      const [check] = all;
      return check === undefined ? [] : [[place, { check, seen: sorted(all.map(answerOf)) }]];
    }),
  );
}

/** The id of the choice that was seen; `other` where it is none that the contract knows. */
function choiceOf({ actual }: CheckResult): string | undefined {
  const { choice } = isObject(actual) ? actual : { choice: undefined };
  return typeof choice === 'string' && /^[a-z][a-z0-9-]{0,60}$/.test(choice) ? choice : undefined;
}

/** The choice that an observation showed, or the outline of what came. Nothing of anybody's data. */
function answerOf(check: CheckResult): string {
  const { actual } = check;
  const choice = choiceOf(check);
  if (choice !== undefined && choice !== 'other') return choice;
  return outlined(isObject(actual) ? actual.value : actual);
}

/** What came where no choice is known: a status or a shape. */
export function outlined(value: unknown): string {
  if (value === undefined || value === null) return 'something else';
  const shown = outline(value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
