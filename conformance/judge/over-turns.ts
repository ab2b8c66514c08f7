/** Judges one check over all turns of a scenario, which may have variations. */

import { canonical } from '../../spec/base/json.ts';
import type { TurnRecord } from './record.ts';
import { changesIn, type Judged, writtenStep } from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import { isFailure } from './verdict.ts';

/** The result of a check in one turn. */
export interface Tried {
  readonly turn: TurnRecord;
  readonly item: Judged;
}

/** One check over all turns of a scenario. */
export function ofTurns(all: readonly Tried[], turns: readonly TurnRecord[]): Judged[] {
  // If the refusal was allowed, only another turn can tell whether the promise holds.
  const counted = all.filter(
    ({ item, turn }) => !(isFailure(item.verdict) && turn.first.openRefused),
  );
  const same =
    counted.length > 0
      ? counted
      : all.map((one) => ({ ...one, item: judgedIn(one.item, { rule: 'open-refused' }) }));
  const { failure, verified, tries } = tally(same, turns);
  const ways = [...new Set(verified.flatMap((item) => item.ways ?? []))];
  const told = { tries, ...(ways.length > 0 && { ways }) };
  if (failure !== undefined) {
    const item = { ...overVariations(failure, same, turns), ...told };
    return [item, ...notLetIn(item, same)];
  }
  if (verified[0] !== undefined) return [{ ...verified[0], ...told }];
  return same.slice(0, 1).map(({ item }) => item);
}

/** How often a check failed and held in some turns, with its first failure. */
function tally(made: readonly Tried[], turns: readonly TurnRecord[]) {
  const failures = made.filter(({ item }) => isFailure(item.verdict));
  const verified = made.filter(({ item }) => item.verdict === 'verified').map(({ item }) => item);
  const failed = failures.length;
  // For checks of the contract only breaches are recorded.
  const held = made[0]?.item.kind === 'contract' ? turns.length - failed : verified.length;
  return { failure: failures[0], verified, tries: { held, failed } };
}

/** Judges a check that failed in some turns: always in one variation, or only at times. */
function overVariations(
  first: Tried,
  same: readonly Tried[],
  turns: readonly TurnRecord[],
): Judged {
  const groups = Map.groupBy(turns, (turn) => canonical(turn.varied?.variation ?? {}));
  const held = same.find(({ item }) => item.verdict === 'verified')?.item;
  const all = [...groups.values()].map((own) => {
    const { failure, tries } = tally(
      same.filter(({ turn }) => own.includes(turn)),
      own,
    );
    return { failure, ...tries };
  });
  const always = all.filter((one) => one.failure !== undefined && one.held === 0);
  const alone = always.find(({ failure }) => failure?.turn.varied?.variation.mixed !== true);
  if (alone?.failure !== undefined) return inVariation(alone.failure, all);
  const times = all.find((one) => one.failure !== undefined && one.held > 0);
  if (times?.failure !== undefined) {
    const { failure } = times;
    const tries = times.held + times.failed;
    const atTimes = { rule: 'at-times', failed: times.failed, tries } as const;
    return judgedIn(failure.item, atTimes, failure.item.held ?? held?.evidence);
  }
  return held === undefined
    ? first.item
    : judgedIn(first.item, { rule: 'several-variations' }, held.evidence);
}

/** A failure, with the change that alone causes it, if the check holds without the change. */
function inVariation({ item, turn }: Tried, all: readonly { readonly held: number }[]): Judged {
  const changes = changesIn(turn.varied?.variation);
  const holdsElse = all.some(({ held }) => held > 0);
  return holdsElse && changes.length > 0 ? { ...item, only: changes.join(', ') } : item;
}

/**
 * If only one caller was answered 401 or 403, the target did not let it in. That breaks the statements
 * that grant it access.
 */
function notLetIn(item: Judged, same: readonly Tried[]): Judged[] {
  const { only, verdict, actual, step } = item;
  if (verdict !== 'violated' || !/^as \w+$/.test(only ?? '')) return [];
  if (![401, 403].includes(Number(actual))) return [];
  const turn = same.find(({ item: one }) => one.evidence === item.evidence)?.turn;
  const statements = turn?.varied?.letIn.get(writtenStep(step)) ?? [];
  return statements.map((statement) => ({ ...item, statement }));
}

/** Adds the ways in which the step was made. */
export function inItsWays(item: Judged, { varied }: TurnRecord): Judged {
  const ways = varied?.ways.get(writtenStep(item.step));
  return ways === undefined || ways.length === 0 ? item : { ...item, ways };
}
