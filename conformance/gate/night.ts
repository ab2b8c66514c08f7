/** The record of a night in the history, and the record of one check over earlier nights. Pure. */

import { hash } from 'node:crypto';
import { Grammar } from '../../spec/base/grammar.ts';
import { equal, parseJson } from '../../spec/base/json.ts';
import { quantile } from '../../spec/base/quantile.ts';
import { Refused } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import { answersOf, compareAnswers } from '../compare/silences.ts';
import schema from '../gate.schema.json' with { type: 'json' };
import type { FailedVerdict, Gate, Night, NightHead } from '../judge/gate.generated.ts';
import type { Report } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { brokenOff, type CheckOutcome, checkKey, type Place } from './checks.ts';

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

export function nightHead(report: Report, target: string) {
  const { runId, startedAt, durationMs, requests, options, suite } = report;
  const digests = [suite.contractSha256, suite.scenariosSha256].map((text) => text.slice(0, 8));
  return {
    ...{ startedAt, target, runId, durationMs, requests: requests.total, allow: options.allow },
    suite: [suite.version, ...digests].join(' '),
  };
}

const grammar = new Grammar<Gate>(schema);

/** Reads the gate's result for this report from the text of its file. Throws Refused. */
export function gateOfReport(text: string, report: Report): Gate {
  const read = grammar.readOne(parseJson(text));
  if ('problem' in read)
    throw new Refused(`gate.json is not a result of the gate: ${read.problem}`);
  const { target, exitCode: _e, headline: _h, ...head } = read.value.night;
  const own = JSON.parse(JSON.stringify(nightHead(report, target)));
  if (equal({ target, ...head }, own)) return read.value;
  throw new Refused('gate.json belongs to another report');
}

/** The record of this night for later nights, without everything that the night could not judge. */
export function nightOf(
  { night, news }: Pick<Gate, 'night' | 'news'>,
  report: Report,
  checks: ReadonlyMap<string, CheckOutcome>,
): Night {
  const { statements, scenarios, eventually, latency = {} } = report;
  const off = brokenOff(report);
  const judged = statements.filter(
    ({ verdict, checks: own }) =>
      verdict !== 'not-selected' &&
      (!isFailure(verdict) || own.some((one) => isFailure(one.verdict) && !off.has(one.scenario))),
  );
  const ran = scenarios.filter((one) => one.outcome === 'ran' && !off.has(one.scenario));
  const failed = [...checks].filter(([, { state }]) => state === 'failed');
  const isNew = new Set(news.map(checkKey));
  return {
    night,
    verdicts: mapped(
      Map.groupBy(judged, ({ verdict }) => verdict),
      (all) => all.map(({ id }) => id),
    ),
    failures: failed.map(([key, { verdict }]) => ({
      ...{ key, verdict: verdict as FailedVerdict },
      ...(isNew.has(key) && { news: true as const }),
    })),
    scenarios: Object.fromEntries(
      ran.map(({ scenario, durationMs, tries = 1 }) => [scenario, Math.round(durationMs / tries)]),
    ),
    skipped: scenarios.flatMap((one) => (one.outcome === 'not-run' ? [one.scenario] : [])),
    silences: silencesOf(report),
    latency: Object.fromEntries(
      Object.entries(latency).flatMap(([operation, all]) =>
        all.length > 0 ? [[operation, [quantile(all), quantile(all, 0.95)]]] : [],
      ),
    ),
    convergence: Object.fromEntries(
      eventually.flatMap(({ scenario, step, tookMs }) =>
        tookMs === null ? [] : [[`${scenario} / ${step}`, tookMs]],
      ),
    ),
  };
}

/** The record of a night in which the target could not be reached. */
export function emptyNight(night: NightHead): Night {
  const nothing = { verdicts: {}, failures: [], scenarios: {}, silences: {} };
  return { night, ...nothing, skipped: [], latency: {}, convergence: {} };
}

/**
 * For each silence and answer, the hashes of the places with that answer. They contain no personal
 * data.
 */
export function silencesOf(report: Report): Night['silences'] {
  const { statements } = report;
  // An answer that breaks a promise does not show the usual behaviour of the service.
  const failed = statements.flatMap(({ checks }) => checks.filter((one) => isFailure(one.verdict)));
  const out = brokenOff(report).union(new Set(failed.map(({ scenario }) => scenario)));
  return Object.fromEntries(
    statements.flatMap((statement) => {
      if (statement.level !== 'silent') return [];
      const checks = statement.checks.filter(({ scenario }) => !out.has(scenario));
      const places = [...answersOf({ checks })];
      const answers = Map.groupBy(places, ([, { seen }]) => seen.join(', ').slice(0, 200));
      const hashed = mapped(answers, (all) =>
        all.map(([place]) => hash('sha256', place).slice(0, 6)).sort(),
      );
      return answers.size === 0 ? [] : [[statement.id, hashed]];
    }),
  );
}

/** Silences whose answer differs from the last answer at the same place. */
export function changedSilences(
  now: Night['silences'],
  nights: readonly Night[],
): Gate['silences'] {
  return Object.entries(now).flatMap(([statement, answers]) => {
    const { conclusive } = contract.statements.get(statement) ?? {};
    if (conclusive !== undefined) return changedInTime(statement, conclusive, answers, nights);
    const before = new Map(
      nights.flatMap(({ night, silences }) => seenBy(silences[statement], dayOf(night.startedAt))),
    );
    const found = compareAnswers(before, new Map(seenBy(answers, '')));
    const [first] = found.changed;
    if (first === undefined) return [];
    const [was, is] = [found.was.join(' or '), found.now.join(' or ')];
    return [{ statement, was, now: is, last: first.was.day }];
  });
}

/** After this many nights in a row, the same answer to a silence about time is not chance. */
const SURE = 3;

/**
 * If a delay is about as long as the time between two reads, observations of it may differ. So a
 * night has one answer, which a single observation proves. The answer is new if it is proven and
 * stays, and no earlier night had it. The other answer may be chance in any night.
 */
function changedInTime(
  statement: string,
  conclusive: string,
  answers: Answers,
  nights: readonly Night[],
): Gate['silences'] {
  const told = (all: Answers): string => {
    const seen = Object.keys(all).flatMap((answer) => answer.split(', '));
    return seen.includes(conclusive) ? conclusive : (seen[0] ?? '');
  };
  const now = told(answers);
  const all = nights.flatMap(({ night, silences: { [statement]: seen } }) =>
    seen === undefined ? [] : [{ was: told(seen), day: dayOf(night.startedAt) }],
  );
  const [before, lately] = [all.slice(0, 1 - SURE), all.slice(1 - SURE)];
  const last = before.at(-1);
  const isNew = lately.every(({ was }) => was === now) && before.every(({ was }) => was !== now);
  return last !== undefined && isNew && now === conclusive
    ? [{ statement, was: last.was, now, last: last.day }]
    : [];
}

type Answers = Night['silences'][string];

/** The answers of a night to a silence, by place. */
const seenBy = (answers: Answers = {}, day: string) =>
  Object.entries(answers).flatMap(([answer, places]) =>
    places.map((place) => [place, { seen: [answer], day }] as const),
  );

/**
 * The days on which a check had this result, from the last day back to the first other result.
 * `always`: it failed in every try. Nights that did not try it do not count.
 */
export function streak(
  key: string,
  { scenario }: Place,
  nights: readonly Night[],
  wanted: 'failed' | 'always' | 'held',
): string[] {
  const days: string[] = [];
  for (const { night, failures, scenarios } of nights.toReversed()) {
    const failure = failures.find((item) => item.key === key);
    const ran = scenario === undefined || scenarios[scenario] !== undefined;
    if (failure === undefined && !ran) continue;
    const fits = {
      failed: failure !== undefined,
      always: failure !== undefined && failure.verdict !== 'unstable',
      held: failure === undefined,
    };
    if (!fits[wanted]) break;
    days.push(dayOf(night.startedAt));
  }
  return days;
}

function mapped<V, W>(from: ReadonlyMap<string, V>, of: (value: V) => W): Record<string, W> {
  return Object.fromEntries([...from].map(([key, value]) => [key, of(value)]));
}
