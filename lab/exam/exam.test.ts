import { expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { examine } from './exam-worker.ts';

const service = await createService();
const suite = loadOwnSuite();

test('a deviation that the suite knows is killed', async () => {
  const answer = await examine(service, suite, 'drop:getDbtSyncResult:syncJobId');
  expect(answer).toMatchObject({ outcome: 'killed', noticed: [{ statement: 'DBT-2' }] });
});

test('a suite without the checks of a statement misses the deviations of it', async () => {
  const poorer = {
    ...suite,
    scenarios: suite.scenarios.filter(({ statements }) => !statements.has('FOLDER-3')),
  };
  const answer = await examine(service, poorer, 'folders:position-off-by-one');
  expect(answer.outcome).not.toBe('killed');
});
