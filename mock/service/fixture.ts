/**
 * Fixtures: the start of worlds.
 *
 * A bundled fixture comes from `fixtures/bundled.generated.ts` as long as its YAML has not changed since that
 * file was made. Then no parser, no validator and no generator is loaded. Every other fixture is read,
 * validated and checked, and one error names all its problems.
 */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BundledName, bundled } from '../../fixtures/bundled.generated.ts';
import type { Bindings, FixtureData, RecipientData } from '../../fixtures/format.ts';
import { deepFreeze } from '../../spec/base/json.ts';
import { ifThere } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { mapInTurns } from '../../spec/base/turns.ts';
import { type AuditEvent, embedUserKey, type RecipientRow, tableNames } from '../world/rows.ts';
import { type Base, type GrownTables, type TableRows, tablesOf } from '../world/state.ts';
import type { Fixture } from '../world/world.ts';
import { FixtureError, fixtureNames, type LargeParameters } from '../world/world-request.ts';

const DAY_MS = 86_400_000;
const byTime = (one: { at: number }, other: { at: number }) => one.at - other.at;

const loaded = new Map<string, Promise<Fixture>>();
/** The worlds of a process usually have the same size, so only the last one is kept. */
let lastLarge: { readonly key: string; readonly made: Promise<Fixture> } | undefined;

/**
 * A fixture by its bundled name or the path of a YAML file, or the fixture itself. The size of `large` is
 * given as parameters, or in the name: `large:deployments=5000,auditEvents=10`. Throws a FixtureError.
 */
export async function loadFixture(
  nameOrPath: string | object,
  parameters: LargeParameters = {},
): Promise<Fixture> {
  if (typeof nameOrPath === 'object') return fixtureFromObject(nameOrPath);
  const [name = '', written] = nameOrPath.split(/(?<=^large):(.*)/);
  if (name === 'large') return loadLarge(nameOrPath, written, parameters);
  if (Object.keys(parameters).length > 0) {
    throw new FixtureError([`${name}: expected no parameters: only large takes any`]);
  }
  if (!isBundled(name)) return loadFile(name);
  // All worlds of the process share it. A failure is not cached.
  const promise = loaded.get(name) ?? loadBundled(name);
  loaded.set(name, promise);
  promise.catch(() => loaded.delete(name));
  return promise;
}

async function loadBundled(name: BundledName): Promise<Fixture> {
  const { data, audit } = await bundledParts(name);
  return assembleFixture(name, data, () => deepFreeze(audit().toSorted(byTime)));
}

/** A fixture from a plain value of the shape of a fixture file. Throws a FixtureError. */
export async function fixtureFromObject(value: unknown, label = 'fixture'): Promise<Fixture> {
  const { readValue } = await import('../../fixtures/read.ts');
  const { name = label, data } = await readValue(value, label, parentData);
  return assembleData(name, data);
}

/** A fixture from the text of a fixture file. Throws a FixtureError that names lines. */
export async function fixtureFromText(
  text: string,
  label = 'fixture',
  unnamed = label,
): Promise<Fixture> {
  const { readText } = await import('../../fixtures/read.ts');
  const { name = unnamed, data } = await readText(text, label, parentData);
  return assembleData(name, data);
}

function bindingsAt(dated: Bindings, startMs: number): Record<string, unknown> {
  const bindings = structuredClone(dated);
  if (bindings.audit === undefined) return bindings;
  const { startDaysAgo, endDaysAgo, ...audit } = bindings.audit;
  const day = (ago: number) => new Date(startMs - ago * DAY_MS).toISOString().slice(0, 10);
  return {
    ...bindings,
    audit: {
      ...audit,
      ...(startDaysAgo === undefined ? {} : { start: day(startDaysAgo) }),
      ...(endDaysAgo === undefined ? {} : { end: day(endDaysAgo) }),
    },
  };
}

/** The data of a fixture, and separately its audit events. */
interface Parts {
  readonly data: Omit<FixtureData, 'audit'>;
  readonly audit: () => FixtureData['audit'];
}

/** Rows after those of the data, and the events that a world has written itself. */
interface Further {
  readonly grown?: GrownTables | undefined;
  readonly ownAudit?: readonly AuditEvent[];
}

/**
 * Turns complete data into a frozen base. `audit` gives the events on demand, the oldest
 * first.
 */
async function assembleFixture(
  name: string,
  data: Parts['data'],
  audit: Parts['audit'],
  { grown = {}, ownAudit = [] }: Further = {},
): Promise<Fixture> {
  const nextId = (table: 'embedUsers' | 'deployments' | 'branches' | 'environments', least = 1) => {
    const given = data[table].reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);
    const { firstId = 1, blocks = 0, perBlock = 0 } = grown[table] ?? {};
    return Math.max(least, 1 + given, firstId + blocks * perBlock);
  };
  const rows: TableRows = {
    ...data,
    ran: data.ran.map((release) => {
      const [channel = '', version = ''] = release.split('@');
      return { channel, version };
    }),
    // The key of an embed user names the user as requests do; the row itself does not.
    recipients: new Map(data.recipients.map((row) => recipientEntry(row, data.embedUsers))),
  };
  for (const table of tableNames)
    await mapInTurns<object, object>(rows[table].values(), deepFreeze);
  let events: Base['audit'] | undefined;
  const base: Base = {
    tables: Object.freeze(await tablesOf(rows, grown)),
    features: deepFreeze(data.features),
    imageRepository: data.imageRepository,
    get audit() {
      events ??= audit();
      return events;
    },
    ownAudit,
    nextIds: Object.freeze({
      embedUser: nextId('embedUsers', data.nextIds.embedUser ?? 501),
      deployment: nextId('deployments', data.nextIds.deployment),
      branch: nextId('branches', data.nextIds.branch),
      environment: nextId('environments', data.nextIds.environment),
    }),
  };
  const bindings = deepFreeze(data.bindings);
  return Object.freeze({
    name,
    base: Object.freeze(base),
    bindings: (startMs: number) => bindingsAt(bindings, startMs),
  });
}

/** Builds a fixture from its data, in turns because there may be a million audit events. */
async function assembleData(name: string, data: FixtureData, grown?: GrownTables) {
  await mapInTurns(data.audit, deepFreeze);
  const before = data.audit.filter(({ own }) => own !== true).sort(byTime);
  // A world may have moved its clock back between two of its own events, so they keep their order.
  const ownAudit = data.audit.filter(({ own }) => own === true);
  return assembleFixture(name, data, () => before, { grown, ownAudit });
}

/** The data of a bundled fixture. The audit events are most of it, so they are read on demand. */
async function bundledParts(name: BundledName): Promise<Parts> {
  const entry = bundled[name];
  if (isFresh(entry.sha256)) {
    const parent = entry.parent === null ? undefined : await bundledParts(entry.parent);
    const audit = () => JSON.parse(entry.audit ?? 'null') ?? parent?.audit() ?? [];
    return { data: { ...parent?.data, ...JSON.parse(entry.data) }, audit };
  }
  const { readText } = await import('../../fixtures/read.ts');
  const text = bundledFile(name)?.toString() ?? '';
  const { data } = await readText(text, `fixtures/${name}.yaml`, parentData);
  return { data, audit: () => data.audit };
}

export async function bundledData(name: BundledName): Promise<FixtureData> {
  const { data, audit } = await bundledParts(name);
  return { ...data, audit: audit() };
}

function isBundled(name: string): name is BundledName {
  return Object.hasOwn(bundled, name);
}

function parentData(name: string): Promise<FixtureData> {
  if (!isBundled(name)) throw new Error(`no bundled fixture ${name}`);
  return bundledData(name);
}

/** Whether the generated data was made from the present YAML files. A missing file counts as unchanged. */
function isFresh(sha256: Readonly<Record<string, string>>): boolean {
  return Object.entries(sha256).every(([name, digest]) => {
    const bytes = bundledFile(name);
    return bytes === undefined || hash('sha256', bytes) === digest;
  });
}

function bundledFile(name: string): Buffer | undefined {
  const file = new URL(`../../fixtures/${name}.yaml`, import.meta.url);
  return ifThere(() => readFileSync(file));
}

async function loadFile(path: string): Promise<Fixture> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) {
    const names = fixtureNames.join(', ');
    const expected = `expected ${names}, or the path of a YAML file`;
    const near = hint(path, fixtureNames);
    throw new FixtureError([`${path}: ${expected}: there is no such file${near}`]);
  }
  const unnamed = basename(path).replace(/(\.fixture)?\.\w+$/, '');
  const fixture = await fixtureFromText(readFileSync(path, 'utf8'), path, unnamed);
  return { ...fixture, world: worldIdOf(fixture.name) };
}

/**
 * The world id for a fixture: `Shop (EU)` becomes `shopeu`, with credentials such as
 * `shopeu-admin`.
 */
function worldIdOf(name: string): string | undefined {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .slice(0, 32) || undefined
  );
}

async function loadLarge(
  label: string,
  written: string | undefined,
  parameters: LargeParameters,
): Promise<Fixture> {
  const { generateLarge, readLargeParameters } = await import('../../fixtures/large.ts');
  const size = readLargeParameters({ ...namedNumbers(written), ...parameters }, label);
  const key = JSON.stringify(size);
  if (lastLarge?.key !== key) {
    const made = bundledData('acme')
      .then((acme) => generateLarge(acme, size))
      .then(({ data, grown }) => assembleData('large', data, grown));
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

function recipientEntry(
  row: RecipientData,
  embedUsers: FixtureData['embedUsers'],
): readonly [key: string, row: RecipientRow] {
  const { notificationId, securityContext = null, userAttributes = null, groups = null } = row;
  const entry = (kind: RecipientRow['kind'], subject: string | number, name = subject) => {
    const made = { notificationId, kind, subject, securityContext, userAttributes, groups };
    return [`${notificationId}/${kind}:${name}`, made] as const;
  };
  const { userId, embedTenantName, externalId, email = '' } = row;
  if (userId !== undefined) return entry('USER', userId);
  const embedUser = embedUsers.find(
    (user) => user.embedTenantName === embedTenantName && user.externalId === externalId,
  );
  if (embedUser === undefined) return entry('EMAIL', email);
  const name = embedUserKey(embedUser.embedTenantName, embedUser.externalId);
  return entry('EMBED_USER', embedUser.id, name);
}
