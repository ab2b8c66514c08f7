/**
 * The exam: the suite is run against a target that makes one deviation, and has to notice it.
 *
 * The runner does not know the mock: it is given the deviations as data and a function that makes a
 * target for one of them.
 */

import { type ExamAnswer, markReport, type Question } from '../judge/exam.ts';
import { isFailure } from '../judge/verdict.ts';
import type { Suite } from '../language/scenario.ts';
import { runSuite } from '../run/run.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Target } from '../target/target.ts';

export interface Examinee {
  readonly target: Target;
  /** How often the deviation has taken effect so far. */
  readonly effects: () => number;
}

/** How often the suite tries, where a deviation does not always take effect. */
export interface Effort {
  readonly tries: number;
  /** Of the order of the tries. */
  readonly seed: number;
}

const options = {
  allow: 'permanent',
  convergenceMs: 30_000,
  standards: 'report',
  complete: false,
  // One at a time: a deviation may depend on the calls before, and the table is compared in CI.
  jobs: 1,
} as const;

/**
 * Puts one question to a suite: the scenarios that name a broken statement first, and the rest of
 * them where those notice nothing. `make` gives a fresh target each time; it is closed afterwards.
 */
export async function ask(
  question: Question,
  suite: Suite,
  safety: SafetyFacts,
  make: () => Promise<Examinee>,
  effort?: Effort,
): Promise<ExamAnswer> {
  const start = performance.now();
  const askOf = (only: readonly string[]) => askOnce(question, suite, safety, make, only, effort);
  const first = await askOf(question.breaks);
  const marked = first.outcome === 'killed' ? first : await askOf([]);
  return { ...marked, durationMs: performance.now() - start };
}

async function askOnce(
  question: Question,
  suite: Suite,
  safety: SafetyFacts,
  make: () => Promise<Examinee>,
  only: readonly string[],
  effort: Effort | undefined,
): Promise<Omit<ExamAnswer, 'durationMs'>> {
  const { target, effects } = await make();
  try {
    const names = { id: 'exam', startedAt: new Date().toISOString() };
    const { report } = await runSuite({
      suite,
      target,
      options: { ...options, ...effort, only },
      names,
      safety,
      version: '0',
      evidence: false,
      enough: ({ judged }) =>
        effort !== undefined &&
        judged.some(
          ({ statement, verdict }) => question.breaks.includes(statement) && isFailure(verdict),
        ),
    });
    return markReport(question, report, effects());
  } finally {
    await target.close();
  }
}
