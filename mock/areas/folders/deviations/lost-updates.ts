/** Whole updates that are answered and not done, or done and answered with something else. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { forgets, mapBody, whenDone } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { deviation, rowOf, sees, shown, updateNumber } from './update-call.ts';

export const lostUpdates: readonly Deviation[] = [
  deviation('update-lost', 'An update is answered, and not kept.', ['FOLDER-2', 'FOLDER-3'], {
    handle: forgets(() => true, 'folders'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'second-update-lost',
    'The first update of a folder is kept; later ones are answered, and not kept.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: forgets((scene) => updateNumber(scene) >= 2, 'folders'),
      collateral: ['FOLDER-1', 'FOLDER-4'],
    },
  ),
  deviation(
    'second-update-ignored',
    'The first update of a folder is done; later ones are answered with 200, and not done.',
    ['FOLDER-2', 'FOLDER-3'],
    { handle: sees((input, scene) => (updateNumber(scene) >= 2 ? {} : input)) },
  ),
  deviation(
    'answer-from-before',
    'An update is done and answered with the folder as it was before.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: (next, scene) => {
        const earlier = shown(scene.call);
        const row = rowOf(scene.call);
        return whenDone(next(), (done) =>
          isRefusal(done) || earlier instanceof Promise || rowOf(scene.call) === row
            ? done
            : earlier,
        );
      },
      collateral: ['FOLDER-1'],
    },
  ),
  deviation(
    'first-update-answered-again',
    'Every update of a folder gets the answer that its first one got.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: mapBody((body, { memory }) => {
        const key = `answer of ${String(body.id)}`;
        const earlier = memory.get(key);
        if (earlier === undefined) memory.set(key, body);
        return earlier;
      }),
      collateral: ['FOLDER-1', 'FOLDER-4'],
    },
  ),
];
