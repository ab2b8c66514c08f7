/**
 * Makes the report of the record of a run. A pure function: what happened goes in, and each check, each
 * statement and the run come out with a verdict.
 */

import { canonical } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import { assembleReport } from './assemble-report.ts';
import { judgeCheck } from './check.ts';
import type { RunRecord, ScenarioRecord, TurnRecord } from './record.ts';
import { type Judged, placeOf, type Report, type ScenarioResult, writtenStep } from './report.ts';
import { judgedIn, type RuleName, reasonOf } from './rules-of-evidence.ts';
import { withoutOthersDoing } from './turn.ts';
import { isFailure } from './verdict.ts';

export function judge({ scenarios, ...said }: RunRecord): Report {
  const all = scenarios.map(judgeScenario);
  return assembleReport({
    ...said,
    scenarios: all.map(({ result }) => result),
    judged: all.flatMap(({ judged }) => (said.options.inferred ? judged.map(asReported) : judged)),
    mayTry: new Set(scenarios.flatMap(triable)),
    // Those of an attempt that was to confirm a failure say the same once more.
    observations: scenarios.flatMap(({ turns }) =>
      turns.flatMap(({ first }) => first.observations),
    ),
    eventually: scenarios.flatMap(({ turns }) => turns.flatMap(({ first }) => first.eventually)),
    notApplicable: scenarios.flatMap(({ notRun }) => {
      const { feature } = notRun ?? {};
      return feature ? [{ feature: feature.name, statements: [...feature.statements] }] : [];
    }),
  });
}

/** A failure of a statement that the description does not say is told, and does not count. */
function asReported(item: Judged): Judged {
  const { inferred } = contract.statements.get(item.statement) ?? {};
  return inferred === undefined ? item : judgedIn(item, { rule: 'inferred', why: inferred });
}

/** These rules say what the run may not try, whatever the target does. */
const limits: readonly RuleName[] = ['not-allowed', 'need-missing', 'feature-off', 'feature-there'];

/** The statements that a scenario tries, or would have tried. */
function triable({ notRun, turns }: ScenarioRecord): string[] {
  if (notRun !== undefined && limits.includes(notRun.why.rule)) return [];
  const checks = notRun?.checks ?? turns.flatMap(({ first }) => first.checks);
  return checks.map(({ statement }) => statement);
}

/** A scenario over all of its turns. */
function judgeScenario(record: ScenarioRecord): {
  readonly result: ScenarioResult;
  readonly judged: readonly Judged[];
} {
  const { notRun, turns, extra } = record;
  if (notRun !== undefined) {
    const { why, checks } = notRun;
    const none = { reason: reasonOf(why), durationMs: 0, requests: 0 };
    return {
      result: { ...about(record), outcome: 'not-run', ...none },
      judged: extra ? [] : checks.map(judgeCheck),
    };
  }
  const judged = turns.flatMap((turn) =>
    withoutOthersDoing(record, turn).map((item) => ({ turn, item: inItsWays(item, turn) })),
  );
  const [only, ...more] = turns.map((turn) => turnResult(record, turn));
  if (only === undefined) throw new Error(`${record.scenario} had no turn`);
  const variations = turns.map(({ varied, beside }) => {
    return { ...varied?.variation, ...(beside && { beside }) };
  });
  const isVaried = variations.some((one) => Object.keys(one).length > 0);
  const said = isVaried ? { turns: variations } : {};
  if (more.length === 0 && turns[0]?.first.openRefused !== true)
    return { result: { ...only, ...said }, judged: judged.map(({ item }) => item) };
  const results = [only, ...more];
  const { outcome, reason } = results.find((one) => one.outcome !== 'ran') ?? only;
  const sum = (key: 'durationMs' | 'requests'): number =>
    results.reduce((total, one) => total + one[key], 0);
  return {
    result: {
      ...only,
      ...{ outcome, reason, tries: results.length },
      ...{ durationMs: sum('durationMs'), requests: sum('requests') },
      ...said,
    },
    judged: [...Map.groupBy(judged, ({ item }) => seenAt(item)).values()].flatMap((same) =>
      ofTurns(same, turns),
    ),
  };
}

function about({ scenario, file, effect }: ScenarioRecord) {
  return { scenario, file, effect };
}

function turnResult(record: ScenarioRecord, turn: TurnRecord): ScenarioResult {
  const { first, again, beside, durationMs } = turn;
  return {
    ...about(record),
    outcome: first.couldNotRun === undefined ? 'ran' : 'could-not-run',
    reason: first.couldNotRun,
    durationMs,
    requests: [first, ...again].reduce((sum, { requests }) => sum + requests, 0),
    ...(beside && { beside }),
  };
}

/** A check, or one thing that was observed of a silence: each is worth knowing. */
function seenAt(item: Judged): string {
  return item.kind === 'observe' ? `${placeOf(item)} ${canonical(item.actual)}` : placeOf(item);
}

/** What a check came to in one turn. */
interface Tried {
  readonly turn: TurnRecord;
  readonly item: Judged;
}

/** One check over all turns of a scenario. */
function ofTurns(all: readonly Tried[], turns: readonly TurnRecord[]): Judged[] {
  // Another try tells if it holds in a way that nobody may refuse.
  const counted = all.filter(
    ({ item, turn }) => !(isFailure(item.verdict) && turn.first.openRefused),
  );
  const same =
    counted.length > 0
      ? counted
      : all.map((one) => ({ ...one, item: judgedIn(one.item, { rule: 'open-refused' }) }));
  const failed = same.filter(({ item }) => isFailure(item.verdict));
  const verified = same.filter(({ item }) => item.verdict === 'verified').map(({ item }) => item);
  // Of the contract's checks only breaches are recorded.
  const held = same[0]?.item.kind === 'contract' ? turns.length - failed.length : verified.length;
  const tries = { held, failed: failed.length };
  const ways = [...new Set(verified.flatMap((item) => item.ways ?? []))];
  const told = { tries, ...(ways.length > 0 && { ways }) };
  const [first] = failed;
  if (first === undefined)
    return verified[0] === undefined
      ? same.slice(0, 1).map(({ item }) => item)
      : [{ ...verified[0], ...told }];
  return [{ ...overVariations(first, same, turns), ...told }];
}

/** A check that failed in some turns: in one way of making the calls always, or at times. */
function overVariations(
  first: Tried,
  same: readonly Tried[],
  turns: readonly TurnRecord[],
): Judged {
  const groups = Map.groupBy(turns, (turn) => canonical(turn.varied?.variation ?? {}));
  const held = same.find(({ item }) => item.verdict === 'verified')?.item;
  const all = [...groups.values()].map((own) => {
    const made = same.filter(({ turn }) => own.includes(turn));
    const failed = made.filter(({ item }) => isFailure(item.verdict));
    const verified = made.filter(({ item }) => item.verdict === 'verified').length;
    const times = first.item.kind === 'contract' ? own.length - failed.length : verified;
    return { failure: failed[0], failed: failed.length, held: times };
  });
  const always = all.filter((one) => one.failure !== undefined && one.held === 0);
  const alone = always.find(({ failure }) => failure?.turn.varied?.variation.mixed !== true);
  if (alone?.failure !== undefined) return inVariation(alone.failure, all);
  const times = all.find((one) => one.failure !== undefined && one.held > 0);
  if (times?.failure !== undefined) {
    const { failure } = times;
    const atTimes = {
      ...({ rule: 'at-times', failed: times.failed, tries: times.held + times.failed } as const),
    };
    return judgedIn(failure.item, atTimes, failure.item.held ?? held?.evidence);
  }
  return held === undefined
    ? first.item
    : judgedIn(first.item, { rule: 'taken-in-turns' }, held.evidence);
}

/** A failure, and the change with which alone it comes, if it holds without. */
function inVariation({ item, turn }: Tried, all: readonly { readonly held: number }[]): Judged {
  const { as = {}, rewritten = {}, elsewhere, text } = turn.varied?.variation ?? {};
  const changes = [
    ...[...new Set(Object.values(as))].map((name) => `as ${name}`),
    ...new Set(Object.values(rewritten).flat()),
    ...(elsewhere === true ? ['in the other deployment'] : []),
    ...(text === undefined ? [] : [text]),
  ];
  const holdsElse = all.some(({ held }) => held > 0);
  return holdsElse && changes.length > 0 ? { ...item, only: changes.join(', ') } : item;
}

/** With the ways in which the step was made. */
function inItsWays(item: Judged, { varied }: TurnRecord): Judged {
  const ways = varied?.ways.get(writtenStep(item.step));
  return ways === undefined || ways.length === 0 ? item : { ...item, ways };
}
