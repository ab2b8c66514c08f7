import { parseJson } from '../../../spec/base/json.ts';
import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import { refusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { itemsOf } from '../../pipeline/paging.ts';
import { decodeValue } from '../../pipeline/request-line.ts';
import type { UserRow } from '../../world/rows.ts';

type ScimUser = components['schemas']['ScimUser'];

/** Paging of RFC 7644 section 3.4.2.4. */
export const listScimUsers: Handler<'listScimUsers'> = {
  alsoReads: () => ['filter'],
  validate(call) {
    if (!call.sentQuery.has('filter')) return undefined;
    const choice = call.assume('SCIM-15');
    if (choice === 'ignored' || (choice === 'user-name' && nameIn(call) !== undefined)) {
      return undefined;
    }
    const message =
      choice === 'refused' ? 'The parameter filter is not supported' : `filter must be ${FORM}`;
    const refused =
      choice === 'refused'
        ? call.refuseAssumed('SCIM-15', message, 'filter')
        : refusal(400, 'SCIM-15', message, 'filter');
    return { ...refused, scimType: 'invalidFilter' };
  },
  handle(call) {
    const all = call.world.state.tables.users.list();
    const name = call.choice('SCIM-15') === 'user-name' ? nameIn(call)?.toLowerCase() : undefined;
    const users =
      name === undefined
        ? all
        : all.slice(0, all.length).filter(({ email }) => email.toLowerCase() === name);
    const startIndex = Math.max(1, call.query.startIndex ?? 1);
    const count = Math.max(0, call.query.count ?? defaultCount(call, users.length, startIndex));
    const few = call.assume('SCIM-13') === 'few';
    const choice = call.details('SCIM-13').join(' ') || few;
    const place = { offset: startIndex - 1, limit: count, choice };
    const page = itemsOf(call, users, place, (user) => {
      const record = scimUser(user, few);
      const [shown = record] = call.basis.shaped(['SCIM-13'], [record]) as ScimUser[];
      return shown;
    });
    const isPart = page.length < users.length;
    const told = { startIndex, itemsPerPage: page.length };
    return call.reply(200, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: users.length,
      ...(isPart || call.assume('SCIM-17') === 'given' ? told : {}),
      ...(page.length > 0 || call.assume('SCIM-18') === 'empty' ? { Resources: page } : {}),
    });
  },
};

const FORM = 'userName eq "<name>"';

/** The name in a filter of the only supported form. */
function nameIn({ sentQuery }: Call<'listScimUsers'>): string | undefined {
  const text = decodeValue(sentQuery.get('filter')?.[0] ?? '') ?? '';
  const [, name] = /^\s*userName\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text) ?? [];
  const value = name === undefined ? undefined : parseJson(name);
  return typeof value === 'string' ? value : undefined;
}

function defaultCount(call: Call<'listScimUsers'>, total: number, startIndex: number): number {
  const [number = 10] = call.details('SCIM-12').map(Number);
  const counts: Readonly<Record<string, number>> = { hundred: 100, twenty: 20, number };
  const left = total - startIndex + 1;
  return left <= Math.min(...Object.values(counts))
    ? left
    : (counts[call.assume('SCIM-12')] ?? left);
}

function scimUser(user: UserRow, few: boolean): ScimUser {
  const record: ScimUser = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: String(user.id),
    userName: user.email,
  };
  if (few) return record;
  const formatted = `${user.givenName} ${user.familyName}`;
  return {
    ...record,
    name: { givenName: user.givenName, familyName: user.familyName, formatted },
    displayName: formatted,
    emails: [{ value: user.email, primary: true, type: 'work' }],
    active: true,
    meta: { resourceType: 'User', created: user.createdAt, lastModified: user.createdAt },
  };
}
