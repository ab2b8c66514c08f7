import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBucket } from './faults.ts';

const limits = fc.record({
  capacity: fc.integer({ min: 1, max: 20 }),
  refillPerSecond: fc.double({ min: 0.01, max: 50, noNaN: true }),
});
const steps = fc.array(fc.nat({ max: 5000 }), { maxLength: 60 });

// A failing property names the seed and path that replay it.
test('the bucket never gives more tokens than its capacity and refill', () => {
  fc.assert(
    fc.property(limits, steps, (limit, waits) => {
      const bucket = new TokenBucket(limit);
      let [now, passed] = [0, 0];
      for (const wait of waits) {
        now += wait;
        if (bucket.take(now) === 0) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(
        limit.capacity + (now / 1000) * limit.refillPerSecond + 1e-3,
      );
    }),
  );
});

test('a caller that waits as long as the bucket says gets a token', () => {
  fc.assert(
    fc.property(limits, steps, (limit, waits) => {
      const bucket = new TokenBucket(limit);
      let now = 0;
      for (const wait of waits) {
        now += wait;
        const seconds = bucket.take(now);
        expect(Number.isInteger(seconds)).toBe(true);
        if (seconds === 0) continue;
        now += seconds * 1000;
        expect(bucket.take(now)).toBe(0);
      }
    }),
  );
});

test('a clock that is set back refills nothing and takes nothing', () => {
  const bucket = new TokenBucket({ capacity: 1, refillPerSecond: 1 });
  expect([bucket.take(10_000), bucket.take(0), bucket.take(1000)]).toEqual([0, 1, 0]);
});
