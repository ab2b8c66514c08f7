/** Tests the comparison of failed tests with those that the gate names. */
import { expect, test } from 'vitest';
import type { ClientReport } from '../../mock/client/client-report.ts';
import type { Judged } from '../../mock/client/outcome.ts';
import { nightsOf } from './reach.ts';
import { reachMd } from './reach-md.ts';

const mutant = (id: string, tests: readonly string[]): Judged => ({
  ...{ id, kind: 'mutant', text: '', statements: ['FOLDER-2'], tests },
  outcome: tests.length > 0 ? 'broken' : 'held',
});
const report = (...results: readonly Judged[]) =>
  ({ kinds: ['mutant'], leftOutOf: [], results }) as unknown as ClientReport;

const learned = report(
  mutant('folders:name-cut', ['renames']),
  mutant('folders:rename-lost', ['renames', 'moves']),
  mutant('type:updateFolder:name', []),
);

test('a deviation that was held out is predicted by others of the same promise', () => {
  const [cut, , type] = nightsOf(learned, learned);
  expect(cut).toMatchObject({
    ...{ failed: ['renames'], heldOut: ['moves', 'renames'], byLooks: ['renames'] },
  });
  expect(type).toMatchObject({ failed: [], byPromise: ['moves', 'renames'], byLooks: [] });
});

test('tests that the command does not distinguish count as one', () => {
  const unnamed = report({ ...mutant('folders:name-cut', []), outcome: 'broken' });
  expect(nightsOf(unnamed, unnamed)).toMatchObject([
    { failed: ['all tests'], byLooks: ['all tests'] },
  ]);
});

test('the failed tests may come from other runs', () => {
  const real = report(mutant('folders:name-cut', ['moves']));
  expect(nightsOf(learned, real)).toMatchObject([{ failed: ['moves'], byLooks: ['renames'] }]);
});

test('the table has precision and recall for each way', () => {
  const nights = nightsOf(learned, learned);
  const text = reachMd([{ name: 'billing', nights, isSame: false }]);
  const row = '| billing | one | it was tried; the statement alone is known | 3 | 3 |';
  expect(text).toContain(`${row} 50.0 % | 100.0 % | 33.3 % |`);
  expect(text).toContain('\n\nNone.\n');
});
