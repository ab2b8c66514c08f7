/** Tells what a step came to. */

import type { Judged } from '../judge/report.ts';
import { attempt } from '../language/template.ts';
import type { Turn } from './running.ts';

/** A loop tells of its steps instead. */
export function traceStep({ running, step, id }: Turn, judged: readonly Judged[]): void {
  const { run, scenario, scope, stopped } = running;
  if (run.onTrace === undefined || step.forEach !== undefined) return;
  const names = Object.keys(step.capture);
  const captured = Object.fromEntries(
    names.map((name) => [name, attempt(() => scope.lookup(name))]),
  );
  run.onTrace({ type: 'step', scenario: scenario.title, step: id, judged, captured, stopped });
}
