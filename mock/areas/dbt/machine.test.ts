import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DbtSyncRow } from '../../world/rows.ts';
import { type DbtSyncEvent, dbtSyncTable, stepDbtSync } from './machine.ts';

const STARTED = '2026-01-01T00:00:00.000Z';
const ENDED = '2026-01-01T00:05:00.000Z';

function jobIn(state: DbtSyncRow['state']): DbtSyncRow {
  return {
    id: 'sync-1',
    deploymentId: '1',
    state,
    startedAt: STARTED,
    completedAt: state === 'running' ? null : ENDED,
    generatedFiles: [],
    models: 0,
    sources: 0,
    macros: 0,
    unitCount: 0,
  };
}

describe('state x event', () => {
  test.for([
    ['running', 'complete', 'completed'],
    ['running', 'fail', 'failed'],
    ['completed', 'complete', undefined],
    ['completed', 'fail', undefined],
    ['failed', 'complete', undefined],
    ['failed', 'fail', undefined],
  ] as const)('%s, %s: %s', ([state, event, next]) => {
    expect(stepDbtSync(jobIn(state), event, ENDED)?.state).toBe(next);
    expect(dbtSyncTable[state][event]).toBe(next);
  });

  test('a completed job has its end and its generated files', () => {
    const outcome = { generatedFiles: ['model/a.yaml'], models: 3, unitCount: 1 };
    expect(stepDbtSync(jobIn('running'), 'complete', ENDED, outcome)).toEqual({
      ...jobIn('running'),
      ...outcome,
      state: 'completed',
      completedAt: ENDED,
    });
  });
});

// A failing property names the seed and path that replay it.
describe('any events, in any order', () => {
  const events = fc.array(fc.constantFrom<DbtSyncEvent>('complete', 'fail'), { minLength: 1 });

  test('the first event ends the job, and no later one changes it', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const end = happened.reduce(
          (job, event) => stepDbtSync(job, event, ENDED) ?? job,
          jobIn('running'),
        );
        expect(end.state).toBe(happened[0] === 'complete' ? 'completed' : 'failed');
        expect(end).toEqual(stepDbtSync(jobIn('running'), happened[0] ?? 'fail', ENDED));
      }),
    );
  });

  test('a step does not change the job that it is given', () => {
    fc.assert(
      fc.property(fc.constantFrom<DbtSyncEvent>('complete', 'fail'), fc.nat(), (event, models) => {
        const job = Object.freeze(jobIn('running'));
        stepDbtSync(job, event, ENDED, { models });
        expect(job).toEqual(jobIn('running'));
      }),
    );
  });

  test('an outcome can never move a job to another deployment, id or start', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.string()), (unitCount, generatedFiles) => {
        const done = stepDbtSync(jobIn('running'), 'complete', ENDED, {
          unitCount,
          generatedFiles,
        });
        expect(done).toMatchObject({ id: 'sync-1', deploymentId: '1', startedAt: STARTED });
      }),
    );
  });
});
