/**
 * The exam: the suite is run against a target that makes one deviation, and has to notice it.
 *
 * The runner does not know the mock: it is given the deviations as data and a function that makes a
 * target for one of them.
 */
import { type ExamAnswer, markReport, type Question } from '../judge/exam.ts';
import type { Suite } from '../language/scenario.ts';
import { runSuite } from '../run/run.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Target } from '../target/target.ts';

export interface Examinee {
  readonly target: Target;
  /** How often the deviation has taken effect so far. */
  readonly effects: () => number;
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
): Promise<ExamAnswer> {
  const start = performance.now();
  const first = await askOnce(question, suite, safety, make, question.breaks);
  const marked =
    first.outcome === 'killed' ? first : await askOnce(question, suite, safety, make, []);
  return { ...marked, durationMs: performance.now() - start };
}

async function askOnce(
  question: Question,
  suite: Suite,
  safety: SafetyFacts,
  make: () => Promise<Examinee>,
  only: readonly string[],
): Promise<Omit<ExamAnswer, 'durationMs'>> {
  const { target, effects } = await make();
  try {
    const names = { id: 'exam', startedAt: new Date().toISOString() };
    const { report } = await runSuite({
      suite,
      target,
      options: { ...options, only },
      names,
      safety,
      version: '0',
      evidence: false,
    });
    return markReport(question, report, effects());
  } finally {
    await target.close();
  }
}
