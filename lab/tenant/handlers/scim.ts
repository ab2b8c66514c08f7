/** Users, for an identity provider. */

import type { Call } from '../call.ts';
import { type Fields, Refusal, type Reply, reply } from '../exchange.ts';

export const scimMedia = 'application/scim+json';

/** A page has ten users by default, and at most twenty-five. */
export function users({ query, state }: Call): Reply {
  if (query.filter !== undefined) throw new Refusal(501, 'E-800 no filters');
  const whole = (name: string, otherwise: number): number => {
    const text = query[name] ?? String(otherwise);
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
  const list = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: state.users.length,
    startIndex,
    itemsPerPage: rows.length,
    ...(rows.length === 0 ? {} : { Resources: rows }),
  };
  return reply(200, list, scimMedia);
}
