import { expect, test } from 'vitest';
import { Latencies } from './latencies.ts';

test('the samples of a long run come from all of it', () => {
  const latencies = new Latencies();
  latencies.add('a', 1.26);
  for (let index = 0; index < 10_000; index += 1) latencies.add('b', index);
  const { a, b = [] } = latencies.table();
  expect(a).toEqual([1.3]);
  expect(b.length).toBeGreaterThanOrEqual(250);
  expect(b.length).toBeLessThan(500);
  expect(b[0]).toBe(0);
  expect(b.at(-1)).toBeGreaterThan(9_900);
  expect(b.toSorted((x, y) => x - y)).toEqual(b);
});
