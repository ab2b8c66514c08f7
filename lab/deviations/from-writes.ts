/**
 * Deviations of the effect of a write: it is lost, late, taken back, or seen too late. Every write
 * whose object can be read again (`x-restore`, `x-object`) has them.
 */
import type { OperationId } from '../../spec/contract.ts';
import { again, isOf, subjectOf } from './conditions.ts';
import { type Deviation, type Row, table } from './rows.ts';
import { afterMs, atNext, late, lost, stale, undone } from './state.ts';

/** A write, the statements that promise its effect, and the reads that show it. */
type Write = readonly [id: OperationId, breaks: string, ...shownBy: OperationId[]];

const writes: readonly Write[] = [
  ['setStagingEnvironment', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', 'listEnvironments', 'listBranches'],
  ['updateDeployment', 'UPD-1 UPD-7', 'listVersions'],
  ['updateFolder', 'FOLDER-2 FOLDER-3'],
  ['addNotificationRecipients', 'RECIP-7'],
];

export const fromWrites: readonly Deviation[] = writes.flatMap(([id, breaks, ...shownBy]) => {
  const named = (operations: readonly OperationId[], rows: readonly Row[]) =>
    table(id, operations, rows, {}, (name) => `write:${id}:${name}`);
  const minutes = late([id], afterMs(600_000));
  const always: readonly Row[] = [
    ['lost: a write is answered, and not made', breaks, lost],
    ['lost-later: the second write of an object is not made', breaks, lost, again(subjectOf)],
  ];
  const shown: readonly Row[] = [
    ['late-by-minutes: a write is made ten minutes later', breaks, minutes],
    ['undone: the next read takes a write back', breaks, undone([id], atNext(...shownBy))],
    ['stale: a read shows what was before a write', breaks, stale(isOf(id), isOf(...shownBy))],
  ];
  const next: Row = ['late: a write is made when the next one is', breaks, late([id], atNext(id))];
  if (shownBy.length === 0) return named([id], always);
  return [...named([id], [...always, next]), ...named([id, ...shownBy], shown)];
});
