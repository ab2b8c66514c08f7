/**
 * Sends one request at a time to several servers in turn, so that a slow machine is slow for all.
 * Returns the median and the 99th percentile in milliseconds, by port.
 */
import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import { quantile } from '../../spec/base/quantile.ts';
import { list, requestOf } from './calls.ts';

export interface TurnsOrder {
  readonly ports: readonly number[];
  readonly rounds: number;
}

export type Took = Readonly<Record<'median' | 'p99', number>>;

/** A proxy still works after its answer, so the next request follows immediately. */
const inTurn = 20;

const { ports, rounds }: TurnsOrder = JSON.parse(readFileSync(0, 'utf8'));
const { path, ...first } = requestOf(list);
const servers = ports.map((port) => ({
  client: new Client(`http://127.0.0.1:${port}`),
  took: [] as number[],
}));
for (let round = 0; round < rounds; round += 1) {
  for (const { client, took } of servers) {
    for (let count = 0; count < inTurn; count += 1) {
      const sent = performance.now();
      const { statusCode, body } = await client.request({ path, ...first });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      took.push(performance.now() - sent);
    }
  }
}
const figures = servers.map(({ took }): Took => {
  // The first half warms up.
  const counted = took.slice(took.length / 2);
  return { median: quantile(counted, 0.5), p99: quantile(counted, 0.99) };
});
process.stdout.write(JSON.stringify(figures));
process.exit(0);
