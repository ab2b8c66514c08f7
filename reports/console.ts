/** The summary that a run prints on stdout: the worst first, and the verdict in the last line. */

import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import {
  exitCodes,
  isTraffic,
  type Report,
  type StatementResult,
} from '../conformance/judge/report.ts';
import { failsRun, isFailure } from '../conformance/judge/verdict.ts';
import { quoted, visible } from '../spec/base/visible.ts';
import { curlLines, worldCommand } from './curl.ts';
import { type Exchanges, noExchanges } from './exchanges.ts';
import { failureLine } from './failure-words.ts';
import {
  advice,
  brokenStatements,
  diagnosisLines,
  doubts,
  failedLines,
  leftText,
  reachWords,
} from './findings.ts';
import { figures, figureTable, outcome, suiteWords, type Tone } from './outcome.ts';
import { stayText } from './plan.ts';
import { learned } from './profile-yaml.ts';
import { atMost, count, cut, duration, place, present, ranges } from './text.ts';

export interface ConsoleOptions {
  /** The folder of the report, as a reader would open it; absent if no report was written. */
  readonly directory?: string;
  /** The folder of the suite's files, relative to the working directory: `node_modules/lockstep/dist/`. */
  readonly suiteFolder?: string;
  readonly tenantFile?: string | undefined;
  readonly exchanges?: Exchanges;
  readonly colour?: boolean;
  /**
   * If true, prints only broken statements, the reason of a run without a verdict, and the verdict.
   */
  readonly quiet?: boolean | undefined;
}

const toneStyles: Readonly<Record<Tone, 'green' | 'yellow' | 'red'>> = {
  passed: 'green',
  gaps: 'yellow',
  failed: 'red',
  'not-judged': 'yellow',
};

/** A failing run fits on one screen; the certificate has the rest. */
const shown = { failures: 6, lines: 5 };

export function consoleSummary(report: Report, options: ConsoleOptions = {}): string {
  const { notes } = outcome(report);
  const doubtful = doubts(report).map(({ title, about, items }) => {
    const lines = items.map((item) => item.join(': '));
    return section(paint('yellow', title.toUpperCase()), about, lines);
  });
  const always = [
    report.leftBehind.map((item) => paint('red', leftText(item))).join('\n'),
    failures(report, options),
  ];
  const sentences = [...notes, running(report), ...learning(report, options)];
  const whole = [
    head(report),
    ...always,
    ...doubtful,
    section(paint('yellow', 'WARNING'), '', report.warnings),
    section('STAYS', 'nothing takes these back', (report.stays ?? []).map(stayText)),
    table(report),
    sentences.map((text) => visible(text)).join('\n'),
  ];
  // If a run judged nothing, the reason is among the doubts.
  const least = report.exitCode === exitCodes.couldNotRun ? [...always, ...doubtful] : always;
  const blocks = [...(options.quiet ? least : whole), verdictLine(report, options)];
  const text = `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  return options.colour ? text : stripVTControlCharacters(text);
}

/**
 * Text from a target has no control characters at this point, so stripping them removes only our
 * colours.
 */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { validateStream: false });
}

/** A hint for client developers: a run on a tenant makes a profile for their mock. */
function learning(report: Report, { directory }: ConsoleOptions): string[] {
  const { choices } = learned(report);
  if (directory === undefined || report.target.kind === 'mock' || choices.size === 0) return [];
  const command = `npx --no-install lockstep mock --profile ${directory}/profile.yaml`;
  return [
    `${count(choices.size, 'silence')} learned. To start a mock that does the same: ${command}`,
  ];
}

/** One line: the outcome, figures, duration, and the path of the report. */
function verdictLine(report: Report, { directory }: ConsoleOptions): string {
  const { tone, word, sentence } = outcome(report);
  const { documented, standard, promises, silences } = figures(report);
  const { verified, inPart, unstable, gaps } = promises;
  const parts = present(
    `${count(verified, 'statement')} verified`,
    inPart > 0 && `${inPart} verified in part`,
    documented.broken > 0 && `${documented.broken} violated`,
    standard.broken > 0 && `${standard.broken} deviating`,
    unstable > 0 && `${unstable} unstable`,
    gaps > 0 && `${gaps} not testable`,
    `${count(silences.observed, 'silence')} observed`,
    duration(report.durationMs),
    directory !== undefined && visible(`${directory}/certificate.html`),
  );
  return `${paint(toneStyles[tone], word.toUpperCase())}  ${sentence} (${parts.join(', ')})`;
}

function head(report: Report): string {
  const { target, runId, options } = report;
  const kind =
    target.kind === 'mock' ? `Lockstep mock ${target.version ?? ''}`.trim() : 'a real tenant';
  const conditions = present(
    visible(kind),
    `run ${visible(runId)}`,
    !isTraffic(report) && `writes allowed: ${options.allow}`,
    suiteWords(report) !== 'our suite' && suiteWords(report),
    options.only.length > 0 && visible(`only ${options.only.join(', ')}`),
    options.seed !== undefined && `seed ${options.seed}`,
  );
  return `${paint('bold', visible(target.baseUrl))}\n${conditions.join(', ')}`;
}

function failures(report: Report, options: ConsoleOptions): string {
  const { directory } = options;
  const broken = brokenStatements(report);
  const [first] = broken;
  if (first === undefined) return '';
  const hidden = ranges(broken.slice(shown.failures).map(({ id }) => id));
  const next = advice(first, report, options.tenantFile);
  const told = broken.slice(0, shown.failures).map((item) => failure(item, report, options));
  const curls = told.flatMap((text) => text.split('\n')).filter((line) => /^ {2}curl /.test(line));
  const world = worldCommand(report.target, curls);
  return present(
    ...told,
    hidden !== '' && `and ${broken.length - shown.failures} more: ${hidden}`,
    ...diagnosisLines(report).map((line) => visible(line.replaceAll('`', ''))),
    world !== undefined && `to make the world of these calls again: ${visible(world)}`,
    `to run one alone: ${visible(next.command)}`,
    directory !== undefined &&
      !isTraffic(report) &&
      `to run all that failed: ${visible(againWords(directory, report, options))}`,
  ).join('\n');
}

/** `--again` takes no permission to write from a report, so the command names it. */
const againWords = (
  directory: string,
  { options: { allow }, target }: Report,
  { tenantFile }: ConsoleOptions,
): string =>
  present(
    `npx --no-install lockstep certify --again ${quoted(directory)}`,
    tenantFile !== undefined && `--tenant ${quoted(tenantFile)}`,
    target.kind === 'tenant' && allow !== 'none' && `--allow ${allow}`,
  ).join(' ');

/** The promise, the answer, the reason, the place, and the commands that repeat the calls. */
function failure(
  statement: StatementResult,
  report: Report,
  { directory, suiteFolder = '', exchanges = noExchanges }: ConsoleOptions,
): string {
  const style = failsRun(statement, report.options) ? 'red' : 'yellow';
  const title = `${paint(style, statement.verdict.toUpperCase())}  ${paint('bold', statement.id)}  ${cut(visible(statement.text), 120)}`;
  const [line] = failedLines(statement);
  const reach = reachWords(report).get(statement.id);
  const reached = reach !== undefined && `  ${visible(reach)}`;
  if (line === undefined) return present(title, reached).join('\n');
  const { first } = line;
  const others = statement.checks.filter(({ verdict }) => isFailure(verdict)).length - 1;
  const [evidence] = first.evidence;
  const places = present(
    join(first.custom ? '' : suiteFolder, place(first.location)),
    evidence !== undefined &&
      visible(directory === undefined ? evidence : join(directory, evidence)),
    others > 0 && `and ${count(others, 'more check')}`,
  );
  const said = visible(failureLine(first, exchanges).replaceAll('`', ''));
  const reason = first.reason !== undefined && `  ${cut(visible(first.reason), 200)}`;
  const where = `  ${places.join('  ')}`;
  const curls = curlLines(first, report, exchanges, 400).map((line) => `  ${line}`);
  return present(title, `  ${cut(said, 200)}`, reason, reached, where, ...curls).join('\n');
}

/** A heading and a list; empty if there is nothing to list. */
function section(title: string, number: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const lines = all.map((line) => cut(visible(line), 200));
  const list = atMost(shown.lines, lines, (left) => `and ${left} more in the certificate`);
  return [`${title}  ${number}`.trimEnd(), ...list].join('\n  ');
}

function table(report: Report): string {
  const { headings, rows, notCounted } = figureTable(report);
  const { unobservable, notApplicable } = figures(report);
  const lines = [['', ...headings], ...rows].map(([name = '', ...cells]) =>
    [String(name).padEnd(11), ...cells.map((cell) => String(cell ?? '-').padStart(14))].join(''),
  );
  return present(...lines, unobservable + notApplicable > 0 && notCounted).join('\n');
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
