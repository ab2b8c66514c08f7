/**
 * Renders the committed table of the exam: the statements that each deviation breaks, and the check
 * that noticed.
 */
import { hash } from 'node:crypto';
import type { SuiteDigests } from '../../conformance/judge/report.ts';
import type { Statement } from '../../spec/contract.ts';
import type { ExamAnswer, Question } from './marks.ts';

export interface ExamTable {
  readonly questions: readonly Question[];
  readonly answers: readonly ExamAnswer[];
  readonly statements: ReadonlyMap<string, Statement>;
}

/** CI compares the table with a fresh one, so it has no times and no counts that vary. */
export function examMd(table: ExamTable): string {
  const { questions, answers, statements } = table;
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const outcomes = Map.groupBy(answers, ({ outcome }) => outcome);
  const lines = [
    '# The exam',
    '',
    'The suite against every deviation that the mock can make. Written by `npm run exam`; do not edit.',
    '',
    `${answers.length} deviations: ${[...outcomes].map(([name, all]) => `${all.length} ${name}`).join(', ')}.`,
    '',
    '## Statements that a single check protects',
    '',
    ...onlyOnes(table),
    '',
    '## Statement by statement',
  ];
  for (const { id, text } of statements.values()) {
    const rows = questions.filter(({ breaks }) => breaks.includes(id));
    if (rows.length === 0) continue;
    lines.push('', `### ${id}`, '', text, '', '| deviation | | noticed by |', '|---|---|---|');
    for (const question of rows) lines.push(row(question, id, byId.get(question.id)));
  }
  return `${lines.join('\n')}\n`;
}

/** Reads the totals of the table, which certificates of this suite show. */
export function examFigure(table: string): NonNullable<SuiteDigests['exam']> {
  const [, deviations, refused] = /^(\d+) deviations: (\d+) killed/m.exec(table) ?? [];
  if (deviations === undefined) throw new Error('exam.md does not say how the exam came out');
  const sha256 = hash('sha256', table);
  return { sha256, deviations: Number(deviations), refused: Number(refused) };
}

/** The heading of the part that \`exam --every\` writes. */
export const AT_TIMES = '\n## Broken at times\n';

/** Renders how many deviations are noticed if they take effect only in every n-th request. */
export function atTimesMd(made: {
  readonly answers: readonly ExamAnswer[];
  readonly every: number;
  readonly tries: number;
  readonly seed: number;
}): { readonly text: string; readonly share: number } {
  const { answers, every, tries, seed } = made;
  const missed = answers.filter(({ outcome }) => !outcome.startsWith('killed'));
  const refused = answers.length - missed.length;
  const share = refused / answers.length;
  const percent = (100 * share).toFixed(1);
  const lines = [
    `Each deviation takes effect in one of ${every} requests to its operations, and the suite runs with \`--tries ${tries} --seed ${seed}\`. Written by \`npm run exam -- --every ${every} --tries ${tries}\`.`,
    '',
    `${refused} of ${answers.length} are refused (${percent} %).`,
    ...(missed.length === 0 ? [] : ['', 'Not refused:', '']),
    ...missed.map(({ id }) => `- \`${id.replace(/:every=\d+$/, '')}\``),
  ];
  return { text: `${AT_TIMES}\n${lines.join('\n')}\n`, share };
}

function row(question: Question, statement: string, answer: ExamAnswer | undefined): string {
  const notice = answer?.noticed.find((item) => item.statement === statement);
  const [first, ...others] = notice?.checks ?? [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const noticed = first === undefined ? '' : `${cell(first)}${more}`;
  const outcome =
    answer?.outcome === 'killed' && notice === undefined ? 'by another statement' : answer?.outcome;
  return `| \`${question.id}\` ${cell(question.text)} | ${outcome ?? 'not asked'} | ${noticed} |`;
}

function onlyOnes({ answers, statements }: ExamTable): string[] {
  const noticed = answers.flatMap((answer) => answer.noticed);
  const lines = [...statements.keys()].flatMap((id) => {
    const own = noticed.filter(({ statement }) => statement === id);
    const [check, ...others] = new Set(own.flatMap(({ checks }) => checks));
    return check === undefined || others.length > 0 ? [] : [`- ${id}: ${check}`];
  });
  return lines.length === 0 ? ['None.'] : lines;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
