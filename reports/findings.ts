/** The findings of a report, one by one: broken statements, gaps, failed checks. */

import { reachIn, reachText } from '../conformance/compare/reliance.ts';
import type {
  CheckResult,
  LeftBehind,
  Report,
  StatementResult,
  Suspects,
} from '../conformance/judge/report.ts';
import { failsRun, isFailure, isGap } from '../conformance/judge/verdict.ts';
import { quoted, visible } from '../spec/base/visible.ts';
import { atMost, count, list, place, ranges, show } from './text.ts';

/**
 * Promises and standards that the target breaks. Those that make the run fail come first; among them,
 * the broken ones come before the unstable ones.
 */
export function brokenStatements({ statements, options }: Report): readonly StatementResult[] {
  const rank = (item: StatementResult): number =>
    Number(!failsRun(item, options)) * 2 + Number(item.verdict === 'unstable');
  return statements
    .filter(({ level, verdict }) => level !== 'silent' && isFailure(verdict))
    .sort((a, b) => rank(a) - rank(b));
}

/** A group of similar checks; `first` represents all. */
export type CheckGroup = ReturnType<typeof groupChecks>[number];

/** The checks by a key, in the order of the report. */
export function groupChecks(checks: readonly CheckResult[], key: (check: CheckResult) => string) {
  return [...Map.groupBy(checks, key).values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ first, all }];
  });
}

/**
 * The failed checks of a statement, grouped by line, because a check in a loop can fail many times.
 */
export function failedLines({ checks }: StatementResult): readonly CheckGroup[] {
  const failed = checks.filter(({ verdict }) => isFailure(verdict));
  return groupChecks(failed, ({ location }) => place(location));
}

/** The facts of a check, as name and text; values longer than `limit` are cut. */
export function factsOf(
  check: CheckResult,
  limit = 300,
): (readonly [name: string, text: string])[] {
  const { reason, expected, actual, pointer, evidence, only } = check;
  const facts = {
    only: only !== undefined && visible(only),
    reason: reason !== undefined && visible(reason),
    expected: 'expected' in check && show(expected, limit),
    actual: 'actual' in check && show(actual, limit),
    at: pointer !== undefined && visible(pointer),
    evidence: evidence.length > 0 && evidence.map((item) => visible(item)).join(', '),
  };
  return Object.entries(facts).flatMap(([name, text]) => (text === false ? [] : [[name, text]]));
}

/** The facts of a check as phrases: its reason, `expected 400`, `actual 422`, `at /status`. */
export function factWords(check: CheckResult): string[] {
  return factsOf(check).map(([name, text]) => (name === 'reason' ? text : `${name} ${text}`));
}

/** One object that a run left changed, in a line: every report begins with it. */
export function leftText({ object, was, reason }: LeftBehind): string {
  const before = was === undefined ? '' : `; it was ${show(was)}`;
  const next = 'run `lockstep undo --tenant FILE`, or put it back by hand';
  return visible(`LEFT CHANGED  ${object} could not be put back (${reason})${before}: ${next}`);
}

/** The number of tries in which a statement held, and the failure rate that is still possible. */
export function triesText({ tries, failureRate }: StatementResult): string | undefined {
  if (tries === undefined) return undefined;
  const held = `It held in ${tries.held} of ${count(tries.held + tries.failed, 'try', 'tries')}.`;
  if (failureRate === undefined) return held;
  const percent = (100 * failureRate).toPrecision(2);
  return `${held} So, with 95 % confidence, it fails in at most ${percent} % of tries.`;
}

/** The ways in which a statement was tried and held: `as admin, oauth; by name`. */
export function waysText({ heldIn = [] }: StatementResult): string | undefined {
  const [callers = [], others = []] = [true, false].map((wanted) =>
    heldIn.filter((way) => way.startsWith('as ') === wanted),
  );
  const names = callers.map((way) => way.slice('as '.length)).join(', ');
  const all = [...(names === '' ? [] : [`as ${names}`]), ...others];
  return all.length === 0 ? undefined : `It held ${all.join('; ')}.`;
}

/**
 * Promises that could not be tried completely, by reason. The reason with the most promises is
 * first.
 */
export function gaps(report: Report) {
  return [...Map.groupBy(report.statements.filter(isGap), givenReason)]
    .map(([reason, statements]) => ({ reason, statements }))
    .sort((a, b) => b.statements.length - a.statements.length);
}

/** The reason why a statement is a gap, or a scenario did not run. */
export function givenReason({ reason }: { readonly reason?: string | undefined }): string {
  return reason ?? 'no reason was given';
}

/**
 * The doubts of a report: contradictions, gaps, scenarios that could not run. `about` is a number or
 * an explanation. An item is a pair: a name and its reason, or a reason and the statements it hides.
 */
export function doubts(report: Report) {
  const { preflight, scenarios, totals } = report;
  const untried = gaps(report).map(
    ({ reason, statements }) => [reason, ranges(statements.map(({ id }) => id))] as const,
  );
  // The target did not let these run: this gives no verdict, and the suite is not at fault.
  const failed = scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  return [
    {
      ...{ title: 'Contradicted', about: 'the tenant file or the target is wrong' },
      items: preflight.map(({ name, message }) => [name, message] as const),
    },
    { title: 'Not tested', about: count(totals.gaps, 'promise'), items: untried },
    {
      ...{ title: 'Could not run', about: count(failed.length, 'scenario') },
      items: failed.map((item) => [item.scenario, givenReason(item)] as const),
    },
  ].filter(({ items }) => items.length > 0);
}

/** The next step for a reader of a broken statement; `command` runs only that statement. */
export function advice(
  statement: StatementResult,
  { target, options, suite }: Report,
  tenantFile = 'FILE',
) {
  const sources = { standard: 'the standard', custom: 'your expectation' } as const;
  const { level } = statement;
  const source = level === 'standard' || level === 'custom' ? sources[level] : 'the description';
  const failed = statement.checks.find(({ verdict }) => isFailure(verdict));
  const own = failed?.custom && suite.custom?.find(({ file }) => file === failed.location.file);
  const alone = own
    ? `--scenarios ${quoted(own.file)} --no-suite --trace`
    : `--only ${statement.id}`;
  const tenant =
    target.kind === 'mock' ? '' : ` --tenant ${quoted(tenantFile)} --allow ${options.allow}`;
  return {
    look: `compare the evidence with ${source} (${statement.section}), then run it alone`,
    command: `npx --no-install lockstep certify --base-url ${quoted(target.baseUrl)}${tenant} ${alone}`,
  };
}

const plainReasons =
  /^(there is no credential \w+|the tenant file (binds|names) no [\w.]+|the tenant file (says|does not say) [\w.]+: \w+|not allowed: needs --allow \w+|the call was answered \d{3})$/;

/** The reason, if it has no data of the tenant, or else a hint. The report has the full reason. */
export function toldReason(reason: string | undefined): string {
  if (reason === undefined) return 'no check of it ran';
  if (plainReasons.test(reason)) return reason;
  const condition = 'its condition does not hold';
  return reason.startsWith(condition) ? condition : 'it could not be tried; the report says why';
}

/** For each broken statement: `it reaches billing-sync (3 tests)`. */
export const reachWords = (report: Report): ReadonlyMap<string, string> =>
  new Map(reachIn(report).map((reach) => [reach.statement, reachText(reach)]));

/** The diagnosis in lines; empty if the run did not look for known deviations. */
export function diagnosisLines({ diagnosis }: Pick<Report, 'diagnosis'>): string[] {
  if (diagnosis === undefined) return [];
  const { checks, known, played, causes } = diagnosis;
  const cut =
    played < known ? [`There was time to try ${played} of ${known} known deviations.`] : [];
  if (known === 0) return ['No known deviation breaks these statements.'];
  if (causes.length === 0)
    return [`None of ${count(played, 'known deviation')} makes the same checks fail.`, ...cut];
  const lines = causes.flatMap(([first, ...others], index) => {
    if (first === undefined) return [];
    const rest = others.length === 0 ? '' : ` Or else ${others.map(named).join('; or ')}.`;
    return `${index === 0 ? 'As if' : 'And as if'} ${sentence(first, checks)}${rest}`;
  });
  return [...lines, ...cut];
}

function sentence(suspects: Suspects, checks: number): string {
  const { deviations, agree, against } = suspects;
  const [first] = deviations;
  const told = deviations.length === 1 ? ` (${first?.text.replace(/\.$/, '')})` : '';
  const held = against === 0 ? '' : `, and ${count(against, 'check')} more should have failed`;
  const same = deviations.length === 1 ? '' : ' No check tells these apart.';
  const home = `To reproduce it: \`npx --no-install lockstep mock --deviate ${first?.id}\`.`;
  return `${named(suspects)}${told}: ${agree} of ${count(checks, 'failed check')} agree${held}.${same} ${home}`;
}

const named = ({ deviations }: Suspects): string =>
  list(
    atMost(
      3,
      deviations.map(({ id }) => `\`${id}\``),
      (left) => `${left} more`,
    ),
  );
