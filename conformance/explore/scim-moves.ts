/** The list of users for provisioning, by the paging of RFC 7644. */

import fc from 'fast-check';
import { equal, isObject } from '../../spec/base/json.ts';
import type { Conditions } from '../language/scenario.ts';
import type { Contradiction, Entry } from './contradiction.ts';
import { type MoveKind, moveKind, type Setting } from './move.ts';
import { scimList, walkList } from './page-reader.ts';
import type { Session } from './session.ts';

type Key = string | { readonly credential: string; readonly scheme: string };

function idsOf(body: unknown): string[] {
  return (scimList.items(body) ?? []).map((item) => String(isObject(item) ? item.id : undefined));
}

async function walk(session: Session, { count, as }: { count: number; as: Key }): Promise<void> {
  const entry = await walkList(session, { as, call: 'listScimUsers' }, scimList, count);
  const { answer } = entry;
  const wrong = (statement: string, conditions: Conditions, because: string): Contradiction =>
    session.contradiction(entry, statement, conditions, because);
  session.expectStatus(
    entry,
    typeof as === 'string' ? 'SCIM-1' : 'AUTH-12',
    200,
    'users are listed',
  );
  const walked = answer.walk;
  if (walked === undefined) {
    const list = { body: { Resources: { $type: 'array' } } };
    throw wrong('SCIM-3', list, 'Resources is no list');
  }
  if (walked.longPages.length > 0 || walked.pageSizes.some((size) => size > count)) {
    throw wrong('SCIM-6', { walk: { longPages: [] } }, 'a page holds more than count');
  }
  if (walked.totals.length !== 1) {
    throw wrong('SCIM-11', { walk: { totals: { $length: 1 } } }, 'totalResults differs');
  }
  if (walked.duplicates.length > 0) {
    throw wrong('SCIM-4', { walk: { duplicates: [] } }, 'a user came twice');
  }
  if (walked.missing !== 0) {
    const later = walked.pageSizes.at(-1) === 0 && (walked.missing ?? 0) > 0;
    throw wrong(
      later ? 'SCIM-4' : 'SCIM-11',
      { walk: { missing: 0 } },
      'not every user was on a page',
    );
  }
  if (walked.wrongOffsets.length > 0) {
    throw wrong('SCIM-9', { walk: { wrongOffsets: [] } }, 'a page says another startIndex');
  }
  for (const page of walked.pages) {
    const { itemsPerPage, startIndex } = page as { itemsPerPage?: unknown; startIndex?: unknown };
    const size = scimList.items(page)?.length ?? 0;
    if (walked.pages.length < 2 || size === 0) continue;
    if (itemsPerPage !== size) {
      const pages = { $every: { itemsPerPage: { $max: count } } };
      const every = typeof itemsPerPage === 'number' && itemsPerPage <= count;
      const exact = { pages: { $contains: { itemsPerPage: size, startIndex } } };
      throw wrong(
        'SCIM-9',
        { walk: every ? exact : { pages } },
        'itemsPerPage is not that of the page',
      );
    }
    if (startIndex === undefined) {
      const pages = { $every: { startIndex: { $present: true } } };
      throw wrong('SCIM-9', { walk: { pages } }, 'a page does not say where it begins');
    }
  }
  const ids = walked.ids.map(String);
  const known = session.model.scimUsers;
  if (known !== undefined && !equal([...known].sort(), [...ids].sort())) {
    const conditions = { walk: { ids: { $sameSet: known } } };
    throw wrong('SCIM-4', conditions, 'the walk gave other users than the one before');
  }
  session.model.scimUsers = ids;
}

/** A page and the one that follows it, of another size. */
async function follow(
  session: Session,
  { first, second }: { first: number; second: number },
): Promise<void> {
  const read = (startIndex: number, count: number) =>
    session.call({ as: 'scim', call: 'listScimUsers', query: { startIndex, count } });
  const one = await read(1, first);
  session.expectStatus(one, 'SCIM-1', 200, 'users are listed');
  const seen = idsOf(one.answer.body);
  if (seen.length !== first) return;
  const two = await read(first + 1, second);
  session.expectStatus(two, 'SCIM-1', 200, 'users are listed');
  if (!idsOf(two.answer.body).some((id) => seen.includes(id))) return;
  const is = { $disjointFrom: `{steps.${one.id}.body.Resources.id}` };
  const conditions = { that: { value: '{body.Resources.id}', is } };
  throw session.contradiction(two, 'SCIM-4', conditions, 'a user is on both pages');
}

interface Asked {
  readonly startIndex: number | undefined;
  readonly count: number | undefined;
  readonly as: Key;
}

async function page(session: Session, { startIndex, count, as }: Asked): Promise<void> {
  const query = {
    ...(startIndex === undefined ? {} : { startIndex }),
    ...(count === undefined ? {} : { count }),
  };
  const entry = await session.call({ as, call: 'listScimUsers', query });
  const below = (startIndex ?? 1) < 1;
  const few = (count ?? 1) < 1;
  const status = below ? 'SCIM-5' : few ? 'SCIM-7' : typeof as === 'string' ? 'SCIM-1' : 'AUTH-12';
  session.expectStatus(entry, status, 200, 'users are listed');
  judgePage(session, entry, { startIndex, count, as });
}

function judgePage(session: Session, entry: Entry, { startIndex, count }: Asked): void {
  const body = entry.answer.body as Record<string, unknown>;
  const wrong = (statement: string, conditions: Conditions, because: string): Contradiction =>
    session.contradiction(entry, statement, conditions, because);
  const ids = idsOf(body);
  const size = Math.max(0, count ?? Number.POSITIVE_INFINITY);
  const total = session.model.scimUsers?.length;
  if (ids.length > size) {
    const statement = size === 0 ? 'SCIM-7' : 'SCIM-6';
    const resources = { $any: [{ $absent: true }, { $length: { $max: size } }] };
    throw wrong(statement, { body: { Resources: resources } }, 'the page holds more than count');
  }
  if (total === undefined) return;
  if (body.totalResults !== total) {
    const statement = size === 0 ? 'SCIM-7' : 'SCIM-11';
    throw wrong(statement, { body: { totalResults: total } }, `there were ${total} users`);
  }
  const begin = Math.max(1, startIndex ?? 1);
  const rest = Math.max(0, total - begin + 1);
  if (
    size > 0 &&
    (startIndex ?? 1) < 1 &&
    ids.length < Math.min(size, rest) &&
    count !== undefined
  ) {
    const least = { Resources: { $length: Math.min(size, rest) } };
    throw wrong('SCIM-5', { body: least }, 'the page lacks users');
  }
  if (size === 0 || ids.length === 0) return;
  if (startIndex !== undefined && startIndex < 1) judgeBeginning(session, entry, count);
  const said = body.startIndex;
  if (said !== undefined && said !== begin) {
    const statement = (startIndex ?? 1) < 1 ? 'SCIM-5' : 'SCIM-9';
    throw wrong(statement, { body: { startIndex: begin } }, 'the page says another startIndex');
  }
}

/** A startIndex below 1 counts as 1: the page is that of the earlier call with 1. */
function judgeBeginning(session: Session, entry: Entry, count: number | undefined): void {
  const first = session.model.scimFirst.get(count ?? 0);
  if (first === undefined || count === undefined) return;
  const ids = idsOf(entry.answer.body);
  if (equal([...ids].sort(), [...first.ids].sort())) return;
  const value = `{steps.${first.entry}.body.Resources.id}`;
  const conditions = { that: { value: '{body.Resources.id}', is: { $sameSet: value } } };
  throw session.contradiction(entry, 'SCIM-5', conditions, 'it counts as 1');
}

async function fromBelow(
  session: Session,
  { startIndex, count }: { startIndex: number; count: number },
): Promise<void> {
  const first = await session.call({
    as: 'scim',
    call: 'listScimUsers',
    query: { startIndex: 1, count },
  });
  session.expectStatus(first, 'SCIM-1', 200, 'users are listed');
  session.model.scimFirst.set(count, { entry: first.id, ids: idsOf(first.answer.body) });
  await page(session, { startIndex, count, as: 'scim' });
  session.model.scimFirst.delete(count);
}

export function scimMoves({ target }: Setting): MoveKind[] {
  if (!target.credentials.has('scim')) return [];
  const as = fc.constantFrom<Key>('scim', 'scim', { credential: 'scim', scheme: 'Api-Key' });
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs: ['scim'], effect: 'none' }) as const;
  return [
    moveKind(
      about('walk users', 2.5),
      fc.record({ count: fc.constantFrom(7, 15, 20, 12, 41), as }),
      walk,
    ),
    moveKind(
      about('read a page of users', 5),
      fc.record({
        startIndex: fc.constantFrom(undefined, 1, 2, 11, 41, 0, -3),
        count: fc.constantFrom(undefined, 0, 0, -1, 1, 5, 12),
        as,
      }),
      page,
    ),
    moveKind(
      about('read pages that follow', 2),
      fc.record({ first: fc.constantFrom(3, 7, 12), second: fc.constantFrom(2, 5, 8) }),
      follow,
    ),
    moveKind(
      about('read users from below the first', 2),
      fc.record({ startIndex: fc.constantFrom(0, -1, -3), count: fc.constantFrom(2, 5, 12) }),
      fromBelow,
    ),
  ];
}
