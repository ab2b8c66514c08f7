/** `lockstep exam`: every deviation, on all cores. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, passed } from '../conformance/commands/exam.ts';
import { catalogue, deviationsOf } from '../mock/service/catalogue.ts';
import { contract } from '../spec/contract.ts';
import { shareOut } from './share-out.ts';

export interface ExamCommand {
  readonly only?: readonly string[] | undefined;
  /** Folder for exam.md and exam.json; `reports` holds the committed table. */
  readonly out?: string | undefined;
  /** Compare with the table that is there instead of writing it. */
  readonly check?: boolean | undefined;
}

/** Runs the exam, prints what was not noticed, writes or compares the table; the exit code. */
export async function examine({ only = [], out, check = false }: ExamCommand): Promise<number> {
  const bar = process.stderr.isTTY === true;
  const run = await runExam(only, (done, of, { id }) => {
    if (bar) process.stderr.write(`\r\x1b[K[${done}/${of}] ${id}`);
    else if (done % 100 === 0) process.stderr.write(`[${done}/${of}]\n`);
  });
  if (bar) process.stderr.write('\r\x1b[K');
  const counts = new Map<string, number>();
  for (const { outcome } of run.answers) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  const seconds = (run.durationMs / 1000).toFixed(1);
  process.stdout.write(`${run.answers.length} deviations in ${seconds} s: ${summary}\n`);
  for (const { id, outcome, stray } of run.answers) {
    if (outcome === 'killed' || outcome === 'equivalent') continue;
    const beside = stray.length === 0 ? '' : ` (failed: ${stray.join(', ')})`;
    process.stdout.write(`${outcome}: ${id}${beside}\n`);
  }
  if (only.length > 0 && out === undefined) return run.passed ? 0 : 1;
  const { examMd } = await import('../reports/exam-md.ts');
  const folder = out ?? fileURLToPath(new URL('../reports', import.meta.url));
  const file = join(folder, 'exam.md');
  const questions = only.length === 0 ? catalogue : deviationsOf(only);
  const text = examMd({ questions, answers: run.answers, statements: contract.statements });
  if (check) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return run.passed ? 0 : 1;
    process.stderr.write(`lockstep: ${file} is not what the exam gives: run npm run exam\n`);
    return 1;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return run.passed ? 0 : 1;
}

export interface ExamRun {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
  readonly passed: boolean;
}

/** Runs the exam; `only` narrows it to these deviations. */
export async function runExam(
  only: readonly string[] = [],
  onProgress: (done: number, of: number, answer: Answer) => void = () => {},
): Promise<ExamRun> {
  const start = performance.now();
  const questions = (only.length === 0 ? catalogue : deviationsOf(only)).map(({ id }) => id);
  const worker = new URL('./exam-worker.ts', import.meta.url);
  const answers = await shareOut<Answer>(worker, questions, onProgress);
  const order = new Map(questions.map((id, index) => [id, index]));
  answers.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return { answers, durationMs: performance.now() - start, passed: passed(answers) };
}
