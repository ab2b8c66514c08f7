/**
 * Deviations of what writes leave behind: lost, late, taken back, or seen too late; for every write
 * whose object can be read again (`x-restore`, `x-object`), always or only for some.
 */
import type { OperationId } from '../../spec/contract.ts';
import { again, isOf, objectOf } from './conditions.ts';
import { type Does, given } from './does.ts';
import { type Deviation, wrongIn } from './rows.ts';
import { afterMs, atNext, late, lost, stale, undone } from './state.ts';

interface Write {
  /** What it leaves behind is promised by these. */
  readonly breaks: readonly string[];
  /** What shows it, beside the write itself. */
  readonly shownBy: readonly OperationId[];
}

const writes: Readonly<Partial<Record<OperationId, Write>>> = {
  setStagingEnvironment: {
    breaks: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    shownBy: ['listEnvironments', 'listBranches'],
  },
  updateDeployment: { breaks: ['UPD-1', 'UPD-7'], shownBy: ['listVersions'] },
  updateFolder: { breaks: ['FOLDER-2', 'FOLDER-3'], shownBy: [] },
  addNotificationRecipients: { breaks: ['RECIP-7'], shownBy: [] },
};

/** What is wrong, and how; with the reads, where those show it. */
type Wrong = readonly [of: string, text: string, does: Does, shown?: readonly OperationId[]];

const wrongWrites = (id: OperationId, { shownBy }: Write): readonly Wrong[] => {
  const always: readonly Wrong[] = [
    ['lost', 'a write is answered, and not made', lost],
    ['lost-later', 'the second write of an object is not made', given(again(objectOf), lost)],
  ];
  const whereRead: readonly Wrong[] = [
    ['late', 'a write is made when the next one is', late([id], atNext(id))],
    ['late-by-minutes', 'a write is made ten minutes later', late([id], afterMs(600_000)), shownBy],
    ['undone', 'the next read takes a write back', undone([id], atNext(...shownBy)), shownBy],
    ['stale', 'a read shows what was before a write', stale([id], isOf(...shownBy)), shownBy],
  ];
  return shownBy.length === 0 ? always : [...always, ...whereRead];
};

export const fromWrites: readonly Deviation[] = Object.entries(writes).flatMap(([name, write]) => {
  const id = name as OperationId;
  return wrongWrites(id, write).map(([of, text, does, shown = []]) => ({
    ...wrongIn(id)('write', of, text, write.breaks, does),
    operations: [id, ...shown],
  }));
});
