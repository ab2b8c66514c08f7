/** A page of SCIM users: what was asked for, what it shows and what it says of itself. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { type Condition, objectsOf, same } from '../../deviations/changes.ts';
import { type Does, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { callOf, replace, sending } from '../../deviations/sent.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal } from '../../pipeline/exchange.ts';

export interface Paging {
  /** Undefined where it was not sent. */
  readonly startIndex: number | undefined;
  readonly count: number | undefined;
}

export const DEFAULT_COUNT = 100;

export function pagingOf(call: Call): Paging {
  const { startIndex, count } = callOf<'listScimUsers'>(call).query;
  return { startIndex, count };
}

function setPaging(call: Call, paging: Paging): void {
  const sent = Object.entries(paging).filter(([, value]) => value !== undefined);
  replace(callOf<'listScimUsers'>(call).query, Object.fromEntries(sent));
}

export const { refuses } = sending<Paging>({ read: pagingOf, write: setPaging });

/** Serves another page than was asked for, which says that it is the one that was asked for. */
export const serves = (
  change: (paging: Paging, scene: Scene) => Partial<Paging> | undefined,
): Does =>
  onHandling((next, scene) => {
    const sent = pagingOf(scene.call);
    const honest = next();
    setPaging(scene.call, { ...sent, ...change(sent, scene) });
    return whenDone(next(), (done) => {
      setPaging(scene.call, sent);
      if (honest instanceof Promise || isRefusal(honest) || isRefusal(done)) return done;
      if (!isObject(honest.body) || !isObject(done.body)) return done;
      const body = { ...done.body, startIndex: honest.body.startIndex };
      return same(body, honest.body) ? done : { ...done, body };
    });
  });

/** Serves a page that begins elsewhere, where a beginning was sent. */
export const begins = (at: (startIndex: number, paging: Paging) => number): Does =>
  serves((paging) =>
    paging.startIndex === undefined ? undefined : { startIndex: at(paging.startIndex, paging) },
  );

/** Serves a page as if a count had been sent that is other, or none, where one was. */
export const counts = (
  as: number | undefined | ((count: number) => number),
  when: (count: number, paging: Paging) => boolean = (count) => count > 0,
): Does =>
  serves((paging) => {
    const { count } = paging;
    if (count === undefined || !when(count, paging)) return undefined;
    return { count: typeof as === 'function' ? as(count) : as };
  });

/** The users of a page; undefined where it shows none. */
export function usersOf(body: JsonObject): readonly JsonObject[] | undefined {
  return Array.isArray(body.Resources) ? objectsOf(body.Resources) : undefined;
}

/** Changes the users of a page; itemsPerPage counts them. */
export const shows = (
  change: (
    users: readonly JsonObject[],
    body: JsonObject,
    scene: Scene,
  ) => readonly JsonObject[] | undefined,
): Does =>
  answersBody((body, scene) => {
    const users = usersOf(body);
    const changed = users && change(users, body, scene);
    return changed === undefined || same(users, changed)
      ? undefined
      : { ...body, itemsPerPage: changed.length, Resources: changed };
  });

/** Changes what a list says of itself. */
export const says = answersBody;

export const isLater: Condition<JsonObject, unknown> = (body) => Number(body.startIndex) > 1;

export const beginsBelowOne: Condition<JsonObject, Scene> = (_body, { call }) =>
  (pagingOf(call).startIndex ?? 1) < 1;
