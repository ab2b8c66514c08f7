/** Folder updates: what is sent changes, all else stays; who may not, or names none, is refused. */

import fc from 'fast-check';
import { equal, isObject, type JsonObject } from '../json.ts';
import type { Conditions } from '../scenario.ts';
import type { Entry } from './contradiction.ts';
import type { FolderField } from './model.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import type { Session } from './session.ts';

const call = 'updateFolder' as const;
const fields: readonly FolderField[] = [
  'name',
  'position',
  'parentId',
  'type',
  'createdAt',
  'createdBy',
];

/** The bound folders, each with the deployment that it is in. */
const homes = {
  folder: 'deployment',
  nestedFolder: 'deployment',
  lockedFolder: 'deployment',
  foreignFolder: 'otherDeployment',
} as const;
type FolderName = keyof typeof homes;

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

interface Update {
  readonly folder: FolderName;
  readonly actor: string;
  readonly name: number | undefined;
  /** Which of the positions that are there for sure. */
  readonly position: number | undefined;
  readonly parent: 'null' | 'another' | undefined;
}

async function update(session: Session, wish: Update): Promise<void> {
  const { folder, actor } = wish;
  const belief = session.model.folder(folder);
  const body: Record<string, unknown> = {};
  if (wish.name !== undefined) {
    body.name = `${names[wish.name % names.length] ?? ''} ${folder}`;
  }
  const sibling = folder === 'folder' ? 'lockedFolder' : 'folder';
  if (wish.position !== undefined && belief.positions.size < 2 && isBound(session, sibling)) {
    // Where a sibling is, this one can be as well.
    for (const name of [folder, sibling] as const)
      await update(session, { ...reading, folder: name });
  }
  const known = [...belief.positions].sort((a, b) => a - b);
  if (wish.position !== undefined && known.length > 0) {
    body.position = known[wish.position % known.length];
  }
  if (wish.parent === 'null') body.parentId = null;
  if (wish.parent === 'another') body.parentId = '{lockedFolder.id}';
  session.coverage.enter('folder', folder, eventOf(body));
  const entry = await session.call({ as: actor, call, path: pathOf(folder), body });
  const { status } = entry.answer;
  // An unknown field may be refused (REQ-3), and then nothing has changed.
  if (wish.parent !== undefined && status >= 400 && status !== 401 && status !== 403) {
    return stays(session, folder, 'FOLDER-12');
  }
  // Nobody has said that an administrator may edit these two; a first answer shows it.
  const unsure = folder === 'lockedFolder' || folder === 'nestedFolder';
  if (status === 403 && unsure && belief.fields.name === undefined) return;
  const empty = Object.keys(body).length === 0 || belief.fields.name !== undefined;
  const half = body.name === undefined || body.position === undefined;
  const other = homes[folder] === 'otherDeployment' ? 'AUTH-10' : 'FOLDER-1';
  const statement =
    status === 403 ? other : status === 404 ? 'FOLDER-1' : empty && half ? 'FOLDER-4' : 'FOLDER-1';
  session.expectStatus(
    entry,
    accessStatement(actor, status, statement),
    200,
    'the update is served',
  );
  const sent = {
    ...(typeof body.name === 'string' ? { name: String(session.value(body.name)) } : {}),
    ...(body.position === undefined ? {} : { position: body.position }),
  };
  judge(session, entry, folder, sent);
  learn(session, entry, folder, sent);
}

function isBound(session: Session, name: FolderName): boolean {
  const { bindings } = session.target;
  return bindings[name] !== undefined && bindings[homes[name]] !== undefined;
}

function eventOf(body: JsonObject): string {
  if ('parentId' in body) return 'parent sent';
  if ('name' in body) return 'position' in body ? 'rename and move' : 'rename';
  return 'position' in body ? 'move' : 'read';
}

/** What an answer of 200 must say of the folder. */
function judge(session: Session, entry: Entry, folder: FolderName, sent: JsonObject): void {
  const { bindings } = session.target;
  const belief = session.model.folder(folder);
  const body = entry.answer.body as Record<string, unknown>;
  const wrong = (statement: string, conditions: Conditions, because: string): never => {
    throw session.contradiction(entry, statement, conditions, because);
  };
  const own = [
    ['id', `{${folder}.numericId}`, bindings[folder]?.numericId],
    ['deploymentId', `{${homes[folder]}.numericId}`, bindings[homes[folder]]?.numericId],
  ] as const;
  for (const [field, reference, value] of own) {
    if (value === undefined || body[field] === undefined || body[field] === value) continue;
    wrong('FOLDER-1', { body: { [field]: reference } }, `the ${field} is another's`);
  }
  for (const field of fields) {
    const actual = body[field] ?? undefined;
    const expected = field in sent ? sent[field] : belief.fields[field];
    if (!(field in sent) && !(field in belief.fields)) continue;
    if (actual === undefined && field !== 'parentId') continue;
    if (equal(actual, expected)) continue;
    const promised = { name: 'FOLDER-2', position: 'FOLDER-3' } as Record<string, string>;
    const statement =
      field in sent
        ? (promised[field] ?? 'FOLDER-4')
        : (belief.since[field] ?? (field === 'parentId' ? 'FOLDER-5' : 'FOLDER-4'));
    const source = field in sent ? undefined : belief.source[field];
    const shown = source === undefined ? expected : `{steps.${source}.body.${field}}`;
    const is = expected === undefined ? { $any: [{ $absent: true }, null] } : shown;
    wrong(statement, { body: { [field]: is } }, `${field} should be ${JSON.stringify(expected)}`);
  }
  judgePath(session, folder, body, wrong);
}

/** folderPath is the chain of ancestors; whether the folder itself ends it is open (FOLDER-18). */
function judgePath(
  session: Session,
  folder: FolderName,
  body: JsonObject,
  wrong: (statement: string, conditions: Conditions, because: string) => never,
): void {
  if (!Array.isArray(body.folderPath)) return;
  const path = body.folderPath.filter(isObject);
  const ancestors = path.filter((item) => item.id !== body.id);
  const parent = body.parentId ?? undefined;
  const ids = ancestors.map((item) => item.id);
  if (parent !== undefined && ids.at(-1) !== parent) {
    const conditions = { body: { folderPath: { $contains: { id: parent } } } };
    if (!ids.includes(parent)) wrong('FOLDER-11', conditions, 'folderPath lacks the parent');
  }
  if (new Set(ids).size !== ids.length) {
    wrong(
      'FOLDER-11',
      { body: { folderPath: { $unique: 'id' } } },
      'an ancestor stands there twice',
    );
  }
  if (parent === undefined && body.parentId !== undefined && ids.length > 0) {
    const self = { $every: { id: body.id } };
    wrong('FOLDER-11', { body: { folderPath: self } }, 'a folder at the top has no ancestors');
  }
  const believed = session.model.folder(folder).fields.folderPath;
  if (Array.isArray(believed) && !equal(believed, ids)) {
    const allowed = { $every: { id: { $in: [...believed, body.id] } } };
    const conditions = {
      body: { folderPath: { $all: [allowed, { $length: { $min: believed.length } }] } },
    };
    wrong('FOLDER-11', conditions, `the ancestors were ${JSON.stringify(believed)}`);
  }
  for (const [name, belief] of session.model.folders) {
    const id = session.target.bindings[name]?.numericId;
    const item = ancestors.find((ancestor) => ancestor.id === id);
    const expected = belief.fields.name;
    if (item === undefined || expected === undefined || item.name === expected) continue;
    const conditions = { body: { folderPath: { $contains: { id, name: expected } } } };
    wrong('FOLDER-11', conditions, `the ancestor ${String(id)} is called ${String(expected)}`);
  }
}

function learn(session: Session, entry: Entry, folder: FolderName, sent: JsonObject): void {
  const body = entry.answer.body as Record<string, unknown>;
  const belief = session.model.folder(folder);
  for (const field of fields) {
    if (body[field] === undefined && field !== 'parentId') {
      if (field in sent) belief.fields[field] = sent[field];
      continue;
    }
    if (field in sent || !(field in belief.fields)) belief.source[field] = entry.id;
    if (field in sent) delete belief.source[field];
    belief.fields[field] = body[field] ?? undefined;
    belief.since[field] =
      field === 'parentId'
        ? 'FOLDER-5'
        : field in sent
          ? { name: 'FOLDER-2', position: 'FOLDER-3' }[field as 'name' | 'position']
          : 'FOLDER-4';
  }
  if (Array.isArray(body.folderPath)) {
    belief.fields.folderPath = body.folderPath
      .filter(isObject)
      .map((item) => item.id)
      .filter((id) => id !== body.id);
  }
  if (typeof body.position === 'number' && !('position' in sent)) {
    belief.positions.add(body.position);
  }
  shareWithSiblings(session, folder, 'position' in sent);
}

/** Siblings have their positions in common; where one moves, the others may make room. */
function shareWithSiblings(session: Session, folder: FolderName, moved: boolean): void {
  const belief = session.model.folder(folder);
  for (const [name, other] of session.model.folders) {
    const siblings =
      name !== folder &&
      homes[name as FolderName] === homes[folder] &&
      'parentId' in other.fields &&
      other.fields.parentId === belief.fields.parentId;
    if (!siblings) continue;
    for (const position of other.positions) belief.positions.add(position);
    for (const position of belief.positions) other.positions.add(position);
    if (moved) delete other.fields.position;
  }
}

/** A refused update leaves the folder as it was. */
function stays(session: Session, folder: FolderName, statement: string): void {
  const belief = session.model.folder(folder);
  for (const field of fields) {
    // An update that nobody has read since is blamed before a refusal is.
    const since = belief.since[field];
    if (since !== 'FOLDER-2' && since !== 'FOLDER-3') belief.since[field] = statement;
  }
}

// ── refusals ────────────────────────────────────────────────────────────────────

interface Refusal {
  readonly event: 'without authorisation' | 'half of it invalid' | 'foreign' | 'missing';
  readonly actor: string;
  readonly folder: FolderName;
  readonly body: 'name' | 'position' | 'both' | 'nothing';
  readonly name: number;
  /** Whether the folder is read before and after. */
  readonly look: boolean;
}

const reading = { actor: 'admin', name: undefined, position: undefined, parent: undefined };

async function refuse(session: Session, wish: Refusal): Promise<void> {
  const { event, folder } = wish;
  const look = wish.look && event !== 'missing';
  const { name, position } = session.model.folder(folder).fields;
  if (look && (name === undefined || position === undefined)) {
    await update(session, { ...reading, folder });
  }
  await refuseOnly(session, wish);
  if (look) await update(session, { ...reading, folder });
}

async function refuseOnly(session: Session, wish: Refusal): Promise<void> {
  const { event, actor, folder } = wish;
  const belief = session.model.folder(folder);
  const current = belief.fields.position;
  const position = typeof current === 'number' ? current + 1 : 1;
  const invalidName = wish.body === 'position' || wish.body === 'nothing';
  const name = `${names[wish.name % names.length] ?? ''} refused ${folder}`;
  const body: Record<string, unknown> = {
    ...(wish.body === 'name' || wish.body === 'both' ? { name } : {}),
    ...(wish.body === 'position' || wish.body === 'both' ? { position } : {}),
  };
  if (event === 'half of it invalid') {
    body.name = invalidName ? 7 : name;
    body.position = invalidName ? position : 'first';
  }
  if (event === 'missing') {
    session.coverage.enter('folder/not there', 'missing', eventOf(body));
    const path = { deploymentId: '{deployment.numericId}', folderId: '{missing.id}' };
    const entry = await session.call({ as: 'admin', call, path, body });
    return session.expectStatus(entry, 'FOLDER-6', 404, 'there is no such folder');
  }
  if (event === 'foreign') {
    session.coverage.enter('folder/not there', 'of another deployment', eventOf(body));
    const path = pathOf('foreignFolder', 'deployment');
    const entry = await session.call({ as: 'admin', call, path, body });
    session.expectStatus(entry, 'FOLDER-7', 404, 'the folder is of a different deployment');
    return stays(session, 'foreignFolder', 'FOLDER-12');
  }
  session.coverage.enter('folder', folder, event);
  const entry = await session.call({ as: actor, call, path: pathOf(folder), body });
  if (event === 'half of it invalid') {
    // Whether it is refused is open (ERR-6); a service that took it has changed something.
    if (entry.answer.ok) session.model.folders.delete(folder);
    else stays(session, folder, 'FOLDER-12');
    return;
  }
  const expected = {
    none: ['AUTH-1', 401],
    expired: ['AUTH-4', 401],
    scoped: ['AUTH-8', 403],
  } as Record<string, readonly [string, number]>;
  const [statement, status] = expected[actor] ?? ['FOLDER-8', 403];
  session.expectStatus(entry, statement, status, `${actor} may not update ${folder}`);
  stays(session, folder, status === 403 && actor !== 'scoped' ? 'FOLDER-12' : 'AUTH-14');
}

export function folderMoves({ target, principals }: Setting): MoveKind[] {
  const bound = (Object.keys(homes) as FolderName[]).filter(
    (name) => target.bindings[name] !== undefined && target.bindings[homes[name]] !== undefined,
  );
  if (bound.length === 0) return [];
  const has = (name: string): boolean => target.credentials.has(name);
  const editors = ['member', 'memberOauth'].filter(has);
  const own = bound.filter((name) => homes[name] === 'deployment');
  /** Those that are most likely to have more than one place to be at. */
  const siblings = own.filter((name) => name !== 'nestedFolder');
  const index = fc.option(fc.nat(9), { nil: undefined, freq: 2 });
  const needs = ['admin', 'deployment.numericId'];
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs, effect: 'reversible' }) as const;
  const parents =
    target.kind === 'mock' && bound.includes('lockedFolder') ? (['null', 'another'] as const) : [];
  /** Who may update which folder. */
  const served = [
    ...[...bound, ...siblings, ...siblings].map((folder) => ({ folder, actor: 'admin' })),
    ...own.flatMap((folder) => principals.map((actor) => ({ folder, actor }))),
    ...editors.flatMap((actor) =>
      own
        .filter((folder) => {
          const { edits } = target.credentials.get(actor)?.claims ?? {};
          return edits?.map(String).includes(String(target.bindings[folder]?.id)) === true;
        })
        .map((folder) => ({ folder, actor })),
    ),
  ];
  const locked = bound.includes('lockedFolder') ? editors : [];
  const refusals: { event: Refusal['event']; actor: string; folder: FolderName }[] = [
    ...[...locked, ...locked, ...locked].map((actor) => ({
      event: 'without authorisation' as const,
      actor,
      folder: 'lockedFolder' as const,
    })),
    ...['none', ...['expired'].filter(has)].flatMap((actor) =>
      own.map((folder) => ({ event: 'without authorisation' as const, actor, folder })),
    ),
    ...bound.map((folder) => ({ event: 'half of it invalid' as const, actor: 'admin', folder })),
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    ...(bound.includes('foreignFolder')
      ? [
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          ...['scoped', 'scoped', 'scoped'].filter(has).map((actor) => ({
            event: 'without authorisation' as const,
            actor,
            folder: 'foreignFolder' as const,
          })),
        ]
      : []),
  ];
  return [
    moveKind(
      about('update folder', 16),
      fc
        .record({
          who: fc.constantFrom(...served),
          name: index,
          position: index,
          // A parent that is taken after all could not be put back on a tenant.
          parent: fc.constantFrom(undefined, undefined, undefined, undefined, ...parents),
        })
        .map(({ who, name, position, parent }) => ({
          ...who,
          name,
          position,
          parent: parent as Update['parent'],
        })),
      update,
    ),
    moveKind(about('read folder', 7), fc.constantFrom(...bound), (session, folder) =>
      update(session, { ...reading, folder }),
    ),
    moveKind(
      about('update folder in vain', 15),
      fc
        .record({
          refusal: fc.constantFrom(...refusals),
          body: fc.constantFrom<Refusal['body']>('name', 'position', 'both', 'nothing', 'nothing'),
          name: fc.nat(9),
          look: fc.boolean(),
        })
        .map(({ refusal, ...rest }) => ({ ...refusal, ...rest })),
      refuse,
    ),
  ];
}
