/**
 * Generates load from a separate process. Any answer but 2xx, or a missing one, ends it with an
 * error.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { Pool, request } from 'undici';
import { type Call, list, requestOf } from './calls.ts';

export interface Order {
  readonly port: number;
  readonly calls: readonly Call[];
  readonly connections?: number;
  readonly seconds: number;
  /** Ends after this many requests instead of after a time. */
  readonly amount?: number;
  /** Requests per second, at even intervals. Without it, as many as the server can answer. */
  readonly perSecond?: number;
  /** Reads one long answer, with a pause after each chunk. */
  readonly pauseMs?: number;
}

type Shot = Readonly<Record<'2xx' | 'duration' | 'non2xx' | 'errors' | 'timeouts', number>>;

const autocannon: (options: object) => Promise<Shot> = createRequire(import.meta.url)('autocannon');
const order: Order = JSON.parse(readFileSync(0, 'utf8'));
const { port, calls, connections = 20, seconds, amount, perSecond, pauseMs } = order;
const url = `http://127.0.0.1:${port}`;
const requests = calls.map(requestOf);
const { path, ...first } = requestOf(calls[0] ?? list);

/** Requests per second, or their total if an amount was given. */
async function most(): Promise<number> {
  let clients = 0;
  const limit = amount === undefined ? { duration: seconds } : { amount };
  const options = { url, connections, requests: requests.slice(0, 1), ...limit };
  // If there are many requests, the clients share them, because a client keeps its requests as bytes.
  const setupClient = (client: { setRequests(requests: readonly object[]): void }) => {
    const own = clients++ % connections;
    const shared = requests.filter((_, at) => at % connections === own);
    client.setRequests(requests.length < connections ? requests : shared);
  };
  const { non2xx, errors, timeouts, ...shot } = await autocannon({ ...options, setupClient });
  const failed = `${non2xx} refusals, ${errors} errors, ${timeouts} timeouts`;
  if (non2xx + errors + timeouts > 0) throw new Error(`${path}: ${failed}`);
  return shot['2xx'] / (amount === undefined ? shot.duration : 1);
}

/**
 * The 99th percentile, ms. Each request is sent when it is due, even if earlier ones have no answer
 * yet. It uses no promises or streams, because their garbage collection would pause the load and
 * count as the server's time.
 */
async function paced(rate: number): Promise<number> {
  const pool = new Pool(url, { connections });
  const took = new Float64Array(rate * seconds);
  let answered = 0;
  let failed: Error | undefined;
  const began = performance.now();
  const send = () => {
    const sent = performance.now();
    pool.dispatch(
      { path, ...first },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status !== 200) failed = new Error(`${path}: ${status}`);
        },
        onResponseData() {},
        onResponseEnd() {
          took[answered++] = performance.now() - sent;
        },
        onResponseError(_controller, error) {
          failed = error;
        },
      },
    );
  };
  for (let sent = 0; answered < took.length && failed === undefined; await turn()) {
    const due = Math.min(seconds, (performance.now() - began) / 1000) * rate;
    for (; sent < due; sent += 1) send();
  }
  if (failed !== undefined) throw failed;
  await pool.close();
  // The first half warms up.
  const counted = took.subarray(took.length / 2).sort();
  return counted[Math.floor(counted.length * 0.99)] ?? Number.NaN;
}

async function download(pause: number) {
  const began = performance.now();
  const { body, statusCode } = await request(`${url}${path}`, first);
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
  let megabytes = 0;
  for await (const piece of body) {
    megabytes += piece.length / 1e6;
    if (pause > 0) await wait(pause);
    if (performance.now() - began > seconds * 1000) break;
  }
  return { megabytes, speed: megabytes / ((performance.now() - began) / 1000) };
}

const done = pauseMs === undefined ? (perSecond ? paced(perSecond) : most()) : download(pauseMs);
process.stdout.write(JSON.stringify(await done));
