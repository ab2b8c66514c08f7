/**
 * The mark of a run: every name that it writes contains `lockstep <id of the run>`. So a value itself says
 * which run wrote it, even from another machine.
 */

import type { JsonObject } from '../../spec/base/json.ts';
import { type Bindings, worse } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import { Unsafe } from '../target/guard.ts';
import { type BoundObject, boundObjects } from './bound-objects.ts';

/** `newRunId` makes them: the start time in base 36, then six random digits. */
const mark = /lockstep[ -](r([0-9a-z]{8})[0-9a-f]{6})/i;

/** The object that carries the mark: the first bound one that can (`x-restore`); undefined if none can. */
export function markable(bindings: Bindings): BoundObject | undefined {
  return boundObjects(bindings).find(({ object: { operation, effect } }) => {
    return operation?.restore?.mark !== undefined && !worse(effect, 'reversible');
  });
}

export function markBody({ operation }: TenantObject, runId: string): JsonObject {
  return { [operation?.restore?.mark ?? '']: `lockstep ${runId}` };
}

/** Whether a value carries the mark of a run. Services may change the case of a name, or cut its end. */
export function isMarkedBy(runId: string, value: unknown): boolean {
  const text = (JSON.stringify(value) ?? '').toLowerCase();
  return [' ', '-'].some((sign) => text.includes(`lockstep${sign}${runId.toLowerCase()}`));
}

/** The other run whose mark a value carries; undefined if there is none. */
export function otherRunIn(value: unknown, runId?: string): string | undefined {
  const found = mark.exec(JSON.stringify(value) ?? '')?.[1]?.toLowerCase();
  return found === runId?.toLowerCase() ? undefined : found;
}

/** The id of a run, and when it began. */
export function runText(runId: string): string {
  const begun = Number.parseInt(mark.exec(`lockstep ${runId}`)?.[2] ?? '', 36);
  const at = new Date(begun);
  return Number.isNaN(at.getTime()) ? runId : `${runId}, begun ${at.toISOString().slice(0, 16)}Z`;
}

/**
 * Throws Unsafe for a state that another run has made. Only that run knows the earlier state. If this run
 * noted the mark as the earlier state, it would later put the mark back.
 */
export function refuseOtherRun(object: string, state: unknown, runId: string): void {
  const other = otherRunIn(state, runId);
  if (other === undefined) return;
  throw new Unsafe(
    `${object} carries the mark of another run (${runText(other)}): ${JSON.stringify(state)}. That run works on another machine, or was killed there. Wait for it, or put back its changes: \`lockstep undo --foreign\`, with its ledger`,
  );
}
