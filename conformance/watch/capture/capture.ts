/**
 * Makes a fixture of the mock from a tenant, with invented names. It reads and never writes. It takes
 * only known fields of an answer, so an unknown field cannot leak.
 */

import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { kindOfBinding } from '../../language/vocabulary.ts';
import type { Query } from '../../safety/areas.ts';
import { Client, type ClientOptions } from '../../target/client.ts';
import { Guard } from '../../target/guard.ts';
import type { Target } from '../../target/target.ts';
import { countEvents, eventRows } from './audit.ts';
import { type BranchRow, deploymentRows, readDeployments } from './deployments.ts';
import type { Pseudonyms } from './names.ts';
import { numberOfUser, people } from './people.ts';
import { type CaptureCalls, Reads } from './reads.ts';
import { Written } from './written.ts';

export interface CaptureOptions extends Pick<ClientOptions, 'rate' | 'signal' | 'redactor'> {
  readonly calls: CaptureCalls;
  readonly names: Pseudonyms;
  /** Called with the number of deployments that were read, and of all. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  readonly onWait?: ClientOptions['onWait'];
}

export interface Captured {
  /** A fixture for `lockstep mock --fixture`. */
  readonly fixture: JsonObject;
  /** Parts of the tenant that could not be read, and parts that are invented. */
  readonly notes: readonly string[];
  readonly requests: number;
}

/** The days of audit log to request; fewer if the answer is too large. */
const periods = [30, 7, 1];

export async function capture(target: Target, options: CaptureOptions): Promise<Captured> {
  const { names, calls, onProgress, ...paced } = options;
  // The guard permits no write at all.
  const client = new Client(target, new Guard(), paced);
  const reads = new Reads(client, calls);
  const written = new Written(names, reads);
  const { bindings } = target;
  const seen = await readDeployments(reads, written, bindings, onProgress);
  const users = await reads.list('the SCIM list of users', 'users', {}, 'scim');
  // All ids are known before the first is invented, so that they keep their order.
  const lists = seen.deployments.flatMap(({ item, branches, environments }) => [
    item,
    ...branches,
    ...environments,
  ]);
  const ids = [...lists, ...Object.values(bindings)].map(({ id }) => String(id));
  names.keepOrder([...ids, ...(users ?? []).map(numberOfUser)]);
  const held = deploymentRows(seen, written, bindings);
  const made = invented(target, written);
  const { fixture: peopleRows, userOf } = people(target, users, written);
  const audit = await auditRows(reads, written, target);
  const fixture = {
    features: { auditLog: audit !== undefined },
    ...held.fixture,
    ...made,
    ...peopleRows,
    dbtSyncs: await dbtRows(reads, written, target),
    audit: audit?.rows ?? [],
    bindings: bindingRows(target, written, held.branches, userOf, audit?.days),
  };
  return { fixture, notes: reads.told(), requests: client.counts.total };
}

/** Invents the bound folders and notifications, because no call lists them. */
function invented({ bindings }: Target, written: Written): JsonObject {
  const bound = (binding: string) => {
    const own = binding.startsWith('foreign') ? bindings.otherDeployment : bindings.deployment;
    const deploymentId = written.rowId('deployment', own?.id);
    const id = bindings[binding]?.id;
    if (id === undefined || deploymentId === undefined) return undefined;
    written.add(kindOfBinding(binding), id);
    return { id: written.number(id), deploymentId };
  };
  const { folder, nestedFolder } = { folder: bound('folder'), nestedFolder: bound('nestedFolder') };
  const folders = ['folder', 'lockedFolder', 'foreignFolder'].flatMap((binding) => {
    const row = bound(binding);
    return row === undefined ? [] : [{ ...row, name: `invented ${binding}` }];
  });
  if (nestedFolder !== undefined && nestedFolder.id !== folder?.id) {
    const parentId = folder === undefined ? {} : { parentId: folder.id };
    folders.push({ ...nestedFolder, ...parentId, name: 'invented nestedFolder' });
  }
  const notifications = ['notification', 'foreignNotification'].flatMap((one) => bound(one) ?? []);
  if (folders.length + notifications.length > 0)
    written.note(
      'folders and notifications cannot be read: those that are bound are invented, and there are no others',
    );
  return { folders, notifications };
}

async function dbtRows(reads: Reads, written: Written, { bindings }: Target) {
  const { deployment } = bindings;
  const deploymentId = written.rowId('deployment', deployment?.id);
  if (deployment === undefined || deploymentId === undefined) return [];
  const rows: JsonObject[] = [];
  const syncJobId = bindings.dbtSync?.id;
  if (syncJobId !== undefined) {
    const place = { deploymentId: deployment.numericId ?? deployment.id, syncJobId };
    const answer = await reads.ask('the result of dbtSync', 'syncResult', place);
    written.add('sync', syncJobId);
    rows.push({ id: written.id(syncJobId), deploymentId, ...written.dbtResult(answer?.body) });
  }
  for (const state of ['running', 'failed']) {
    const id = bindings[`${state}DbtSync`]?.id;
    if (id === undefined) continue;
    written.add('sync', id);
    rows.push({ id: written.id(id), deploymentId, state });
    written.note(
      `the dbt sync that is bound as ${state}DbtSync is invented: its result cannot be read`,
    );
  }
  return rows;
}

/** Undefined if the plan has no audit log, or nobody may read it. */
async function auditRows(reads: Reads, written: Written, target: Target) {
  const { features, credentials, bindings } = target;
  const bound = bindings.audit ?? {};
  if (features.auditLog === false || features.auditLog === 'absent') {
    written.note('the tenant file says that the audit log is off: the fixture has none');
    return undefined;
  }
  const as = [...credentials].find(([, { claims }]) => claims?.auditLogManage === true)?.[0];
  const eventsIn = async (query: Query) => {
    const sent = { query, as: as ?? reads.reader };
    const answer = await reads.ask('the audit log', 'auditLog', {}, sent);
    return answer && { counts: countEvents(answer.wire.text, bound) };
  };
  for (const days of periods) {
    const recent = await eventsIn({ start: dayBefore(days) });
    if (recent === undefined) continue;
    // A tenant that nobody uses now has events in the bound period alone.
    const { start, end } = bound;
    const isOld = recent.counts?.length === 0 && isText(start) && isText(end);
    const { counts } = (isOld && (await eventsIn({ start, end }))) || recent;
    if (counts === undefined)
      written.note(
        'no column of the audit log can be told to hold the names of events: it is left out',
      );
    // The times follow from the invented names, so they reveal nothing about the real ones.
    const invented = (counts ?? []).map(({ name, email, found, times }) => ({
      ...{ name: written.word(name), userEmail: email === '' ? '' : written.email(email), times },
      ...(found && { details: written.names.name(String(bound.search)) }),
    }));
    const rows = eventRows(invented, days);
    written.note(
      `the audit log has as many events of each name and person as ${isOld ? 'the bound period' : `${days} days`} of it; their times are invented, and what they say is left out`,
    );
    return { rows, days };
  }
  return undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The bindings, with the ids and names of the fixture. */
function bindingRows(
  { bindings }: Target,
  written: Written,
  branches: ReadonlyMap<string, BranchRow>,
  userOf: (bound: JsonObject) => JsonObject | undefined,
  auditDays: number | undefined,
): JsonObject {
  const rows = Object.entries(bindings).flatMap(([name, bound]): [string, JsonObject][] => {
    const row = boundRow(name, bound);
    return row === undefined ? [] : [[name, row]];
  });
  return Object.fromEntries(rows);

  function boundRow(name: string, bound: JsonObject): JsonObject | undefined {
    switch (kindOfBinding(name)) {
      case 'versions':
        return bound;
      case 'audit':
        return auditDays === undefined ? undefined : boundAudit(bound, auditDays);
      case 'recipients':
        return boundRecipients(bound);
      case 'branch': {
        const branch = branches.get(String(bound.name));
        return branch && { id: branch.id, name: branch.name };
      }
    }
    const id = written.rowId(kindOfBinding(name), bound.id);
    return id === undefined ? undefined : { id };
  }

  function boundAudit({ eventName, userEmail, search }: JsonObject, days: number): JsonObject {
    return {
      ...(eventName !== undefined && { eventName: written.word(String(eventName)) }),
      ...(userEmail !== undefined && { userEmail: written.email(String(userEmail)) }),
      ...(search !== undefined && { search: written.names.name(String(search)) }),
      ...{ startDaysAgo: Math.ceil(days * 0.8), endDaysAgo: Math.floor(days * 0.2) },
    };
  }

  function boundRecipients({ users, embedUsers }: JsonObject): JsonObject {
    const list = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
    return {
      users: list(users).flatMap((one) => userOf(one) ?? []),
      embedUsers: list(embedUsers).map((one) => written.embedUser(one)),
    };
  }
}
