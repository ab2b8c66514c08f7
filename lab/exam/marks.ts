/**
 * Marks the report of a deviating target. The functions are pure, so that the exam itself can be
 * tested.
 */

import type { Report } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import type { OperationId, Statement } from '../../spec/contract.ts';

/** The facts about a deviation that the exam needs. */
export interface Question {
  readonly id: string;
  readonly text: string;
  /** The statements that it breaks. A check of one of them must fail. */
  readonly breaks: readonly string[];
  /** The operations in which it takes effect. */
  readonly operations: readonly OperationId[];
  /** The statements that also fail, from the committed snapshot. */
  readonly alsoBreaks?: readonly string[];
  /** Set if no scenario makes the needed calls in order, so that only the explorer can find it. */
  readonly foundBy?: 'explore';
}

/**
 * `killed`: a check of a broken statement failed. `killed elsewhere`: only checks of other
 * statements failed, so the row or the checks name the wrong one. `silent`: nothing failed. `dead`:
 * the deviation never took effect, which is a defect of the exam. `left to the explorer`: nothing
 * failed, and the deviation is marked for the explorer.
 */
export type ExamOutcome =
  | 'killed'
  | 'killed elsewhere'
  | 'silent'
  | 'dead'
  | 'left to the explorer';

/** The outcomes that let the exam pass. */
export const asItShould: readonly ExamOutcome[] = ['killed', 'left to the explorer'];

export interface ExamAnswer {
  readonly id: string;
  readonly outcome: ExamOutcome;
  /** How often the deviation took effect. */
  readonly effects: number;
  /** The checks of broken statements that failed, by statement. */
  readonly noticed: readonly Notice[];
  /** Further statements that failed. */
  readonly alsoFailed: readonly string[];
  /** Those further statements that are not in the snapshot. */
  readonly unexpected: readonly string[];
}

export interface Notice {
  readonly statement: string;
  /** `scenario / step`, in the order of their names. */
  readonly checks: readonly string[];
}

export function titlesOf({ noticed }: ExamAnswer): readonly string[] {
  const places = noticed.flatMap(({ checks }) => checks);
  return [...new Set(places.map((place) => place.slice(0, place.lastIndexOf(' / '))))];
}

export function markReport(question: Question, report: Report, effects: number): ExamAnswer {
  const failed = new Map<string, string[]>();
  for (const { id, checks } of report.statements) {
    const places = checks
      .filter(({ verdict }) => isFailure(verdict))
      .map(({ scenario, step }) => `${scenario} / ${step}`);
    if (places.length > 0) failed.set(id, [...new Set(places)].sort());
  }
  const noticed = question.breaks.flatMap((statement): Notice[] => {
    const checks = failed.get(statement);
    return checks === undefined ? [] : [{ statement, checks }];
  });
  const { breaks, alsoBreaks = [] } = question;
  // A history depends on the order of scenarios, which may change. So its side effects are not
  // compared.
  const others = question.foundBy === 'explore' ? [] : [...failed.keys()];
  const alsoFailed = others.filter((statement) => !breaks.includes(statement)).sort();
  const unexpected = alsoFailed.filter((statement) => !alsoBreaks.includes(statement));
  return { id: question.id, outcome: outcomeOf(), effects, noticed, alsoFailed, unexpected };

  function outcomeOf(): ExamOutcome {
    if (noticed.length > 0) return 'killed';
    if (question.foundBy === 'explore') return 'left to the explorer';
    if (failed.size > 0) return 'killed elsewhere';
    return effects === 0 ? 'dead' : 'silent';
  }
}

/**
 * An exam passes if every deviation is killed or left to the explorer. The snapshot must have every side
 * effect, and every statement must have a deviation.
 */
export function passed(answers: readonly ExamAnswer[], uncovered: readonly string[] = []): boolean {
  return (
    answers.length > 0 &&
    uncovered.length === 0 &&
    answers.every(({ outcome }) => asItShould.includes(outcome)) &&
    answers.every(({ unexpected }) => unexpected.length === 0)
  );
}

/** The text of the committed snapshot of side effects: one line for each deviation, sorted. */
export function alsoBreaksOf(answers: readonly Pick<ExamAnswer, 'id' | 'alsoFailed'>[]): string {
  const lines = answers
    .filter(({ alsoFailed }) => alsoFailed.length > 0)
    .map(({ id, alsoFailed }) => `  ${JSON.stringify(id)}: ${JSON.stringify(alsoFailed)}`)
    .sort();
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Documented statements that a call can show, and that no deviation breaks. */
export function withoutDeviation(
  statements: Iterable<Statement>,
  questions: readonly Question[],
): string[] {
  const broken = new Set(questions.flatMap(({ breaks }) => breaks));
  return [...statements]
    .filter(({ level, unobservable }) => level === 'documented' && unobservable === undefined)
    .flatMap(({ id }) => (broken.has(id) ? [] : [id]));
}
