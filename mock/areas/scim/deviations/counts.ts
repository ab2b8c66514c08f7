/** How much a page holds: count passed over, rounded or refused. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { deviation, pagingOf, refuses, says, serves } from './page.ts';

export const counts: readonly Deviation[] = [
  deviation('count-ignored', 'count is passed over.', ['SCIM-2', 'SCIM-6'], {
    handle: serves((paging) =>
      (paging.count ?? 0) > 0 ? { ...paging, count: undefined } : paging,
    ),
    collateral: ['SCIM-4'],
  }),
  deviation('count-one-more', 'A page holds one user more than count.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: paging.count + 1 },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-at-least-ten', 'A smaller count is raised to ten.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: Math.max(10, paging.count) },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-in-whole-tens', 'count is rounded up to tens.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: Math.ceil(paging.count / 10) * 10 },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-on-first-page-only', 'count is passed over behind the first page.', ['SCIM-6'], {
    handle: serves((paging) =>
      (paging.startIndex ?? 1) > 1 && (paging.count ?? 0) > 0
        ? { ...paging, count: undefined }
        : paging,
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-zero-gives-users', 'A count of 0 is passed over.', ['SCIM-7'], {
    handle: serves((paging) => (paging.count === 0 ? { ...paging, count: undefined } : paging)),
  }),
  deviation('count-zero-gives-one', 'A count of 0 gives one user.', ['SCIM-7'], {
    handle: serves((paging) => (paging.count === 0 ? { ...paging, count: 1 } : paging)),
  }),
  deviation('count-negative-gives-users', 'A count below 0 is passed over.', ['SCIM-7'], {
    handle: serves((paging) =>
      (paging.count ?? 0) < 0 ? { ...paging, count: undefined } : paging,
    ),
  }),
  deviation('count-zero-refused', 'A count of 0 is refused.', ['SCIM-7'], {
    stage: refuses('count must be at least 1', ({ count }) => count === 0),
  }),
  deviation('count-negative-refused', 'A count below 0 is refused.', ['SCIM-7'], {
    stage: refuses('count must not be below 0', ({ count }) => (count ?? 0) < 0),
  }),
  deviation('count-zero-without-total', 'A count of 0 gives a totalResults of 0.', ['SCIM-7'], {
    handle: says((body, { call }) =>
      pagingOf(call).count === 0 ? { ...body, totalResults: 0 } : undefined,
    ),
    collateral: ['SCIM-11'],
  }),
];
