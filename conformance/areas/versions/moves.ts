/** Versions: the three spellings, what is not on the list, and channels. */

import fc from 'fast-check';
import type { Checks, Entry } from '../../explore/contradiction.ts';
import {
  type ExploredArea,
  type MoveKind,
  moveKind,
  pick,
  type Setting,
} from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import { pathOf, readVersions, Versions, type Which } from './list.ts';

const call = 'updateDeployment' as const;

const spellings = {
  plain: { event: 'plain spelling', missing: 'unlisted plain', statement: 'UPD-2' },
  v: { event: 'spelling with v', missing: 'unlisted with v', statement: 'UPD-3' },
  full: { event: 'full spelling', missing: 'unlisted full', statement: 'UPD-4' },
} as const;
type Spelling = keyof typeof spellings;

function spell(repository: string, version: string, spelling: Spelling): string {
  if (spelling === 'plain') return version;
  return spelling === 'v' ? `v${version}` : `${repository}:v${version}`;
}

function repositoryOf(full = ''): string {
  return full.slice(0, full.lastIndexOf(':'));
}

/** Versions that the run may switch to and that are listed. */
function choices(session: Session): string[] {
  const mayRun = session.target.bindings.versions?.mayRun;
  const allowed = Array.isArray(mayRun) ? mayRun.map(String) : [];
  return [...session.beliefs(Versions).listed.keys()].filter((item) => allowed.includes(item));
}

function update(
  session: Session,
  actor: string,
  body: unknown,
  checks: Checks = {},
  which: Which = 'deployment',
): Promise<Entry> {
  return session.call({ as: actor, call, path: pathOf(which), body }, { checks });
}

/** A switch was made; `statement` promises what runs now. */
function moved(session: Session, version: string | undefined, statement: string): void {
  session.beliefs(Versions).moved(version, statement);
  session.unsettled = true;
}

interface SwitchTo {
  readonly actor: string;
  readonly index: number;
  readonly spelling: Spelling;
}

async function switchVersion(session: Session, wish: SwitchTo): Promise<void> {
  const { actor, index, spelling } = wish;
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const versions = session.beliefs(Versions);
  const { event, statement } = spellings[spelling];
  session.coverage.enter('version', versions.state, event);
  const repository = repositoryOf(versions.listed.get(version)?.full);
  const body = { releaseChannelVersion: spell(repository, version, spelling) };
  const because = `${version} is on the list`;
  await update(session, actor, body, { [statement]: { status: '2xx', because } });
  moved(session, version, statement);
}

interface Channel {
  readonly actor: string;
  readonly index: number;
  /** Another version of the channel is run before, and what runs is read behind. */
  readonly fromOlder: boolean;
}

async function switchChannel(session: Session, wish: Channel): Promise<void> {
  const { actor, index, fromOlder } = wish;
  const versions = session.beliefs(Versions);
  const { heads, listed } = versions;
  const allowed = choices(session);
  const known = [...heads].filter(([, head]) => allowed.includes(head));
  const channelOf = (version: string): string | undefined => listed.get(version)?.channel;
  const others = allowed.filter(
    (version) =>
      heads.get(channelOf(version) ?? '') !== version &&
      known.some(([channel]) => channel === channelOf(version)),
  );
  const older = fromOlder ? pick(others, index) : undefined;
  if (older !== undefined) {
    await switchVersion(session, { actor, index: allowed.indexOf(older), spelling: 'plain' });
  }
  const found =
    older === undefined
      ? pick(known, index)
      : known.find(([channel]) => channel === channelOf(older));
  if (found === undefined) return;
  const [releaseChannel, head] = found;
  session.coverage.enter('version', versions.state, 'channel');
  const because = `${releaseChannel} is a channel`;
  await update(session, actor, { releaseChannel }, { 'UPD-7': { status: '2xx', because } });
  moved(session, head, 'UPD-7');
  if (fromOlder) await readVersions(session, { which: 'deployment', actor: 'admin' });
}

const unlisted = ['missing', 'begins like', 'longer', 'image', 'longer image'] as const;

interface Unlisted {
  readonly kind: (typeof unlisted)[number];
  readonly spelling: Spelling;
  readonly index: number;
  readonly look: boolean;
}

/** A version or an image like one that is listed; undefined where it is listed itself. */
function unlistedVersion(session: Session, { kind, spelling, index }: Unlisted) {
  const { listed } = session.beliefs(Versions);
  const near = pick([...listed], index);
  if (near === undefined) return undefined;
  const [version, { full }] = near;
  if (kind === 'image') return `registry.invalid/lockstep:v${version}`;
  if (kind === 'longer image') return `registry.invalid/${full}`;
  const text = { missing: '999.99.9', longer: `${version}.1`, 'begins like': `${version}1` }[kind];
  return listed.has(text) ? undefined : spell(repositoryOf(full), text, spelling);
}

async function switchUnlisted(session: Session, wish: Unlisted): Promise<void> {
  const { kind, spelling, look } = wish;
  const releaseChannelVersion = unlistedVersion(session, wish);
  if (releaseChannelVersion === undefined) return;
  const versions = session.beliefs(Versions);
  const image = kind === 'image' || kind === 'longer image';
  const near = 'unlisted that begins like a listed one';
  const event = kind === 'missing' ? spellings[spelling].missing : image ? 'another image' : near;
  session.coverage.enter('version', versions.state, event);
  const because = `${releaseChannelVersion} is not on the list`;
  const checks = { [image ? 'UPD-8' : 'UPD-5']: { status: 400, because } };
  await update(session, 'admin', { releaseChannelVersion }, checks);
  versions.stays('deployment', 'UPD-6');
  if (look) await readVersions(session, { which: 'deployment', actor: 'admin' });
}

const openBodies = ['channel and version', 'unknown channel', 'nothing'] as const;

/** What these do is open: the next reading shows what runs. */
async function switchOpenly(
  session: Session,
  { kind, index }: { kind: (typeof openBodies)[number]; index: number },
): Promise<void> {
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const { listed, state } = session.beliefs(Versions);
  session.coverage.enter('version', state, kind);
  const bodies = {
    'channel and version': {
      releaseChannelVersion: version,
      releaseChannel: listed.get(version)?.channel,
    },
    'unknown channel': { releaseChannel: '{missing.name}' },
    nothing: {},
  };
  await update(session, 'admin', bodies[kind]);
  moved(session, undefined, 'UPD-1');
}

interface WithoutRight {
  readonly actor: string;
  readonly index: number;
  readonly look: boolean;
}

async function switchWithoutRight(session: Session, wish: WithoutRight): Promise<void> {
  const { actor, index, look } = wish;
  const version = pick(choices(session), index);
  if (version === undefined) return;
  const versions = session.beliefs(Versions);
  const which: Which = actor === 'scoped' ? 'otherDeployment' : 'deployment';
  const reader = { which, actor: 'admin' };
  if (look && versions.runs[which].version === undefined) await readVersions(session, reader);
  session.coverage.enter('version', versions.state, 'without authorisation');
  const body = { releaseChannelVersion: version };
  const { answer } = await update(session, actor, body, {}, which);
  // What an embed JWT gets here is open (AUTH-22).
  if (answer.ok) moved(session, undefined, 'UPD-1');
  else versions.stays(which, 'AUTH-14');
  if (look) await readVersions(session, reader);
}

function moves({ target, actors }: Setting): MoveKind[] {
  const actor = fc.constantFrom('admin', ...actors(call, 'allowed'));
  const spelling = fc.constantFrom<Spelling>('plain', 'v', 'full');
  const index = fc.nat(11);
  const about = (kind: string, weight: number) =>
    ({
      kind,
      weight,
      needs: ['admin', 'deployment.id', 'versions.mayRun'],
      effect: 'disruptive',
    }) as const;
  const other = target.bindings.otherDeployment !== undefined;
  const scoped = other && target.credentials.has('scoped') ? ['scoped'] : [];
  const strangers = [...actors(call, 'refused'), ...actors(call, 'open'), ...scoped];
  const readings = [
    ...['admin', ...actors('listVersions', 'allowed')].map((name) => ['deployment', name] as const),
    ...(other ? [['otherDeployment', 'admin'] as const] : []),
  ];
  return [
    moveKind(
      { kind: 'list versions', weight: 8, needs: ['admin', 'deployment.id'], effect: 'none' },
      fc.constantFrom(...readings).map(([which, name]) => ({ which, actor: name })),
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
      about('switch version without authorisation', 4.5),
      fc.record({ actor: fc.constantFrom(...strangers, ...scoped), index, look: fc.boolean() }),
      switchWithoutRight,
    ),
  ];
}

export const versions: ExploredArea = {
  moves,
  tables: {
    version: {
      states: ['unknown', 'runs a head', 'runs an older one'],
      events: [
        ...Object.values(spellings).flatMap(({ event, missing }) => [event, missing]),
        ...openBodies,
        'channel',
        'unlisted that begins like a listed one',
        'another image',
        'without authorisation',
        'listed',
      ],
    },
  },
  holders: { deployment_id: ['deployment', 'otherDeployment'] },
};
