/** Switches of versions, in the three spellings, and of channels, in any order. */

import fc from 'fast-check';
import type { Checks, Entry } from '../../contradiction.ts';
import { anActor, type ExploredArea, type MoveKind, moveKind, type Setting } from '../../move.ts';
import { pick } from '../../pick.ts';
import type { Session } from '../../session.ts';
import { pathOf, readVersions, Versions, type Which } from './list.ts';

const call = 'updateDeployment' as const;

const spellings = {
  plain: 'UPD-2',
  v: 'UPD-3',
  full: 'UPD-4',
} as const;
type Spelling = keyof typeof spellings;

/** `full`: as the list spells it, behind the name of a repository. */
function spell(version: string, full: string, spelling: Spelling): string {
  if (spelling === 'plain') return version;
  return spelling === 'v' ? `v${version}` : `${full.slice(0, full.lastIndexOf(':'))}:v${version}`;
}

/** Versions that the run may switch to and that are listed. */
function choices(session: Session): string[] {
  const mayRun = session.target.bindings.versions?.mayRun;
  const allowed = Array.isArray(mayRun) ? mayRun.map(String) : [];
  return [...session.beliefs(Versions).listed.keys()].filter((item) => allowed.includes(item));
}

function update(session: Session, actor: string, body: unknown, checks: Checks): Promise<Entry> {
  return session.call({ as: actor, call, path: pathOf('deployment'), body, checks });
}

/** A switch was made; `statement` promises what runs now. */
function moved(session: Session, version: string, statement: string): void {
  session.beliefs(Versions).moved(version, statement);
  session.unsettled = true;
}

async function switchVersion(
  session: Session,
  { actor, index, spelling }: { actor: string; index: number; spelling: Spelling },
): Promise<void> {
  // The same move made again goes on to the next version.
  const version = pick(choices(session), index + session.beliefs(Versions).switches);
  if (version !== undefined) await switchTo(session, version, actor, spelling);
}

async function switchTo(session: Session, version: string, actor: string, spelling: Spelling) {
  const { full = '' } = session.beliefs(Versions).listed.get(version) ?? {};
  const statement = spellings[spelling];
  const body = { releaseChannelVersion: spell(version, full, spelling) };
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

async function switchChannel(
  session: Session,
  { actor, index, fromOlder }: Channel,
): Promise<void> {
  const { heads, listed } = session.beliefs(Versions);
  const allowed = choices(session);
  const known = [...heads].filter(([, head]) => allowed.includes(head));
  const headOver = (version: string) => {
    const over = known.find(([channel]) => channel === listed.get(version)?.channel);
    return over?.[1] === version ? undefined : over;
  };
  const older = fromOlder ? pick(allowed.filter(headOver), index) : undefined;
  if (older !== undefined) await switchTo(session, older, actor, 'plain');
  const found = older === undefined ? pick(known, index) : headOver(older);
  if (found === undefined) return;
  const [releaseChannel, head] = found;
  const because = `${releaseChannel} is a channel`;
  await update(session, actor, { releaseChannel }, { 'UPD-7': { status: '2xx', because } });
  moved(session, head, 'UPD-7');
  if (fromOlder) await readVersions(session, { which: 'deployment', actor: 'admin' });
}

function moves({ target, actors }: Setting): MoveKind[] {
  const actor = anActor(actors(call));
  const spelling = fc.constantFrom<Spelling>('plain', 'v', 'full');
  const index = fc.nat(59);
  const reads = { needs: ['admin', 'deployment.id'], effect: 'none' } as const;
  const writes = { needs: [...reads.needs, 'versions.mayRun'], effect: 'disruptive' } as const;
  const other = target.bindings.otherDeployment !== undefined;
  const readings = [
    ...['admin', ...actors('listVersions')].map((name) => ['deployment', name] as const),
    ...(other ? Array<readonly [Which, string]>(2).fill(['otherDeployment', 'admin']) : []),
  ];
  return [
    moveKind(
      'list versions',
      8,
      reads,
      fc.constantFrom(...readings).map(([which, name]) => ({ which, actor: name })),
      readVersions,
    ),
    moveKind('switch version', 12, writes, fc.record({ actor, index, spelling }), switchVersion),
    moveKind(
      'switch channel',
      6,
      writes,
      fc.record({ actor, index, fromOlder: fc.boolean() }),
      switchChannel,
    ),
  ];
}

export const versions: ExploredArea = { moves };
