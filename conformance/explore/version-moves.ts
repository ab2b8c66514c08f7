/** Versions: what is listed, the three spellings, what is not on the list, and channels. */

import fc from 'fast-check';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import type { Conditions } from '../language/scenario.ts';
import type { Contradiction, Entry } from './contradiction.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import type { Session } from './session.ts';

type Which = 'deployment' | 'otherDeployment';
const pathOf = (which: Which) => ({ deployment_id: `{${which}.id}` });

function stateOf(session: Session): string {
  const { current, heads, listed } = session.model.versions;
  const version = current.get('deployment');
  if (version === undefined) return 'unknown';
  const channel = listed.get(version)?.channel ?? '';
  return heads.get(channel) === version ? 'runs a head' : 'runs an older one';
}

function itemsOf(entry: Entry): JsonObject[] {
  const { data } = entry.answer.body as { data?: unknown };
  return Array.isArray(data) ? data.filter(isObject) : [];
}

// ── the list ────────────────────────────────────────────────────────────────────

async function readVersions(
  session: Session,
  { which, actor }: { which: Which; actor: string },
): Promise<void> {
  if (which === 'deployment') session.coverage.enter('version', stateOf(session), 'listed');
  // What is read without an expectation is believed, so it must have arrived.
  if (!session.model.versions.current.has(which)) await session.rest();
  const entry = await session.call({ as: actor, call: 'listVersions', path: pathOf(which) });
  const served = (): void =>
    session.expectStatus(
      entry,
      accessStatement(actor, entry.answer.status, 'VER-1'),
      200,
      'the list is served',
    );
  served();
  const read = async (): Promise<void> => {
    session.settle(entry, await session.again(entry));
    served();
  };
  await session.eventually(entry, () => wrongList(session, entry, which), read);
  learnList(session, entry, which);
}

function wrongList(session: Session, entry: Entry, which: Which): Contradiction | undefined {
  const { listed, heads, current, since } = session.model.versions;
  const items = itemsOf(entry);
  const wrong = (statement: string, conditions: Conditions, because: string) =>
    session.contradiction(entry, statement, conditions, because);
  for (const item of items) {
    const full = String(item.releaseChannelVersion);
    if (full.endsWith(`:v${String(item.version)}`)) continue;
    const value = `{body.data[version=${String(item.version)}].releaseChannelVersion}`;
    const is = { $every: { $matches: `:v${String(item.version).replaceAll('.', '\\.')}$` } };
    return wrong('VER-3', { that: { value, is } }, `${full} does not name its version`);
  }
  const running = items.filter((item) => item.isCurrent === true).map((item) => item.version);
  if (running.length !== 1) {
    const count = { $count: { where: { isCurrent: true }, is: 1 } };
    return wrong('VER-8', { body: { data: count } }, `${running.length} versions are current`);
  }
  const expected = current.get(which);
  const source = session.model.versions.source.get(which);
  if (expected !== undefined && running[0] !== expected) {
    const is =
      source === undefined ? [expected] : `{steps.${source}.body.data[isCurrent=true].version}`;
    const conditions = { that: { value: '{body.data[isCurrent=true].version}', is } };
    const because = `${String(running[0])} is current, and ${expected} should be`;
    return wrong(
      since.get(which) ?? (source === undefined ? 'UPD-1' : 'VER-8'),
      conditions,
      because,
    );
  }
  const lost = [...listed.keys()].filter(
    (version) => !items.some((item) => item.version === version),
  );
  const [first] = lost;
  if (first !== undefined) {
    const isHead = [...heads.values()].includes(first);
    const conditions = { that: { value: '{body.data.version}', is: { $contains: first } } };
    return wrong(isHead ? 'VER-5' : 'VER-6', conditions, `${first} is no longer listed`);
  }
  const channels = new Set(items.map((item) => String(item.releaseChannel)));
  for (const channel of channels) {
    const marked = items.filter(
      (item) => item.releaseChannel === channel && item.isLatestInChannel === true,
    );
    if (marked.length !== 1) {
      const each = { $count: { where: { isLatestInChannel: true }, is: 1 } };
      const conditions = { body: { data: { $groupBy: { by: 'releaseChannel', each } } } };
      return wrong('VER-7', conditions, `${channel} has ${marked.length} heads`);
    }
    const head = heads.get(channel);
    if (head !== undefined && marked[0]?.version !== head) {
      const value = {
        from: '{body.data}',
        where: { releaseChannel: channel, isLatestInChannel: true },
        take: 'version',
      };
      return wrong('VER-7', { that: { value, is: [head] } }, `the head of ${channel} was ${head}`);
    }
  }
  return undefined;
}

function learnList(session: Session, entry: Entry, which: Which): void {
  const { listed, heads, current, since, source } = session.model.versions;
  for (const item of itemsOf(entry)) {
    const version = String(item.version);
    const channel = String(item.releaseChannel);
    listed.set(version, { full: String(item.releaseChannelVersion), channel });
    if (item.isLatestInChannel === true) heads.set(channel, version);
    if (item.isCurrent !== true) continue;
    since.delete(which);
    if (!current.has(which)) source.set(which, entry.id);
    current.set(which, version);
  }
}

// ── switches ────────────────────────────────────────────────────────────────────

const spellings = {
  plain: { event: 'plain spelling', statement: 'UPD-2' },
  v: { event: 'spelling with v', statement: 'UPD-3' },
  full: { event: 'full spelling', statement: 'UPD-4' },
} as const;
type Spelling = keyof typeof spellings;

function spell(session: Session, version: string, spelling: Spelling): string {
  if (spelling === 'plain') return version;
  if (spelling === 'v') return `v${version}`;
  return session.model.versions.listed.get(version)?.full ?? version;
}

/** Versions that the run may switch to and that are listed. */
function choices(session: Session): string[] {
  const mayRun = session.target.bindings.versions?.mayRun;
  const allowed = Array.isArray(mayRun) ? mayRun.map(String) : [];
  return [...session.model.versions.listed.keys()].filter((version) => allowed.includes(version));
}

function pick<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}

interface SwitchTo {
  readonly actor: string;
  readonly index: number;
  readonly spelling: Spelling;
}

async function switchVersion(
  session: Session,
  { actor, index, spelling }: SwitchTo,
): Promise<void> {
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const { event, statement } = spellings[spelling];
  session.coverage.enter('version', stateOf(session), event);
  const body = { releaseChannelVersion: spell(session, version, spelling) };
  const entry = await update(session, actor, body);
  const broken = accessStatement(actor, entry.answer.status, statement);
  session.expectStatus(entry, broken, '2xx', `${version} is on the list`);
  moved(session, version, statement);
}

function update(session: Session, actor: unknown, body: unknown, which: Which = 'deployment') {
  return session.call({ as: actor, call: 'updateDeployment', path: pathOf(which), body });
}

function moved(session: Session, version: string | undefined, statement: string): void {
  const { current, since } = session.model.versions;
  if (version === undefined) current.delete('deployment');
  else current.set('deployment', version);
  since.set('deployment', statement);
  session.model.versions.source.delete('deployment');
  session.model.unsettled = true;
}

interface Channel {
  readonly actor: string;
  readonly index: number;
  /** Another version of the channel is run before, and what runs is read behind. */
  readonly fromOlder: boolean;
}

async function switchChannel(
  session: Session,
  { actor, index, fromOlder }: Channel,
): Promise<void> {
  const { heads, listed } = session.model.versions;
  const allowed = choices(session);
  const known = [...heads].filter(([, head]) => allowed.includes(head));
  const others = allowed.filter(
    (version) =>
      !known.some(([, head]) => head === version) &&
      known.some(([channel]) => channel === listed.get(version)?.channel),
  );
  const older = fromOlder ? pick(others, index) : undefined;
  if (older !== undefined) {
    await switchVersion(session, { actor, index: allowed.indexOf(older), spelling: 'plain' });
  }
  const own = older === undefined ? undefined : listed.get(older)?.channel;
  const found = own === undefined ? pick(known, index) : known.find(([channel]) => channel === own);
  if (found === undefined) return;
  const [releaseChannel, head] = found;
  session.coverage.enter('version', stateOf(session), 'channel');
  const entry = await update(session, actor, { releaseChannel });
  const broken = accessStatement(actor, entry.answer.status, 'UPD-7');
  session.expectStatus(entry, broken, '2xx', `${releaseChannel} is a channel`);
  moved(session, head, 'UPD-7');
  if (fromOlder) await readVersions(session, { which: 'deployment', actor: 'admin' });
}

const unlisted = ['missing', 'begins like', 'longer', 'image', 'longer image'] as const;
type Unlisted = (typeof unlisted)[number];

function unlistedVersion(session: Session, kind: Unlisted, spelling: Spelling, index: number) {
  const { listed } = session.model.versions;
  const near = pick([...listed], index);
  if (near === undefined) return undefined;
  const [version, { full }] = near;
  const repository = full.slice(0, full.lastIndexOf(':'));
  const spelt = (text: string): string =>
    spelling === 'plain' ? text : spelling === 'v' ? `v${text}` : `${repository}:v${text}`;
  if (kind === 'image') return `registry.invalid/lockstep:v${version}`;
  if (kind === 'longer image') return `registry.invalid/${full}`;
  const text = kind === 'missing' ? '999.99.9' : kind === 'longer' ? `${version}.1` : `${version}1`;
  return listed.has(text) ? undefined : spelt(text);
}

interface Refused {
  readonly kind: Unlisted;
  readonly spelling: Spelling;
  readonly index: number;
  readonly look: boolean;
}

async function switchUnlisted(
  session: Session,
  { kind, spelling, index, look }: Refused,
): Promise<void> {
  const releaseChannelVersion = unlistedVersion(session, kind, spelling, index);
  if (releaseChannelVersion === undefined) return;
  const image = kind === 'image' || kind === 'longer image';
  const missing = { plain: 'unlisted plain', v: 'unlisted with v', full: 'unlisted full' }[
    spelling
  ];
  const near = 'unlisted that begins like a listed one';
  const event = image ? 'another image' : kind === 'missing' ? missing : near;
  session.coverage.enter('version', stateOf(session), event);
  const entry = await update(session, 'admin', { releaseChannelVersion });
  const because = `${releaseChannelVersion} is not on the list`;
  session.expectStatus(entry, image ? 'UPD-8' : 'UPD-5', 400, because);
  stays(session, 'deployment', 'UPD-6');
  if (look) await readVersions(session, { which: 'deployment', actor: 'admin' });
}

function stays(session: Session, which: Which, statement: string): void {
  const { current, since } = session.model.versions;
  // A switch that nobody has seen to arrive is blamed before a refusal is.
  if (current.has(which) && !since.has(which)) since.set(which, statement);
}

const openBodies = ['channel and version', 'unknown channel', 'nothing'] as const;

/** What these do is open: the next reading shows what runs. */
async function switchOpenly(
  session: Session,
  { kind, index }: { kind: (typeof openBodies)[number]; index: number },
): Promise<void> {
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const channel = session.model.versions.listed.get(version)?.channel;
  session.coverage.enter('version', stateOf(session), kind);
  const bodies = {
    'channel and version': { releaseChannelVersion: version, releaseChannel: channel },
    'unknown channel': { releaseChannel: '{missing.name}' },
    nothing: {},
  };
  await update(session, 'admin', bodies[kind]);
  moved(session, undefined, 'UPD-1');
}

async function switchUnauthorised(
  session: Session,
  { actor, index, look }: { actor: string; index: number; look: boolean },
): Promise<void> {
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const which: Which = actor === 'scoped' ? 'otherDeployment' : 'deployment';
  const reader = { which, actor: 'admin' };
  if (look && !session.model.versions.current.has(which)) await readVersions(session, reader);
  session.coverage.enter('version', stateOf(session), 'without authorisation');
  const entry = await update(session, actor, { releaseChannelVersion: version }, which);
  if (actor === 'none') session.expectStatus(entry, 'AUTH-1', 401, 'no credential was sent');
  if (actor === 'expired') session.expectStatus(entry, 'AUTH-4', 401, 'the credential has expired');
  if (actor === 'scoped') session.expectStatus(entry, 'AUTH-8', 403, 'the key is scoped elsewhere');
  // What an embed JWT gets here is open (AUTH-22).
  if (entry.answer.ok) moved(session, undefined, 'UPD-1');
  else stays(session, which, 'AUTH-14');
  if (look) await readVersions(session, reader);
}

export function versionMoves({ target, principals }: Setting): MoveKind[] {
  const actor = fc.constantFrom(...principals, 'admin');
  const spelling = fc.constantFrom<Spelling>('plain', 'v', 'full');
  const index = fc.nat(11);
  const needs = ['admin', 'deployment.id', 'versions.mayRun'];
  const about = (kind: string, weight: number, more: readonly string[] = []) =>
    ({ kind, weight, needs: [...needs, ...more], effect: 'disruptive' }) as const;
  const strangers = ['embed', 'expired', 'scoped'].filter((name) => target.credentials.has(name));
  const withOther =
    target.bindings.otherDeployment === undefined ? [] : (['otherDeployment'] as const);
  return [
    moveKind(
      { kind: 'list versions', weight: 8, needs: ['admin', 'deployment.id'], effect: 'none' },
      fc
        .record({
          which: fc.constantFrom<Which>('deployment', 'deployment', 'deployment', ...withOther),
          actor,
        })
        // A scoped key is for its own deployment.
        .map(({ which, actor: who }) => ({
          which,
          actor: which === 'otherDeployment' ? 'admin' : who,
        })),
      readVersions,
    ),
    moveKind(about('switch version', 8), fc.record({ actor, index, spelling }), switchVersion),
    moveKind(
      about('switch channel', 4),
      fc.record({ actor, index, fromOlder: fc.boolean() }),
      switchChannel,
    ),
    moveKind(
      about('switch to an unlisted version', 6),
      fc.record({ kind: fc.constantFrom(...unlisted), spelling, index, look: fc.boolean() }),
      switchUnlisted,
    ),
    moveKind(
      about('switch openly', 1),
      fc.record({ kind: fc.constantFrom(...openBodies), index }),
      switchOpenly,
    ),
    moveKind(
      about(
        'switch version without authorisation',
        4.5,
        withOther.map((name) => `${name}.id`),
      ),
      fc.record({
        actor: fc.constantFrom(
          'none',
          ...strangers.filter((name) => name !== 'scoped' || withOther.length > 0),
          ...strangers.filter((name) => name === 'scoped' && withOther.length > 0),
        ),
        index,
        look: fc.boolean(),
      }),
      switchUnauthorised,
    ),
  ];
}
