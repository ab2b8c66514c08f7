/**
 * How each kind of write is taken back: how its previous value is read, what it means to be as
 * before, and how it is put back. Answers are read leniently, since a target that breaks a promise
 * still must not be left changed.
 */

import { canonical, equal, isObject, type JsonObject, objectsIn } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import { isMissingName } from '../language/scope.ts';
import type { Outgoing } from '../target/client.ts';
import type { WriteTarget } from '../target/guard.ts';

/** Sends a request as somebody who may; rejects with CouldNotRun. */
export type Send = (
  request: Omit<Outgoing, 'authorization' | 'headers' | 'plain'>,
) => Promise<Answer>;

export interface Restorer {
  /** The value to put back; undefined where it cannot be read, null where there is no such object. */
  readonly read: (object: WriteTarget, send: Send) => Promise<unknown>;
  readonly same: (a: unknown, b: unknown) => boolean;
  /** Whether a value is what our bodies (in any part) would have made of `before`. */
  readonly ours: (value: unknown, before: unknown, sent: readonly unknown[]) => boolean;
  /** The value that a write's answer shows, where it shows one. */
  readonly shown: (object: WriteTarget, answer: Answer) => unknown;
  /** Bodies that put the value back, in order. */
  readonly bodies: (object: WriteTarget, before: unknown, now: unknown) => readonly JsonObject[];
}

/** Undefined for writes that leave nothing to put back. */
export function restorerOf(object: WriteTarget): Restorer | undefined {
  const id = object.operation?.id;
  return id === undefined ? undefined : restorers[id];
}

export function get(path: string, query: Outgoing['query'] = []): Parameters<Send>[0] {
  return { method: 'GET', path, query, text: undefined, body: undefined };
}

export function put(path: string, body: JsonObject): Parameters<Send>[0] {
  return { method: 'PUT', path, query: [], text: JSON.stringify(body), body };
}

export function pathOf(object: WriteTarget): string {
  const path = object.operation?.path ?? '';
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(object.parameters[name] ?? ''),
  );
}

/** An empty update is the only way in which this API shows a folder. */
const folder: Restorer = {
  read: async (object, send) => {
    const answer = await send(put(pathOf(object), {}));
    if (answer.status === 404) return null;
    return answer.ok ? folderIn(object, answer) : undefined;
  },
  shown: folderIn,
  same: equal,
  ours: (value, before, sent) =>
    isObject(value) &&
    isObject(before) &&
    ['name', 'position'].every(
      (key) =>
        equal(value[key], before[key]) ||
        sent.some((body) => isObject(body) && key in body && equal(value[key], body[key])),
    ),
  bodies: (_object, before) => (isObject(before) ? [before] : []),
};

function folderIn(object: WriteTarget, answer: Answer): unknown {
  const { folderId } = object.parameters;
  for (const item of objectsIn(answer.body)) {
    // Which fields may be absent is a silence (FOLDER-13): the answer itself is the folder.
    const own = item === answer.body && item.id === undefined;
    const same = String(item.id) === folderId || Number(item.id) === Number(folderId);
    if (!(own || same) || typeof item.name !== 'string') continue;
    const position = typeof item.position === 'number' ? { position: item.position } : {};
    return { name: item.name, ...position };
  }
  return undefined;
}

interface StagingState {
  /** Undefined where the branches list does not show it. */
  readonly enabled: boolean | undefined;
  /** Identifiers of the environments of type staging. */
  readonly staging: readonly string[] | undefined;
}

const staging: Restorer = {
  read: async (object, send): Promise<StagingState | undefined | null> => {
    const { name, id } = object.branch;
    if (name === undefined && id === undefined) return null;
    const deployment = encodeURIComponent(object.parameters.deployment_id ?? '');
    const list = await branchesOf(deployment, object.branch, send);
    if (list === undefined || lacksBranch(list, object.branch)) return null;
    const found = list.items.some((item) => isBranch(item, object.branch));
    if (!found && isMissingName(name ?? '')) return null;
    const enabled = enabledIn(list.items, object.branch);
    return { enabled, staging: await stagingIds(deployment, send) };
  },
  same: (a, b) => {
    const [x, y] = [a as StagingState, b as StagingState];
    if (x.enabled !== undefined && y.enabled !== undefined) return x.enabled === y.enabled;
    return equal(x.staging, y.staging);
  },
  shown: () => undefined,
  ours: (value, _before, sent) => {
    const { enabled } = value as StagingState;
    return enabled === undefined || sent.some((body) => isObject(body) && body.enabled === enabled);
  },
  bodies: (object, before, now) => {
    const enabled = enabledBefore(before as StagingState, now as StagingState);
    if (enabled === undefined) return [];
    const { name, id } = object.branch;
    // Named as the write named it: the guard holds no other name of it.
    const branch = {
      ...(name === undefined ? {} : { branchName: name }),
      ...(id === undefined ? {} : { branchId: /^\d+$/.test(id) ? Number(id) : id }),
    };
    return [{ ...branch, enabled }];
  },
};

/** Without a list that shows the switch, a surplus of staging environments says that it was off. */
function enabledBefore(before: StagingState, now: StagingState): boolean | undefined {
  if (before.enabled !== undefined) return before.enabled;
  if (before.staging === undefined || now.staging === undefined) return undefined;
  const surplus = now.staging.filter((id) => !before.staging?.includes(id)).length;
  const lacking = before.staging.filter((id) => !now.staging?.includes(id)).length;
  if (surplus === lacking) return undefined;
  return lacking > surplus;
}

interface BranchList {
  /** Every object in it, at whatever depth: the shape of the list is a silence (BRANCH-1). */
  readonly items: readonly JsonObject[];
  /** Whether nothing says that there is more. */
  readonly whole: boolean;
}

/** Reads pages until the branch is found or nothing new comes; undefined where there is no list. */
async function branchesOf(
  deployment: string,
  branch: WriteTarget['branch'],
  send: Send,
): Promise<BranchList | undefined> {
  const path = `/build/api/v1/deployments/${deployment}/branches`;
  const items: JsonObject[] = [];
  const known = new Set<string>();
  let whole = true;
  for (let page = 0; page < 50; page++) {
    const query: Outgoing['query'] = page === 0 ? [] : [['offset', String(page * 20)]];
    const answer = await send(get(path, query));
    if (page === 0 && answer.status === 404) return undefined;
    if (!answer.ok) return { items, whole: false };
    const found = [...objectsIn(answer.body)];
    const fresh = found.filter((item) => !known.has(canonical(item)));
    for (const item of fresh) known.add(canonical(item));
    items.push(...fresh);
    if (found.some((item) => Object.keys(item).some(marksPages))) whole = false;
    if (found.some((item) => isBranch(item, branch)) || found.length < 20 || fresh.length === 0) {
      return { items, whole };
    }
  }
  return { items, whole: false };
}

/** A field by which a list says that it comes in parts. */
function marksPages(name: string): boolean {
  return /^(has_?more|has_?next.*|next.*|cursor|.*cursor|pages?|page_?.*|links?|total.*|offset|pagination)$/i.test(
    name,
  );
}

function isBranch(item: JsonObject, { name, id }: WriteTarget['branch']): boolean {
  return (
    (name !== undefined && item.name === name) ||
    (id !== undefined && (String(item.id) === id || Number(item.id) === Number(id)))
  );
}

/** Whether a whole list that does name its branches does not name this one. */
function lacksBranch({ items, whole }: BranchList, branch: WriteTarget['branch']): boolean {
  const key = branch.name === undefined ? 'id' : 'name';
  const shown = items.filter((item) => item[key] !== undefined);
  return whole && shown.length > 0 && !shown.some((item) => isBranch(item, branch));
}

function enabledIn(
  items: readonly JsonObject[],
  branch: WriteTarget['branch'],
): boolean | undefined {
  for (const item of items) {
    const { isStagingEnvironmentEnabled: enabled } = item;
    if (isBranch(item, branch) && typeof enabled === 'boolean') return enabled;
  }
  return undefined;
}

/** Identifiers of all environments of type staging, sorted; undefined where the list is broken. */
export async function stagingIds(deployment: string, send: Send): Promise<string[] | undefined> {
  const path = `/api/v1/deployments/${deployment}/environments`;
  const found = new Set<string>();
  for (let offset = 0; offset < 2000; offset += 20) {
    const answer = await send(
      get(path, [
        ['offset', String(offset)],
        ['limit', '20'],
      ]),
    );
    if (!answer.ok) return undefined;
    let items = 0;
    for (const item of objectsIn(answer.body)) {
      if (item.id === undefined || item.type === undefined) continue;
      items++;
      if (item.type === 'staging') found.add(String(item.id));
    }
    const total = [...objectsIn(answer.body)].find((item) => typeof item.total === 'number')?.total;
    if (items === 0 || offset + 20 >= Number(total ?? 0)) break;
  }
  return [...found].sort();
}

interface VersionState {
  /** As the list spells it. */
  readonly version: string;
  readonly channel: unknown;
  readonly head: unknown;
}

const version: Restorer = {
  read: async (object, send): Promise<VersionState | undefined | null> => {
    const answer = await send(get(`${pathOf(object)}/versions`));
    if (answer.status === 404) return null;
    if (!answer.ok) return undefined;
    const current = [...objectsIn(answer.body)].filter((item) => item.isCurrent === true);
    const [only] = current;
    if (current.length !== 1 || only === undefined) return undefined;
    const spelling = only.releaseChannelVersion ?? only.version;
    if (typeof spelling !== 'string') return undefined;
    return { version: spelling, channel: only.releaseChannel, head: only.isLatestInChannel };
  },
  shown: () => undefined,
  same: (a, b) => plainVersion(a) === plainVersion(b),
  ours: (value, _before, sent) =>
    sent.some((body) => {
      if (!isObject(body)) return false;
      const { releaseChannelVersion, releaseChannel } = body;
      if (releaseChannelVersion !== undefined) {
        return bareVersion(releaseChannelVersion) === plainVersion(value);
      }
      const { channel, head } = value as VersionState;
      return releaseChannel === channel && head === true;
    }),
  bodies: (_object, before) =>
    isObject(before) ? [{ releaseChannelVersion: before.version }] : [],
};

function plainVersion(state: unknown): string {
  return bareVersion(isObject(state) ? state.version : undefined);
}

/** The three spellings of a version are one version. */
function bareVersion(value: unknown): string {
  return String(value).replace(/^.*:/, '').replace(/^v/, '');
}

const restorers: Partial<Record<OperationId, Restorer>> = {
  updateFolder: folder,
  setStagingEnvironment: staging,
  updateDeployment: version,
};
