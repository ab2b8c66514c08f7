/** Which silences two runs saw answered otherwise, by what both of them asked. */

import { canonical, equal, isObject, outline } from '../../spec/base/json.ts';
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
  const places = inBoth(answersOf(now, choices), answersOf(last, choices));
  const changed = places.filter(([is, was]) => !equal(is.seen, was.seen));
  const [first] = changed;
  if (first === undefined) return places.length > 0 ? 'same' : undefined;
  const { id, text } = now;
  const { scenario, step } = first[0];
  const was = sorted(changed.flatMap(([, { seen }]) => seen));
  return { id, text, was, now: sorted(changed.flatMap(([{ seen }]) => seen)), scenario, step };
}

/** All that a silence was answered with. */
export function answersTo(statement: StatementResult): string[] {
  return sorted([...answersOf(statement).values()].flatMap(({ seen }) => seen));
}

/** By place; of some silences only what is a choice or none of the known ones. */
export function answersOf(
  { checks }: Pick<StatementResult, 'checks'>,
  choices = false,
): Map<string, Seen> {
  const observed = checks.filter(
    (check) => check.verdict === 'observed' && (!choices || choiceOf(check) !== undefined),
  );
  return byPlace(observed.map((check) => ({ ...check, answer: answerOf(check) })));
}

/** What was seen at a step of a scenario: sorted, without doubles. */
export interface Seen {
  readonly scenario: string;
  readonly step: string;
  /** Several where it was asked more than once there. */
  readonly seen: readonly string[];
}

export function byPlace(
  all: readonly { readonly scenario: string; readonly step: string; readonly answer: string }[],
): Map<string, Seen> {
  const places = new Map<string, Seen>();
  for (const { scenario, step, answer } of all) {
    const place = canonical([scenario, step]);
    const before = places.get(place)?.seen ?? [];
    places.set(place, { scenario, step, seen: sorted([...before, answer]) });
  }
  return places;
}

/** What two maps have under the same keys, in the order of the first. */
export function inBoth<T>(one: ReadonlyMap<string, T>, two: ReadonlyMap<string, T>): [T, T][] {
  return [...one].flatMap(([key, value]) => {
    const other = two.get(key);
    return other === undefined ? [] : [[value, other]];
  });
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
