/** Users, for an identity provider. */

import { type Fields, type KnownCall, parameter, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { State } from '../state.ts';

export const scimMedia = 'application/scim+json';

/** Ten users a page where nothing is said, and never more than twenty-five. */
export function users(call: KnownCall, state: State): Reply {
  knowsOnly(call, ['count', 'startIndex', 'filter', 'attributes', 'sortBy']);
  if (parameter(call, 'filter') !== undefined) throw new Refusal(501, 'E-800 no filters');
  const whole = (name: string, otherwise: number): number => {
    const text = parameter(call, name) ?? String(otherwise);
    if (!/^-?\d{1,9}$/.test(text)) throw new Refusal(422, `E-801 ${name}`);
    return Number(text);
  };
  const startIndex = Math.max(whole('startIndex', 1), 1);
  const count = Math.min(Math.max(whole('count', 10), 0), 25);
  const found = state.users.slice(startIndex - 1, startIndex - 1 + count);
  const rows = found.map(
    ({ id, name, email }): Fields => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: `u${id}`,
      userName: email.split('@')[0] ?? '',
      nickName: name.slice(0, 3),
      active: id % 5 !== 0,
    }),
  );
  return {
    ...reply(200, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: state.users.length,
      startIndex,
      itemsPerPage: rows.length,
      ...(rows.length === 0 ? {} : { Resources: rows }),
    }),
    media: scimMedia,
  };
}
