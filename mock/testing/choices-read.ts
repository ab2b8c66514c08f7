import { vi } from 'vitest';
import { scaled } from '../../spec/testing/campaign.ts';
import { Assumptions } from '../world/assumptions.ts';
import type { CorpusEntry } from './corpus-entry.ts';
import { replay } from './replay.ts';

/**
 * Says of each entry if another choice at a silence may change its answer. Every replay is the same until it reads
 * the choice that was switched. So by day a choice that an entry does not read is not replayed; at night all are.
 */
export async function choicesRead(corpus: readonly CorpusEntry[]) {
  const readBy = new Map<CorpusEntry, ReadonlySet<string>>();
  const reading = vi.spyOn(Assumptions.prototype, 'choice');
  for (const entry of corpus) {
    reading.mockClear();
    await replay(entry);
    readBy.set(entry, new Set(reading.mock.calls.map(([statement]) => statement)));
  }
  reading.mockRestore();
  const isNight = scaled(0, 1) === 1;
  return (entry: CorpusEntry, statement: string): boolean =>
    isNight || readBy.get(entry)?.has(statement) === true;
}
