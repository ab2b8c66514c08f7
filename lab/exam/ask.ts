/**
 * The exam runs the suite against a target with one deviation. The suite must notice it.
 *
 * The runner does not import the mock: it gets the deviations as data, and a function that makes a
 * target with one of them.
 */

import type { Judged } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';
import { type ExamAnswer, markReport, type Question } from './marks.ts';
import { reportOf } from './suite-run.ts';

/** How often the suite tries if a deviation does not always take effect. */
export interface Effort {
  readonly tries: number;
  /** The seed for the order of the tries. */
  readonly seed: number;
}

/** One question for the suite, and the way to make its target. */
export interface Exam {
  readonly question: Question;
  readonly suite: Suite;
  /**
   * Makes a fresh target, which the exam closes. `effects`: how often the deviation has taken
   * effect so far.
   */
  readonly make: () => Promise<{ readonly target: Target; readonly effects: () => number }>;
  readonly effort?: Effort | undefined;
}

/**
 * Puts one question to a suite. It plays the scenarios that call the deviation's operations and
 * name a broken statement. If none notices, it plays all that call these operations, and at last
 * the whole suite.
 */
export async function ask(exam: Exam): Promise<ExamAnswer> {
  const { suite, question } = exam;
  const scenarios = suite.scenarios.filter(
    ({ operations }) =>
      operations === undefined || question.operations.some((id) => operations.has(id)),
  );
  const near = { ...exam, suite: { ...suite, scenarios } };
  const first = await askOnce(near, question.breaks);
  if (first.outcome === 'killed') return first;
  // A deviation that needs a history of calls goes to the whole suite at once.
  const second = question.foundBy === undefined ? await askOnce(near, []) : first;
  return second.outcome === 'killed' ? second : askOnce(exam, []);
}

/** Plays all scenarios that name one of these statements, or stops at the first one that notices. */
export async function askOnce(
  exam: Exam,
  only: readonly string[],
  untilNoticed = exam.effort !== undefined,
): Promise<ExamAnswer> {
  const { question, suite, make, effort } = exam;
  const { target, effects } = await make();
  const isNoticed = ({ statement, verdict }: Judged): boolean =>
    question.breaks.includes(statement) && isFailure(verdict);
  try {
    // One scenario at a time, because a deviation may depend on earlier calls, and CI compares the
    // table.
    const report = await reportOf(
      suite,
      target,
      { ...effort, only },
      { enough: untilNoticed ? ({ judged }) => judged.some(isNoticed) : undefined },
    );
    return markReport(question, report, effects());
  } finally {
    await target.close();
  }
}
