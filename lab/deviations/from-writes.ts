/**
 * Deviations of what writes leave behind: lost, late, taken back, or seen too late; for every write
 * whose object can be read again (`x-restore`, `x-object`), always or only for some.
 */
import type { OperationId } from '../../spec/contract.ts';
import { again, isOf, objectOf } from './conditions.ts';
import { given } from './does.ts';
import { type Deviation, type Wrong, wrongIn } from './rows.ts';
import { afterMs, atNext, late, lost, stale, undone } from './state.ts';

/** What a write leaves behind is promised by statements; some reads show it. */
type Write = readonly [id: OperationId, breaks: string, ...shownBy: OperationId[]];

const writes: readonly Write[] = [
  ['setStagingEnvironment', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', 'listEnvironments', 'listBranches'],
  ['updateDeployment', 'UPD-1 UPD-7', 'listVersions'],
  ['updateFolder', 'FOLDER-2 FOLDER-3'],
  ['addNotificationRecipients', 'RECIP-7'],
];

export const fromWrites: readonly Deviation[] = writes.flatMap(([id, promises, ...shownBy]) => {
  const breaks = promises.split(' ');
  const wrong = (of: string, text: string, does: Wrong[4]): Wrong => [
    'write',
    of,
    text,
    breaks,
    does,
  ];
  const minutes = late([id], afterMs(600_000));
  const always = [
    wrong('lost', 'a write is answered, and not made', lost),
    wrong('lost-later', 'the second write of an object is not made', given(again(objectOf), lost)),
  ];
  const alone = wrong('late', 'a write is made when the next one is', late([id], atNext(id)));
  const read = [
    wrong('late-by-minutes', 'a write is made ten minutes later', minutes),
    wrong('undone', 'the next read takes a write back', undone([id], atNext(...shownBy))),
    wrong('stale', 'a read shows what was before a write', stale([id], isOf(...shownBy))),
  ];
  if (shownBy.length === 0) return wrongIn(id, always);
  const operations = [id, ...shownBy];
  return [
    ...wrongIn(id, [...always, alone]),
    ...wrongIn(id, read).map((deviation) => ({ ...deviation, operations })),
  ];
});
