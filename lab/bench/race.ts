/** Servers under load, which take turns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, list } from './calls.ts';
import { type Effort, known } from './known.ts';
import type { Order } from './load.ts';
import { job, type Server, serve, work } from './processes.ts';
import { repeat, type Samples } from './table.ts';

export const mockArgs: readonly string[] = known.servers.mock ?? [];
export const large = (parameters: Readonly<Record<string, number>>): string[] => {
  const written = Object.entries(parameters).map(([name, size]) => `${name}=${size}`);
  return [...mockArgs, '--fixture', `large:${written.join(',')}`];
};

/** Arguments that make bare node:http answer a call like the mock. */
export async function bareArgs(mock: Server, call: Call = list): Promise<string[]> {
  const { status, headers: all, text: body } = await mock.ask(call);
  const own = ['date', 'connection', 'keep-alive'];
  const headers = [...all].filter(([name]) => !own.includes(name));
  const file = join(work, `answer-${performance.now()}.json`);
  writeFileSync(file, JSON.stringify({ status, headers: Object.fromEntries(headers), body }));
  return (known.servers.bare ?? []).map((arg) => (arg === 'ANSWER' ? file : arg));
}

/** A mock, and bare node:http that gives the same answer to its first call. */
export async function withBare(calls: readonly Call[] = [list], args = mockArgs) {
  const stack = new AsyncDisposableStack();
  const mock = stack.use(await serve(args, calls));
  const bare = stack.use(await serve(await bareArgs(mock, calls[0]), calls));
  return { mock, bare, servers: { mock, bare }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Measures several servers in turn, so that a slow machine is slow for all. */
export const race = (
  servers: Readonly<Record<string, Server>>,
  { rounds, seconds }: Pick<Effort, 'rounds' | 'seconds'>,
  more: Partial<Order> = {},
): Promise<Samples> =>
  repeat(rounds, async (round) => {
    const figures: Record<string, number> = {};
    for (const [name, { port, calls }] of Object.entries(servers)) {
      const order: Order = { port, calls, seconds: round > 0 ? seconds : 1, ...more };
      figures[name] = await job('load.ts', order);
    }
    return figures;
  });
