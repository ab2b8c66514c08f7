/** Which users are on a page, and how they are shown there. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { changeAnswer, count as countUp, type Json, same } from '../../../deviations/transforms.ts';
import { deviation, isLater, shows } from './page.ts';

export const users: readonly Deviation[] = [
  deviation('last-user-unlisted', 'The last user is on no page.', ['SCIM-4'], {
    handle: shows((users, body) => {
      const end = Number(body.startIndex) + users.length - 1;
      return end === body.totalResults && users.length > 0 ? users.slice(0, -1) : users;
    }),
    collateral: ['SCIM-11'],
  }),
  deviation(
    'first-user-everywhere',
    'The first user stands at the top of every page.',
    ['SCIM-4'],
    {
      handle: shows((users, body, { world, call }) => {
        const own = world.state.tables.users.rows();
        const row = call.peek('PAGE-10') === 'descending' ? own.at(-1) : own[0];
        const first = users[0];
        if (!isLater(body) || row === undefined || first === undefined) return users;
        return [{ ...first, id: String(row.id), userName: row.email }, ...users.slice(1)];
      }),
      collateral: ['SCIM-2', 'SCIM-11'],
    },
  ),
  deviation(
    'last-of-page-again',
    'The last user of a page takes the place of the next.',
    ['SCIM-4'],
    {
      handle: shows((users, body, { memory }) => {
        const earlier = memory.get('last') as Json | undefined;
        const last = users.at(-1);
        if (last !== undefined) memory.set('last', last);
        const again = earlier !== undefined && isLater(body) && users.length > 0;
        return again ? [earlier, ...users.slice(1)] : users;
      }),
      collateral: ['SCIM-2', 'SCIM-11'],
    },
  ),
  deviation('order-turns', 'Every second answer has its list in the other order.', ['SCIM-4'], {
    handle: (next, scene) => {
      const { assumptions } = scene.world;
      if (countUp(scene.memory, 'answers') % 2 === 1) return next();
      const own = assumptions.choice('PAGE-10');
      const honest = next();
      assumptions.set({ 'PAGE-10': own === 'descending' ? 'ascending' : 'descending' });
      const turned = next();
      assumptions.set({ 'PAGE-10': own });
      if (!same(honest, turned)) scene.took();
      return turned;
    },
    collateral: ['SCIM-5', 'SCIM-11'],
  }),
  deviation('later-pages-empty', 'Pages behind the first are empty.', ['SCIM-4'], {
    handle: shows((users, body) => (isLater(body) ? [] : users)),
    collateral: ['SCIM-2', 'SCIM-11'],
  }),
  deviation('later-users-without-name', 'Users of later pages have no userName.', ['SCIM-10'], {
    handle: shows((users, body) =>
      isLater(body) ? users.map(({ userName: _gone, ...rest }) => rest) : users,
    ),
  }),
  deviation('later-users-with-numbers', 'Users of later pages have numbers for ids.', ['SCIM-10'], {
    handle: shows((users, body) =>
      isLater(body) ? users.map((user) => ({ ...user, id: Number(user.id) })) : users,
    ),
    collateral: ['SCIM-4'],
  }),
  deviation('later-answers-created', 'From the second list on the answer is 201.', ['SCIM-1'], {
    handle: changeAnswer((answer, { memory }) =>
      countUp(memory, 'answers') >= 2 ? { ...answer, status: 201 } : undefined,
    ),
    collateral: ['SCIM-2', 'SCIM-5', 'SCIM-7'],
  }),
];
