/** A test command, run in a process group of its own, so that all its child processes end with it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Refused } from '../../spec/base/refused.ts';

export interface CommandRun {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** After this time the command counts as hung, and is ended. */
  readonly timeoutMs: number;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

export type End = 'passed' | 'failed' | 'hung';

export interface Ran {
  readonly end: End;
  readonly durationMs: number;
}

const isWindows = process.platform === 'win32';
/** Running commands. Each has its own process group, which a signal to this process does not reach. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killTree(child, 'SIGKILL');
});
/** The time that a command gets to end by itself. */
const GRACE_MS = 2000;

/** The system's errors at the start of a program, in words. */
const START_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program on the PATH',
  EACCES: 'this user may not run it, or it is not a program',
};

/** Rejects with Refused if there is no such program, and with the signal's reason if that aborts. */
export async function runCommand(run: CommandRun): Promise<Ran> {
  const { argv, env, timeoutMs, signal, onOutput } = run;
  const [program = '', ...args] = argv;
  signal?.throwIfAborted();
  const start = performance.now();
  const options = { env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  // npx and mvn are scripts on Windows, which only a shell starts.
  const child = isWindows
    ? spawn(commandLine(argv), { ...options, shell: true, windowsHide: true })
    : spawn(program, args, { ...options, detached: true });
  running.add(child);
  child.stdout.on('data', (chunk: Buffer) => onOutput?.(chunk));
  child.stderr.on('data', (chunk: Buffer) => onOutput?.(chunk));
  const exited = once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    const reason = START_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Refused(`${program} cannot be started: ${reason}`);
  });
  const closed = once(child, 'close').catch(() => undefined);
  const over = new AbortController();
  const limit = pause(timeoutMs, 'hung', { signal: over.signal }).catch(() => undefined);
  const aborted = signal === undefined ? [] : [once(signal, 'abort', { signal: over.signal })];
  try {
    const first = await Promise.race([exited, limit, ...aborted.map((one) => one.catch(() => []))]);
    if (first === 'hung' || signal?.aborted === true) await endTree(child, exited);
    signal?.throwIfAborted();
    const passed = first !== 'hung' && child.exitCode === 0;
    const end = first === 'hung' ? 'hung' : passed ? 'passed' : 'failed';
    return { end, durationMs: performance.now() - start };
  } finally {
    over.abort();
    running.delete(child);
    // A process that it left running would disturb the next run, and hold the output open.
    killTree(child, 'SIGKILL');
    await Promise.race([closed, pause(GRACE_MS, undefined, { ref: false })]);
  }
}

/**
 * A command for the shell of Windows, which expands `%NAME%` in quotes as well. Backslashes before a quote
 * would make it a part of the argument, so these are doubled.
 */
export function commandLine(argv: readonly string[]): string {
  return argv
    .map((argument) => {
      if (/^[\w./:\\=@{},+*-]+$/.test(argument)) return argument;
      return `"${argument.replaceAll('"', '""').replace(/(\\+)$/, '$1$1')}"`;
    })
    .join(' ');
}

async function endTree(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  killTree(child, 'SIGTERM');
  await Promise.race([exited.catch(() => undefined), pause(GRACE_MS)]);
}

function killTree({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (isWindows) {
    execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}
