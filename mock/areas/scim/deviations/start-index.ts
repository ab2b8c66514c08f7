/** Where a page begins: startIndex misread, passed over or refused. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count as countUp } from '../../../deviations/transforms.ts';
import { DEFAULT_COUNT, deviation, pagingOf, refuses, says, serves, shows } from './page.ts';

export const startIndex: readonly Deviation[] = [
  deviation('start-from-zero', 'startIndex counts from 0.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex: paging.startIndex === undefined ? undefined : paging.startIndex + 1,
    })),
    collateral: ['SCIM-2', 'SCIM-5', 'SCIM-9', 'SCIM-11'],
  }),
  deviation('start-one-early', 'A page behind the first begins one user early.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex: paging.startIndex === undefined ? undefined : Math.max(1, paging.startIndex - 1),
    })),
  }),
  deviation('start-one-late', 'A page behind the first begins one user late.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex:
        paging.startIndex === undefined || paging.startIndex <= 1
          ? paging.startIndex
          : paging.startIndex + 1,
    })),
    collateral: ['SCIM-9', 'SCIM-11'],
  }),
  deviation('start-ignored', 'Every page begins with the first user.', ['SCIM-2', 'SCIM-4'], {
    handle: serves((paging) => ({ ...paging, startIndex: undefined })),
    collateral: ['SCIM-11'],
  }),
  deviation('start-honoured-once', 'startIndex above 1 counts once.', ['SCIM-4'], {
    handle: serves((paging, { memory }) =>
      (paging.startIndex ?? 1) > 1 && countUp(memory, 'starts') >= 2
        ? { ...paging, startIndex: 1 }
        : paging,
    ),
    collateral: ['SCIM-2', 'SCIM-11'],
  }),
  deviation('start-as-page-number', 'startIndex is the number of a page.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex:
        paging.startIndex === undefined
          ? undefined
          : (Math.max(1, paging.startIndex) - 1) * Math.max(0, paging.count ?? DEFAULT_COUNT) + 1,
    })),
    collateral: ['SCIM-2', 'SCIM-9', 'SCIM-11'],
  }),
  deviation('start-in-whole-pages', 'A page begins at a multiple of count.', ['SCIM-4'], {
    handle: serves((paging) => {
      const { startIndex, count } = paging;
      if (startIndex === undefined || count === undefined || count < 1) return paging;
      return { ...paging, startIndex: Math.floor((startIndex - 1) / count) * count + 1 };
    }),
    collateral: ['SCIM-2'],
  }),
  deviation('start-below-one-refused', 'A startIndex below 1 is refused.', ['SCIM-5'], {
    stage: refuses('startIndex counts from 1', ({ startIndex }) => (startIndex ?? 1) < 1),
  }),
  deviation('start-negative-refused', 'A startIndex below 0 is refused.', ['SCIM-5'], {
    stage: refuses('startIndex must not be below 0', ({ startIndex }) => (startIndex ?? 1) < 0),
  }),
  deviation('start-below-one-empty', 'A startIndex below 1 gives an empty page.', ['SCIM-5'], {
    handle: (next, scene) =>
      (pagingOf(scene.call).startIndex ?? 1) < 1 ? shows(() => [])(next, scene) : next(),
  }),
  deviation(
    'start-below-one-shortens',
    'A startIndex below 1 takes users off the page.',
    ['SCIM-5'],
    {
      handle: (next, scene) => {
        const { startIndex = 1 } = pagingOf(scene.call);
        return startIndex < 1
          ? shows((users) => users.slice(0, Math.max(0, users.length + startIndex - 1)))(
              next,
              scene,
            )
          : next();
      },
    },
  ),
  deviation('start-negative-from-end', 'A startIndex below 0 counts from the end.', ['SCIM-5'], {
    handle: serves((paging, { world }) => {
      const { startIndex = 1 } = paging;
      const total = world.state.tables.users.rows().length;
      return startIndex < 0 ? { ...paging, startIndex: total + startIndex + 1 } : paging;
    }),
  }),
  deviation(
    'start-below-one-said',
    'A startIndex below 1 is answered as it was sent.',
    ['SCIM-5', 'SCIM-9'],
    {
      handle: says((body, { call }) => {
        const { startIndex = 1 } = pagingOf(call);
        return startIndex < 1 ? { ...body, startIndex } : undefined;
      }),
    },
  ),
];
