/** The measure of the explorer: what it counts as found, and what it must not. */
import { expect, test } from 'vitest';
import { byArea } from '../mock/areas/catalogue.ts';
import { createService } from '../mock/kits/index.ts';
import { explorerMd } from '../reports/explorer-md.ts';
import { measure } from './explorer-worker.ts';

const short = { from: 1, seeds: 3, steps: 1000 };

test('a deviation is found by its seeds, and the plain mock by none', async () => {
  const service = await createService();
  const inverted = await measure(service, 'staging:inverted', short);
  expect(inverted).toMatchObject({ seeds: 3, found: 3 });
  expect(inverted.medianSteps).toBeLessThan(1000);
  const plain = await measure(service, 'plain', short);
  expect(plain).toEqual({
    id: 'plain',
    seeds: 3,
    found: 0,
    steps: 3000,
    medianSteps: undefined,
    statements: [],
  });
  const text = explorerMd({ answers: [inverted, { ...plain, id: 'missed' }], plain, ...short });
  expect(text).toContain('of 2 hand-written deviations 1 are found by at least 95 % of the seeds');
  expect(text).toContain('Without a deviation, 3,000 calls found nothing.');
  expect(text).toContain('| `missed` | 0 of 3 |  |  |');
});

test('what the exam leaves to the explorer is found by it', async () => {
  const service = await createService();
  const left = Object.values(byArea)
    .flat()
    .filter(({ foundBy }) => foundBy === 'explore');
  expect(left.length).toBeGreaterThan(10);
  // One of them; `npm run explorer` asks for all, with many seeds.
  const sample = await measure(service, 'versions:channel-lost-after-two-versions', {
    from: 1,
    seeds: 2,
    steps: 3000,
  });
  expect(sample).toMatchObject({ seeds: 2, found: 2 });
});
