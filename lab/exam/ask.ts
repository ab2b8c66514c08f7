/**
 * The exam: the suite is run against a target that makes one deviation, and has to notice it.
 *
 * The runner does not know the mock: it is given the deviations as data and a function that makes a
 * target for one of them.
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
  /** Of the order of the tries. */
  readonly seed: number;
}

/** One question, and whom it is put to. */
export interface Exam {
  readonly question: Question;
  readonly suite: Suite;
  /**
   * Gives a fresh target each time, which is closed afterwards. `effects`: how often the deviation has
   * taken effect so far.
   */
  readonly make: () => Promise<{ readonly target: Target; readonly effects: () => number }>;
  readonly effort?: Effort | undefined;
}

/**
 * Puts one question to a suite. First to the scenarios that call the deviation's operations and
 * name a broken statement, then to all that call them, then to all; until one notices.
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
  // A deviation that only an order of calls shows cannot be noticed by a part of the suite.
  const second = question.foundBy === undefined ? await askOnce(near, []) : first;
  return second.outcome === 'killed' ? second : askOnce(exam, []);
}

/** Puts it to all scenarios of the suite that name one of these statements; or until one notices. */
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
    // One at a time: a deviation may depend on the calls before, and the table is compared in CI.
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
