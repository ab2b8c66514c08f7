/** Measures requests per second as something grows. */
import { type Call, list, sizes, subscribe } from './calls.ts';
import { type Effort, known } from './known.ts';
import type { Order } from './load.ts';
import { large, race, withBare } from './race.ts';
import { median, short } from './table.ts';

type Point = Pick<Order, 'connections'> & { calls?: readonly Call[]; args?: readonly string[] };

const points: Readonly<Record<string, (x: number) => Point>> = {
  worlds: (x) => ({ calls: Array.from({ length: x }, (_, at) => ({ ...list, world: `b${at}` })) }),
  rows: (x) => ({ args: large(sizes(x)) }),
  connections: (connections) => ({ connections }),
  recipients: (x) => ({ calls: [subscribe(x)] }),
};

/**
 * A table of requests per second as something grows, next to bare node:http under the same load.
 */
export async function growthTable(name: string, axis: string, effort: Effort): Promise<string> {
  const lines = [`| ${axis} | mock, requests/s | bare, requests/s |`, '|---:|---:|---:|'];
  for (const x of known.growths[name]?.at ?? []) {
    const { calls = [list], args, ...more } = points[name]?.(x) ?? {};
    // The worlds of the other calls do not exist yet.
    await using both = await withBare(calls[0]?.world ? [list] : calls, args);
    for (const { world: id } of calls) {
      if (id === undefined) continue;
      const body = JSON.stringify({ id });
      const { status } = await both.mock.ask({ path: '/__admin/worlds', method: 'POST', body });
      if (status !== 201) throw new Error(`world ${id}: ${status}`);
    }
    const servers = { mock: { ...both.mock, calls }, bare: { ...both.bare, calls } };
    const { mock, bare } = await race(servers, { ...effort, rounds: 2 }, more);
    lines.push(`| ${short(x)} | ${short(median(mock))} | ${short(median(bare))} |`);
  }
  return lines.join('\n');
}
