/** Measures of servers under load, which take turns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, list, sizes } from './calls.ts';
import { type Effort, known, type Take } from './known.ts';
import type { Order } from './load.ts';
import { findPeer, job, type Server, serve, work } from './processes.ts';
import { type Figure, median, short } from './table.ts';

export const mockArgs: readonly string[] = known.servers.mock ?? [];
export const large = (parameters: Readonly<Record<string, number>>): string[] => {
  const written = Object.entries(parameters).map(([name, size]) => `${name}=${size}`);
  return [...mockArgs, '--fixture', `large:${written.join(',')}`];
};

/** One list of samples divided by another, round by round. */
export function compare(ours: number[] = [], theirs: number[] = [], unit = ''): Figure {
  const samples = ours.map((one, round) => one / (theirs[round] ?? Number.NaN));
  return { samples, beside: `${short(median(ours))}${unit} and ${short(median(theirs))}${unit}` };
}

/** Arguments of bare node:http that answers a call as the mock does. */
export async function bareArgs(mock: Server, call: Call = list): Promise<string[]> {
  const { status, headers: all, text: body } = await mock.ask(call);
  const own = ['date', 'connection', 'keep-alive'];
  const headers = [...all].filter(([name]) => !own.includes(name));
  const file = join(work, `answer-${performance.now()}.json`);
  writeFileSync(file, JSON.stringify({ status, headers: Object.fromEntries(headers), body }));
  return (known.servers.bare ?? []).map((arg) => (arg === 'ANSWER' ? file : arg));
}

/** A mock, and bare node:http that answers its first call as it does. */
export async function withBare(calls: readonly Call[] = [list], args = mockArgs) {
  const stack = new AsyncDisposableStack();
  const mock = stack.use(await serve(args, calls));
  const bare = stack.use(await serve(await bareArgs(mock, calls[0]), calls));
  return { mock, bare, servers: { mock, bare }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What load finds, by server; in turn, so that whatever slows the machine meets all of them. */
export async function race(
  servers: Readonly<Record<string, Server>>,
  { rounds, seconds }: Pick<Effort, 'rounds' | 'seconds'>,
  more: Partial<Order> = {},
) {
  const found: Record<string, number[]> = {};
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { port, calls }] of Object.entries(servers)) {
      const order: Order = { port, calls, seconds: round > 0 ? seconds : 1, ...more };
      const figure = await job<number>('load.ts', order);
      found[name] = round > 0 ? [...(found[name] ?? []), figure] : [];
    }
  }
  return found;
}

/** The mock beside bare node:http and, in the full form, beside what a user would pick instead. */
const besidePeers: Take = async (effort, { rows, calls }) => {
  await using stack = new AsyncDisposableStack();
  const wanted = Object.entries(rows).slice(0, effort.short ? 1 : undefined);
  const servers: Record<string, Server> = {};
  for (const name of new Set(wanted.flatMap(([, row]) => row.compare ?? []))) {
    const [program = '', ...args] = known.servers[name] ?? [];
    const isPeer = /^\w[\w-]*$/.test(program);
    const file = isPeer ? findPeer(program, effort.peers) : program;
    if (file === undefined) continue;
    const isBare = name === 'bare' && servers.mock;
    const all = isBare ? await bareArgs(isBare, calls?.[0]) : [file, ...args];
    servers[name] = stack.use(await serve(all, calls));
  }
  const rates = await race(servers, effort);
  const figures = wanted.map(([key, { compare: [one, other] = ['', ''] }]): [string, Figure] => {
    if (servers[other]) return [key, compare(rates[one], rates[other], '/s')];
    return [key, { missing: `${other} IS NOT INSTALLED, see --peers` }];
  });
  return Object.fromEntries(figures);
};

const memory: Take = async ({ requests }) => {
  await using both = await withBare();
  // One half warms up.
  const amount = Math.ceil(requests / 2);
  const { mock: sent = [] } = await race(both.servers, { rounds: 1, seconds: 0 }, { amount });
  const [ours, theirs] = [both.mock.resident(), both.bare.resident()];
  const after = `after ${short(amount + median(sent))} requests`;
  return { times: compare([ours], [theirs], ` MB ${after}`) };
};

const pages: Take = async (effort, { rows }) => {
  await using small = await serve(mockArgs);
  await using huge = await serve(large(sizes(1_000_000)));
  const figures: Record<string, Figure> = {};
  const page = (from: string) => [{ path: `${list.path}?limit=20&offset=${from}` }];
  for (const from of Object.keys(rows)) {
    const both = { huge: { ...huge, calls: page(from) }, small: { ...small, calls: page('0') } };
    const rates = await race(both, effort);
    figures[from] = compare(rates.huge, rates.small, '/s');
  }
  return figures;
};

export const loads: Readonly<Record<string, Take>> = { besidePeers, memory, pages };
