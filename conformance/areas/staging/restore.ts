/**
 * Puts back the staging environment of a branch. The description does not fix the shape of the
 * branches list (BRANCH-1): it may come in pages, and it may not show the switch. Then the
 * environments of type staging show the state of the switch.
 */

import { canonical, equal, isObject, type JsonObject, objectsIn } from '../../../spec/base/json.ts';
import type { Answer } from '../../language/answer.ts';
import { isMissingName } from '../../language/scope.ts';
import type { Ask, Restorer } from '../../safety/areas.ts';
import { pagesOf } from '../../safety/ask.ts';
import { isFound } from '../../safety/restorer.ts';
import type { TenantObject } from '../../target/call.ts';

interface StagingState {
  /** The state in the branches list; undefined if the list does not show it. */
  readonly enabled: boolean | undefined;
  /** Identifiers of the environments of type staging; undefined if their list is broken. */
  readonly staging: readonly string[] | undefined;
  /** Their names, if each is unique. A service may give a new identifier at each switch. */
  readonly names?: readonly string[] | undefined;
}

export const stagingRestorer: Partial<Restorer> = {
  read: readState,
  same: (a, b) => {
    const [x, y] = [a as StagingState, b as StagingState];
    if (x.enabled !== undefined && y.enabled !== undefined) return x.enabled === y.enabled;
    return equal(x.staging, y.staging) || (x.names !== undefined && equal(x.names, y.names));
  },
  answersShow: false,
  ours: (now, _before, sent) => {
    const { enabled } = now as StagingState;
    return enabled === undefined || sent.some((body) => isObject(body) && body.enabled === enabled);
  },
  bodies: ({ fields }, before, now) => {
    const enabled = enabledBefore(before as StagingState, now as StagingState);
    // The body names the branch as the write did, because the guard permits no other name.
    return enabled === undefined ? [] : [{ ...fields, enabled }];
  },
  apart: putBackApart,
  lag: {
    atOnce: (state) => (state as StagingState).enabled !== undefined,
    read: async (object, ask) => idsOf(await stagingOf(object, ask)),
    expected: (state) => (state as StagingState).staging,
  },
};

/** Null if there is no such branch; undefined if neither list shows the switch, or both are refused. */
async function readState(object: TenantObject, ask: Ask): Promise<StagingState | null | undefined> {
  const { branchName, branchId } = object.fields;
  if (branchName === undefined && branchId === undefined) return null;
  const [list, staging] = await Promise.all([branchesOf(object, ask), stagingOf(object, ask)]);
  if (list === undefined || lacksBranch(list, object)) return null;
  const found = list.items.filter((item) => isFound(item, object));
  if (found.length === 0 && isMissingName(String(branchName ?? ''))) return null;
  const shown = found.map((item) => item.isStagingEnvironmentEnabled);
  const enabled = shown.find((value) => typeof value === 'boolean');
  if (enabled === undefined && staging === undefined) return undefined;
  return {
    enabled,
    staging: idsOf(staging),
    names: namesOf(staging),
  };
}

/** Without a list that shows the switch, an additional staging environment means that it was off. */
function enabledBefore(before: StagingState, now: StagingState): boolean | undefined {
  if (before.enabled !== undefined) return before.enabled;
  const named = before.names !== undefined && now.names !== undefined;
  const [was, is] = named ? [before.names, now.names] : [before.staging, now.staging];
  if (was === undefined || is === undefined) return undefined;
  const surplus = is.filter((key) => !was.includes(key)).length;
  const lacking = was.filter((key) => !is.includes(key)).length;
  return surplus === lacking ? undefined : lacking > surplus;
}

/**
 * If others switch branches too, the set of environments differs from the earlier one. So this
 * branch is switched off and on: the environment that appears belongs to it. Its identifier or its
 * name tells whether it existed before.
 */
async function putBackApart(
  object: TenantObject,
  state: unknown,
  ask: Ask,
  rest: () => Promise<void>,
): Promise<boolean> {
  const { enabled, staging: before, names } = state as StagingState;
  if (enabled !== undefined || before === undefined) return false;
  const switchTo = async (on: boolean): Promise<Answer> => {
    const body = { ...object.fields, enabled: on };
    const answer = await ask('setStagingEnvironment', object.parameters, { body });
    await rest();
    return answer;
  };
  const first = await ownOf(object, ask, switchTo);
  // A branch that cannot be enabled was not enabled before.
  if (first === undefined) return true;
  const { own, without } = first;
  const isOwn = ({ id, name }: Staging): boolean =>
    id === own.id || (names !== undefined && name !== undefined && name === own.name);
  let wasOn = before.includes(own.id) || names?.includes(own.name ?? '') === true;
  let sure = true;
  if (!wasOn) {
    const again = await ownOf(object, ask, switchTo);
    if (again === undefined || !isOwn(again.own)) {
      // The environment gets another name each time, so it may have had another name before.
      const gone = before.filter((id) => !without.includes(id)).length;
      wasOn = gone === 1;
      sure = gone <= 1 && without.every((id) => before.includes(id));
    }
  }
  await switchTo(wasOn);
  const now = (await stagingOf(object, ask))?.filter(({ id }) => !without.includes(id));
  return sure && now !== undefined && (wasOn ? now.length > 0 : !now.some(isOwn));
}

/** Switches a branch on and returns its environment; undefined if that is refused. */
async function ownOf(
  object: TenantObject,
  ask: Ask,
  switchTo: (on: boolean) => Promise<Answer>,
): Promise<{ readonly own: Staging; readonly without: readonly string[] } | undefined> {
  for (let time = 0; ; time++) {
    await switchTo(false);
    const without = idsOf(await stagingOf(object, ask)) ?? [];
    if (!(await switchTo(true)).ok) return undefined;
    const came = (await stagingOf(object, ask))?.filter(({ id }) => !without.includes(id)) ?? [];
    const [own = { id: '' }] = came;
    if (time === 5 || came.length === 1) return { own, without };
  }
}

interface BranchList {
  /** Every object in the list, at any depth. */
  readonly items: readonly JsonObject[];
  /** Whether the list is complete, as far as it shows. */
  readonly whole: boolean;
}

/** Reads pages until the branch is found or nothing new comes; undefined if there is no list. */
async function branchesOf(object: TenantObject, ask: Ask): Promise<BranchList | undefined> {
  const seen = new Map<string, JsonObject>();
  let whole = true;
  for (let page = 0; page < 50; page++) {
    const query = page === 0 ? {} : { offset: page * 20 };
    const answer = await ask('listBranches', object.parameters, { query });
    if (page === 0 && answer.status === 404) return undefined;
    if (!answer.ok) break;
    const found = [...objectsIn(answer.body)];
    const before = seen.size;
    for (const item of found) seen.set(canonical(item), item);
    if (found.some((item) => Object.keys(item).some((name) => pageMark.test(name)))) whole = false;
    const isLast = found.length < 20 || seen.size === before;
    if (isLast || found.some((item) => isFound(item, object))) {
      return { items: [...seen.values()], whole };
    }
  }
  return { items: [...seen.values()], whole: false };
}

/** A field that shows that a list has pages. */
const pageMark =
  /^(has_?more|has_?next.*|next.*|cursor|.*cursor|pages?|page_?.*|links?|total.*|offset|pagination)$/i;

/** Whether a complete list with names does not have this branch. */
function lacksBranch({ items, whole }: BranchList, object: TenantObject): boolean {
  const key = object.fields.branchName === undefined ? 'id' : 'name';
  const shown = items.filter((item) => item[key] !== undefined);
  return whole && shown.length > 0 && !shown.some((item) => isFound(item, object));
}

interface Staging {
  readonly id: string;
  readonly name?: string | undefined;
}

const idsOf = (staging: readonly Staging[] | undefined): string[] | undefined =>
  staging?.map(({ id }) => id);

/** The names of the environments; undefined unless all of them are unique. */
function namesOf(staging: readonly Staging[] | undefined): string[] | undefined {
  const names = new Set(staging?.flatMap(({ name }) => name ?? []));
  return names.size === staging?.length ? [...names].sort() : undefined;
}

/** All environments of type staging, by identifier; undefined if the list is broken. */
async function stagingOf(object: TenantObject, ask: Ask): Promise<Staging[] | undefined> {
  const found = new Map<string, Staging>();
  for await (const page of pagesOf(ask, 'listEnvironments', object.parameters)) {
    if (page === undefined) return undefined;
    for (const { id, type, name } of page.items) {
      const named = typeof name === 'string' ? { name } : {};
      if (type === 'staging') found.set(String(id), { id: String(id), ...named });
    }
  }
  return [...found.keys()].sort().flatMap((id) => found.get(id) ?? []);
}
