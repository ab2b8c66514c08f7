/**
 * Fixtures: what worlds start from.
 *
 * A bundled fixture comes from `fixtures/bundled.generated.ts` while its YAML is what that file was
 * made of: no parser, no validator and no generator is loaded for it. Everything else is read,
 * validated and checked, and all that is wrong with it is said at once.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BundledName, bundled } from '../../fixtures/bundled.generated.ts';
import type { Bindings, FixtureData, RecipientData } from '../../fixtures/format.ts';
import type { Outcome } from '../../fixtures/read.ts';
import { embedUserKey, type RecipientRow } from '../world/rows.ts';
import type { Base } from '../world/state.ts';
import type { LargeParameters } from '../world/world-request.ts';
import { FixtureError } from '../world/world-request.ts';

export interface LoadedFixture {
  readonly name: string;
  /** Frozen, to the rows and maps. */
  readonly base: Base;
  /** The bindings of a tenant file for a world that starts at the given time (ms). */
  bindings(startMs: number): Record<string, unknown>;
}

export const fixtureNames = ['acme', 'empty', 'basic-plan', 'large'] as const;
const DAY_MS = 86_400_000;

const loaded = new Map<string, Promise<LoadedFixture>>();
/** The worlds of one process are mostly of one size; older ones are let go. */
let lastLarge: { readonly key: string; readonly made: Promise<LoadedFixture> } | undefined;

/**
 * A fixture by its bundled name or the path of a YAML file. The size of `large` is given as
 * parameters, or in the name: `large:deployments=5000,auditEvents=10`. Throws a FixtureError.
 */
export async function loadFixture(
  nameOrPath: string,
  parameters: LargeParameters = {},
): Promise<LoadedFixture> {
  const [name = '', written] = splitLarge(nameOrPath);
  if (name === 'large') return loadLarge(nameOrPath, written, parameters);
  if (Object.keys(parameters).length > 0) {
    throw new FixtureError([`${name}: expected no parameters: only large takes any`]);
  }
  if (!isBundled(name)) return loadFile(name);
  // Shared by every world of the process; a failure is not kept.
  const promise = loaded.get(name) ?? bundledData(name).then((data) => assembleFixture(name, data));
  loaded.set(name, promise);
  promise.catch(() => loaded.delete(name));
  return promise;
}

/** A fixture from a plain value of the shape of a fixture file. Throws a FixtureError. */
export async function fixtureFromObject(value: unknown, label = 'fixture'): Promise<LoadedFixture> {
  const { readValue } = await import('../../fixtures/read.ts');
  return fromOutcome(await readValue(value, label, parentData), label);
}

function bindingsAt(dated: Bindings, startMs: number): Record<string, unknown> {
  const bindings = structuredClone(dated) as Record<string, unknown>;
  if (bindings.audit === undefined) return bindings;
  const { startDaysAgo, endDaysAgo, ...audit } = bindings.audit as Record<string, unknown>;
  const day = (ago: unknown) => new Date(startMs - Number(ago) * DAY_MS).toISOString().slice(0, 10);
  return {
    ...bindings,
    audit: {
      ...audit,
      ...(startDaysAgo === undefined ? {} : { start: day(startDaysAgo) }),
      ...(endDaysAgo === undefined ? {} : { end: day(endDaysAgo) }),
    },
  };
}

/** Turns complete data into a frozen base. */
function assembleFixture(name: string, data: FixtureData): LoadedFixture {
  const byId = <Row extends { readonly id: unknown }>(rows: readonly Row[]) =>
    table(rows, (row) => row.id as Row['id']);
  const base: Base = {
    tables: {
      users: byId(data.users),
      credentials: table(data.credentials, (row) => row.name),
      deployments: byId(data.deployments.map((row) => ({ ...row, before: null }))),
      channels: table(data.channels, (row) => row.name),
      ran: table(
        data.ran.map((release) => {
          const [channel = '', version = ''] = release.split('@');
          return { channel, version };
        }),
        (row) => `${row.channel}@${row.version}`,
      ),
      branches: byId(data.branches.map((row) => ({ ...row, switchedAt: null }))),
      environments: byId(data.environments),
      folders: byId(data.folders),
      notifications: byId(data.notifications),
      recipients: table(
        data.recipients.map((row) => recipientRow(row, data.embedUsers)),
        (row) => `${row.notificationId}/${row.kind}:${row.subject}`,
      ),
      embedUsers: table(data.embedUsers, (row) =>
        embedUserKey(row.embedTenantName, row.externalId),
      ),
      dbtSyncs: table(data.dbtSyncs, (row) => `${row.deploymentId}/${row.id}`),
    },
    features: data.features,
    imageRepository: data.imageRepository,
    audit: data.audit
      .map(({ secondsBefore, ...event }) => ({ at: Math.round(-1000 * secondsBefore), ...event }))
      .sort((one, other) => one.at - other.at),
  };
  const bindings = deepFreeze(data.bindings);
  return Object.freeze({
    name,
    base: deepFreeze(base),
    bindings: (startMs: number) => bindingsAt(bindings, startMs),
  });
}

/** The complete data of a bundled fixture. */
export async function bundledData(name: BundledName): Promise<FixtureData> {
  const entry = bundled[name];
  if (isFresh(entry.sha256)) {
    const own = JSON.parse(entry.data) as Partial<FixtureData>;
    return entry.parent === null
      ? (own as FixtureData)
      : { ...(await bundledData(entry.parent)), ...own };
  }
  const { readText } = await import('../../fixtures/read.ts');
  const outcome = await readText(bundledText(name) ?? '', `fixtures/${name}.yaml`, parentData);
  if (!outcome.ok) throw new FixtureError(outcome.problems);
  return outcome.data;
}

function isBundled(name: string): name is BundledName {
  return Object.hasOwn(bundled, name);
}

function parentData(name: string): Promise<FixtureData> {
  if (!isBundled(name)) throw new Error(`no bundled fixture ${name}`);
  return bundledData(name);
}

/** Whether the YAML files are those that the generated data was made of; an absent one is no news. */
function isFresh(sha256: Readonly<Record<string, string>>): boolean {
  return Object.entries(sha256).every(([name, digest]) => {
    const text = bundledText(name);
    return text === undefined || createHash('sha256').update(text).digest('hex') === digest;
  });
}

function bundledText(name: string): string | undefined {
  return readIfThere(new URL(`../../fixtures/${name}.yaml`, import.meta.url));
}

function readIfThere(file: string | URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw error;
  }
}

async function loadFile(path: string): Promise<LoadedFixture> {
  const text = readIfThere(path);
  if (text === undefined) {
    const names = fixtureNames.join(', ');
    throw new FixtureError([
      `${path}: expected ${names}, or the path of a YAML file: there is no such file`,
    ]);
  }
  const { readText } = await import('../../fixtures/read.ts');
  return fromOutcome(await readText(text, path, parentData), basename(path).replace(/\.\w+$/, ''));
}

function fromOutcome(outcome: Outcome, fallback: string): LoadedFixture {
  if (!outcome.ok) throw new FixtureError(outcome.problems);
  return assembleFixture(outcome.name ?? fallback, outcome.data);
}

function splitLarge(name: string): [string, string?] {
  return name.startsWith('large:') ? ['large', name.slice('large:'.length)] : [name];
}

async function loadLarge(
  label: string,
  written: string | undefined,
  parameters: LargeParameters,
): Promise<LoadedFixture> {
  const { generateLarge, readLargeParameters } = await import('../../fixtures/large.ts');
  const read = readLargeParameters({ ...namedNumbers(written), ...parameters });
  if (!read.ok) throw new FixtureError(read.problems.map((problem) => `${label}: ${problem}`));
  const key = JSON.stringify(read.parameters);
  if (lastLarge?.key !== key) {
    const made = bundledData('acme')
      .then((acme) => generateLarge(acme, read.parameters))
      .then((data) => assembleFixture('large', data));
    lastLarge = { key, made };
  }
  return lastLarge.made;
}

function namedNumbers(written = ''): Record<string, unknown> {
  const parts = written.split(',').filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [key = '', value = ''] = part.split('=').map((word) => word.trim());
      return [key, /^\d+$/.test(value) ? Number(value) : value];
    }),
  );
}

function recipientRow(row: RecipientData, embedUsers: FixtureData['embedUsers']): RecipientRow {
  const embedUser = embedUsers.find(
    (user) => user.embedTenantName === row.embedTenantName && user.externalId === row.externalId,
  );
  const who = (): Pick<RecipientRow, 'kind' | 'subject'> => {
    if (row.userId !== undefined) return { kind: 'USER', subject: row.userId };
    if (embedUser !== undefined) return { kind: 'EMBED_USER', subject: embedUser.id };
    return { kind: 'EMAIL', subject: row.email ?? '' };
  };
  return {
    notificationId: row.notificationId,
    ...who(),
    securityContext: row.securityContext ?? null,
    userAttributes: row.userAttributes ?? null,
    groups: row.groups ?? null,
  };
}

function table<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function deepFreeze<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    // Object.freeze leaves a map's entries open.
    Object.assign(value, { set: refuseChange, delete: refuseChange, clear: refuseChange });
    for (const row of value.values()) deepFreeze(row);
  } else {
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return Object.freeze(value);
}

function refuseChange(): never {
  throw new TypeError('a fixture is frozen: change the state of a world instead');
}
