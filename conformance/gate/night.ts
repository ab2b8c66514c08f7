/** What a night leaves in the history, and what the nights before say of one check. Pure. */

import { hash } from 'node:crypto';
import { quantile } from '../../spec/base/quantile.ts';
import { answersOf } from '../compare/silences.ts';
import type { Gate, Night, NightHead } from '../judge/gate.generated.ts';
import type { Report, ScenarioResult } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { checksOf, keyOf, type Place } from './checks.ts';
import type { Health, Opened } from './outage.ts';

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

export function headOf(report: Report, target: string): Omit<NightHead, 'exitCode' | 'headline'> {
  const { runId, startedAt, durationMs, requests, options, suite } = report;
  const digests = [suite.contractSha256, suite.scenariosSha256].map((text) => text.slice(0, 8));
  return {
    ...{ startedAt, target, runId, durationMs, requests: requests.total, allow: options.allow },
    suite: [suite.version, ...digests].join(' '),
  };
}

/** What later nights are told of this one. */
export function nightOf({ night, news }: Gate, report: Report, health: Health): Night {
  const isNew = new Set(news.map(keyOf));
  // What failed only while the target was out of order has no verdict tonight.
  const judged = report.statements.filter(
    ({ verdict, checks }) =>
      !isFailure(verdict) ||
      checks.some((one) => isFailure(one.verdict) && !health.touched.has(one.scenario)),
  );
  const byVerdict = Map.groupBy(judged, ({ verdict }) => verdict);
  byVerdict.delete('not-selected');
  const sound = report.scenarios.filter(
    ({ scenario, outcome }) => outcome === 'ran' && !health.touched.has(scenario),
  );
  const latency = Object.entries(report.latency ?? {}).filter(([, { length }]) => length > 0);
  const titleOf = ({ scenario }: ScenarioResult): string => scenario;
  const msOf = ({ durationMs, tries = 1 }: ScenarioResult) => Math.round(durationMs / tries);
  const ran = new Set(sound.map(titleOf));
  const failures = [...checksOf(report)].flatMap(([key, { place, verdict }]) =>
    verdict === undefined || (place.scenario !== undefined && !ran.has(place.scenario))
      ? []
      : [{ key, verdict, ...(isNew.has(key) && { news: true as const }) }],
  );
  const took = report.eventually.filter(({ tookMs }) => tookMs !== null);
  return {
    night,
    verdicts: mapped(byVerdict, (all) => all.map(({ id }) => id)),
    failures,
    scenarios: Object.fromEntries(sound.map((one) => [one.scenario, msOf(one)])),
    skipped: report.scenarios.filter(({ outcome }) => outcome === 'not-run').map(titleOf),
    opened: health.opened,
    silences: silencesOf(report, health),
    latency: mapped(new Map(latency), (samples) => [quantile(samples), quantile(samples, 0.95)]),
    convergence: Object.fromEntries(
      took.map(({ scenario, step, tookMs }) => [`${scenario} / ${step}`, tookMs ?? 0]),
    ),
  };
}

/** A night of which there is nothing but its head: the target was not there. */
export function emptyNight(night: NightHead): Night {
  const nothing = { verdicts: {}, failures: [], scenarios: {}, opened: {}, silences: {} };
  return { night, ...nothing, skipped: [], latency: {}, convergence: {} };
}

/** By silence and answer: where it was seen. Nothing of anybody's data. */
export function silencesOf({ statements }: Report, { touched }: Health): Night['silences'] {
  // An answer that breaks a promise says nothing of what the service does otherwise.
  const failed = statements.flatMap(({ checks }) => checks.filter((one) => isFailure(one.verdict)));
  const out = touched.union(new Set(failed.map(({ scenario }) => scenario)));
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

/** Where a silence was asked before as well, and is answered otherwise than the last time. */
export function changedSilences(
  now: Night['silences'],
  nights: readonly Night[],
): Gate['silences'] {
  return Object.entries(now).flatMap(([statement, answers]) => {
    const before = new Map<string, { readonly answer: string; readonly last: string }>();
    for (const { night, silences } of nights) {
      const last = dayOf(night.startedAt);
      for (const [answer, places] of Object.entries(silences[statement] ?? {})) {
        for (const place of places) before.set(place, { answer, last });
      }
    }
    const changed = Object.entries(answers).flatMap(([answer, places]) =>
      places.flatMap((place) => {
        const known = before.get(place);
        return known === undefined || known.answer === answer ? [] : { ...known, now: answer };
      }),
    );
    const [first] = changed;
    if (first === undefined) return [];
    const all = (key: 'answer' | 'now'): string =>
      [...new Set(changed.map((one) => one[key]))].sort().join(' or ');
    return [{ statement, was: all('answer'), now: all('now'), last: first.last }];
  });
}

/** What each credential opened, on the last night that shows it. */
export function openedBefore(nights: readonly Night[]): Opened {
  return Object.assign({}, ...nights.map(({ opened }) => opened));
}

/**
 * The days, the last first, on which a check came out so, back to the first on which it did not.
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
