import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, insteadOf, meant, unlikeness } from './similar.ts';

test.for<[string, string, number]>([
  ['', 'abc', 3],
  ['name', 'name', 0],
  ['nmae', 'name', 1],
  ['offset', 'ofset', 1],
  ['kitten', 'sitting', 3],
])('from %s to %s: %i', ([a, b, steps]) => {
  expect(distance(a, b)).toBe(steps);
});

test('a distance is symmetric, and zero only between equal words', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, b) === 0).toBe(a === b);
      expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test('a match ignores case and separators, and a far word does not match', () => {
  const fields = ['branchName', 'branchId', 'enabled'];
  expect(meant('branch_name', fields)).toBe('branchName');
  expect(meant('BRANCHID', fields)).toBe('branchId');
  expect(meant('colour', fields)).toBeUndefined();
});

test('a very long word matches no other, and the comparison is fast', () => {
  const long = 'x'.repeat(1_000_000);
  expect([unlikeness(long, 'x'), unlikeness(long, long)]).toEqual([1, 0]);
});

test('a message names the likely name, or at most thirty', () => {
  const many = Array.from({ length: 200 }, (_, index) => `run-${index}`);
  expect(insteadOf('rnu-7', many)).toBe('; run-7 is');
  expect(insteadOf('nothing', many)).toMatch(/^; known are run-0, .*, run-29 and 170 more$/);
  expect(insteadOf('nothing', ['one', 'two'])).toBe('; known are one, two');
  expect(insteadOf('nothing', [])).toBe('; none is');
});
