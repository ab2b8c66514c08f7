/** Tests whether the explorer's measurement counts a fault as noticed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createService } from '../../mock/kits/index.ts';
import { explorerMd } from './explorer-md.ts';
import { historyIds, measure } from './explorer-worker.ts';

const what = { from: 1, seeds: 1, steps: 6000 };

test('a fault is explored only if certify does not notice it', async () => {
  const service = await createService();
  const refused = await measure(service, 'tenant audit:commas-not-quoted', what);
  expect(refused).toMatchObject({ refused: ['AUDIT-4'], seeds: 0 });
  const left = await measure(service, 'mock staging:switch-undone-by-a-folder', what);
  expect(left).toMatchObject({ refused: [], seeds: 1, found: 1 });
  const missed = { ...left, id: 'tenant missed', found: 0, medianSteps: undefined };
  const text = explorerMd({ faults: [refused, left, missed], plain: [], ...what });
  expect(text).toContain('`certify` refuses 1 of 3. Of the other 2, the explorer finds 1 with');
  expect(text).toContain('within 6,000 calls. Below that: 1.');
  expect(text).toContain(
    '- `missed` in the tenant, 0 of 1: few walks meet the history that it needs.',
  );
  expect(text).toContain('| `audit:commas-not-quoted` | tenant | AUDIT-4 |  |  |');
  expect(text).toContain('| `staging:switch-undone-by-a-folder` | mock |  | 1 of 1 |');
});

test.for(['mock plain', 'tenant plain'])('nothing is found in %s', async (id) => {
  const plain = await measure(await createService(), id, { from: 1, seeds: 2, steps: 500 });
  expect(plain).toMatchObject({ found: 0, steps: 1000, refused: [], statements: [] });
  const text = explorerMd({ faults: [], plain: [plain], ...what });
  expect(text).toContain(`1,000 calls over the ${id.split(' ')[0]} found nothing.`);
});

test('the table has each fault', () => {
  const text = readFileSync(new URL('../../reports/explorer.md', import.meta.url), 'utf8');
  const row = /^\| `(.+)` \| (mock|tenant) \| (.*) \| (?:(\d+) of (\d+))? \|.*\|$/gm;
  const rows = [...text.matchAll(row)];
  const ids = rows.map(([, name, target]) => `${target} ${name}`);
  // The order may differ, so that moving rows in the code needs no new measurement of half an hour.
  expect(ids.sort()).toEqual([...historyIds].sort());
  const sure = rows.filter(
    ([, , , refused, found, seeds]) => refused !== '' || Number(found) >= Number(seeds) * 0.95,
  );
  expect(sure.length).toBeGreaterThanOrEqual(40);
});
