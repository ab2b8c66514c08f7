/** The report as Markdown, for a job summary or a pull request: short, worst first. */

import type { CheckResult, Report, StatementResult } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import {
  advice,
  fails,
  failures,
  figures,
  gaps,
  outcome,
  type Tally,
  type Tone,
  verdictWords,
} from './outcome.ts';
import { count, cut, duration, place, ranges, show } from './text.ts';

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
  const broken = report.statements
    .filter(
      ({ level, verdict }) =>
        level !== 'silent' && (verdict === 'violated' || verdict === 'deviates'),
    )
    .sort((a, b) => Number(fails(b, report.options)) - Number(fails(a, report.options)));
  const hidden = broken.length - statementsShown;
  const blocks = [
    `## ${marks[tone]} Lockstep: ${word}`,
    `**${text(sentence)}** ${notes.map(text).join(' ')}`.trim(),
    `${code(report.target.baseUrl)}, ${report.target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant'}, ${text(report.startedAt)}, ${count(report.requests.total, 'request')} in ${duration(report.durationMs)}, writes allowed: ${report.options.allow}`,
    table(report),
    ...report.warnings.map((warning) => `> **Warning:** ${text(warning)}`),
    ...(broken.length > 0 ? ['### Broken'] : []),
    ...broken.slice(0, statementsShown).map((item) => failure(item, report)),
    ...(hidden > 0 ? [`… and ${hidden} more in the certificate.`] : []),
    ...untested(report),
    ...incomplete(report),
    `<sub>Lockstep ${text(report.suite.version)}, run ${code(report.runId)}, contract ${code(report.suite.contractSha256.slice(0, 12))}, scenarios ${code(report.suite.scenariosSha256.slice(0, 12))}</sub>`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function table(report: Report): string {
  const { documented, standard, silences, unobservable, notApplicable } = figures(report);
  const row = (name: string, { of, verified, broken, gaps: untried }: Tally): string =>
    `| ${name} | ${of} | ${verified} | ${broken} | ${untried} | – |`;
  return [
    '| | statements | verified | broken | not testable | observed |',
    '|---|--:|--:|--:|--:|--:|',
    row('documented', documented),
    row('standard', standard),
    `| silent | ${silences.of} | – | – | ${silences.of - silences.observed} | ${silences.observed} |`,
    '',
    `Besides: ${unobservable} that no call can show, ${notApplicable} of features that are switched off.`,
  ].join('\n');
}

function failure(statement: StatementResult, report: Report): string {
  const lines = [...Map.groupBy(failures(statement), ({ location }) => place(location)).values()];
  const next = advice(statement, report);
  return [
    `- **${text(statement.id)}** ${verdictWords[statement.verdict]}: ${text(statement.text)}`,
    ...lines.slice(0, 3).map(check),
    ...(lines.length > 3 ? [`  - and ${lines.length - 3} more places`] : []),
    `  - next: ${text(next.look)}: ${code(next.command)}`,
  ].join('\n');
}

function check(members: readonly CheckResult[]): string {
  const [first] = members;
  if (first === undefined) return '';
  const parts = [
    ...('expected' in first || 'actual' in first
      ? [`expected ${code(show(first.expected))}, got ${code(show(first.actual))}`]
      : []),
    ...(first.pointer === undefined ? [] : [`at ${code(first.pointer)}`]),
    ...(first.reason === undefined ? [] : [text(cut(first.reason, 300))]),
    code(place(first.location)),
    `${text(first.scenario)}, step ${code(first.step)}${members.length > 1 ? ` and ${members.length - 1} more like it` : ''}`,
  ];
  return `  - ${parts.join('; ')}`;
}

function untested(report: Report): readonly string[] {
  const found = gaps(report);
  if (found.length === 0) return [];
  return [
    `### Not tested: ${count(report.totals.gaps, 'promise')}`,
    found
      .map(
        ({ reason, statements }) =>
          `- ${text(cut(reason, 300))}: ${text(ranges(statements.map(({ id }) => id)))}`,
      )
      .join('\n'),
  ];
}

function incomplete({ scenarios }: Report): readonly string[] {
  const found = scenarios.filter(({ outcome: ended }) => ended === 'could-not-run');
  if (found.length === 0) return [];
  return [
    `### Could not run: ${count(found.length, 'scenario')}`,
    found
      .map(
        ({ scenario, reason }) => `- ${text(scenario)}: ${text(reason ?? 'no reason was given')}`,
      )
      .join('\n'),
  ];
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
