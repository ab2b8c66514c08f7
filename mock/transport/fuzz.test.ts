/** Many random requests: no crash, no 5xx, and a refused request changes nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../spec/base/random.ts';
import { contract } from '../../spec/contract.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { createService, startMock } from '../kits/index.ts';
import { bodyText } from '../pipeline/exchange.ts';
import { anyRequest, type GeneratedRequest } from '../testing/requests.ts';
import { changesOf } from '../world/changes.ts';
import type { WorldRequest } from '../world/world-request.ts';

const mock = await startMock({ seed: 3, clock: '2026-01-01T00:00:00Z' });
afterAll(() => mock.close());
const seed = 20_261_122;

/** The mock answers 501 for an operation that it does not model (SVC-6). */
function isBreakdown(status: number): boolean {
  return status >= 500 && status !== 501;
}

const service = await createService();

/** Sends requests to a new world; returns the number of answers by status, and the slowest answer in ms. */
async function sendAll(requests: readonly GeneratedRequest[], options: WorldRequest, to = service) {
  const world = await to.createWorld({ ...options, id: 'f', clock: '2026-01-01T00:00:00Z' });
  const statuses = new Map<number, number>();
  let slowest = 0;
  try {
    for (const { method, path, headers, body } of requests) {
      const before = world.state.clone();
      const started = performance.now();
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const answer = await to.handle({ method, target: `/w/f${path}`, headers, body: bytes });
      const text = await bodyText(answer);
      slowest = Math.max(slowest, performance.now() - started);
      const about = `${JSON.stringify({ method, path, headers, body })}\n${answer.status} ${text}`;
      expect(isBreakdown(answer.status), about).toBe(false);
      expect(world.journal.last()?.contractFailures, about).toEqual([]);
      if (answer.status >= 400) expect(changesOf(world.state, before), about).toEqual([]);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  } finally {
    to.deleteWorld(world);
  }
  return { statuses, slowest };
}

/** A random choice for each silence. */
function randomChoices(random: Random): Record<string, string> {
  return Object.fromEntries(
    [...contract.statements.values()].flatMap(({ id, alternatives = [] }) => {
      const real = alternatives.filter(({ inert }) => inert === undefined);
      const choice = random.below(3) > 0 ? undefined : real[random.below(real.length)];
      return choice === undefined ? [] : [[id, choice.id]];
    }),
  );
}

test('generated requests are answered by the contract, and a refused one changes nothing', async () => {
  const random = new Random(seed);
  const [total, each] = [scaled(2000, 200_000), 500];
  const all = new Map<number, number>();
  let slowest = 0;
  for (let from = 0; from < total; from += each) {
    const requests = fc.sample(anyRequest('f'), { numRuns: each, seed: seed + from });
    const done = await sendAll(requests, { assumptions: randomChoices(random) });
    for (const [status, count] of done.statuses) all.set(status, (all.get(status) ?? 0) + count);
    slowest = Math.max(slowest, done.slowest);
  }
  // A fair share of the requests must succeed.
  expect(all.get(200)).toBeGreaterThan(total / 10);
  expect(all.get(400)).toBeGreaterThan(total / 50);
  figure('requests from the contract', 'requests', total);
  figure('requests from the contract', 'by status', JSON.stringify(Object.fromEntries(all)));
  figure('requests from the contract', 'slowest answer, ms', Math.round(slowest));
});

test('the test would find a refused write that still changes something', async () => {
  const all = fc.sample(anyRequest('f'), { numRuns: 3000, seed });
  const requests = all.filter(({ path }) => path.includes('/folders/'));
  const deviating = await createService({ deviations: ['folders:bad-name-but-moved'] });
  await expect(sendAll(requests, {}, deviating)).rejects.toThrow('folders');
});

/** The bytes of a request, with some of them changed, doubled, left out or cut off. */
function broken(request: GeneratedRequest, random: Random): Buffer {
  const body = request.body ?? '';
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    random.below(4) === 0
      ? 'Transfer-Encoding: chunked'
      : `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  let bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  for (let times = random.below(4); times > 0; times -= 1) {
    const at = random.below(bytes.length);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    const changes = [
      () => Buffer.concat([head, Buffer.from([random.below(256)]), tail.subarray(1)]),
      () => Buffer.concat([head, tail.subarray(1 + random.below(20))]),
      () => Buffer.concat([head, tail.subarray(0, 30), tail]),
      () => Buffer.concat([head, Buffer.from('\r\n'), tail]),
      () => head,
    ];
    bytes = changes[random.below(changes.length)]?.() ?? bytes;
  }
  return bytes;
}

test('raw bytes get an answer or end the connection, and the next client is served', async () => {
  const random = new Random(seed);
  const total = scaled(400, 20_000);
  const { port } = new URL(mock.baseUrl);
  const statuses = new Map<string, number>();
  const requests = fc.sample(anyRequest('acme'), { numRuns: total, seed });
  const one = async (request: GeneratedRequest): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      answer += data;
    });
    await once(socket, 'connect');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.end(broken(request, random));
    await closed;
    const status = /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'none';
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(isBreakdown(Number(status)), JSON.stringify(request)).toBe(false);
  };
  for (let from = 0; from < total; from += 40) {
    await Promise.all(requests.slice(from, from + 40).map(one));
  }
  const next = await fetch(`${mock.baseUrl}/api/v1/deployments`, {
    headers: { authorization: 'Bearer acme-admin' },
  });
  expect(next.status).toBe(200);
  figure('raw bytes on a socket', 'connections', total);
  figure('raw bytes on a socket', 'by status', JSON.stringify(Object.fromEntries(statuses)));
});
