/** `lockstep` as people start it, as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../bin/lockstep.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process, what it has printed so far, and its end. */
export function launch(...args: string[]) {
  return run(process.execPath, [program, ...args]);
}

/** Any other program, likewise. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
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

/** A mock that listens, and its banner. Ends with its scope. */
export async function serve(...args: string[]) {
  // Silent with a ready file, it would print no banner.
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
