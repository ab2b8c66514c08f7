/** The summary that a run prints on stdout: worst first, the verdict in the last line. */

import { styleText } from 'node:util';
import type { Report, StatementResult } from '../conformance/judge/report.ts';
import { failsRun } from '../conformance/judge/verdict.ts';
import { visible } from '../spec/base/visible.ts';
import {
  advice,
  brokenStatements,
  type CheckGroup,
  couldNotRun,
  factsOf,
  failedLines,
  gaps,
  leftText,
} from './findings.ts';
import { figures, figureTable, type Outcome, outcome, type Tone } from './outcome.ts';
import { learned } from './profile-yaml.ts';
import { count, cut, duration, place, present, ranges } from './text.ts';

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

/** Of one statement, as many failed lines are shown in full; the rest are counted. */
const linesShown = 3;

export function consoleSummary(report: Report, options: ConsoleOptions = {}): string {
  const paint: Paint = (style, text) =>
    options.colour === true ? styleText(style, text, { validateStream: false }) : text;
  const result = outcome(report);
  const blocks = [
    report.leftBehind.map((item) => paint('red', leftText(item))).join('\n'),
    head(report, paint),
    ...brokenStatements(report).map((statement) => failure(statement, report, options, paint)),
    section(
      paint('yellow', 'CONTRADICTED'),
      'the tenant file or the target is wrong',
      report.preflight.map(({ name, message }) => visible(`${name}: ${message}`)),
    ),
    section(paint('yellow', 'NOT TESTED'), count(report.totals.gaps, 'promise'), gapLines(report)),
    section(
      paint('yellow', 'COULD NOT RUN'),
      count(couldNotRun(report).length, 'scenario'),
      couldNotRun(report).map(([scenario, reason]) => `${visible(scenario)}: ${visible(reason)}`),
    ),
    report.warnings.map((text) => `${paint('yellow', 'warning')}  ${visible(text)}`).join('\n'),
    table(report),
    [...result.notes, running(report), ...learning(report, options)]
      .map((text) => visible(text))
      .join('\n'),
    verdictLine(report, options, paint, result),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** What a client developer can take from the run of a tenant. */
function learning(report: Report, { directory }: ConsoleOptions): string[] {
  const { choices } = learned(report);
  if (directory === undefined || report.target.kind === 'mock' || choices.size === 0) return [];
  const command = `lockstep mock --profile ${directory}/profile.yaml`;
  return [
    `${count(choices.size, 'silence')} learned. To start a mock that does the same: ${command}`,
  ];
}

/** One line: what it came to, figures, duration, and where the report is. */
export function verdictLine(
  report: Report,
  { directory }: ConsoleOptions = {},
  paint: Paint = (_style, text) => text,
  result: Outcome = outcome(report),
): string {
  const { documented, standard, silences } = figures(report);
  const untested = documented.gaps + standard.gaps;
  const parts = present(
    `${count(documented.verified + standard.verified, 'statement')} verified`,
    documented.inPart + standard.inPart > 0 &&
      `${documented.inPart + standard.inPart} verified in part`,
    documented.broken > 0 && `${documented.broken} violated`,
    standard.broken > 0 && `${standard.broken} deviating`,
    documented.unstable + standard.unstable > 0 &&
      `${documented.unstable + standard.unstable} unstable`,
    untested > 0 && `${untested} not testable`,
    `${count(silences.observed, 'silence')} observed`,
    duration(report.durationMs),
    directory !== undefined && visible(`${directory}/certificate.html`),
  );
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
  const lines = failedLines(statement);
  const hidden = lines.slice(linesShown).flatMap(({ all }) => all).length;
  const next = advice(statement, report);
  const style = failsRun(statement, report.options) ? 'red' : 'yellow';
  const collateral = lines.flatMap(({ all }) => all.flatMap((check) => check.collateral ?? []));
  const others = visible([...new Set(collateral)].join(', '));
  return present(
    `${paint(style, statement.verdict.toUpperCase())}  ${paint('bold', statement.id)}  ${visible(statement.text)}`,
    ...lines.slice(0, linesShown).flatMap((line) => failedLine(line, options)),
    hidden > 0 && `  and ${count(hidden, 'more check')} of this statement`,
    others !== '' && `  may break   ${others} as well`,
    `  next        ${visible(next.look)}:`,
    `              ${visible(next.command)}`,
  ).join('\n');
}

/** One line of a scenario; in a loop it can fail many times, which is told once. */
function failedLine({ first, all }: CheckGroup, { directory }: ConsoleOptions): readonly string[] {
  const more = all.length > 1 ? ` and ${all.length - 1} more like it` : '';
  const path = directory === undefined ? '' : `${directory}/`;
  const [evidence] = first.evidence;
  const facts = [
    ['scenario', `${visible(first.scenario)}, step ${visible(first.step)}${more}`],
    ...factsOf(first).flatMap(([name, text]) =>
      name === 'evidence' ? [] : [[name, cut(text, 500)]],
    ),
    ['check', place(first.location)],
    ...(evidence === undefined ? [] : [['evidence', visible(`${path}${evidence}`)]]),
  ];
  return facts.map(([name = '', text = '']) => `  ${name.padEnd(12)}${text}`);
}

function gapLines(report: Report): readonly string[] {
  return gaps(report).map(
    ({ reason, statements }) =>
      `${cut(visible(reason), 300)}: ${ranges(statements.map(({ id }) => id))}`,
  );
}

/** A heading and a list, where there is something to list. */
function section(title: string, number: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}  ${number}`, ...lines].join('\n  ');
}

function table(report: Report): string {
  const { headings, rows, notCounted } = figureTable(report);
  const line = ([name, ...cells]: readonly (string | number | undefined)[]): string =>
    [String(name).padEnd(11), ...cells.map((cell) => String(cell ?? '-').padStart(14))].join('');
  const { unobservable, notApplicable } = figures(report);
  return present(
    line(['', ...headings]),
    ...rows.map((row) => line(row)),
    unobservable + notApplicable > 0 && notCounted,
  ).join('\n');
}

function running({ requests, durationMs, totals }: Report): string {
  const { throttled, throttledMs, retries, networkErrors } = requests;
  const extra = present(
    throttled > 0 && `${throttled} throttled, ${duration(throttledMs)} waited for`,
    retries > 0 && count(retries, 'retry', 'retries'),
    networkErrors > 0 && count(networkErrors, 'network error'),
  ).join(', ');
  const checks = Object.values(totals.checks).reduce((sum, number) => sum + number, 0);
  return `${count(requests.total, 'request')} and ${count(checks, 'check')} in ${count(totals.scenarios.ran, 'scenario')}, ${duration(durationMs)}${extra === '' ? '' : ` (${extra})`}`;
}
