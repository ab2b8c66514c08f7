import { describe, expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import type { Statement } from '../../spec/contract.ts';
import {
  alsoBreaksOf,
  type ExamAnswer,
  markReport,
  passed,
  type Question,
  withoutDeviation,
} from './marks.ts';

/** A report in which checks of these statements failed. */
function failing(...statements: readonly string[]): Report {
  return {
    statements: statements.map((id) => ({
      id,
      checks: [{ scenario: 'A promise', step: 'kept', verdict: 'violated' }],
    })),
  } as unknown as Report;
}

const question: Question = {
  id: 'lost',
  text: 'It is lost.',
  breaks: ['STAGE-3'],
  operations: ['setStagingEnvironment'],
  alsoBreaks: ['STAGE-5'],
};

describe('an answer is marked', () => {
  test.for([
    ['killed', failing('STAGE-3'), 1],
    ['killed elsewhere', failing('STAGE-5'), 1],
    ['silent', failing(), 1],
    ['dead', failing(), 0],
  ] as const)('%s', ([outcome, report, effects]) => {
    expect(markReport(question, report, effects).outcome).toBe(outcome);
  });

  test('left to the explorer, if the deviation is marked so and no check failed', () => {
    const left = { ...question, foundBy: 'explore' as const };
    expect(markReport(left, failing(), 0).outcome).toBe('left to the explorer');
    expect(markReport(left, failing('ENV-6'), 1).outcome).toBe('left to the explorer');
    expect(markReport(left, failing('STAGE-3'), 1).outcome).toBe('killed');
  });

  test('a side effect that is not in the snapshot is unexpected', () => {
    const { alsoFailed, unexpected } = markReport(
      question,
      failing('STAGE-3', 'STAGE-5', 'ENV-6'),
      1,
    );
    expect(alsoFailed).toEqual(['ENV-6', 'STAGE-5']);
    expect(unexpected).toEqual(['ENV-6']);
  });

  test('the snapshot has a sorted line for each deviation with side effects', () => {
    const answer = markReport(question, failing('STAGE-3', 'STAGE-5', 'ENV-6'), 1);
    const other = { ...answer, id: 'late', alsoFailed: ['ENV-6'] };
    const alone = { ...answer, id: 'alone', alsoFailed: [] };
    expect(alsoBreaksOf([answer, alone, other])).toBe(
      '{\n  "late": ["ENV-6"],\n  "lost": ["ENV-6","STAGE-5"]\n}\n',
    );
  });
});

describe('the exam is passed', () => {
  const answer = (outcome: ExamAnswer['outcome']): ExamAnswer => ({
    id: 'x',
    outcome,
    effects: 1,
    noticed: [],
    alsoFailed: [],
    unexpected: [],
  });
  const killed = Array.from({ length: 100 }, () => answer('killed'));

  test('if everything is killed, or left to the explorer', () => {
    expect(passed(killed)).toBe(true);
    expect(passed([...killed, answer('left to the explorer')])).toBe(true);
  });

  test.for(['silent', 'dead', 'killed elsewhere'] as const)('never with one %s', (outcome) => {
    expect(passed([...killed, answer(outcome)])).toBe(false);
  });

  test('never with an unexpected failure', () => {
    expect(passed([...killed, { ...answer('killed'), unexpected: ['ENV-6'] }])).toBe(false);
  });

  test('never with a statement that no deviation breaks', () => {
    expect(passed(killed, [])).toBe(true);
    expect(passed(killed, ['STAGE-5'])).toBe(false);
  });

  test('never if no deviation was examined', () => {
    expect(passed([])).toBe(false);
  });
});

test('a documented statement that a call can show needs a deviation', () => {
  const statement = (id: string, level: string, unobservable?: string) =>
    ({ id, level, unobservable }) as Statement;
  const statements = [
    statement('STAGE-3', 'documented'),
    statement('STAGE-5', 'documented'),
    statement('STAGE-9', 'silent'),
    statement('SVC-1', 'documented', 'No call shows it.'),
  ];
  expect(withoutDeviation(statements, [question])).toEqual(['STAGE-5']);
});
