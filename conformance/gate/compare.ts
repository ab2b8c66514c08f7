/**
 * A night's report, compared with the baseline and the nights before; it comes to an exit code and
 * one line. Pure.
 */

import { compare, type Outcome } from '../compare/compare.ts';
import type {
  BaselineEntry,
  FailedVerdict,
  Finding,
  Gate,
  Night,
} from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes, type Report } from '../judge/report.ts';
import { type CheckOutcome, checkKey, checksOf, type Place } from './checks.ts';
import { changedSilences, dayOf, nightHead, silencesOf, streak } from './night.ts';
import type { Health } from './outage.ts';

export interface NightInput {
  readonly report: Report;
  readonly health: Health;
  readonly baseline: ReadonlyMap<string, BaselineEntry>;
  /** Nights of the same target, the last one last. */
  readonly nights: readonly Night[];
  /** Titles of the whole suite, those that were left out included. */
  readonly titles: ReadonlySet<string>;
  readonly target: string;
  readonly driftFails: boolean;
  readonly putBack: readonly string[];
  /** With a budget of time: within how many nights every scenario runs. */
  readonly nightsToCover: number | undefined;
}

/**
 * What is known to fail only at times must hold on so many nights in a row before its entry is
 * stale, and fail in every try on so many before it counts as worse: one night proves neither.
 */
const STEADY = 14;
const WORSE = 3;

export function gateOf(input: NightInput): Gate {
  const { report, health, nights, putBack } = input;
  const silences = changedSilences(silencesOf(report, health), nights);
  const found = { ...listsOf(input), silences, outages: unable(report, health) };
  const exitCode = exitCodeOf(report, found, input.driftFails);
  const headline = headlineOf(report, found, exitCode);
  const night = { ...nightHead(report, input.target), exitCode, headline };
  return { schemaVersion: 1, night, ...found, putBack, ...budgetOf(input) };
}

/** The baseline as it should be after the night: reasons and dates stay, and what was not tried. */
export function updated(
  { news, known, stale, unknown }: Gate,
  baseline: ReadonlyMap<string, BaselineEntry>,
): BaselineEntry[] {
  const next = new Map(baseline);
  for (const finding of [...news, ...known]) {
    const { tonight: _t, note: _n, detail: _d, ...entry } = finding;
    next.set(checkKey(finding), entry);
  }
  for (const item of [...stale, ...unknown]) next.delete(checkKey(item));
  return [...next.values()];
}

type Found = Lists & Pick<Gate, 'silences' | 'outages'>;
type Lists = Record<'news' | 'known' | 'stale' | 'unknown' | 'unconfirmed' | 'late', Finding[]>;

function listsOf(input: NightInput): Lists {
  const { baseline, titles, nights } = input;
  const lists: Lists = { news: [], known: [], stale: [], unknown: [], unconfirmed: [], late: [] };
  const { news, known, stale, unknown, unconfirmed, late } = lists;
  for (const { key, kind, now } of compare(failedBefore(baseline), tonight(input))) {
    const entry = baseline.get(key);
    if (now?.doubt === 'late')
      late.push({ ...findingOf(key, now, input), verdict: 'not-testable' });
    if (now?.doubt === 'unconfirmed' && (now.fails || entry !== undefined))
      unconfirmed.push(findingOf(key, now, input));
    if (now?.state === 'failed') {
      const finding = findingOf(key, now, input);
      const note = entry && noLonger(key, now, entry, input);
      if (note !== undefined) news.push({ ...finding, note });
      else if (entry !== undefined) known.push({ ...finding, tonight: 'failed' });
      else if (now.fails) news.push(finding);
    } else if (entry !== undefined) {
      const isInSuite = entry.scenario === undefined || titles.has(entry.scenario);
      if (kind === 'mended' && isSteady(key, entry, nights)) stale.push(entry);
      else if (isInSuite) known.push({ ...entry, tonight: kind === 'mended' ? 'held' : 'untried' });
      else unknown.push(entry);
    }
  }
  return lists;
}

/** The baseline as a report of what failed before. */
function failedBefore(baseline: NightInput['baseline']): Map<string, Outcome> {
  return new Map(
    [...baseline].map(([key, { verdict }]) => [key, { state: 'failed' as const, verdict }]),
  );
}

function tonight({ report, health, baseline }: NightInput): Map<string, CheckOutcome> {
  // What failed in a run that was stopped, or in a scenario that broke off, has not come again.
  const lost = report.scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  const out = health.touched.union(new Set(lost.map(({ scenario }) => scenario)));
  const isOut = ({ scenario = '' }: Place): boolean => report.interrupted || out.has(scenario);
  const seen = checksOf(report, isOut);
  for (const [key, place] of baseline) {
    // Of the contract's checks only failures are recorded: one held if its step was answered.
    const answered = health.answered.has(`${place.scenario} | ${place.step}`);
    if (place.check === 'contract' && answered && !isOut(place) && !seen.has(key))
      seen.set(key, { place, state: 'held', verdict: 'verified', fails: false, detail: '' });
  }
  return seen;
}

/** Since when it fails is told by its entry, or by the nights before. */
function findingOf(
  key: string,
  { place, verdict, detail }: CheckOutcome,
  { report, baseline, nights }: NightInput,
): Finding {
  const entry = baseline.get(key);
  const first = entry?.since ?? streak(key, place, nights, 'failed').at(-1);
  const since = first ?? dayOf(report.startedAt);
  return { ...entry, ...place, verdict: verdict as FailedVerdict, since, detail };
}

/** Why an entry does not excuse what failed tonight; undefined if it does. */
function noLonger(
  key: string,
  { place, verdict }: CheckOutcome,
  entry: BaselineEntry,
  { report, nights }: NightInput,
): string | undefined {
  if (entry.until !== undefined && entry.until < dayOf(report.startedAt))
    return `accepted until ${entry.until}`;
  if (entry.verdict !== 'unstable' || verdict === 'unstable') return undefined;
  const bad = streak(key, place, nights, 'always').length + 1;
  return bad < WORSE
    ? undefined
    : `it held at times, and has failed in every try for ${bad} nights`;
}

function isSteady(key: string, entry: BaselineEntry, nights: readonly Night[]): boolean {
  return entry.verdict !== 'unstable' || streak(key, entry, nights, 'held').length + 1 >= STEADY;
}

function budgetOf({ report, nightsToCover: nights }: NightInput): Pick<Gate, 'budget'> {
  if (nights === undefined) return {};
  const { options, scenarios, statements } = report;
  const untried = statements.filter(({ verdict }) => verdict === 'not-selected');
  const { leftOut = [] } = options;
  const ids = untried.map(({ id }) => id);
  return { budget: { ran: scenarios.length, leftOut, statements: ids, nights } };
}

/** Why the target could not be tried, or not all of it: a line each. */
function unable(report: Report, { outages }: Health): readonly string[] {
  const { interrupted, preflight, scenarios, totals } = report;
  const lost = scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  const { verified, violated, deviates, unstable, observed } = totals.checks;
  if (outages.length > 0) return outages;
  if (interrupted) return ['the run was interrupted'];
  if (preflight.length > 0) return preflight.map(({ name, message }) => `${name}: ${message}`);
  if (lost.length > 0) return [`${lost.length} of the scenarios could not run: ${lost[0]?.reason}`];
  const some = verified + violated + deviates + unstable + observed > 0;
  return some ? [] : ['nothing was evaluated'];
}

/** The order of what must not be overlooked: left changed, broken, stale, not tried. */
function exitCodeOf(report: Report, found: Found, driftFails: boolean): ExitCode {
  const { news, stale, silences, outages } = found;
  if (report.leftBehind.length > 0) return exitCodes.unsafe;
  if (news.length > 0 || (driftFails && silences.length > 0)) return exitCodes.violation;
  if (stale.length > 0) return exitCodes.stale;
  return outages.length > 0 ? exitCodes.couldNotRun : exitCodes.ok;
}

const words = ['PASSED', 'FAILED', 'NOT RUN', 'STALE', 'COULD NOT RUN', 'UNSAFE'] as const;

/** The line that a night is known by. */
export function headline(exitCode: ExitCode, parts: readonly string[]): string {
  return `GATE ${words[exitCode]}  ${parts.join('; ')}`;
}

function headlineOf(report: Report, found: Found, exitCode: ExitCode): string {
  const { leftBehind, scenarios, options } = report;
  const { leftOut } = options;
  const { news, known, stale, unconfirmed, late, silences, outages } = found;
  const bare = known.filter((entry) => !entry.reason).length;
  const ids = (list: readonly Pick<Finding, 'statement'>[]): string =>
    names(list.map(({ statement }) => statement));
  const broken = news.map(({ statement, verdict }) => `${statement} ${verdict.replace('-', ' ')}`);
  const parts = [
    leftBehind.length > 0 && `left changed: ${leftBehind.map(({ object }) => object).join(', ')}`,
    news.length > 0 && `${news.length} new: ${names(broken)}`,
    stale.length > 0 && `${stale.length} known to fail, and held: ${ids(stale)}`,
    outages[0],
    known.length > 0 && `${known.length} known${bare > 0 ? `, ${bare} of them unreviewed` : ''}`,
    unconfirmed.length > 0 && `${unconfirmed.length} failed meanwhile`,
    late.length > 0 && `${late.length} late: ${ids(late)}`,
    silences.length > 0 && `silences answered otherwise: ${ids(silences)}`,
  ].filter((part) => typeof part === 'string');
  if (parts.length === 0) parts.push('nothing new');
  const all = scenarios.length + (leftOut?.length ?? 0);
  return headline(exitCode, leftOut ? [...parts, `${scenarios.length} of ${all} ran`] : parts);
}

/** Each once, the first of them. */
function names(all: readonly string[]): string {
  const each = [...new Set(all)];
  return each.slice(0, 4).join(', ') + (each.length > 4 ? ` and ${each.length - 4} more` : '');
}
