/**
 * Compares the mock with bare node:http that answers the same bytes and with Prism CLI on the same
 * contract: requests per second, with the load in a thread of its own. Rounds alternate, so that a
 * change of the machine's speed meets all of them; the medians of the rounds' ratios count.
 *
 * Like is compared with like: bare logs nothing, so the mock's log is silent beside it; Prism logs
 * each request unless told otherwise, so it meets the mock once with both logs as they start and
 * once with both silent. Authentication, validation, own-answer check and journal are always on.
 *
 * `node mock/bench/bench.ts [--seconds 3] [--rounds 5] [--json]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface Load {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

interface Shot {
  readonly requests: { readonly average: number };
  readonly non2xx: number;
  readonly errors: number;
}

const loads: readonly Load[] = [
  { name: 'deployments list', method: 'GET', path: '/api/v1/deployments' },
  {
    name: 'staging toggle',
    method: 'PUT',
    path: '/build/api/v1/deployments/1/branches/staging-environment',
    body: JSON.stringify({ branchName: 'feature-orders', enabled: true }),
  },
];
/** What the project asks of the mock: at least this much of bare, this many times Prism. */
const bars = { bare: 0.5, prism: 9 };
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean' },
  },
});
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);
const autocannon: (options: object) => Promise<Shot> = require('autocannon');
const contractFile = here('../../spec/openapi.yaml');
const prismCli = require.resolve('@stoplight/prism-cli/dist/index.js');

const headers = { authorization: 'Bearer acme-admin', 'content-type': 'application/json' };
const results = [];
for (const load of loads) results.push(await measure(load));
if (values.json === true) console.log(JSON.stringify(results, null, 2));
else report(results);
process.exitCode = results.every(
  (item) => item.ofBare.median >= bars.bare && item.timesPrism.median >= bars.prism,
)
  ? 0
  : 1;

async function measure(load: Load) {
  const ports = await freePorts(5);
  const port = (index: number) => ports[index] ?? 0;
  const cli = here('../../bin/lockstep.js');
  const mock = serve([cli, 'mock', '--port', `${port(0)}`, '--log', 'silent'], port(0));
  await mock.ready(load);
  const url = `http://127.0.0.1:${port(0)}${load.path}`;
  const sample = await fetch(url, { method: load.method, headers, body: load.body ?? null });
  const answer = {
    status: sample.status,
    headers: Object.fromEntries(
      [...sample.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
    ),
    body: await sample.text(),
  };
  const prism = (index: number, ...more: string[]) =>
    serve(
      [prismCli, 'mock', contractFile, '-p', `${port(index)}`, '-h', '127.0.0.1', ...more],
      port(index),
    );
  const servers = {
    mock,
    mockLogging: serve([cli, 'mock', '--port', `${port(1)}`], port(1)),
    bare: serve([here('./bare.ts'), JSON.stringify(answer), `${port(2)}`], port(2)),
    prism: prism(3),
    prismSilent: prism(4, '-v', 'silent'),
  };
  type Name = keyof typeof servers;
  const names = Object.keys(servers) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  try {
    for (const server of Object.values(servers)) await server.ready(load);
    for (const server of Object.values(servers)) await cannon(load, server.port, 1);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const name of names) {
        rates[name].push(await cannon(load, servers[name].port, Number(values.seconds)));
      }
    }
  } finally {
    for (const server of Object.values(servers)) server.stop();
    await wait(100);
  }
  const ratio = (one: Name, other: Name) => {
    const rounds = rates[one].map((rate, round) => rate / (rates[other][round] ?? rate));
    return { median: median(rounds), least: Math.min(...rounds), most: Math.max(...rounds) };
  };
  return {
    load: load.name,
    perSecond: Object.fromEntries(
      names.map((name) => [name, Math.round(median(rates[name]))]),
    ) as Record<Name, number>,
    ofBare: ratio('mock', 'bare'),
    timesPrism: ratio('mockLogging', 'prism'),
    timesPrismSilent: ratio('mock', 'prismSilent'),
  };
}

/** Ports that nothing listens on at the moment. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

function serve(args: readonly string[], port: number) {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    stdio: 'ignore',
  });
  return {
    port,
    stop: () => child.kill(),
    async ready(load: Load) {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const response = await fetch(`http://127.0.0.1:${port}${load.path}`, {
          method: load.method,
          headers,
          body: load.body ?? null,
        }).catch(() => undefined);
        if (response?.ok === true) return;
        await wait(50);
      }
      throw new Error(`nothing answers ${load.name} on port ${port}: ${args.join(' ')}`);
    },
  };
}

/** Requests per second; fails where an answer was not a success. The load has a thread of its own. */
async function cannon({ name, path, ...load }: Load, port: number, seconds: number) {
  const url = `http://127.0.0.1:${port}${path}`;
  const options = { url, ...load, headers, connections: 20, duration: seconds, workers: 1 };
  const { requests, non2xx, errors } = await autocannon(options);
  if (non2xx + errors > 0)
    throw new Error(`${name} on port ${port}: ${non2xx} refusals, ${errors} errors`);
  return requests.average;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function report(rows: readonly Awaited<ReturnType<typeof measure>>[]): void {
  const show = ({ median: middle, least, most }: { median: number; least: number; most: number }) =>
    `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores; ${values.rounds} rounds of ${values.seconds} s, 20 connections; medians of the rounds' ratios, least and most in brackets.\n`,
  );
  console.log(
    `| load | mock/s | mock, logging/s | bare/s | Prism/s | Prism, silent/s | of bare (bar ${bars.bare}) | times Prism, both logging (bar ${bars.prism}) | times Prism, both silent |\n|---|---|---|---|---|---|---|---|---|`,
  );
  for (const { load, perSecond, ofBare, timesPrism, timesPrismSilent } of rows) {
    const { mock, mockLogging, bare, prism, prismSilent } = perSecond;
    console.log(
      `| ${load} | ${mock} | ${mockLogging} | ${bare} | ${prism} | ${prismSilent} | ${show(ofBare)} | ${show(timesPrism)} | ${show(timesPrismSilent)} |`,
    );
  }
}
