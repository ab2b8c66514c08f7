/** Proves the advice of mock/README.md on fake timers and back-off. */
import { afterEach, vi } from 'vitest';
import { expect, test } from './vitest.ts';

afterEach(() => void vi.useRealTimers());

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Lists after a pause if it is refused; how often it asked. */
async function list(fetch: typeof globalThis.fetch, pause = () => sleep(30_000)): Promise<number> {
  for (let tries = 1; tries < 3; tries += 1) {
    const response = await fetch('/api/v1/deployments', { signal: AbortSignal.timeout(500) });
    if (response.ok) {
      await response.json();
      return tries;
    }
    await pause();
  }
  throw new Error('refused');
}

test('with fake timers a test moves over the pauses of its client', async ({ world }) => {
  vi.useFakeTimers();
  world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
  const listing = list(world.fetch);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await listing).toBe(2);
});

test('a delay waits for the timers of the test, which must advance past it', async ({ world }) => {
  vi.useFakeTimers();
  world.faults.add({ operation: 'listDeployments', delayMs: 60_000 });
  const answer = world.fetch('/api/v1/deployments');
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await answer).status).toBe(200);
});

test('a clock that runs follows the faked time; a frozen one does not', async ({ world, mock }) => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z') });
  using frozen = await mock.createWorld({ clock: '2026-01-31T09:30:00Z' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(new Date(world.clock.now()).toISOString()).toBe('2030-01-01T01:00:00.000Z');
  expect(new Date(frozen.clock.now()).toISOString()).toBe('2026-01-31T09:30:00.000Z');
});

test('losses end by real time, so a client that pauses hangs unless its pause is passed in', async ({
  world,
}) => {
  const phases = { busy: { status: 503 } };
  const patient = await world.losses((copy) => list(copy.fetch), { timeoutMs: 800, phases });
  expect(patient.findings.map(({ kind }) => kind)).toEqual(['hang']);
  const quick = await world.losses((copy) => list(copy.fetch, async () => {}), { phases });
  expect(quick.findings, quick.text).toEqual([]);
});
