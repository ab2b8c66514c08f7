/** The report of `lockstep client`: as data, and in lines for people. */
import { count } from '../../spec/base/count.ts';
import { isBad, type Judged } from './outcome.ts';
import { textOfStatement, type Variation } from './variation.ts';

export interface ClientReport {
  readonly command: readonly string[];
  /** The operations, silences and promises that the plain run met. */
  readonly met: {
    readonly requests: number;
    readonly operations: readonly string[];
    readonly silences: readonly string[];
  };
  readonly results: readonly Judged[];
  /** The kinds of variation in this run. */
  readonly kinds: readonly Variation['kind'][];
  /** Variations that were left out because the time was over. */
  readonly leftOut: readonly string[];
  /** The statements of the left-out variations. */
  readonly leftOutOf: readonly string[];
  /** Ids that the baseline accepts. */
  readonly accepted: readonly string[];
  readonly runs: number;
  readonly durationMs: number;
}

const of = (report: Pick<ClientReport, 'results'>, kind: Variation['kind']) =>
  report.results.filter((result) => result.kind === kind && result.outcome !== 'not met');

/** The promises that the tests met, and those of them whose breach a test notices. */
export function promisesIn(report: Pick<ClientReport, 'results'>) {
  const mutants = of(report, 'mutant');
  const relied = [...new Set(mutants.flatMap(({ statements }) => statements))].sort();
  const isNoticed = (id: string) =>
    mutants.some(({ statements, outcome }) => outcome === 'broken' && statements.includes(id));
  return { relied, noticed: relied.filter(isNoticed) };
}

type Found = Pick<ClientReport, 'results' | 'accepted'>;

const badIn = ({ results, accepted }: Found): readonly Judged[] =>
  results.filter((result) => isBad(result) && !accepted.includes(result.id));

/**
 * The failures: alternatives under which the tests fail, and losses that the client handles badly.
 */
export const failuresIn = (report: Found): readonly Judged[] =>
  badIn(report).filter(({ kind }) => kind !== 'mutant');

/** Broken promises that no test noticed. */
export const missedIn = (report: Found): readonly Judged[] =>
  badIn(report).filter(({ kind }) => kind === 'mutant');

/** Ids for the baseline: all present failures, and accepted failures that this run did not try. */
export function baselineOf({ results, accepted }: ClientReport): readonly string[] {
  const tried = results.filter(({ outcome }) => outcome !== 'not met');
  const known = new Set(tried.map(({ id }) => id));
  const found = tried.filter(isBad).map(({ id }) => id);
  return [...new Set([...found, ...accepted.filter((id) => !known.has(id))])].sort();
}

/** `again` is the command that repeats a run, with ID in place of its id. */
export function clientText(
  report: Omit<ClientReport, 'command' | 'met' | 'kinds' | 'leftOutOf'>,
  again?: string,
): string {
  const { leftOut, accepted, runs, durationMs, results } = report;
  const acceptedMisses = of(report, 'mutant').filter(
    (one) => isBad(one) && accepted.includes(one.id),
  ).length;
  const flaky = results.filter(({ outcome }) => outcome === 'flaky');
  const unmet = results.filter(({ outcome }) => outcome === 'not met').map(({ id }) => id);
  return [
    ...mutantLines(report),
    ...sweepLines(report),
    ...lossLines(report),
    ...listed('Flaky: these failed once and passed once, and count as not noticed:', flaky),
    ...named(
      unmet,
      'did not meet the variation; the tests may send other requests each time, or disturb each other (--jobs 1)',
    ),
    ...named(leftOut, 'left out, because the budget is over (--budget)'),
    ...(acceptedMisses === 0
      ? []
      : [
          `${count(acceptedMisses, 'breach', 'breaches')} that no test notices accepted (--baseline).`,
        ]),
    ...(again === undefined ? [] : [`Repeat one: ${again}`]),
    `${count(runs, 'run')} in ${Math.round(durationMs / 1000)} s`,
    '',
  ].join('\n');
}

function mutantLines(report: Found): readonly string[] {
  const { relied, noticed } = promisesIn(report);
  if (relied.length === 0) return [];
  const missed = missedIn(report);
  const blind = relied.filter((id) => !noticed.includes(id));
  const partly = missed.filter(({ statements }) => statements.every((id) => noticed.includes(id)));
  return [
    `Your tests rely on ${count(relied.length, 'promise')}, and notice a breach of ${noticed.length}.`,
    ...byPromise('They do not notice a breach of these:', blind, missed),
    ...byPromise(
      'They notice some breaches of these, but not those that are listed:',
      noticed,
      partly,
    ),
  ];
}

function byPromise(
  head: string,
  promises: readonly string[],
  missed: readonly Judged[],
): readonly string[] {
  const lines = promises.flatMap((id) => {
    const own = missed.filter(({ statements }) => statements.includes(id));
    if (own.length === 0) return [];
    return [`  ${id}  ${textOfStatement(id)}`, `    ${own.map((one) => one.id).join(', ')}`];
  });
  return lines.length === 0 ? [] : [head, ...lines];
}

function sweepLines(report: Found): readonly string[] {
  const all = of(report, 'sweep');
  if (all.length === 0) return [];
  const bad = all.filter(isBad);
  const broken = failuresIn({ ...report, results: bad });
  const head = `The tests met ${count(all.length, 'alternative')} that the description leaves open: `;
  if (bad.length === 0) return [`${head}they pass with each.`];
  return [`${head}they fail with ${newOf(bad, broken)}.`, ...broken.flatMap(linesOf)];
}

function lossLines(report: Found): readonly string[] {
  const all = of(report, 'loss');
  if (all.length === 0) return [];
  const bad = all.filter(isBad);
  const broken = failuresIn({ ...report, results: bad });
  const head = `${count(all.length, 'run')} lost one request each: `;
  if (bad.length === 0) return [`${head}the client coped with each loss.`];
  return [`${head}the client did not cope with ${newOf(bad, broken)}.`, ...broken.flatMap(linesOf)];
}

/** `6 (4 accepted, --baseline)`. */
function newOf({ length: bad }: readonly Judged[], { length: broken }: readonly Judged[]): string {
  return bad === broken ? `${bad}` : `${bad} (${bad - broken} accepted, --baseline)`;
}

/** The most ids in a line; the JSON report has all of them. */
const MOST_NAMED = 10;

function named(ids: readonly string[], reason: string): readonly string[] {
  if (ids.length === 0) return [];
  const more =
    ids.length > MOST_NAMED ? `, and ${ids.length - MOST_NAMED} more (--out FILE.json)` : '';
  return [`${count(ids.length, 'run')} ${reason}: ${ids.slice(0, MOST_NAMED).join(', ')}${more}`];
}

function linesOf({ id, text, said, tests }: Judged): readonly string[] {
  const failing = tests.length === 0 ? [] : [`    fails: ${tests.join(', ')}`];
  return [`  ${id}  ${said?.replaceAll('\n', '\n    ') ?? text}`, ...failing];
}

function listed(head: string, results: readonly Judged[]): readonly string[] {
  return results.length === 0 ? [] : [head, ...results.flatMap(linesOf)];
}
