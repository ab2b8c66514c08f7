/** A world next to clients that read slowly, abandon uploads, disconnect or say nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { run, serve } from '../testing/program.ts';

const badNeighbours = fileURLToPath(new URL('../testing/bad-neighbours.ts', import.meta.url));

/** A mock that listens, with a separate world for the measured client. */
async function serveInnocent() {
  const mock = await serve();
  const made = await mock.get('/__admin/worlds', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"innocent"}',
  });
  expect(made.status).toBe(201);
  return mock;
}

/** The milliseconds until a world answers with a success. */
async function ask(url: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/api/v1/deployments?limit=20`, {
    headers: { authorization: 'Bearer innocent-admin' },
  });
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
  return performance.now() - started;
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

test('an innocent world is served while others behave badly', async () => {
  await using crowded = await serveInnocent();
  await using alone = await serveInnocent();
  const connections = scaled(64, 512);
  const { child, printed, ended } = run(process.execPath, [
    ...[badNeighbours, new URL(crowded.url).port, String(connections)],
  ]);
  const crowd: number[] = [];
  const peer: number[] = [];
  try {
    await wait(scaled(500, 10_000));
    // In turns, so that other work on this machine slows both.
    const end = performance.now() + scaled(3000, 600_000);
    while (performance.now() < end) {
      crowd.push(await ask(crowded.url));
      peer.push(await ask(alone.url));
      await wait(10);
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  expect(printed.stderr).toBe('');
  expect(printed.stdout.length).toBeGreaterThan(connections / 4);
  for (const taken of [crowd, peer]) taken.sort((a, b) => a - b);
  const ratio = at(crowd, 0.99) / at(peer, 0.99);
  // In a few seconds the 99th percentile rests on a few answers. It is stable only over minutes.
  expect(ratio).toBeLessThan(scaled(50, 2));
  expect((await crowded.get('/api/v1/deployments')).status).toBe(200);
  const campaign = `${connections} connections that behave badly`;
  figure(campaign, 'connections ended', printed.stdout.length);
  figure(campaign, 'answers of an innocent world next to them', crowd.length);
  figure(campaign, 'their p99, as a multiple of the p99 of a mock that is alone', ratio.toFixed(2));
  figure(campaign, 'longest answer next to them, ms', Math.round(crowd.at(-1) ?? 0));
  figure(campaign, 'longest answer of the mock that is alone, ms', Math.round(peer.at(-1) ?? 0));
});
