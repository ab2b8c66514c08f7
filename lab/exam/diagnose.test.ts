/** Plays a sample of the table in `reports/diagnosis.md` in the way of a failed run. */
import { expect, test } from 'vitest';
import { diagnose } from '../../conformance/compare/diagnosis.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { toldOf } from './diagnose.ts';
import { diagnosisMd } from './diagnosis-md.ts';
import { hiddenRun } from './hidden-run.ts';
import { diagnosingWith } from './play.ts';

const service = await createService();
const suite = loadOwnSuite();
const diagnosing = { ...diagnosingWith(service, suite), budgetMs: 60_000 };

test.for([
  ['folders:name-cut', 'otherwise'],
  ['drop:getDbtSyncResult:syncJobId', 'otherwise'],
  ['credentials:expired-refused-but-switches-staging', 'otherwise'],
  ['folders:position-off-by-one', 'alike'],
  ['folders:rename-lost+drop:getDbtSyncResult:syncJobId', 'two'],
] as const)('the diagnosis of a failed run names the hidden %s', async ([id, hiding]) => {
  const { statements } = await hiddenRun(service, suite, id, hiding);
  const diagnosis = await diagnose({ statements }, diagnosing);
  expect(diagnosis && toldOf(hiding, id, diagnosis)).toMatchObject({ worst: 0 });
});

test('the table counts the deviations that were named, and lists the others', () => {
  const told = { hiding: 'alike', hidden: ['a'], played: 3, best: 0, worst: 0, alike: 1 } as const;
  const good = diagnosisMd([{ ...told, first: ['a'] }]);
  expect(good).toMatchObject({ isGood: true });
  expect(good.text).toContain('| in a mock as it is | 1 | 100.0 % | 100.0 % |');
  const wrong = { ...told, hidden: ['b'], worst: 4, best: 4, first: [] };
  const bad = diagnosisMd([{ ...told, first: ['a'] }, wrong]);
  expect(bad).toMatchObject({ isGood: false });
  expect(bad.text).toContain('- alike: `b`, told as nothing');
});
