/** One report of those of the shards of a run, as if a single runner had made it. A pure function. */

import { canonical } from '../../spec/base/json.ts';
import { assembleReport, type Collected, judgedOf } from './assemble-report.ts';
import type { Report, ScenarioResult } from './report.ts';

/** What the suite says of the whole run. */
export interface Whole {
  readonly runId: string;
  /** Titles of its scenarios, in the order of the suite. */
  readonly titles: readonly string[];
}

/** `parts` are the reports of all shards, in the order of their indices. */
export function union(parts: readonly Report[], whole: Whole): Report {
  const [first] = parts;
  if (first === undefined) throw new RangeError('a run has at least one shard');
  const all = <T>(of: (part: Report) => readonly T[]): T[] => parts.flatMap(of);
  const starts = parts.map(({ startedAt }) => Date.parse(startedAt));
  const ends = parts.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs);
  const start = Math.min(...starts);
  const { shard: _shard, seed: _seed, ...options } = first.options;
  const { world: _world, ...target } = first.target;
  const scenarios = inOrder(
    all((part) => part.scenarios),
    whole.titles,
  );
  const ran = rankBy(scenarios.map(({ scenario }) => scenario));
  const planned = rankBy(whole.titles);
  const collected: Collected = {
    runId: whole.runId,
    suite: first.suite,
    target,
    startedAt: new Date(start).toISOString(),
    durationMs: Math.max(...ends) - start,
    options,
    plan: all(({ plan }) => plan).toSorted(planned),
    preflight: distinct(all(({ preflight }) => preflight)),
    scenarios,
    judged: all(judgedOf).toSorted(ran),
    observations: all(({ observations }) => observations),
    eventually: all(({ eventually }) => eventually).toSorted(ran),
    notApplicable: all(({ notApplicable }) => notApplicable),
    requests: requests(parts),
    latency: latency(parts),
    evidence: all(({ evidence }) => evidence),
    leftBehind: all(({ leftBehind }) => leftBehind),
    interrupted: parts.some(({ interrupted }) => interrupted),
    warnings: distinct(all(({ warnings }) => warnings)),
    shards: parts.flatMap(shardRun),
  };
  return assembleReport(collected);
}

/** As a single run lists them: what ran by its title, then what did not. */
function inOrder(scenarios: readonly ScenarioResult[], titles: readonly string[]) {
  const ran = scenarios.filter(({ outcome }) => outcome !== 'not-run');
  const left = scenarios.filter(({ outcome }) => outcome === 'not-run');
  return [
    ...ran.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1)),
    ...left.toSorted(rankBy(titles)),
  ];
}

/** Compares by the place of a scenario in a list of titles. */
export function rankBy(titles: readonly string[]) {
  const ranks = new Map(titles.map((title, index) => [title, index]));
  const rank = ({ scenario }: { readonly scenario: string }): number => ranks.get(scenario) ?? -1;
  return (a: { readonly scenario: string }, b: { readonly scenario: string }): number =>
    rank(a) - rank(b);
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [canonical(item), item])).values()];
}

function requests(parts: readonly Report[]): Report['requests'] {
  const counts = parts.map((part) => part.requests);
  const sum = (of: (one: Report['requests']) => number): number =>
    counts.reduce((total, one) => total + of(one), 0);
  const statuses = new Set(counts.flatMap(({ byStatus }) => Object.keys(byStatus)));
  return {
    total: sum(({ total }) => total),
    byStatus: Object.fromEntries(
      [...statuses].sort().map((status) => [status, sum((one) => one.byStatus[status] ?? 0)]),
    ),
    retries: sum(({ retries }) => retries),
    throttled: sum(({ throttled }) => throttled),
    throttledMs: sum(({ throttledMs }) => throttledMs),
    networkErrors: sum(({ networkErrors }) => networkErrors),
  };
}

function latency(parts: readonly Report[]): NonNullable<Report['latency']> {
  const samples = parts.flatMap((part) => Object.entries(part.latency ?? {}));
  const byOperation = Map.groupBy(samples, ([operation]) => operation);
  const sorted = [...byOperation].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, all]) => [id, all.flatMap(([, taken]) => taken)]));
}

function shardRun(part: Report): NonNullable<Report['shards']> {
  const { runId, startedAt, durationMs, target, preflight } = part;
  const { shard, seed } = part.options;
  return shard === undefined
    ? []
    : [{ shard, runId, startedAt, durationMs, seed, target, preflight }];
}
