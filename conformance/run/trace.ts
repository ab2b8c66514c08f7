/** Tells what a step came to. */

import type { CheckRecord } from '../judge/record.ts';
import { attempt } from '../language/template.ts';
import type { Turn } from './running.ts';

/** A loop tells of its steps instead. */
export function traceStep({ running, step, id }: Turn, checks: readonly CheckRecord[]): void {
  const { run, scenario, scope, stopped } = running;
  if (run.onTrace === undefined || step.forEach !== undefined) return;
  const names = Object.keys(step.capture);
  const captured = Object.fromEntries(
    names.map((name) => [name, attempt(() => scope.lookup(name))]),
  );
  run.onTrace({ type: 'step', scenario: scenario.title, step: id, checks, captured, stopped });
}
