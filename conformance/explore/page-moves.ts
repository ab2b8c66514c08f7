/** Pages, totals and filters of the deployments and environments lists; staging as it is listed. */

import fc from 'fast-check';
import { equal, isObject } from '../../spec/base/json.ts';
import type { Conditions } from '../language/scenario.ts';
import type { CallData, Contradiction, Entry } from './contradiction.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import { type ListKind, offsetList, walkList } from './page-reader.ts';
import type { Session } from './session.ts';

const deployments = offsetList('deployments');
export const environments = offsetList('environments');
export const environmentsPath = { deployment_id: '{deployment.id}' };

/** What every walk over pages promises. */
export function judgeWalk(session: Session, entry: Entry, size: number | undefined): void {
  const { walk } = entry.answer;
  const wrong = (statement: string, conditions: Conditions, because: string): Contradiction =>
    session.contradiction(entry, statement, conditions, because);
  if (walk === undefined) {
    session.expectStatus(entry, 'PAGE-6', 200, 'a page of the list is served');
    return;
  }
  const first = walk.pages[0];
  const pagination = isObject(first) && isObject(first.pagination) ? first.pagination : {};
  if (size === undefined && pagination.offset !== 0) {
    throw wrong('PAGE-1', { body: { pagination: { offset: 0 } } }, 'no offset was sent');
  }
  if (size === undefined && pagination.limit !== 20) {
    throw wrong('PAGE-2', { body: { pagination: { limit: 20 } } }, 'no limit was sent');
  }
  if (walk.longPages.length > 0) {
    throw wrong('PAGE-4', { walk: { longPages: [] } }, 'a page holds more than its limit');
  }
  if (walk.wrongOffsets.length > 0) {
    throw wrong('PAGE-4', { walk: { wrongOffsets: [] } }, 'a page says another offset or limit');
  }
  if (walk.totals.length > 1) {
    throw wrong('PAGE-5', { walk: { totals: { $length: 1 } } }, 'total differs between pages');
  }
  if (walk.duplicates.length > 0) {
    throw wrong('PAGE-6', { walk: { duplicates: [] } }, 'an item came twice');
  }
  if (walk.shortPages.length > 0) {
    throw wrong('PAGE-6', { walk: { shortPages: [] } }, 'a page before the last is too short');
  }
  if (walk.missing !== 0) {
    throw wrong('PAGE-5', { walk: { missing: 0 } }, 'total is not the number of items');
  }
}

// ── deployments ─────────────────────────────────────────────────────────────────

export async function walkDeployments(
  session: Session,
  { actor, size }: { actor: string; size: number | undefined },
): Promise<void> {
  const entry = await walkList(session, { as: actor, call: 'listDeployments' }, deployments, size);
  const { answer } = entry;
  session.expectStatus(
    entry,
    accessStatement(actor, answer.status, 'DEPL-1'),
    200,
    'the list is served',
  );
  judgeWalk(session, entry, size);
  const ids = (answer.walk?.ids ?? []).map(String);
  judgeReach(session, entry, actor, answer.walk?.items ?? []);
  const reached = [
    String(session.value('{deployment.id}')),
    ...(session.model.reached.get(actor) ?? []),
  ];
  const lacking = reached.find((id) => !ids.includes(id));
  if (lacking !== undefined) {
    const because = `the list lacks ${lacking}, which the credential reaches`;
    const conditions = { walk: { ids: { $contains: lacking } } };
    throw session.contradiction(entry, 'DEPL-4', conditions, because);
  }
  knowTotal(session, entry, actor, ids.length);
}

/** Nothing outside the scope of a key is listed for it. */
function judgeReach(
  session: Session,
  entry: Entry,
  actor: string,
  items: readonly unknown[],
): void {
  const own = session.target.credentials.get(actor)?.claims?.deployments?.map(String);
  const ids = items.map((item) => String(isObject(item) ? item.id : undefined));
  if (own === undefined || ids.every((id) => own.includes(id))) return;
  const is = { $every: { id: { $in: own } } };
  const walked = entry.answer.walk !== undefined;
  const conditions = walked ? { walk: { items: is } } : { body: { data: { deployments: is } } };
  const because = 'the list holds a deployment outside the scope of the key';
  throw session.contradiction(entry, 'DEPL-4', conditions, because);
}

/** Nothing in a walk makes or drops deployments. */
function knowTotal(session: Session, entry: Entry, key: string, total: number): void {
  const known = session.model.totals.get(key);
  if (known === undefined) session.model.totals.set(key, total);
  else if (known !== total) {
    const conditions = { walk: { total: known } };
    throw session.contradiction(entry, 'PAGE-5', conditions, `total was ${known} before`);
  }
}

interface PageAsked {
  readonly list: 'deployments' | 'environments';
  readonly actor: string;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
}

/** One page, wherever it begins. */
async function readPage(
  session: Session,
  { list, actor, offset, limit }: PageAsked,
): Promise<void> {
  const kind: ListKind = list === 'deployments' ? deployments : environments;
  const query = {
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined ? {} : { limit }),
  };
  const data: CallData =
    list === 'deployments'
      ? { as: actor, call: 'listDeployments', query }
      : { as: actor, call: 'listEnvironments', path: environmentsPath, query };
  const entry = await session.call(data);
  const { answer } = entry;
  // An offset behind the end may be answered 404 (PAGE-9).
  if (!answer.ok && offset !== undefined && offset > 0) return;
  const served = list === 'deployments' ? 'DEPL-1' : 'ENV-1';
  session.expectStatus(
    entry,
    accessStatement(actor, answer.status, served),
    200,
    'a page is served',
  );
  const { pagination } = answer.body as { pagination: Record<string, unknown> };
  const expected = { offset: offset ?? 0, limit: limit ?? 20 };
  for (const field of ['offset', 'limit'] as const) {
    if (pagination[field] === expected[field]) continue;
    const sent = field === 'offset' ? offset : limit;
    const statement = sent !== undefined ? 'PAGE-4' : field === 'offset' ? 'PAGE-1' : 'PAGE-2';
    const conditions = { body: { pagination: { [field]: expected[field] } } };
    throw session.contradiction(entry, statement, conditions, `the page says another ${field}`);
  }
  const count = kind.items(answer.body)?.length ?? 0;
  if (count > expected.limit) {
    const conditions = { body: { data: { [list]: { $length: { $max: expected.limit } } } } };
    throw session.contradiction(entry, 'PAGE-4', conditions, 'the page holds more than its limit');
  }
  if (list === 'deployments') judgeReach(session, entry, actor, kind.items(answer.body) ?? []);
  const total = session.model.totals.get(actor);
  if (list !== 'deployments' || total === undefined || pagination.total === total) return;
  const conditions = { body: { pagination: { total } } };
  throw session.contradiction(entry, 'PAGE-5', conditions, `total was ${total} before`);
}

// ── environments ────────────────────────────────────────────────────────────────

export function judgeTypes(session: Session, entry: Entry, type: string): void {
  const items = entry.answer.walk?.items ?? [];
  if (items.every((item) => isObject(item) && item.type === type)) return;
  const conditions = { walk: { items: { $every: { type } } } };
  const first = entry.answer.walk?.pages[0];
  const inFirst = environments.items(first) ?? [];
  const leaked = inFirst.some((item) => !isObject(item) || item.type !== type);
  throw session.contradiction(
    entry,
    leaked ? 'ENV-6' : 'ENV-7',
    conditions,
    `an environment is not of type ${type}`,
  );
}

/** The list with a type against the same list without one. */
async function compareTypes(
  session: Session,
  { type, size }: { type: string; size: number | undefined },
): Promise<void> {
  await session.rest();
  const data: CallData = { as: 'admin', call: 'listEnvironments', path: environmentsPath };
  const whole = await walkList(session, data, environments, undefined);
  session.expectStatus(whole, 'ENV-1', 200, 'the list is served');
  judgeWalk(session, whole, undefined);
  const typed = await walkList(session, { ...data, query: { type } }, environments, size);
  session.expectStatus(typed, 'ENV-6', 200, 'the list is served with a type');
  judgeWalk(session, typed, size);
  judgeTypes(session, typed, type);
  const of = (entry: Entry): string[] =>
    (entry.answer.walk?.items ?? [])
      .filter((item) => isObject(item) && item.type === type)
      .map((item) => String((item as { id: unknown }).id))
      .sort();
  if (equal(of(whole), of(typed))) return;
  const same = { from: `{steps.${whole.id}.walk.items}`, where: { type }, take: 'id' };
  const conditions = { that: { value: same, is: { $sameSet: '{walk.ids}' } } };
  const because = `with and without type=${type} the list holds other environments of that type`;
  throw session.contradiction(typed, 'ENV-6', conditions, because);
}

export function pageMoves({ target, principals }: Setting): MoveKind[] {
  const admin = ['admin', 'deployment.id'];
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs: admin, effect: 'none' }) as const;
  const tenantLimits = [13, 20, undefined, undefined, 44, 50, 30];
  return [
    moveKind(
      about('walk deployments', 3.5),
      fc.record({
        actor: fc.constantFrom(...principals, 'admin'),
        size: fc.constantFrom(...tenantLimits),
      }),
      walkDeployments,
    ),
    moveKind(
      about('read a page', 7),
      fc.record({
        list: fc.constantFrom('deployments' as const, 'environments' as const),
        actor: fc.constantFrom(...principals, ...principals, 'admin'),
        offset: fc.constantFrom(undefined, 0, 1, 2, 20, 3),
        limit: fc.constantFrom(undefined, 1, 2, 3, 10, 20, 30),
      }),
      readPage,
    ),
    moveKind(
      about('compare types', 3),
      fc.record({
        type: fc.constantFrom('staging', 'staging', 'staging', 'production', 'development'),
        size: fc.constantFrom(undefined, 1, 1, 2, 20),
      }),
      compareTypes,
    ),
  ].filter(() => target.credentials.has('admin'));
}
