/**
 * Runs scenarios side by side. A scenario that writes an area has it for itself; one that waits
 * for an area keeps later ones from slipping in before it, so nobody waits for ever.
 */

import type { Scenario } from '../language/scenario.ts';

/** Answers when all have run; the first rejection stops new starts and is passed on. */
export async function runSideBySide(
  scenarios: readonly Scenario[],
  jobs: number,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  const queue = [...scenarios].sort((a, b) => b.writes.size - a.writes.size);
  const readers = new Map<string, number>();
  const writers = new Set<string>();
  let active = 0;
  let failure: { error: unknown } | undefined;
  await new Promise<void>((resolve, reject) => {
    const finish = (): void => {
      if (active > 0) return;
      if (failure !== undefined) reject(failure.error);
      else if (queue.length === 0) resolve();
    };
    const start = (): void => {
      const wanted = { reads: new Set<string>(), writes: new Set<string>() };
      for (let at = 0; at < queue.length && active < jobs && failure === undefined; ) {
        const scenario = queue[at];
        if (scenario === undefined) break;
        if (blocked(scenario, readers, writers, wanted)) {
          for (const area of scenario.writes) wanted.writes.add(area);
          for (const area of scenario.reads) wanted.reads.add(area);
          at++;
          continue;
        }
        queue.splice(at, 1);
        active++;
        take(scenario, readers, writers);
        run(scenario)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => {
            active--;
            leave(scenario, readers, writers);
            start();
            finish();
          });
      }
    };
    start();
    finish();
  });
}

function blocked(
  scenario: Scenario,
  readers: ReadonlyMap<string, number>,
  writers: ReadonlySet<string>,
  wanted: { readonly reads: ReadonlySet<string>; readonly writes: ReadonlySet<string> },
): boolean {
  for (const area of scenario.writes) {
    if (writers.has(area) || (readers.get(area) ?? 0) > 0) return true;
    if (wanted.writes.has(area) || wanted.reads.has(area)) return true;
  }
  for (const area of scenario.reads) {
    if (scenario.writes.has(area)) continue;
    if (writers.has(area) || wanted.writes.has(area)) return true;
  }
  return false;
}

function take(scenario: Scenario, readers: Map<string, number>, writers: Set<string>): void {
  for (const area of scenario.writes) writers.add(area);
  for (const area of scenario.reads) {
    if (!scenario.writes.has(area)) readers.set(area, (readers.get(area) ?? 0) + 1);
  }
}

function leave(scenario: Scenario, readers: Map<string, number>, writers: Set<string>): void {
  for (const area of scenario.writes) writers.delete(area);
  for (const area of scenario.reads) {
    if (!scenario.writes.has(area)) readers.set(area, (readers.get(area) ?? 1) - 1);
  }
}
