/** What went otherwise than a client may think: more often than not, that is why its test failed. */
import type { JournalEntry } from '../world/journal.ts';
import { describeEntry } from './received.ts';

/** As many requests as a failed test prints. */
const TOLD = 10;

/**
 * Text for a terminal, empty where nothing did. `strays` are requests that reached the default world
 * because they named none, or one that is gone.
 */
export function troubles(
  requests: readonly JournalEntry[],
  strays: readonly JournalEntry[] = [],
): string {
  return [
    ...section('the world refused, a fault struck, or something was passed over:', requests),
    ...section('named no world that there is, and reached the default one:', strays),
  ].join('\n');
}

function section(head: string, entries: readonly JournalEntry[]): string[] {
  const odd = entries.filter(
    ({ refusal, fault, passedOver }) => refusal !== null || fault !== null || passedOver.length > 0,
  );
  if (odd.length === 0) return [];
  const before = Math.max(0, odd.length - TOLD);
  return [
    head,
    ...(before > 0 ? [`  ${before} before these`] : []),
    ...odd.slice(-TOLD).map((entry) => describeEntry(entry)),
  ];
}
