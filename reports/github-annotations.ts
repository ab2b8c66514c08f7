/**
 * The report as workflow commands of GitHub Actions, which put it next to the scenarios' lines.
 *
 * GitHub shows only ten errors and ten warnings of a step, so the tenth gives their number.
 */

import type { CheckResult, Report, StatementResult } from '../conformance/judge/report.ts';
import { failsRun } from '../conformance/judge/verdict.ts';
import { visible } from '../spec/base/visible.ts';
import type { Exchanges } from './exchanges.ts';
import { plainSentence } from './failure-words.ts';
import { failedLines, gaps, leftText } from './findings.ts';
import { count, present, ranges, stepWords } from './text.ts';

interface Annotation {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly at?: CheckResult['location'] | undefined;
}

const shown = 10;

/** The line of the tenant file whose claim is wrong; undefined without a tenant file. */
export type PlaceInTenantFile = (
  about: Report['preflight'][number],
) => CheckResult['location'] | undefined;

/** Lines for stdout, each one a workflow command; empty if there are no findings. */
export function githubAnnotations(
  report: Report,
  exchanges: Exchanges,
  placeIn?: PlaceInTenantFile,
): string {
  const found = gaps(report);
  const all = [
    ...report.leftBehind.map((item): Annotation => {
      const message = leftText(item);
      return { severity: 'error', title: 'Something is left changed', message };
    }),
    ...report.preflight.map((item): Annotation => {
      const title = `The tenant file or the target is wrong: ${item.name}`;
      return { severity: 'error', title, message: item.message, at: placeIn?.(item) };
    }),
    ...report.statements.flatMap((statement) => broken(statement, report, exchanges)),
    ...(found.length > 0 ? [untried(report, found)] : []),
  ];
  return (['error', 'warning', 'notice'] as const)
    .flatMap((severity) => limited(all.filter((item) => item.severity === severity)))
    .map((item) => `${command(item)}\n`)
    .join('');
}

/** One annotation per statement and line: a check in a loop fails many times in one place. */
function broken(
  statement: StatementResult,
  report: Report,
  exchanges: Exchanges,
): readonly Annotation[] {
  const severity = failsRun(statement, report.options) ? 'error' : 'warning';
  return failedLines(statement).map(({ first, all }) => {
    const more = all.length > 1 && `and ${all.length - 1} more at this line`;
    return {
      severity,
      title: `${statement.id} ${first.verdict}: ${statement.text}`,
      message: present(stepWords(first), plainSentence(first, exchanges), more).join('\n'),
      // The suite's own files are not in the user's repository.
      at: first.custom ? first.location : undefined,
    };
  });
}

function untried({ options, totals }: Report, found: ReturnType<typeof gaps>): Annotation {
  const severity = options.complete ? 'error' : 'notice';
  const title = `${count(totals.gaps, 'promise')} could not be tried`;
  const lines = found.map(
    ({ reason, statements }) => `${ranges(statements.map(({ id }) => id))}: ${reason}`,
  );
  return { severity, title, message: lines.join('\n') };
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
      message: `GitHub shows ${shown} of a kind. The certificate has all ${all.length}.`,
    },
  ];
}

function command({ severity, title, message, at }: Annotation): string {
  const written = present(
    at && `file=${property(at.file)},line=${at.line},col=${at.column}`,
    `title=${property(title)}`,
  ).join(',');
  return `::${severity} ${written}::${data(visible(message, 'lines'))}`;
}

function data(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return data(visible(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
