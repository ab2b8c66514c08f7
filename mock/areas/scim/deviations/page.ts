/** A page of SCIM users: what was asked for, what it shows and what it says of itself. */

import type { Scene } from '../../../deviations/deviation.ts';
import {
  callOf,
  deviationOf,
  type Handle,
  isRecord,
  type Json,
  mapBody,
  refusesValid,
  type StageHook,
  same,
  whenDone,
} from '../../../deviations/transforms.ts';
import type { Call } from '../../../pipeline/call.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';

interface Paging {
  /** Undefined where it was not sent. */
  readonly startIndex: number | undefined;
  readonly count: number | undefined;
}

export const deviation = deviationOf('scim', 'listScimUsers');

export function pagingOf(call: Call): Paging {
  const { startIndex, count } = callOf<'listScimUsers'>(call).query;
  return { startIndex, count };
}

function setPaging(call: Call, { startIndex, count }: Paging): void {
  const { query } = callOf<'listScimUsers'>(call);
  delete query.startIndex;
  delete query.count;
  if (startIndex !== undefined) query.startIndex = startIndex;
  if (count !== undefined) query.count = count;
}

/** Serves another page than was asked for, which says that it is the one that was asked for. */
export function serves(change: (paging: Paging, scene: Scene) => Paging): Handle {
  return (next, scene) => {
    const sent = pagingOf(scene.call);
    const honest = next();
    setPaging(scene.call, change(sent, scene));
    return whenDone(next(), (done) => {
      setPaging(scene.call, sent);
      if (honest instanceof Promise || isRefusal(honest) || isRefusal(done)) return done;
      if (!isRecord(honest.body) || !isRecord(done.body)) return done;
      const body = { ...done.body, startIndex: honest.body.startIndex };
      if (same(body, honest.body)) return done;
      return { ...done, body };
    });
  };
}

/** The users of a page; undefined where it shows none. */
export function usersOf(body: Json): readonly Json[] | undefined {
  return Array.isArray(body.Resources) ? body.Resources.filter(isRecord) : undefined;
}

/** Changes the users of a page; itemsPerPage counts them. */
export function shows(
  change: (users: readonly Json[], body: Json, scene: Scene) => readonly Json[],
): Handle {
  return mapBody((body, scene) => {
    const users = usersOf(body);
    if (users === undefined) return undefined;
    const changed = change(users, body, scene);
    return same(users, changed)
      ? undefined
      : { ...body, itemsPerPage: changed.length, Resources: changed };
  });
}

export const isLater = (body: Json) => Number(body.startIndex) > 1;

/** Refuses a page that RFC 7644 serves. */
export function refuses(message: string, when: (paging: Paging) => boolean): StageHook {
  return refusesValid('ERR-5', message, (call) => when(pagingOf(call)));
}

/** Changes what a list says of itself. */
export function says(change: (body: Json, scene: Scene) => Json | undefined): Handle {
  return mapBody((body, scene) => {
    const changed = change(body, scene);
    return changed === undefined || same(changed, body) ? undefined : changed;
  });
}

export const DEFAULT_COUNT = 100;
