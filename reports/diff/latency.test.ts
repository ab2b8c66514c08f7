import { expect, test } from 'vitest';
import { Random } from '../../spec/base/random.ts';
import { compareLatencies } from './latency.ts';

/** Like the answers of a service: most alike, some much slower. */
function samples(seed: number, size: number, typical: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: size }, () => {
    const part = random.below(1000) / 1000;
    return typical * (0.7 + part * 0.6) * (random.below(20) === 0 ? 6 : 1);
  });
}

test('an operation that takes twice as long is found, with both medians', () => {
  const last = { list: samples(1, 30, 40), export: samples(2, 30, 40) };
  const now = { list: samples(3, 30, 84), export: samples(4, 30, 40) };
  const [found, ...others] = compareLatencies(last, now).operations;
  expect(others).toEqual([]);
  expect(found?.operation).toBe('list');
  expect((found?.now ?? 0) / (found?.was ?? 1)).toBeCloseTo(2.1, 0);
});

test('the same service does not differ from itself in a thousand nights', () => {
  const found = Array.from({ length: 1000 }, (_, night) => {
    const last = { list: samples(night, 20, 40) };
    return compareLatencies(last, { list: samples(night + 5000, 20, 40) }).operations;
  });
  expect(found.flat()).toEqual([]);
});

test.for([
  ['few samples', samples(1, 9, 10), samples(2, 30, 100)],
  ['one slow answer', samples(1, 30, 10), [...samples(2, 29, 10), 9_000]],
  ['a few milliseconds', samples(1, 30, 1), samples(2, 30, 3)],
  ['a fifth more', samples(1, 300, 100), samples(2, 300, 120)],
] as const)('%s is no change', ([, last, now]) => {
  expect(compareLatencies({ list: last }, { list: now }).operations).toEqual([]);
});

test('a report without samples is compared with none', () => {
  const none = { pace: 1, operations: [] };
  expect(compareLatencies(undefined, { list: samples(1, 30, 10) })).toEqual(none);
});

test('on a busy night all are slower, and only what is slower still is named', () => {
  const of = (seed: number, factors: readonly number[]) =>
    Object.fromEntries(
      factors.map((factor, index) => [`o${index}`, samples(seed + index, 30, 40 * factor)]),
    );
  const { pace, operations } = compareLatencies(of(1, [1, 1, 1, 1, 1]), of(9, [2, 2, 5, 2, 2]));
  expect(pace).toBeCloseTo(2, 0);
  expect(operations.map(({ operation }) => operation)).toEqual(['o2']);
});
