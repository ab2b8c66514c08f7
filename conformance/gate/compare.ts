/**
 * Compares a night's report with the baseline and the nights before. The result is an exit code, one
 * line, and a record for later nights. Pure.
 */

import type { Effect } from '../../spec/contract.ts';
import { compare, type Outcome, stateOf } from '../compare/compare.ts';
import { reachHeadline, reachIn, reachOfSilence } from '../compare/reliance.ts';
import { whyCouldNotRun } from '../judge/assemble-report.ts';
import type {
  BaselineEntry,
  FailedVerdict,
  Finding,
  Gate,
  Night,
} from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes, type RelyingClient, type Report } from '../judge/report.ts';
import { areaOf } from '../language/own-suite.ts';
import type { Scenario } from '../language/scenario.ts';
import { worse } from '../language/vocabulary.ts';
import { brokenOff, type CheckOutcome, checkKey, checksOf } from './checks.ts';
import { changedSilences, dayOf, nightHead, nightOf, silencesOf, streak } from './night.ts';

export interface NightInput {
  readonly report: Report;
  readonly baseline: ReadonlyMap<string, BaselineEntry>;
  /** Nights of the same target, the last one last. */
  readonly nights: readonly Night[];
  /** The scenarios of the whole suite, including those that did not run. */
  readonly scenarios: readonly Pick<Scenario, 'title' | 'statements'>[];
  readonly target: string;
  readonly driftFails: boolean;
  /** A known problem that holds again is only reported, and does not fail the night. */
  readonly staleWarns: boolean;
  readonly putBack: readonly string[];
  /** The statements that clients rely on. */
  readonly clients?: readonly RelyingClient[] | undefined;
  /** The number of nights in which every scenario runs, if there is a time budget. */
  readonly nightsToCover: number | undefined;
}

/**
 * A check that is known to fail only at times proves nothing in one night. Its entry is stale after
 * `STEADY` nights in a row without a failure. It is new again after `WORSE` nights in a row in
 * which it failed in every try.
 */
const STEADY = 14;
const WORSE = 3;

/** The result of a night, and the facts of it that the history keeps. */
export function compareNight(input: NightInput): { readonly gate: Gate; readonly night: Night } {
  const { report, nights, putBack, baseline } = input;
  const why = whyCouldNotRun(report);
  const tried = triedBefore(input);
  const lost = new Set(why.length > 0 ? [] : lostIn(input, tried));
  const checks = checksOf(report, lost, baseline);
  const silences = changedSilences(silencesOf(report), nights);
  const lists = listsOf(input, checks);
  const gone = Map.groupBy(tried, areaOf)
    .entries()
    .filter(([area, all]) => area !== undefined && all.every((id) => lost.has(id)))
    .filter(([, all]) => lists.lost.some(({ statement }) => all.includes(statement)))
    .map(([area]) => `nothing of ${area} was tried, and it was before`);
  const outages = [...why, ...gone];
  const found = { ...lists, silences, outages, ...reachOf(input, silences) };
  const exitCode = exitCodeOf(input, found);
  const head = { ...nightHead(report, input.target), exitCode, headline: '' };
  const night = { ...head, headline: headlineOf(report, found, exitCode) };
  const gate = { schemaVersion: 1, night, ...found, putBack, ...budgetOf(input) } as const;
  return { gate, night: nightOf(gate, report, checks) };
}

/** The clients whose tests rely on a broken statement, or on a silence whose answer changed. */
function reachOf(
  { report, clients: reliance = [] }: NightInput,
  silences: Gate['silences'],
): Pick<Gate, 'reach'> {
  if (reliance.length === 0) return {};
  const answered = silences.map(({ statement, now }) =>
    reachOfSilence(statement, now.split(/ or |, /), reliance),
  );
  return { reach: [...reachIn({ ...report, reliance }), ...answered] };
}

/** The new baseline after the night. Reasons, dates and entries that were not tried stay. */
export function updated(
  { news, lost, known, stale, unknown }: Gate,
  baseline: ReadonlyMap<string, BaselineEntry>,
): BaselineEntry[] {
  const next = new Map(baseline);
  for (const finding of [...news, ...lost, ...known]) {
    const { tonight: _t, note: _n, detail: _d, ...entry } = finding;
    next.set(checkKey(finding), entry);
  }
  for (const item of [...stale, ...unknown]) next.delete(checkKey(item));
  return [...next.values()];
}

/** The promises that an earlier passing night verified, with at most tonight's permission. */
function triedBefore({ report, nights }: NightInput): string[] {
  const ids = new Set(
    nights.flatMap(({ night: { allow = 'none', exitCode }, verdicts }) => {
      const isLike = passed.includes(exitCode) && !worse(allow as Effect, report.options.allow);
      return isLike ? [...(verdicts.verified ?? []), ...(verdicts['verified-in-part'] ?? [])] : [];
    }),
  );
  return report.statements.flatMap(({ id, level }) =>
    level !== 'silent' && ids.has(id) ? [id] : [],
  );
}

/** Only in these nights does a check count as tried: a bad night may try checks that no good night tries. */
const passed: readonly ExitCode[] = [exitCodes.ok, exitCodes.stale];

/** The promises that are no longer tried, although neither an option nor the target prevented it. */
function lostIn({ report, scenarios }: NightInput, tried: readonly string[]): string[] {
  const { statements, options } = report;
  const leftOut = scenarios.filter(({ title }) => options.leftOut?.includes(title));
  const later = new Set(leftOut.flatMap((scenario) => [...scenario.statements]));
  const off = brokenOff(report);
  const untried = statements.filter(
    ({ verdict, checks }) =>
      stateOf(verdict) === 'untried' &&
      verdict !== 'not-selected' &&
      !checks.some(({ scenario }) => off.has(scenario)),
  );
  return untried.flatMap(({ id }) => (tried.includes(id) && !later.has(id) ? [id] : []));
}

type Found = Lists & Pick<Gate, 'silences' | 'outages' | 'reach'>;
type Lists = Record<
  'news' | 'lost' | 'known' | 'stale' | 'unknown' | 'unconfirmed' | 'late',
  Finding[]
>;

function listsOf(input: NightInput, tonight: ReadonlyMap<string, CheckOutcome>): Lists {
  const { baseline, scenarios, nights, report } = input;
  const titles = new Set(scenarios.map(({ title }) => title));
  const lists: Lists = {
    news: [],
    lost: [],
    known: [],
    stale: [],
    unknown: [],
    unconfirmed: [],
    late: [],
  };
  const { news, lost, known, stale, unknown, unconfirmed, late } = lists;
  for (const { key, kind, now } of compare(failedBefore(baseline), tonight)) {
    const entry = baseline.get(key);
    if (now?.doubt === 'late')
      late.push({ ...findingOf(key, now, input), verdict: 'not-testable' });
    if (now?.doubt === 'unconfirmed' && (now.fails || entry !== undefined))
      unconfirmed.push(findingOf(key, now, input));
    if (now?.state === 'failed') {
      const finding = findingOf(key, now, input);
      const note = entry && noLonger(key, now, entry, input);
      const isLost = now.place.scenario === undefined && !report.options.complete;
      if (note !== undefined) news.push({ ...finding, note });
      else if (entry !== undefined) known.push({ ...finding, tonight: 'failed' });
      else if (isLost) lost.push(finding);
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

/** The baseline in the form of a report, with the checks that failed before. */
function failedBefore(baseline: NightInput['baseline']): Map<string, Outcome> {
  return new Map(
    [...baseline].map(([key, { verdict }]) => [key, { state: 'failed' as const, verdict }]),
  );
}

/** A finding. Its entry or the nights before give the day of its first failure. */
function findingOf(
  key: string,
  { place, verdict, reason }: CheckOutcome,
  { report, baseline, nights }: NightInput,
): Finding {
  const entry = baseline.get(key);
  const first = entry?.since ?? streak(key, place, nights, 'failed').at(-1);
  const since = first ?? dayOf(report.startedAt);
  const detail = reason === undefined ? {} : { detail: reason };
  return { ...entry, ...place, verdict: verdict as FailedVerdict, since, ...detail };
}

/** Why an entry does not excuse tonight's failure; undefined if it does. */
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
  const { options, statements } = report;
  const untried = statements.filter(({ verdict }) => verdict === 'not-selected');
  const { leftOut = [] } = options;
  const ids = untried.map(({ id }) => id);
  return { budget: { ran: ranIn(report), leftOut, statements: ids, nights } };
}

const ranIn = ({ scenarios }: Report): number =>
  scenarios.filter(({ outcome }) => outcome === 'ran').length;

/** The exit code, in the order of importance: left changed, broken, stale, not tried. */
function exitCodeOf({ report, driftFails, staleWarns }: NightInput, found: Found): ExitCode {
  const { news, lost, stale, silences, outages } = found;
  if (report.leftBehind.length > 0) return exitCodes.unsafe;
  const isLess = lost.length > 0 && outages.length === 0;
  if (news.length > 0 || isLess || (driftFails && silences.length > 0)) return exitCodes.violation;
  if (stale.length > 0 && !staleWarns) return exitCodes.stale;
  return outages.length > 0 ? exitCodes.couldNotRun : exitCodes.ok;
}

const words = ['PASSED', 'FAILED', 'NOT RUN', 'STALE', 'COULD NOT RUN', 'UNSAFE'] as const;

/** The headline of a night. */
export function headline(exitCode: ExitCode, parts: readonly string[]): string {
  return `GATE ${words[exitCode]}  ${parts.join('; ')}`;
}

function headlineOf(report: Report, found: Found, exitCode: ExitCode): string {
  const { leftBehind, scenarios, options } = report;
  const { leftOut } = options;
  const { news, lost, known, stale, unconfirmed, late, silences, outages, reach = [] } = found;
  const isNew = new Set([...news, ...silences].map(({ statement }) => statement));
  const bare = known.filter((entry) => !entry.reason).length;
  const ids = (list: readonly Pick<Finding, 'statement'>[]): string =>
    names(list.map(({ statement }) => statement));
  const broken = news.map(({ statement, verdict }) => `${statement} ${verdict.replace('-', ' ')}`);
  const parts = [
    leftBehind.length > 0 && `left changed: ${leftBehind.map(({ object }) => object).join(', ')}`,
    news.length > 0 && `${new Set(broken).size} new: ${names(broken)}`,
    reachHeadline(reach.filter(({ statement }) => isNew.has(statement))),
    stale.length > 0 && `${stale.length} known to fail, and held: ${ids(stale)}`,
    outages[0],
    lost.length > 0 && `${lost.length} no longer tried: ${ids(lost)}`,
    known.length > 0 && `${known.length} known${bare > 0 ? `, ${bare} of them unreviewed` : ''}`,
    unconfirmed.length > 0 && `${unconfirmed.length} failed meanwhile`,
    late.length > 0 && `${late.length} late: ${ids(late)}`,
    silences.length > 0 && `silences answered differently: ${ids(silences)}`,
  ].filter((part) => typeof part === 'string');
  if (parts.length === 0) parts.push('nothing new');
  const all = scenarios.length + (leftOut?.length ?? 0);
  return headline(exitCode, leftOut ? [...parts, `${ranIn(report)} of ${all} ran`] : parts);
}

/** The first names, each once. */
function names(all: readonly string[]): string {
  const each = [...new Set(all)];
  return each.slice(0, 4).join(', ') + (each.length > 4 ? ` and ${each.length - 4} more` : '');
}
