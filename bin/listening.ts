/**
 * The common parts of the commands that listen or wait: a signal ends them, an address cannot be used, a
 * changed file makes them run again.
 */
import { globSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Refused } from '../spec/base/refused.ts';

/** The first signal calls `stop`; a second signal ends the process at once. */
export function onSignal(
  stop: () => unknown,
  signals: readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP')[] = ['SIGINT', 'SIGTERM'],
): void {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stopping) process.exit(128 + constants.signals[signal]);
      stopping = true;
      stop();
    });
  }
}

/** The system's error about an address, in words; any other error as it is. */
export function aboutAddress(error: unknown, host: string, port: number | undefined): unknown {
  const elsewhere = `${host} is not an address of this machine; the default is 127.0.0.1`;
  const told: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken; choose another with --port, or 0 for a free one`,
    EACCES: `Port ${port} of ${host} may not be used by this user; choose one above 1023`,
    EADDRNOTAVAIL: elsewhere,
    ENOTFOUND: elsewhere,
  };
  const message = told[(error as NodeJS.ErrnoException).code ?? ''];
  return message === undefined ? error : new Refused(message);
}

/** The time between two looks at the files. A change counts only when the next look finds it complete. */
const LOOK_MS = 200;

/** Runs until the signal; resolves to the result of the last run. `paths` are files and folders. */
export async function runOnChange(
  paths: readonly string[],
  run: () => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let seen = stateOf(paths);
  for (;;) {
    const came = await run();
    seen = await changed(paths, seen, signal);
    if (signal.aborted) return came;
  }
}

async function changed(
  paths: readonly string[],
  seen: string,
  signal: AbortSignal,
): Promise<string> {
  for (let before = seen; ; ) {
    await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const now = stateOf(paths);
    if (signal.aborted || (now !== seen && now === before)) return now;
    before = now;
  }
}

/** Polls, because an editor may replace a file, and some file systems report no changes. */
function stateOf(paths: readonly string[]): string {
  const files = paths.flatMap((path) => [
    path,
    ...globSync('**/*.{yaml,yml}', { cwd: path }).map((name) => join(path, name)),
  ]);
  return files
    .map((file) => [file, statSync(file, { throwIfNoEntry: false })] as const)
    .map(([file, stat]) => `${file} ${stat?.mtimeMs} ${stat?.size}`)
    .join('\n');
}
