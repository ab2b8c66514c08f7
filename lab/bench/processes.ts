/** Starts the processes of the benchmark: servers, and programs that run to their end. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Call, list, requestOf } from './calls.ts';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));
export const work: string = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly calls: readonly Call[];
  /** The time from its start to its first answer, ms. */
  readonly startMs: number;
  ask(call: Call): Promise<{ status: number; headers: Headers; text: string }>;
  /** Resident memory, MB. */
  resident(): number;
}

/** Starts a server. Rejects if it ends, or answers its first call with anything but 2xx. */
export async function serve(
  args: readonly string[],
  calls: readonly Call[] = [list],
  env: Record<string, string> = {},
): Promise<Server> {
  const front = createServer().listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  front.close();
  const said = join(work, `said-${port}`);
  const began = performance.now();
  const filled = args.map((arg) => (arg === 'PORT' ? String(port) : arg));
  const stdio = ['ignore', 'ignore', openSync(said, 'w')] as const;
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: [...stdio] };
  const child = spawn(process.execPath, filled, options);
  const hasEnded = () => (child.exitCode ?? child.signalCode) !== null;
  const stop = async () => {
    if (!hasEnded() && child.kill()) await once(child, 'exit');
  };
  const ask = async (call: Call) => {
    const { path, ...init } = requestOf(call);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const resident = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', `${child.pid}`])) / 1024;
  for (;;) {
    const answer = await ask(calls[0] ?? list).catch(() => undefined);
    const startMs = performance.now() - began;
    const found = { port, calls, startMs, ask, resident, [Symbol.asyncDispose]: stop };
    if (answer?.status === 200) return found;
    if (answer !== undefined || hasEnded() || startMs > 180_000) {
      await stop();
      throw new Error(`${args.join(' ')}: ${answer?.status ?? ''} ${readFileSync(said, 'utf8')}`);
    }
    await wait(1);
  }
}

/** Runs a Node program. Rejects unless it ends with 0 within a quarter of an hour. */
export async function run(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const began = performance.now();
  const given = { cwd: root, env: { ...process.env, ...env } };
  const options = { ...given, timeout: 900_000, maxBuffer: 2 ** 26 };
  const running = promisify(execFile)(process.execPath, [...args], options);
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return { stdout, seconds: (performance.now() - began) / 1000 };
}

/** Runs a helper of this folder in a separate process. */
export async function job<Answer>(helper: string, order: object): Promise<Answer> {
  const args = ['--expose-gc', join(root, 'lab/bench', helper)];
  return JSON.parse((await run(args, {}, JSON.stringify(order))).stdout);
}

/** Finds the program of a peer: in the given folder, among our packages, or on PATH. */
export function findPeer(name: string, folder = '.'): string | undefined {
  const places = [folder, join(folder, 'node_modules/.bin'), join(root, 'node_modules/.bin')];
  const all = [...places, ...(process.env.PATH ?? '').split(delimiter)];
  const found = all.map((place) => join(place, name)).find((file) => existsSync(file));
  return found && realpathSync(found);
}
