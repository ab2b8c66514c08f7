/**
 * Makes the report from the record of a run: each check, each statement and the run get a verdict. It is a
 * pure function.
 */

import { canonical } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import { assembleReport } from './assemble-report.ts';
import { judgeCheck } from './check.ts';
import { pagesInPlace } from './gateway.ts';
import { inItsWays, ofTurns } from './over-turns.ts';
import {
  type AttemptRecord,
  inCircumstance,
  type MadeCall,
  type RunRecord,
  type ScenarioRecord,
  type TurnRecord,
} from './record.ts';
import { type Judged, placeOf, type Report, type ScenarioResult } from './report.ts';
import { type Circumstance, judgedIn, type RuleName, reasonOf } from './rules-of-evidence.ts';
import { withoutOthersDoing } from './turn.ts';

export function judge({ scenarios: played, ...said }: RunRecord): Report {
  const scenarios = withoutOutage(withoutPages(played, said.stopped !== undefined), said.stopped);
  const all = scenarios.map(judgeScenario);
  return assembleReport({
    ...said,
    scenarios: all.map(({ result }) => result),
    judged: all.flatMap(({ judged }) => (said.options.inferred ? judged.map(asReported) : judged)),
    mayTry: new Set(scenarios.flatMap(triable)),
    // An attempt to confirm a failure would repeat the observations.
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

/** Removes attempts in which a page came in place of the service's answer: they say nothing. */
function withoutPages(scenarios: readonly ScenarioRecord[], stopped: boolean) {
  const attempts = scenarios.flatMap(({ turns }) => turns.map(({ first }) => first));
  const pages = pagesInPlace(
    attempts.flatMap(({ calls }) => calls),
    stopped,
  );
  return without(scenarios, { rule: 'page' }, (call) => pages.has(call));
}

/** Removes attempts whose write failed during an outage of the service: they say nothing either. */
function withoutOutage(scenarios: readonly ScenarioRecord[], reason: string | undefined) {
  if (reason === undefined) return scenarios;
  return without(scenarios, { rule: 'outage', reason }, ({ failed }) => failed === true);
}

/** Removes the results of attempts with such a call. */
function without(
  scenarios: readonly ScenarioRecord[],
  why: Circumstance,
  isSuch: (call: MadeCall) => boolean,
): readonly ScenarioRecord[] {
  const told = (attempt: AttemptRecord): AttemptRecord => {
    if (!attempt.calls.some(isSuch)) return attempt;
    const checks = attempt.checks.map((check) => inCircumstance(check, why));
    return { ...attempt, checks, observations: [], couldNotRun: reasonOf(why) };
  };
  return scenarios.map((scenario) => {
    const turns = scenario.turns.map((turn) => ({ ...turn, first: told(turn.first) }));
    return { ...scenario, turns };
  });
}

/** Turns a failure of an inferred statement into an observation, which does not count. */
function asReported(item: Judged): Judged {
  const { inferred } = contract.statements.get(item.statement) ?? {};
  return inferred === undefined ? item : judgedIn(item, { rule: 'inferred', why: inferred });
}

/** These rules limit the run itself, whatever the target does. */
const limits: readonly RuleName[] = ['not-allowed', 'need-missing', 'feature-off', 'feature-there'];

/** The statements that a scenario tries, or should have tried. */
function triable({ notRun, turns, told }: ScenarioRecord): string[] {
  if (told !== undefined) return told.judged.map(({ statement }) => statement);
  if (notRun !== undefined && limits.includes(notRun.why.rule)) return [];
  const checks = notRun?.checks ?? turns.flatMap(({ first }) => first.checks);
  return checks.map(({ statement }) => statement);
}

/** Judges a scenario over all its turns. */
function judgeScenario(record: ScenarioRecord): {
  readonly result: ScenarioResult;
  readonly judged: readonly Judged[];
} {
  const { notRun, turns, extra, told } = record;
  if (told !== undefined) return told;
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
  const variations = turns.map(({ varied, concurrent }) => {
    return { ...varied?.variation, ...(concurrent && { concurrent }) };
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
  const { first, again, concurrent, durationMs } = turn;
  return {
    ...about(record),
    outcome: first.couldNotRun === undefined ? 'ran' : 'could-not-run',
    reason: first.couldNotRun,
    durationMs,
    requests: [first, ...again].reduce((sum, { requests }) => sum + requests, 0),
    ...(concurrent && { concurrent }),
  };
}

/** The place of a check or an observation; a silence may have several observations. */
function seenAt(item: Judged): string {
  return item.kind === 'observe' ? `${placeOf(item)} ${canonical(item.actual)}` : placeOf(item);
}
