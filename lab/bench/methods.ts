/** The methods of the measures, by their names in measures.yaml. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list, sizes } from './calls.ts';
import type { Took, TurnsOrder } from './in-turn.ts';
import { known, type Method } from './known.ts';
import type { Order } from './load.ts';
import { findPeer, job, run, type Server, serve, work } from './processes.ts';
import { bareArgs, large, mockArgs, race, withBare } from './race.ts';
import { compare, type Figure, figuresOf, median, repeat, short } from './table.ts';

// ── servers under load ──────────────────────────────────────────────────────────

/**
 * The mock and bare node:http; in the full form also the tools that a user could choose instead.
 */
const besidePeers: Method = async (effort, { rows, calls }) => {
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

const memory: Method = async ({ requests }) => {
  await using both = await withBare();
  // One half warms up.
  const amount = Math.ceil(requests / 2);
  const { mock: sent } = await race(both.servers, { rounds: 1, seconds: 0 }, { amount });
  const [ours, theirs] = [both.mock.resident(), both.bare.resident()];
  const after = `after ${short(amount + median(sent))} requests`;
  return { times: compare([ours], [theirs], ` MB ${after}`) };
};

const pages: Method = async (effort, { rows }) => {
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

// ── waiting: the slowest requests, a slow reader, a certification ──

const p99: Method = async ({ rounds, seconds }) => {
  await using both = await withBare();
  const { mock } = await race({ mock: both.mock }, { rounds: 1, seconds });
  const perSecond = Math.round(median(mock) / 2);
  const took = await race(both.servers, { rounds, seconds: 2 * seconds }, { perSecond });
  return { times: compare(took.mock, took.bare, ` ms at ${short(perSecond)}/s`) };
};

/** The proxy, next to plain node:http that forwards to the same mock. */
const proxied: Method = async ({ rounds, requests }) => {
  await using mock = await serve(mockArgs);
  const to = `http://127.0.0.1:${mock.port}`;
  const start = (name: string) =>
    serve((known.servers[name] ?? []).map((arg) => (arg === 'TO' ? to : arg)));
  await using proxy = await start('proxy');
  await using plain = await start('passThrough');
  const order: TurnsOrder = { ports: [proxy.port, plain.port], rounds: 200 };
  const took: (readonly [Took, Took])[] = [];
  while (took.length < rounds) took.push(await job<[Took, Took]>('in-turn.ts', order));
  const all = (name: keyof Took, at: 0 | 1) => took.map((one) => one[at][name]);
  const amount = Math.ceil(requests / 100);
  const load = () => race({ proxy }, { rounds: 1, seconds: 0 }, { amount });
  await load();
  const early = proxy.resident();
  for (let tenths = 1; tenths < 10; tenths += 1) await load();
  return {
    added: { samples: took.map(([ours, theirs]) => ours.median - theirs.median) },
    p99: compare(all('p99', 0), all('p99', 1), ' ms'),
    memory: compare([proxy.resident()], [early], ` MB, ${short(10 * amount)} requests`),
  };
};

/** Exports a million events to a fast reader, then to a slow one. */
const exports: Method = async ({ rounds }) => {
  await using mock = await serve(large({ ...sizes(45), auditEvents: 1_000_000 }));
  const calls = [{ path: '/api/v1/audit-logs/export' }];
  const get = async (pauseMs: number, seconds: number) => {
    const resident = [mock.resident()];
    const timer = setInterval(() => resident.push(mock.resident()), 250);
    const order: Order = { port: mock.port, calls, seconds, pauseMs };
    const done = job<Record<'megabytes' | 'speed', number>>('load.ts', order);
    const read = await done.finally(() => clearInterval(timer));
    return { ...read, growth: Math.max(...resident) - (resident[0] ?? 0) };
  };
  const fast = [];
  while (fast.length < rounds) fast.push(await get(0, 600));
  const slow = await get(20, 15);
  const madeOf = `${short(fast[0]?.megabytes ?? 0)} MB`;
  return {
    speed: { samples: fast.map(({ speed }) => speed), madeOf },
    growth: { samples: fast.map(({ growth }) => growth) },
    slow: { samples: [slow.growth], madeOf: `15 s at ${short(slow.speed)} MB/s` },
  };
};

const certify = ['dist/bin/lockstep.js', 'certify', '--quiet'];

/** Certifies a mock that poses as a tenant. */
async function certifyTenant(name: string, options: readonly string[]): Promise<Figure> {
  await using mock = await serve(mockArgs);
  const post = (path: string, body: object) =>
    mock.ask({ path: `/__admin/${path}`, method: 'POST', body: JSON.stringify(body) });
  const { bindings, features, ...posed } = JSON.parse(
    (await post('worlds', { id: 'tenant' })).text,
  );
  await post('worlds/tenant/faults', { delayMs: 50 });
  const credentials: Record<string, object> = {};
  const env: Record<string, string> = {};
  for (const [id, key] of Object.entries<string>(posed.credentials)) {
    credentials[id] = { env: `BENCH_${id}`, ...posed.actors[id] };
    env[`BENCH_${id}`] = key;
  }
  const place = join(work, name);
  mkdirSync(place);
  const baseUrl = `http://127.0.0.1:${mock.port}`;
  const tenant = JSON.stringify({ baseUrl, bindings, features, credentials });
  writeFileSync(join(place, 'tenant.yaml'), tenant);
  const files = ['--tenant', join(place, 'tenant.yaml'), '--ledger', place, '--out', place];
  const args = [...certify, '--allow', 'permanent', ...files, ...options];
  const { seconds } = await run(args, env);
  const { requests } = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8'));
  const madeOf = `${requests.total} requests in ${short(seconds)} s`;
  return { samples: [name === 'paced' ? (seconds / requests.total) * 8 : seconds], madeOf };
}

/** The runs go in parallel, because they mostly wait. */
const tenant: Method = async (_effort, { certify: runs = {} }) => {
  const measured = Object.entries(runs).map(async ([name, options]): Promise<[string, Figure]> => {
    const failed = ({ message }: Error) => ({ missing: message });
    return [name, await certifyTenant(name, options).catch(failed)];
  });
  return Object.fromEntries(await Promise.all(measured));
};

// ── whole processes: until the first answer, until the end, or the work inside ──

const inside: Method = ({ rounds }, { task, deployments = 45 }) =>
  job('inside.ts', { task, rounds, deployments });

/** From the start of a process to its first answer. */
const start: Method = async ({ rounds }) => {
  const time = async (args: readonly string[], cache = 'warm') => {
    const env = { NODE_COMPILE_CACHE: join(work, cache) };
    await using server = await serve(args, [list], env);
    return server.startMs;
  };
  await using mock = await serve(mockArgs);
  const bareNode = await bareArgs(mock);
  const { warm, bare, first } = await repeat(3 * rounds, async (round) => ({
    warm: await time(mockArgs),
    bare: await time(bareNode),
    first: await time(mockArgs, `first-${round}`),
  }));
  return { warm: compare(warm, bare, ' ms'), first: compare(first, bare, ' ms') };
};

const script = `const began = performance.now();
const { createMock } = await import('lockstep/mock');
const then = performance.now();
await createMock();
console.log(JSON.stringify({ import: then - began, create: performance.now() - then }));`;

const imports: Method = async ({ rounds }) => {
  const once = async () =>
    JSON.parse((await run(['--input-type=module', '--eval', script])).stdout);
  return figuresOf(await repeat(3 * rounds, once));
};

const suite: Method = async ({ rounds }) => {
  await using mock = await serve(mockArgs);
  const target = ['--base-url', `http://127.0.0.1:${mock.port}`, '--out', join(work, 'suite')];
  const once = async () => ({ seconds: (await run([...certify, '--force', ...target])).seconds });
  return figuresOf(await repeat(rounds, once));
};

const exam: Method = async () => {
  const { seconds, stdout } = await run(['dist/bin/lockstep.js', 'exam', '--out', work]);
  return { seconds: { samples: [seconds], madeOf: stdout.split(' in ')[0] ?? '' } };
};

const tests: Method = async ({ testSeconds }) => {
  if (testSeconds === undefined) return { seconds: { missing: 'give it as --test-seconds' } };
  return { seconds: { samples: [testSeconds], madeOf: 'given as --test-seconds' } };
};

export const methods: Readonly<Record<string, Method>> = {
  ...{ besidePeers, memory, pages, p99, proxied, exports, tenant },
  ...{ inside, start, imports, suite, exam, tests },
};
