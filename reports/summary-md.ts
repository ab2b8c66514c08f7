/** The report as Markdown, for a job summary or a pull request: short, worst first. */

import type { Report, StatementResult } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import {
  advice,
  brokenStatements,
  type CheckGroup,
  couldNotRun,
  failedLines,
  gaps,
  leftText,
} from './findings.ts';
import { figureTable, outcome, type Tone } from './outcome.ts';
import { count, cut, duration, place, present, ranges, show, words } from './text.ts';

const marks: Readonly<Record<Tone, string>> = {
  passed: '✅',
  gaps: '⚠️',
  failed: '❌',
  'not-judged': '⚠️',
};

/** GitHub refuses a summary above 1 MiB; a reader gives up long before. */
const statementsShown = 50;

export function summaryMd(report: Report): string {
  const { tone, word, sentence, notes } = outcome(report);
  const { suite, target, options } = report;
  const broken = brokenStatements(report);
  const hidden = broken.length - statementsShown;
  const blocks = present(
    `## ${marks[tone]} Lockstep: ${word}`,
    `**${text(sentence)}** ${notes.map(text).join(' ')}`.trim(),
    `${code(target.baseUrl)}, ${target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant'}, ${text(report.startedAt)}, ${count(report.requests.total, 'request')} in ${duration(report.durationMs)}, writes allowed: ${options.allow}`,
    table(report),
    ...report.leftBehind.map((item) => `> **${text(leftText(item))}**`),
    ...report.warnings.map((warning) => `> **Warning:** ${text(warning)}`),
    broken.length > 0 && '### Broken',
    ...broken.slice(0, statementsShown).map((item) => failure(item, report)),
    hidden > 0 && `… and ${hidden} more in the certificate.`,
    ...section(
      'Contradicted',
      'the tenant file or the target is wrong',
      report.preflight.map(({ name, message }) => [name, message]),
    ),
    ...section(
      'Not tested',
      count(report.totals.gaps, 'promise'),
      gaps(report).map(({ reason, statements }) => [
        cut(reason, 300),
        ranges(statements.map(({ id }) => id)),
      ]),
    ),
    ...section('Could not run', count(couldNotRun(report).length, 'scenario'), couldNotRun(report)),
    `<sub>Lockstep ${text(suite.version)}, run ${code(report.runId)}, contract ${code(suite.contractSha256.slice(0, 12))}, scenarios ${code(suite.scenariosSha256.slice(0, 12))}</sub>`,
  );
  return `${blocks.join('\n\n')}\n`;
}

function table(report: Report): string {
  const { headings, rows, notCounted } = figureTable(report);
  const line = ([name, ...cells]: (typeof rows)[number]): string =>
    `| ${[name, ...headings.map((_heading, index) => cells[index] ?? '–')].join(' | ')} |`;
  return [
    `| | ${headings.join(' | ')} |`,
    `|---|${headings.map(() => '--:|').join('')}`,
    ...rows.map(line),
    '',
    notCounted,
  ].join('\n');
}

function failure(statement: StatementResult, report: Report): string {
  const lines = failedLines(statement);
  const next = advice(statement, report);
  return present(
    `- **${text(statement.id)}** ${words(statement.verdict)}: ${text(statement.text)}`,
    ...lines.slice(0, 3).map(failedLine),
    lines.length > 3 && `  - and ${lines.length - 3} more places`,
    `  - next: ${text(next.look)}: ${code(next.command)}`,
  ).join('\n');
}

function failedLine({ first, all }: CheckGroup): string {
  const { expected, actual, pointer, reason } = first;
  const more = all.length > 1 ? ` and ${all.length - 1} more like it` : '';
  const parts = present(
    ('expected' in first || 'actual' in first) &&
      `expected ${code(show(expected))}, got ${code(show(actual))}`,
    pointer !== undefined && `at ${code(pointer)}`,
    reason !== undefined && text(cut(reason, 300)),
    code(place(first.location)),
    `${text(first.scenario)}, step ${code(first.step)}${more}`,
  );
  return `  - ${parts.join('; ')}`;
}

/** A heading and a list, where there is something to list. */
function section(
  title: string,
  number: string,
  items: readonly (readonly [string, string])[],
): readonly string[] {
  if (items.length === 0) return [];
  const lines = items.map(([name, value]) => `- ${text(name)}: ${text(value)}`);
  return [`### ${title}: ${number}`, lines.join('\n')];
}

/** Text that means nothing in Markdown or HTML, and mentions nobody. */
function text(value: string): string {
  return visible(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#!]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u2060');
}

/** A code span, in which nothing but its own fence means anything; the fence is longer than any. */
function code(value: string): string {
  const inner = cut(visible(value), 500);
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(inner) ? ' ' : '';
  return `${fence}${space}${inner}${space}${fence}`;
}
