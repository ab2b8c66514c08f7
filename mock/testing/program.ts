/** `lockstep` as people start it, as a separate process. */

import { type ChildProcess, fork, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../bin/lockstep.js', import.meta.url));

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process, what it has printed so far, and its end. */
export function launch(...args: string[]) {
  return run(process.execPath, [program, ...args]);
}

/** Runs any other program in the same way. */
export function run(command: string, args: readonly string[], options: Options = {}) {
  const child: ChildProcess = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...printed }));
  });
  return { child, printed, ended };
}

const manyCommands = fileURLToPath(new URL('../../bin/testing/many-commands.ts', import.meta.url));
/** Processes that are free for a command, and commands that wait for a process. */
const waiting: ChildProcess[] = [];
const queue: ((child: ChildProcess) => void)[] = [];
/** Each worker of the tests has its own. More processes would only spend more time loading. */
const most = 1;
let started = 0;

/**
 * Runs a command like `launch`, but reuses a process. It is for a command that ends by itself, and
 * a test that looks at its output, exit code and files.
 */
export async function lockstep(
  args: readonly string[],
  { cwd = process.cwd(), env = process.env }: Options = {},
): Promise<Ended> {
  const child = await freeProcess();
  const ended = new Promise<Ended>((resolve, reject) => {
    const printed = { stdout: '', stderr: '' };
    const open = new Set(['stdout', 'stderr'] as const);
    const listen = (name: 'stdout' | 'stderr') => (text: string) => {
      printed[name] += text;
      const end = /\0(\d+)\0$/.exec(printed[name]);
      if (end === null) return;
      printed[name] = printed[name].slice(0, end.index);
      open.delete(name);
      if (open.size > 0) return;
      release(child);
      resolve({ code: Number(end[1]), ...printed });
    };
    for (const name of open) child[name]?.removeAllListeners('data').on('data', listen(name));
    child.removeAllListeners('error').removeAllListeners('close');
    // If the command ends its process, the command has ended.
    child.on('error', reject).on('close', (code) => {
      started -= 1;
      if (queue.length > 0) release(startWaiting());
      resolve({ code, ...printed });
    });
  });
  child.send({ args, cwd, env });
  return await ended;
}

async function freeProcess(): Promise<ChildProcess> {
  const child = waiting.pop();
  if (child !== undefined) return child;
  return started < most ? startWaiting() : new Promise((resolve) => queue.push(resolve));
}

function release(child: ChildProcess): void {
  const next = queue.shift();
  if (next === undefined) waiting.push(child);
  else next(child);
}

function startWaiting(): ChildProcess {
  started += 1;
  const child = fork(manyCommands, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
  // The process must not keep the tests from ending.
  for (const held of [child, child.channel, child.stdout, child.stderr]) (held as Socket)?.unref();
  return child;
}

/** A mock that listens, and its banner. Ends with its scope. */
export async function serve(...args: string[]) {
  // A mock with both a ready file and a silent log would print no banner.
  const log = args.includes('--ready-file') ? [] : ['--log', 'silent'];
  const { child, printed, ended } = launch('mock', '--port', '0', ...log, ...args);
  const started = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (printed.stdout.includes('/__admin/\n')) resolve();
    });
  });
  const failed = ended.then(({ stderr }) => {
    throw new Error(`the mock did not start: ${stderr}`);
  });
  await Promise.race([started, failed]);
  failed.catch(() => {});
  const banner = printed.stdout;
  const url = / at (https?:\/\/\S+)/.exec(banner)?.[1] ?? '';
  return {
    banner,
    url,
    child,
    ended,
    get: (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { Authorization: 'Bearer acme-admin', ...init.headers },
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
