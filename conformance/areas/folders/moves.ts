/** Folder updates: what is sent changes, all else stays; who may not, or names none, is refused. */

import fc from 'fast-check';
import type { JsonObject } from '../../../spec/base/json.ts';
import {
  type ExploredArea,
  type MoveKind,
  moveKind,
  pick,
  type Setting,
} from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import {
  boundFolders,
  type FolderName,
  Folders,
  homes,
  judgeFolder,
  learnFolder,
} from './folder.ts';

const call = 'updateFolder' as const;

const pathOf = (folder: FolderName, deployment: string = homes[folder]) => ({
  deploymentId: `{${deployment}.numericId}`,
  folderId: `{${folder}.id}`,
});

/** Names that a careless service would not keep as they are; unique to the run and the folder. */
const names = [
  'Quarterly Figures of {run.id}',
  ' Two spaces {run.id} around ',
  'R&D <plans> "{run.id}"',
  'Größe über Übersicht {run.id}',
  'all small {run.id}',
] as const;

function eventOf(body: JsonObject): string {
  if ('parentId' in body) return 'parent sent';
  if ('name' in body) return 'position' in body ? 'rename and move' : 'rename';
  return 'position' in body ? 'move' : 'read';
}

// ── updates that are served ─────────────────────────────────────────────────────

interface Update {
  readonly folder: FolderName;
  readonly actor: string;
  readonly name: number | undefined;
  /** Which of the positions that are there for sure. */
  readonly position: number | undefined;
  readonly parent: 'null' | 'another' | undefined;
}

/** An update that sends nothing, which shows the folder. */
function readFolder(session: Session, folder: FolderName): Promise<void> {
  const nothing = { name: undefined, position: undefined, parent: undefined };
  return update(session, { folder, actor: 'admin', ...nothing });
}

/** A position that is there for sure. */
async function positionFor(session: Session, folder: FolderName, index: number) {
  const { positions } = session.beliefs(Folders).of(folder);
  const sibling = folder === 'folder' ? 'lockedFolder' : 'folder';
  if (positions.size < 2 && boundFolders(session.target).includes(sibling)) {
    // Where a sibling is, this one can be as well.
    for (const name of [folder, sibling] as const) await readFolder(session, name);
  }
  return pick(
    [...session.beliefs(Folders).of(folder).positions].sort((a, b) => a - b),
    index,
  );
}

async function update(session: Session, wish: Update): Promise<void> {
  const { folder, actor, parent } = wish;
  const folders = session.beliefs(Folders);
  const name = wish.name === undefined ? undefined : `${pick(names, wish.name)} ${folder}`;
  const position =
    wish.position === undefined ? undefined : await positionFor(session, folder, wish.position);
  const sent = { ...(name !== undefined && { name }), ...(position !== undefined && { position }) };
  const parentId = parent === 'another' ? '{lockedFolder.id}' : null;
  const body = { ...sent, ...(parent !== undefined && { parentId }) };
  session.coverage.enter('folder', folder, eventOf(body));
  const seen = folders.of(folder).fields.has('name');
  const entry = await session.call({ as: actor, call, path: pathOf(folder), body });
  const { status } = entry.answer;
  // An unknown field may be refused (REQ-3), and then nothing has changed.
  if (parent !== undefined && status >= 400 && status !== 401 && status !== 403) {
    return folders.stays(folder, 'FOLDER-12');
  }
  // Nobody has said that an administrator may edit these two; a first answer shows it.
  if (status === 403 && !seen && folder !== 'folder' && folder !== 'foreignFolder') return;
  const elsewhere = status === 403 && homes[folder] === 'otherDeployment';
  const half = seen && (name === undefined || position === undefined);
  const statement = elsewhere ? 'AUTH-10' : half ? 'FOLDER-4' : 'FOLDER-1';
  session.judge(entry, { [statement]: { status: 200, because: 'the update is served' } });
  const values = name === undefined ? sent : { ...sent, name: session.value(name) };
  judgeFolder(session, entry, folder, values);
  learnFolder(session, entry, folder, values);
}

// ── updates that are refused ────────────────────────────────────────────────────

const bodies = ['name', 'position', 'both', 'nothing', 'nothing'] as const;

interface Refusal {
  readonly event: 'without authorisation' | 'half of it invalid' | 'foreign' | 'missing';
  readonly actor: string;
  readonly folder: FolderName;
  readonly body: (typeof bodies)[number];
  readonly name: number;
  /** Whether the folder is read before and after. */
  readonly look: boolean;
}

async function refuse(session: Session, wish: Refusal): Promise<void> {
  const { event, folder } = wish;
  const look = wish.look && event !== 'missing';
  const { fields } = session.beliefs(Folders).of(folder);
  if (look && !(fields.has('name') && fields.has('position'))) await readFolder(session, folder);
  if (event === 'missing' || event === 'foreign') await updateNothing(session, wish);
  else await updateInVain(session, wish);
  if (look) await readFolder(session, folder);
}

/** What would be changed, should the update be taken. */
function refusedBody(session: Session, { body, folder, name }: Refusal): JsonObject {
  const now = session.beliefs(Folders).of(folder).fields.get('position')?.value;
  return {
    ...(body !== 'position' && body !== 'nothing' && { name: `${pick(names, name)} refused` }),
    ...(body !== 'name' &&
      body !== 'nothing' && { position: typeof now === 'number' ? now + 1 : 1 }),
  };
}

/** The folder is missing, or of another deployment than the path says. */
async function updateNothing(session: Session, wish: Refusal): Promise<void> {
  const foreign = wish.event === 'foreign';
  const body = refusedBody(session, wish);
  const state = foreign ? 'of another deployment' : 'missing';
  session.coverage.enter('folder/not there', state, eventOf(body));
  const path = foreign
    ? pathOf('foreignFolder', 'deployment')
    : { deploymentId: '{deployment.numericId}', folderId: '{missing.id}' };
  const checks = { [foreign ? 'FOLDER-7' : 'FOLDER-6']: { status: 404 } };
  await session.call({ as: 'admin', call, path, body }, { checks });
  if (foreign) session.beliefs(Folders).stays('foreignFolder', 'FOLDER-12');
}

async function updateInVain(session: Session, wish: Refusal): Promise<void> {
  const { event, actor, folder } = wish;
  const folders = session.beliefs(Folders);
  const invalid = event === 'half of it invalid';
  const badName = wish.body === 'position' || wish.body === 'nothing';
  const valid = refusedBody(session, { ...wish, body: 'both' });
  const half = badName ? { ...valid, name: 7 } : { ...valid, position: 'first' };
  session.coverage.enter('folder', folder, event);
  const body = invalid ? half : refusedBody(session, wish);
  const entry = await session.call({ as: actor, call, path: pathOf(folder), body });
  const { ok, status } = entry.answer;
  // Whether it is refused is open (ERR-6); a service that took it has changed something.
  if (invalid && ok) return folders.forget(folder);
  if (!invalid && folder === 'foreignFolder' && actor !== 'scoped') {
    session.judge(entry, { 'FOLDER-8': { status: 403, because: `${actor} may not edit it` } });
  }
  const mayNotEdit = invalid || (status === 403 && actor !== 'scoped');
  folders.stays(folder, mayNotEdit ? 'FOLDER-12' : 'AUTH-14');
}

// ── choices ─────────────────────────────────────────────────────────────────────

/** Who may update which folder. */
function servedIn({ target, actors }: Setting, bound: readonly FolderName[]) {
  const own = bound.filter((name) => homes[name] === 'deployment');
  const editors = ['member', 'memberOauth'].flatMap((actor) => {
    const edits = target.credentials.get(actor)?.claims?.edits?.map(String) ?? [];
    const may = own.filter((name) => edits.includes(String(target.bindings[name]?.id)));
    return may.map((folder) => ({ folder, actor }));
  });
  // Those that are most likely to have more than one place to be at.
  const siblings = own.filter((name) => name !== 'nestedFolder');
  return [
    ...[...bound, ...siblings, ...siblings].map((folder) => ({ folder, actor: 'admin' })),
    ...own.flatMap((folder) => actors(call, 'allowed').map((actor) => ({ folder, actor }))),
    ...editors,
  ];
}

function refusedIn({ target }: Setting, bound: readonly FolderName[]) {
  const has = (name: string): boolean => target.credentials.has(name);
  const own = bound.filter((name) => homes[name] === 'deployment');
  const of = (event: Refusal['event'], folders: readonly FolderName[], actors: readonly string[]) =>
    folders.flatMap((folder) => actors.map((actor) => ({ event, folder, actor })));
  const thrice = <Item>(list: readonly Item[]): Item[] => [...list, ...list, ...list];
  const members = ['member', 'memberOauth'].filter(has);
  const only = (name: FolderName) => bound.filter((item) => item === name);
  return [
    ...of('without authorisation', only('lockedFolder'), thrice(members)),
    ...of('without authorisation', own, ['none', ...['expired'].filter(has)]),
    ...of('half of it invalid', bound, ['admin']),
    ...of('missing', own.slice(0, 1), thrice(['admin'])),
    ...of('foreign', only('foreignFolder'), thrice(['admin'])),
    ...of('without authorisation', only('foreignFolder'), [
      ...thrice(['scoped'].filter(has)),
      ...members,
      ...members,
    ]),
  ];
}

function moves(setting: Setting): MoveKind[] {
  const { target } = setting;
  const bound = boundFolders(target);
  if (bound.length === 0) return [];
  const index = fc.option(fc.nat(9), { nil: undefined, freq: 2 });
  const about = (kind: string, weight: number) =>
    ({
      kind,
      weight,
      needs: ['admin', 'deployment.numericId'],
      effect: 'reversible',
    }) as const;
  // A parent that is taken after all could not be put back on a tenant.
  const parents =
    target.kind === 'mock' && bound.includes('lockedFolder') ? (['null', 'another'] as const) : [];
  const parent = fc.constantFrom(undefined, undefined, undefined, undefined, ...parents);
  return [
    moveKind(
      about('update folder', 16),
      fc
        .record({
          who: fc.constantFrom(...servedIn(setting, bound)),
          name: index,
          position: index,
          parent,
        })
        .map(({ who, ...rest }) => ({ ...who, ...rest })),
      update,
    ),
    moveKind(about('read folder', 7), fc.constantFrom(...bound), readFolder),
    moveKind(
      about('update folder in vain', 15),
      fc
        .record({
          refusal: fc.constantFrom(...refusedIn(setting, bound)),
          body: fc.constantFrom(...bodies),
          name: fc.nat(9),
          look: fc.boolean(),
        })
        .map(({ refusal, ...rest }) => ({ ...refusal, ...rest })),
      refuse,
    ),
  ];
}

const updates = ['read', 'rename', 'move', 'rename and move'];

export const folders: ExploredArea = {
  moves,
  tables: {
    folder: {
      states: Object.keys(homes),
      events: [...updates, 'parent sent', 'half of it invalid', 'without authorisation'],
    },
    'folder/not there': { states: ['of another deployment', 'missing'], events: updates },
  },
  holders: { deploymentId: ['deployment', 'otherDeployment'], folderId: Object.keys(homes) },
};
