/**
 * The report as workflow commands of GitHub Actions, which put it beside the scenarios' lines.
 *
 * GitHub shows ten errors and ten warnings of a step and drops the rest without a word, so the
 * tenth says how many there are.
 */

import type { CheckResult, Report, StatementResult } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import { fails, failures, gaps } from './outcome.ts';
import { count, ranges, show } from './text.ts';

type Severity = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly at?: CheckResult['location'];
}

const shown = 10;

/** Lines to print on stdout, each a command; empty where there is nothing to say. */
export function githubAnnotations(report: Report): string {
  const all = [
    ...report.statements.flatMap((statement) => broken(statement, report)),
    ...untried(report),
  ];
  return (['error', 'warning', 'notice'] as const)
    .flatMap((severity) => limited(all.filter((item) => item.severity === severity)))
    .map((item) => `${command(item)}\n`)
    .join('');
}

/** One annotation per statement and line: a check in a loop fails many times in one place. */
function broken(statement: StatementResult, report: Report): readonly Annotation[] {
  const severity = fails(statement, report.options) ? 'error' : 'warning';
  const byLine = Map.groupBy(
    failures(statement),
    ({ location }) => `${location.file}:${location.line}`,
  );
  return [...byLine.values()].flatMap((checks) => {
    const [first] = checks;
    if (first === undefined) return [];
    return [
      {
        severity,
        title: title(statement, first),
        message: message(first, checks),
        at: first.location,
      },
    ];
  });
}

function title({ id, text }: StatementResult, { verdict }: CheckResult): string {
  return `${id} ${verdict}: ${text}`;
}

function message(first: CheckResult, checks: readonly CheckResult[]): string {
  return [
    `${first.scenario}, step ${first.step}`,
    ...(first.reason === undefined ? [] : [first.reason]),
    ...('expected' in first ? [`expected ${show(first.expected)}`] : []),
    ...('actual' in first ? [`actual ${show(first.actual)}`] : []),
    ...(first.pointer === undefined ? [] : [`at ${first.pointer}`]),
    ...(first.evidence.length === 0 ? [] : [`evidence ${first.evidence.join(', ')}`]),
    ...(checks.length > 1 ? [`and ${checks.length - 1} more at this line`] : []),
  ].join('\n');
}

function untried(report: Report): readonly Annotation[] {
  const found = gaps(report);
  if (found.length === 0) return [];
  return [
    {
      severity: report.options.complete ? 'error' : 'notice',
      title: `${count(report.totals.gaps, 'promise')} could not be tried`,
      message: found
        .map(({ reason, statements }) => `${ranges(statements.map(({ id }) => id))}: ${reason}`)
        .join('\n'),
    },
  ];
}

function limited(all: readonly Annotation[]): readonly Annotation[] {
  const [first] = all;
  if (first === undefined || all.length <= shown) return all;
  const left = all.length - shown + 1;
  return [
    ...all.slice(0, shown - 1),
    {
      severity: first.severity,
      title: `${left} more`,
      message: `GitHub shows ${shown} of a kind; the certificate has all ${all.length}`,
    },
  ];
}

function command({ severity, title, message, at }: Annotation): string {
  const properties: readonly (readonly [string, string])[] = [
    ...(at === undefined
      ? []
      : ([
          ['file', at.file],
          ['line', String(at.line)],
          ['col', String(at.column)],
        ] as const)),
    ['title', title],
  ];
  const written = properties.map(([name, value]) => `${name}=${property(value)}`).join(',');
  return `::${severity} ${written}::${data(visible(message, 'lines'))}`;
}

function data(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return data(visible(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
