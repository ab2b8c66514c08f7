import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rate } from './rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));

/** The names in the order of their turns, with the milliseconds until each. */
async function turnsOf(rate: Rate, asked: readonly (readonly [name: string, urgent: boolean])[]) {
  const turns: [string, number][] = [];
  const start = Date.now();
  const all = asked.map(async ([name, urgent]) => {
    await rate.pass(urgent, wait);
    turns.push([name, Date.now() - start]);
  });
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return turns;
}

test('requests are as far apart as the rate says', async () => {
  const turns = await turnsOf(new Rate(8), [
    ['a', false],
    ['b', false],
    ['c', false],
  ]);
  expect(turns.map(([name]) => name)).toEqual(['a', 'b', 'c']);
  expect(turns.map(([, at]) => Math.round(at / 125))).toEqual([0, 1, 2]);
});

test('late timers cost no rate', async () => {
  const rate = new Rate(8);
  const start = performance.now();
  const late = async () => {
    for (let sent = 0; sent < 17; sent++)
      await rate.pass(false, (milliseconds) => wait(milliseconds + 40));
  };
  const sent = late();
  await vi.runAllTimersAsync();
  await sent;
  expect(performance.now() - start).toBeLessThan(16 * 125 + 50);
});

test('a clock that is set back does not delay a request', async () => {
  const rate = new Rate(8);
  await turnsOf(rate, [['a', false]]);
  vi.setSystemTime(Date.now() - 3_600_000);
  const start = performance.now();
  await turnsOf(rate, [['b', false]]);
  expect(performance.now() - start).toBeLessThan(200);
});

test('an urgent request goes before earlier ones', async () => {
  const turns = await turnsOf(new Rate(8), [
    ['a', false],
    ['b', false],
    ['c', false],
    ['urgent', true],
    ['urgent as well', true],
  ]);
  expect(turns.map(([name]) => name)).toEqual(['a', 'urgent', 'urgent as well', 'b', 'c']);
});

test('a wait that is broken off gives its turn away', async () => {
  const rate = new Rate(8);
  await rate.pass(false, wait);
  const gone = rate.pass(true, () => Promise.reject(new Error('interrupted')));
  await expect(gone).rejects.toThrow('interrupted');
  expect(await turnsOf(rate, [['next', false]])).toEqual([['next', 75]]);
});
