/** The summary that a run prints on stdout: worst first, the verdict in the last line. */

import { styleText } from 'node:util';
import type { CheckResult, Report, StatementResult } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import {
  advice,
  fails,
  failures,
  figures,
  gaps,
  type Outcome,
  outcome,
  type Tally,
  type Tone,
} from './outcome.ts';
import { learned } from './profile-yaml.ts';
import { count, cut, duration, place, ranges, show } from './text.ts';

export interface ConsoleOptions {
  /** Where the report was written, as a reader would open it; absent where none was. */
  readonly directory?: string;
  readonly colour?: boolean;
}

type Style = 'red' | 'green' | 'yellow' | 'bold' | 'dim';
type Paint = (style: Style, text: string) => string;

const toneStyles: Readonly<Record<Tone, Style>> = {
  passed: 'green',
  gaps: 'yellow',
  failed: 'red',
  'not-judged': 'yellow',
};

/** Of one statement, as many failed lines are told in full; the rest are counted. */
const checksShown = 3;

export function consoleSummary(report: Report, options: ConsoleOptions = {}): string {
  const paint: Paint = (style, text) =>
    options.colour === true ? styleText(style, text, { validateStream: false }) : text;
  const result = outcome(report);
  const broken = report.statements
    .filter(
      ({ level, verdict }) => level !== 'silent' && ['violated', 'deviates'].includes(verdict),
    )
    .sort((a, b) => Number(fails(b, report.options)) - Number(fails(a, report.options)));
  const blocks = [
    head(report, paint),
    ...broken.map((statement) => failure(statement, report, options, paint)),
    untried(report, paint),
    incomplete(report, paint),
    report.warnings.map((text) => `${paint('yellow', 'warning')}  ${visible(text)}`).join('\n'),
    table(report),
    [...result.notes, running(report), ...habits(report, options)]
      .map((text) => visible(text))
      .join('\n'),
    verdictLine(report, options, paint, result),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** What a client developer can take from the run of a tenant. */
function habits(report: Report, { directory }: ConsoleOptions): string[] {
  const { choices } = learned(report);
  if (directory === undefined || report.target.kind === 'mock' || choices.size === 0) return [];
  const what = count(choices.size, 'silence');
  return [`${what} learned: lockstep mock --profile ${directory}/profile.yaml behaves so`];
}

/** One line: what it came to, figures, duration, and where the report is. */
export function verdictLine(
  report: Report,
  options: ConsoleOptions = {},
  paint: Paint = (_style, text) => text,
  result: Outcome = outcome(report),
): string {
  const { documented, standard, silences } = figures(report);
  const parts = [
    `${documented.verified + standard.verified} verified`,
    ...(documented.broken > 0 ? [`${documented.broken} violated`] : []),
    ...(standard.broken > 0 ? [`${standard.broken} deviating`] : []),
    ...(report.totals.gaps > 0 ? [`${report.totals.gaps} not testable`] : []),
    `${silences.observed} silences observed`,
    duration(report.durationMs),
    ...(options.directory === undefined ? [] : [visible(`${options.directory}/certificate.html`)]),
  ];
  const word = paint(toneStyles[result.tone], result.word.toUpperCase());
  return `${word}  ${result.sentence} (${parts.join(', ')})`;
}

function head({ target, runId, options }: Report, paint: Paint): string {
  const kind =
    target.kind === 'mock' ? `Lockstep mock ${target.version ?? ''}`.trim() : 'a real tenant';
  const narrowed = options.only.length === 0 ? '' : `, only ${options.only.join(', ')}`;
  return [
    paint('bold', visible(target.baseUrl)),
    `${visible(kind)}, run ${visible(runId)}, writes allowed: ${options.allow}${visible(narrowed)}`,
  ].join('\n');
}

function failure(
  statement: StatementResult,
  report: Report,
  options: ConsoleOptions,
  paint: Paint,
): string {
  const checks = failures(statement);
  const lines = [...Map.groupBy(checks, ({ location }) => place(location)).values()];
  const hidden = lines.slice(checksShown).flat().length;
  const next = advice(statement, report);
  const style = fails(statement, report.options) ? 'red' : 'yellow';
  const collateral = [...new Set(checks.flatMap((check) => check.collateral ?? []))];
  return [
    `${paint(style, statement.verdict.toUpperCase())}  ${paint('bold', statement.id)}  ${visible(statement.text)}`,
    ...lines.slice(0, checksShown).flatMap((members) => checkLines(members, options)),
    ...(hidden > 0 ? [`  and ${count(hidden, 'more check')} of this statement`] : []),
    ...(collateral.length > 0 ? [`  may break   ${visible(collateral.join(', '))} as well`] : []),
    `  next        ${visible(next.look)}:`,
    `              ${visible(next.command)}`,
  ].join('\n');
}

/** One line of a scenario; in a loop it can fail many times, which is told once. */
function checkLines(
  members: readonly CheckResult[],
  { directory }: ConsoleOptions,
): readonly string[] {
  const [check] = members;
  if (check === undefined) return [];
  const [evidence] = check.evidence;
  const path = directory === undefined ? '' : `${directory}/`;
  return [
    `  scenario    ${visible(check.scenario)}, step ${visible(check.step)}${members.length > 1 ? ` and ${members.length - 1} more like it` : ''}`,
    ...('expected' in check ? [`  expected    ${show(check.expected)}`] : []),
    ...('actual' in check ? [`  actual      ${show(check.actual)}`] : []),
    ...(check.pointer === undefined ? [] : [`  at          ${visible(check.pointer)}`]),
    ...(check.reason === undefined ? [] : [`  reason      ${cut(visible(check.reason), 500)}`]),
    `  check       ${place(check.location)}`,
    ...(evidence === undefined ? [] : [`  evidence    ${visible(`${path}${evidence}`)}`]),
  ];
}

function untried(report: Report, paint: Paint): string {
  const found = gaps(report);
  if (found.length === 0) return '';
  return [
    `${paint('yellow', 'NOT TESTED')}  ${count(report.totals.gaps, 'promise')}`,
    ...found.map(
      ({ reason, statements }) =>
        `  ${cut(visible(reason), 300)}: ${ranges(statements.map(({ id }) => id))}`,
    ),
  ].join('\n');
}

/** Scenarios that the target's failures kept from running: no verdict, and no fault of the suite. */
function incomplete({ scenarios }: Report, paint: Paint): string {
  const found = scenarios.filter((item) => item.outcome === 'could-not-run');
  if (found.length === 0) return '';
  return [
    `${paint('yellow', 'COULD NOT RUN')}  ${count(found.length, 'scenario')}`,
    ...found.map(
      ({ scenario, reason }) =>
        `  ${visible(scenario)}: ${visible(reason ?? 'no reason was given')}`,
    ),
  ].join('\n');
}

function table(report: Report): string {
  const { documented, standard, silences, unobservable, notApplicable } = figures(report);
  const row = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => (index === 0 ? String(cell).padEnd(11) : String(cell).padStart(14)))
      .join('');
  const tally = (name: string, { of, verified, broken, gaps: untested }: Tally): string =>
    row([name, of, verified, broken, untested, '-']);
  return [
    row(['', 'statements', 'verified', 'broken', 'not testable', 'observed']),
    tally('documented', documented),
    tally('standard', standard),
    row(['silent', silences.of, '-', '-', silences.of - silences.observed, silences.observed]),
    ...(unobservable + notApplicable > 0
      ? [
          `besides: ${unobservable} that no call can show, ${notApplicable} of features that are switched off`,
        ]
      : []),
  ].join('\n');
}

function running({ requests, scenarios, durationMs, totals }: Report): string {
  const extra = [
    ...(requests.throttled > 0
      ? [`${requests.throttled} throttled, ${duration(requests.throttledMs)} waited for`]
      : []),
    ...(requests.retries > 0 ? [count(requests.retries, 'retry', 'retries')] : []),
    ...(requests.networkErrors > 0 ? [count(requests.networkErrors, 'network error')] : []),
  ];
  const checks = Object.values(totals.checks).reduce((sum, number) => sum + number, 0);
  return `${count(requests.total, 'request')} and ${count(checks, 'check')} in ${count(scenarios.length, 'scenario')}, ${duration(durationMs)}${extra.length > 0 ? ` (${extra.join(', ')})` : ''}`;
}
