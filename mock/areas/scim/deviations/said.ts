/** What a page says of itself: its total, its beginning, its length, its schema. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count as countUp } from '../../../deviations/transforms.ts';
import { DEFAULT_COUNT, deviation, isLater, pagingOf, says, usersOf } from './page.ts';

export const said: readonly Deviation[] = [
  // The total.
  deviation('total-of-page', 'totalResults counts the users of the page.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: usersOf(body)?.length ?? body.totalResults })),
    collateral: ['SCIM-4', 'SCIM-7'],
  }),
  deviation('total-of-rest', 'totalResults counts from the page on.', ['SCIM-11'], {
    handle: says((body) => ({
      ...body,
      totalResults: Math.max(0, Number(body.totalResults) - Number(body.startIndex) + 1),
    })),
    collateral: ['SCIM-4'],
  }),
  deviation('total-one-more', 'totalResults counts one user too many.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: Number(body.totalResults) + 1 })),
    collateral: ['SCIM-4', 'SCIM-9'],
  }),
  deviation('total-one-less', 'totalResults counts one user too few.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: Number(body.totalResults) - 1 })),
    collateral: ['SCIM-4'],
  }),
  deviation('total-grows', 'totalResults is one higher with each answer.', ['SCIM-11'], {
    handle: says((body, { memory }) => ({
      ...body,
      totalResults: Number(body.totalResults) + countUp(memory, 'answers') - 1,
    })),
    collateral: ['SCIM-4', 'SCIM-5', 'SCIM-7'],
  }),
  deviation('total-differs-behind-first', 'Later pages count one user more.', ['SCIM-11'], {
    handle: says((body) =>
      isLater(body) ? { ...body, totalResults: Number(body.totalResults) + 1 } : undefined,
    ),
    collateral: ['SCIM-4'],
  }),

  // The rest of it.
  deviation('items-per-page-as-asked', 'itemsPerPage is the count that was sent.', ['SCIM-9'], {
    handle: says((body, { call }) => {
      const { count = DEFAULT_COUNT } = pagingOf(call);
      return count > 0 ? { ...body, itemsPerPage: count } : undefined;
    }),
  }),
  deviation('items-per-page-as-total', 'itemsPerPage counts all users.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, itemsPerPage: body.totalResults })),
  }),
  deviation('start-always-said-one', 'Every page says that it begins at 1.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, startIndex: 1 })),
  }),
  deviation('start-said-from-zero', 'A page says its startIndex counted from 0.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, startIndex: Number(body.startIndex) - 1 })),
  }),
  deviation('later-page-without-start', 'A page behind the first has no startIndex.', ['SCIM-9'], {
    handle: says((body) => {
      const { startIndex: _gone, ...rest } = body;
      return isLater(body) ? rest : undefined;
    }),
  }),
  deviation(
    'later-page-without-items',
    'A page behind the first has no itemsPerPage.',
    ['SCIM-9'],
    {
      handle: says((body) => {
        const { itemsPerPage: _gone, ...rest } = body;
        return isLater(body) ? rest : undefined;
      }),
    },
  ),
  deviation('list-named-as-user', 'The list has the schema of a user.', ['SCIM-3'], {
    handle: says((body) => ({
      ...body,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    })),
  }),
  deviation('list-under-users', 'The users stand under users, not under Resources.', ['SCIM-3'], {
    handle: says((body) => {
      const { Resources: users, ...rest } = body;
      return users === undefined ? undefined : { ...rest, users };
    }),
    collateral: ['SCIM-2', 'SCIM-4', 'SCIM-5', 'SCIM-6', 'SCIM-9', 'SCIM-10', 'SCIM-11'],
  }),
];
