/** `lockstep exam`: every deviation, on all cores. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areaOf } from '../../conformance/language/own-suite.ts';
import { ifThere } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { AT_TIMES, atTimesMd, examMd } from './exam-md.ts';
import type { ExamData } from './exam-worker.ts';
import { FOR_SOME } from './for-some-md.ts';
import { alsoBreaksOf, asItShould, type ExamAnswer, passed, withoutDeviation } from './marks.ts';
import { shareOut, tellProgress } from './share-out.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The folder of the committed table. */
export const FOLDER = here('../../reports');
const snapshot = here('../deviations/also-breaks.generated.json');

/** Options of `lockstep exam`. */
export interface ExamCommand {
  readonly only?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly check?: true | undefined;
  readonly updateAlsoBreaks?: true | undefined;
  readonly every?: number | undefined;
  readonly tries?: number | undefined;
  readonly forSome?: true | undefined;
  readonly diagnose?: true | undefined;
  /** With forSome, every combination is played. */
  readonly all?: true | undefined;
}

/**
 * Runs the exam, prints the deviations that were not noticed, and writes or compares the table.
 * Returns the exit code.
 */
export async function examine(command: ExamCommand): Promise<number> {
  const { only = [], out, check = false, updateAlsoBreaks = false, every } = command;
  const names = only.length > 0 ? only : catalogue.map(({ id }) => id);
  if (every !== undefined) return examineAtTimes(names, { ...command, every });
  const questions = deviationsOf(names);
  const { answers, seconds } = await runExam(names);
  // Documented statements that no deviation breaks. They are not searched if only some deviations are
  // examined.
  const uncovered =
    only.length > 0 ? [] : withoutDeviation(contract.statements.values(), catalogue);
  for (const line of summaryOf(answers, seconds, uncovered)) process.stdout.write(`${line}\n`);
  const exitCode = passed(answers, uncovered) ? 0 : 1;
  if (only.length > 0 && out === undefined) return exitCode;
  const folder = out ?? FOLDER;
  const file = join(folder, 'exam.md');
  const always = examMd({ questions, answers, statements: contract.statements });
  const { forSome, atTimes } = partsOf(file);
  const table = always + forSome + atTimes;
  const alsoBreaks = alsoBreaksOf(answers);
  if (check) {
    const stale = [
      { path: file, text: table, next: 'run npm run exam' },
      { path: snapshot, text: alsoBreaks, next: AGAIN },
    ].filter(({ path, text }) => textAt(path) !== text);
    for (const { path, next } of stale)
      process.stderr.write(`lockstep: ${path} is not what the exam gives: ${next}\n`);
    return stale.length === 0 ? exitCode : 1;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, table);
  if (!updateAlsoBreaks || only.length > 0) return exitCode;
  writeFileSync(snapshot, alsoBreaks);
  process.stdout.write(`wrote ${snapshot}: review the difference\n`);
  const reviewed = answers.map((answer) => ({ ...answer, unexpected: [] }));
  return passed(reviewed, uncovered) ? 0 : 1;
}

/**
 * The exam of deviations that take effect only sometimes. It writes its own part of the table, which the
 * ordinary exam keeps.
 */
async function examineAtTimes(
  ids: readonly string[],
  { only = [], every, tries = 12, out }: ExamCommand & { readonly every: number },
): Promise<number> {
  const effort = { tries, seed: 1 };
  const names = ids.map((id) => `${id}:every=${every}`);
  const { answers, seconds } = await runExam(names, { effort });
  const { text, share } = atTimesMd({ answers, every, ...effort });
  process.stdout.write(`${text}\n${seconds} s\n`);
  if (only.length === 0 || out !== undefined) {
    const file = join(out ?? FOLDER, 'exam.md');
    const { always, forSome } = partsOf(file);
    writeFileSync(file, always + forSome + text);
  }
  return share >= 0.95 ? 0 : 1;
}

/**
 * The parts of a written table: deviations that always take effect, only for some calls, or only sometimes.
 */
export function partsOf(file: string) {
  const text = textAt(file);
  const placeOf = (title: string) => (text.includes(title) ? text.indexOf(title) : text.length);
  const [times, some] = [placeOf(AT_TIMES), Math.min(placeOf(FOR_SOME), placeOf(AT_TIMES))];
  return {
    always: text.slice(0, some),
    forSome: text.slice(some, times),
    atTimes: text.slice(times),
  };
}

/** The text of a file; empty if there is none. */
const textAt = (file: string): string => ifThere(() => readFileSync(file, 'utf8')) ?? '';

const AGAIN = 'run npm run exam -- --update-also-breaks, and review the difference';

/** The number of deviations with each outcome, and a list of the wrong ones. */
function summaryOf(
  answers: readonly ExamAnswer[],
  seconds: string,
  uncovered: readonly string[],
): string[] {
  const counts = Map.groupBy(answers, ({ outcome }) => outcome);
  const summary = [...counts].map(([outcome, all]) => `${all.length} ${outcome}`).join(', ');
  const surprises = answers.filter(({ unexpected }) => unexpected.length > 0);
  return [
    `${answers.length} deviations in ${seconds} s: ${summary}`,
    ...answers.flatMap(({ id, outcome, alsoFailed }) => {
      if (asItShould.includes(outcome)) return [];
      return `${outcome}: ${id}${alsoFailed.length === 0 ? '' : ` (failed: ${alsoFailed.join(', ')})`}`;
    }),
    ...surprises.map(
      ({ id, unexpected }) => `unexpected: ${id} breaks ${unexpected.join(', ')} as well`,
    ),
    ...(surprises.length === 0 ? [] : [`if that is right, ${AGAIN}`]),
    ...uncovered.map(
      (id) =>
        `NO DEVIATION breaks ${id}: write one in lab/areas/${areaOf(id) ?? 'credentials'}/deviations.ts`,
    ),
  ];
}

/** Examines each deviation, and prints the progress. */
export async function runExam<Answer extends { readonly id: string } = ExamAnswer>(
  names: readonly string[],
  data: ExamData = {},
) {
  const start = performance.now();
  deviationsOf(names.flatMap((name) => name.split('+')));
  const progress = (done: number, of: number, { id }: Answer): void => tellProgress(done, of, id);
  const worker = new URL('./exam-worker.ts', import.meta.url);
  const answers = await shareOut(worker, names, progress, data);
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return { answers, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}
