/** Lists may show a put-back late; only a scenario that reads them waits. */

import { afterEach, expect, test, vi } from 'vitest';
import { operation } from '../../spec/contract.ts';
import type { TenantObject } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import { Settling } from './settling.ts';

const switched = operation('setStagingEnvironment');
const [area = ''] = [switched.lock?.writes];
afterEach(() => void vi.useRealTimers());

const object = { text: 'the branch', operation: switched } as TenantObject;

const unused = () => Promise.reject(new Error('only the lag reads the list'));

/** A tenant whose list shows `before` from the given reading on; only waits move its clock. */
function tenant(readings: readonly unknown[], convergenceMs = 10_000) {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const target = {
    wait: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      vi.advanceTimersByTime(milliseconds);
    },
  } as Target;
  const settling = new Settling(convergenceMs);
  let read = 0;
  const lag = {
    atOnce: () => true,
    read: async () => {
      const now = readings[Math.min(read++, readings.length - 1)];
      if (now instanceof Error) throw now;
      return now;
    },
    expected: (state: unknown) => state,
  };
  const started = Date.now();
  return {
    target,
    lag,
    settling,
    putBack: (before: unknown) => settling.moved(switched, { object, lag, before, ask: unused }),
    settle: (areas: readonly string[] = [area]) => settling.settle(target, areas),
    waited: () => Date.now() - started,
    reads: () => read,
  };
}

test('a put-back does not wait, but a reader of the area does', async () => {
  const { putBack, settle, waited } = tenant([['a'], []]);
  putBack([]);
  expect(waited()).toBe(0);
  await settle(['another area']);
  expect(waited()).toBe(0);
  await settle();
  expect(waited()).toBe(10_000);
  await settle();
  expect(waited()).toBe(10_000);
});

test('after one switch, one and a half times its delay is enough', async () => {
  const { settling, putBack, settle, waited } = tenant([['a'], ['a'], []]);
  settling.saw(operation('listEnvironments'), 2000, 1000);
  putBack([]);
  await settle();
  expect(waited()).toBe(1000 + 3000);
});

test('if others switch too, a list that rests for twice as long is enough', async () => {
  const { settling, putBack, settle, waited } = tenant([['somebody']]);
  settling.saw(operation('listEnvironments'), 1000, 500);
  putBack([]);
  await settle();
  expect(waited()).toBe(3000);
});

test('all readers of the area wait for the same readings', async () => {
  const { settling, putBack, settle, reads } = tenant([[]]);
  settling.saw(operation('listEnvironments'), 1000, 500);
  putBack([]);
  await Promise.all([settle(), settle(), settle()]);
  expect(reads()).toBe(4);
});

test('the first of several put-backs has the state from before all of them', async () => {
  const { settling, putBack, settle, waited } = tenant([[]]);
  settling.saw(operation('listEnvironments'), 1000, 500);
  putBack([]);
  putBack(['not yet gone']);
  await settle();
  expect(waited()).toBe(1500);
});

test('a change of the run may go on to show until its time is over', async () => {
  const { settling, target } = tenant([[]]);
  expect(settling.left(area)).toBe(0);
  settling.moved(switched);
  vi.advanceTimersByTime(4000);
  expect(settling.left(area)).toBe(6000);
  // Nothing shows that the change is over, so nobody waits for it.
  await settling.settle(target, [area]);
  expect(settling.left(area)).toBe(6000);
});

test('an interrupted run does not wait any longer', async () => {
  const { settling, target, putBack, waited } = tenant([['a']]);
  putBack([]);
  const interrupted = new AbortController();
  const tell = () => interrupted.abort();
  await settling.settle(target, [area], tell, interrupted.signal);
  expect(waited()).toBe(0);
});

test('an interruption during a wait is not a failure of the runner', async () => {
  const interrupted = new AbortController();
  const { settling, target, lag, waited } = tenant([['a']]);
  const read = async () => {
    interrupted.abort();
    return [];
  };
  settling.moved(switched, { object, lag: { ...lag, read }, before: [], ask: unused });
  await settling.settle(target, [area], undefined, interrupted.signal);
  expect(waited()).toBe(0);
});

test('an unreadable list is left to its reader to report', async () => {
  for (const reading of [undefined, new CouldNotRun('the target does not answer')]) {
    const { putBack, settle, waited } = tenant([reading]);
    putBack([]);
    await settle();
    expect(waited()).toBe(0);
  }
});

test('after a late change, the wait grows to one and a half times its delay', () => {
  const list = operation('listEnvironments');
  const { settling } = tenant([[]]);
  const usual = { kind: 'eventually', within: 5000, every: 100 } as const;
  expect(settling.withinMs(usual, list)).toBe(5000);
  settling.saw(list, 4000, 3000);
  expect([settling.withinMs(usual, list), settling.waitMs(switched)]).toEqual([5000, 10_000]);
  // The change may have shown long before the read that found it, so the run learns nothing from it.
  settling.saw(list, 10_100, 3000);
  expect(settling.waitMs(switched)).toBe(10_000);
  settling.saw(list, 21_000, 20_000);
  expect([settling.withinMs(usual, list), settling.waitMs(switched)]).toEqual([30_000, 30_000]);
  expect(settling.waitMs(operation('listVersions'))).toBe(10_000);
  settling.moved(switched);
  expect(settling.left(area)).toBe(30_000);
  settling.saw(list, 91_000, 90_000);
  expect(settling.waitMs(list)).toBe(100_000);
});

test('a change that never shows is looked for once, for a long time', () => {
  const list = operation('listEnvironments');
  const { settling } = tenant([[]]);
  expect(settling.untilMs(10_000, list, false)).toBe(20_000);
  expect(settling.untilMs(10_000, list, true)).toBe(100_000);
  settling.sawNothing(list);
  expect(settling.untilMs(10_000, list, true)).toBe(20_000);
  settling.saw(list, 12_000, 11_000);
  expect(settling.untilMs(10_000, list, true)).toBe(100_000);
});
