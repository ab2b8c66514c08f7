/** Runs, and runs again whenever files have changed. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A change counts when the files are the same at two looks in a row. */
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
