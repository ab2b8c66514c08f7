/** The report as Markdown, for a job summary or a pull request: short, worst first. */

import { isTraffic, type Report, type StatementResult } from '../conformance/judge/report.ts';
import { type Exchanges, noExchanges } from './exchanges.ts';
import { failureSentence } from './failure-words.ts';
import {
  advice,
  brokenStatements,
  type CheckGroup,
  diagnosisLines,
  doubts,
  failedLines,
  leftText,
  reachWords,
} from './findings.ts';
import { code, prose, text } from './markdown.ts';
import { examWords, figureTable, outcome, suiteWords, type Tone } from './outcome.ts';
import { stayText } from './plan.ts';
import { atMost, count, cut, duration, place, present, words } from './text.ts';

const marks: Readonly<Record<Tone, string>> = {
  passed: '✅',
  gaps: '⚠️',
  failed: '❌',
  'not-judged': '⚠️',
};

/** GitHub refuses what one step adds above 1 MiB; a reader gives up long before. */
const statementsShown = 50;
const LIMIT = 500_000;

export function summaryMd(report: Report, exchanges = noExchanges): string {
  const { tone, word, sentence, notes } = outcome(report);
  const { suite, target, options } = report;
  const broken = brokenStatements(report);
  const exam = examWords(report);
  const blocks = present(
    `## ${marks[tone]} Lockstep: ${word}`,
    `**${text(sentence)}** ${notes.map(text).join(' ')}`.trim(),
    `${code(target.baseUrl)}, ${target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant'}, ${text(report.startedAt)}, ${count(report.requests.total, 'request')} in ${duration(report.durationMs)}${isTraffic(report) ? '' : `, writes allowed: ${options.allow}`}`,
    table(report),
    exam !== undefined && text(exam),
    ...report.leftBehind.map((item) => `> **${text(leftText(item))}**`),
    ...report.warnings.map((warning) => `> **Warning:** ${text(warning)}`),
    (report.stays ?? []).length > 0 &&
      `Stays, as nothing takes it back: ${(report.stays ?? []).map((item) => text(stayText(item))).join('; ')}`,
    broken.length > 0 && '### Broken',
    ...diagnosisLines(report).map(prose),
    ...broken.slice(0, statementsShown).map((item) => failure(item, report, exchanges)),
    broken.length > statementsShown &&
      `… and ${broken.length - statementsShown} more in the certificate.`,
    ...doubts(report).flatMap(({ title, about, items }) => [
      `### ${title}: ${about}`,
      items.map(([name, value]) => `- ${text(cut(name, 300))}: ${text(value)}`).join('\n'),
    ]),
    `<sub>Lockstep ${text(suite.version)}, run ${code(report.runId)}, contract ${code(suite.contractSha256.slice(0, 12))}, ${suiteWords(report)} ${[suite.scenariosSha256, ...(suite.custom ?? []).map(({ sha256 }) => sha256)].map((digest) => code(digest.slice(0, 12))).join(' ')}</sub>`,
  );
  return limited(`${blocks.join('\n\n')}\n`);
}

/** Ends with a line that is whole, whatever a target or a tenant file has put into the report. */
function limited(summary: string): string {
  const bytes = Buffer.from(summary);
  if (bytes.length <= LIMIT) return summary;
  const start = bytes.subarray(0, bytes.lastIndexOf('\n', LIMIT)).toString();
  return `${start}\n\n… cut off here. The certificate has the rest.\n`;
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

function failure(statement: StatementResult, report: Report, exchanges: Exchanges): string {
  const lines = failedLines(statement).map((group) => failedLine(group, exchanges));
  const next = advice(statement, report);
  const reach = reachWords(report).get(statement.id);
  return present(
    `- **${text(statement.id)}** ${words(statement.verdict)}: ${text(statement.text)}`,
    reach !== undefined && `  - ${text(reach)}`,
    ...atMost(3, lines, (left) => `  - and ${left} more places`),
    `  - next: ${text(next.look)}: ${code(next.command)}`,
  ).join('\n');
}

function failedLine({ first, all }: CheckGroup, exchanges: Exchanges): string {
  const more = all.length > 1 ? ` and ${all.length - 1} more like it` : '';
  const { scenario, step, location } = first;
  const where = `${code(place(location))}; ${text(scenario)}, step ${code(step)}${more}`;
  return `  - ${prose(cut(failureSentence(first, exchanges), 1000))}; ${where}`;
}
