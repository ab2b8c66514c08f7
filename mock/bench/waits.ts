/** Measures of those who wait: one request of a hundred, the reader of a long answer, a certifier. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sizes } from './calls.ts';
import type { Take } from './known.ts';
import type { Order } from './load.ts';
import { job, run, serve, work } from './processes.ts';
import { type Figure, median, short } from './table.ts';
import { compare, large, mockArgs, race, withBare } from './under-load.ts';
import { certify } from './whole.ts';

const p99: Take = async ({ rounds, seconds }) => {
  await using both = await withBare();
  const { mock = [] } = await race({ mock: both.mock }, { rounds: 1, seconds });
  const perSecond = Math.round(median(mock) / 2);
  const took = await race(both.servers, { rounds, seconds: 2 * seconds }, { perSecond });
  return { times: compare(took.mock, took.bare, ` ms at ${short(perSecond)}/s`) };
};

/** A million events: as fast as it goes, then for a reader who takes his time. */
const exports: Take = async ({ rounds }) => {
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
  for (let round = 0; round < rounds; round += 1) fast.push(await get(0, 600));
  const slow = await get(20, 15);
  const beside = `${short(fast[0]?.megabytes ?? 0)} MB`;
  return {
    speed: { samples: fast.map(({ speed }) => speed), beside },
    growth: { samples: fast.map(({ growth }) => growth) },
    slow: { samples: [slow.growth], beside: `15 s at ${short(slow.speed)} MB/s` },
  };
};

interface Posed extends Readonly<Record<'bindings' | 'features', object>> {
  readonly credentials: Readonly<Record<string, string>>;
  readonly actors: Readonly<Record<string, object>>;
}

/** Certifies a tenant that the mock poses. */
async function certifyTenant(name: string, options: readonly string[]): Promise<Figure> {
  await using mock = await serve(mockArgs);
  const post = (path: string, body: object) =>
    mock.ask({ path: `/__admin/${path}`, method: 'POST', body: JSON.stringify(body) });
  const posed = JSON.parse((await post('worlds', { id: 'tenant' })).text) as Posed;
  await post('worlds/tenant/faults', { delayMs: 50 });
  const { bindings, features } = posed;
  const actors = Object.entries(posed.actors).map(([id, is]) => [
    id,
    { env: `BENCH_${id}`, ...is },
  ]);
  const tenant = { bindings, features, credentials: Object.fromEntries(actors) };
  const place = join(work, name);
  mkdirSync(place);
  const baseUrl = `http://127.0.0.1:${mock.port}`;
  writeFileSync(join(place, 'tenant.yaml'), JSON.stringify({ baseUrl, ...tenant }));
  const keys = Object.entries(posed.credentials).map(([id, key]) => [`BENCH_${id}`, key]);
  const files = ['--tenant', join(place, 'tenant.yaml'), '--ledger', place, '--out', place];
  const args = [...certify, '--allow', 'permanent', ...files, ...options];
  const { seconds } = await run(args, Object.fromEntries(keys));
  const { requests } = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8'));
  const beside = `${requests.total} requests in ${short(seconds)} s`;
  return { samples: [name === 'paced' ? (seconds / requests.total) * 8 : seconds], beside };
}

/** The runs go side by side, because they wait much more than they work. */
const tenant: Take = async (_effort, { certify: runs = {} }) => {
  const measured = Object.entries(runs).map(async ([name, options]): Promise<[string, Figure]> => {
    const failed = ({ message }: Error) => ({ missing: message });
    return [name, await certifyTenant(name, options).catch(failed)];
  });
  return Object.fromEntries(await Promise.all(measured));
};

export const waits: Readonly<Record<string, Take>> = { p99, exports, tenant };
