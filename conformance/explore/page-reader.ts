/** Reads a list page after page, as the verbs `walkPages` and `scimList` of scenarios do. */

import { isObject } from '../../spec/base/json.ts';
import { assembleWalk, type Page } from '../answers/walk.ts';
import type { Answer } from '../language/answer.ts';
import type { CallData, Entry } from './contradiction.ts';
import type { Session } from './session.ts';

const mostPages = 300;

export interface ListKind {
  readonly verb: 'walkPages' | 'scimList';
  readonly first: number;
  readonly position: string;
  readonly size: string;
  readonly items: (body: unknown) => readonly unknown[] | undefined;
}

export const offsetList = (word: string): ListKind => ({
  verb: 'walkPages',
  first: 0,
  position: 'offset',
  size: 'limit',
  items: (body) => {
    const data = isObject(body) && isObject(body.data) ? body.data[word] : undefined;
    return Array.isArray(data) ? data : undefined;
  },
});

export const scimList: ListKind = {
  verb: 'scimList',
  first: 1,
  position: 'startIndex',
  size: 'count',
  items: (body) => {
    if (!isObject(body)) return undefined;
    if (body.Resources === undefined) return [];
    return Array.isArray(body.Resources) ? body.Resources : undefined;
  },
};

/** A walk over all pages; its entry has the walk, or the answer of the page that was none. */
export async function walkList(
  session: Session,
  data: CallData,
  kind: ListKind,
  size: number | undefined,
): Promise<Entry> {
  const sized = size === undefined ? {} : { [kind.size]: size };
  const start = size === undefined ? {} : { [kind.position]: kind.first };
  const entry = await session.call({ ...data, query: { ...data.query, ...start, ...sized } });
  const plain: Entry = { ...entry, data };
  session.entries[session.entries.length - 1] = plain;
  plain.verbs[kind.verb] = sized;
  await readOn(session, plain, kind, size);
  return plain;
}

/** Walks again for the same step. */
export async function walkAgain(
  session: Session,
  entry: Entry,
  kind: ListKind,
  size: number | undefined,
): Promise<void> {
  const sized = size === undefined ? {} : { [kind.size]: size, [kind.position]: kind.first };
  session.settle(entry, await session.again(entry, sized));
  await readOn(session, entry, kind, size);
}

async function readOn(
  session: Session,
  entry: Entry,
  kind: ListKind,
  size: number | undefined,
): Promise<void> {
  const pages: Page[] = [];
  const seen = new Set<unknown>();
  let answer: Answer = entry.answer;
  let asked = kind.first;
  for (;;) {
    const beyond = pages.length > 0 && asked - kind.first >= (pages[0]?.total ?? Infinity);
    const items = answer.ok ? kind.items(answer.body) : undefined;
    if (items === undefined) {
      if (beyond) break;
      return session.settle(entry, answer);
    }
    const ids = items.map((item) => (isObject(item) ? item.id : undefined));
    if (beyond && ids.every((id) => seen.has(id))) break;
    for (const id of ids) seen.add(id);
    const about = aboutPage(kind, answer.body);
    pages.push({ body: answer.body, items, asked, askedSize: size, ...about });
    const step =
      kind.verb === 'scimList'
        ? items.length
        : Math.min(size ?? about.size ?? 0, about.size ?? size ?? 0);
    if (items.length === 0 || step <= 0 || pages.length >= mostPages) break;
    asked += step;
    // A full last page may hide more: what a total denies is looked for once.
    const full = items.length >= step;
    const ended = about.total === undefined || asked - kind.first >= about.total;
    if (ended && (beyond || !full)) break;
    const sized = size === undefined ? {} : { [kind.size]: size };
    answer = await session.again(entry, { ...sized, [kind.position]: asked });
  }
  entry.answer.walk = assembleWalk(pages, 'id', []);
  session.settle(entry, entry.answer);
}

function aboutPage(kind: ListKind, body: unknown): Pick<Page, 'position' | 'size' | 'total'> {
  const whole = (value: unknown): number | undefined =>
    Number.isInteger(value) ? Number(value) : undefined;
  if (!isObject(body)) return { position: undefined, size: undefined, total: undefined };
  if (kind.verb === 'scimList') {
    return { position: whole(body.startIndex), size: undefined, total: whole(body.totalResults) };
  }
  const { offset, limit, total } = isObject(body.pagination) ? body.pagination : {};
  return { position: whole(offset), size: whole(limit), total: whole(total) };
}
