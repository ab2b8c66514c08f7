/** Updates of folders, in any order: what is sent changes, all else stays. */

import fc from 'fast-check';
import { resolve } from '../../../../conformance/language/template.ts';
import { type ExploredArea, inTurns, type MoveKind, moveKind, type Setting } from '../../move.ts';
import { pick } from '../../pick.ts';
import type { Session } from '../../session.ts';
import { boundFolders, type FolderName, Folders, homes, takeIn } from './folder.ts';

const call = 'updateFolder' as const;

const pathOf = (folder: FolderName) => ({
  deploymentId: `{${homes[folder]}.numericId}`,
  folderId: `{${folder}.id}`,
});

/**
 * Names that a careless service would not keep as they are; unique to the run and the folder. The
 * rules for names are not shown, so one of more than letters, digits and spaces may be refused.
 */
const names = [
  'Quarterly Figures of {run.id}',
  'R&D <plans> "{run.id}"',
  'Größe über Übersicht {run.id}',
  'all small {run.id}',
] as const;

const isPlain = (name: string): boolean => /^[\w .{}]+$/.test(name);

// ── updates that are served ─────────────────────────────────────────────────────

interface Update {
  readonly folder: FolderName;
  readonly actor: string;
  readonly name?: number | undefined;
  /** Which of the positions that are there for sure. */
  readonly position?: number | undefined;
  readonly parent?: 'null' | 'another' | undefined;
}

/** An update that sends nothing, which shows the folder. */
function readFolder(session: Session, folder: FolderName): Promise<void> {
  return update(session, { folder, actor: 'admin' });
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
  const seen = folders.of(folder).fields.has('name');
  const entry = await session.call({ as: actor, call, path: pathOf(folder), body });
  const { status } = entry.answer;
  // An unknown field may be refused (REQ-3), and then nothing has changed.
  if (parent !== undefined && status >= 400 && status !== 401 && status !== 403) {
    return folders.stays(folder, 'FOLDER-12');
  }
  const odd = name !== undefined && !isPlain(name);
  if (odd && [400, 409, 422].includes(status)) return folders.stays(folder, 'FOLDER-12');
  // Nobody has said that an administrator may edit these two; a first answer shows it.
  if (status === 403 && !seen && folder !== 'folder' && folder !== 'foreignFolder') return;
  const elsewhere = status === 403 && homes[folder] === 'otherDeployment';
  const half = seen && (name === undefined || position === undefined);
  const statement = elsewhere ? 'AUTH-10' : half ? 'FOLDER-4' : 'FOLDER-1';
  session.judge(entry, { [statement]: { status: 200, because: 'the update is served' } });
  const values = name === undefined ? sent : { ...sent, name: resolve(name, session.scope) };
  takeIn(session, entry, folder, values);
}

interface Row extends Omit<Update, 'actor'> {
  readonly actors: readonly string[];
  /** It is read behind each of them, not behind the last of several alone. */
  readonly watched: boolean;
}

/** Whoever comes second gives it another name. */
async function updateInTurns(session: Session, { actors, watched, ...first }: Row): Promise<void> {
  const { folder, name = 0 } = first;
  for (const [turn, actor] of actors.entries()) {
    const wish = turn === 0 ? first : { folder, name: name + turn };
    await update(session, { ...wish, actor });
    const isLast = actors.length > 1 && turn === actors.length - 1;
    if (watched || isLast) await readFolder(session, folder);
  }
}

/** Half of the update is invalid: where that is refused, the other half must not show. */
async function updateHalf(
  session: Session,
  { folder, badName, name }: { folder: FolderName; badName: boolean; name: number },
): Promise<void> {
  const folders = session.beliefs(Folders);
  await readFolder(session, folder);
  const now = folders.of(folder).fields.get('position')?.value;
  const position = typeof now === 'number' ? now + 1 : 1;
  const body = badName
    ? { name: 7, position }
    : { name: `${pick(names, name)} refused`, position: 'first' };
  const entry = await session.call({ call, path: pathOf(folder), body });
  // Whether it is refused is open (ERR-6); a service that took it has changed something.
  if (entry.answer.ok) return void folders.delete(folder);
  folders.stays(folder, 'FOLDER-12');
  await readFolder(session, folder);
}

// ── choices ─────────────────────────────────────────────────────────────────────

/** Who may update a folder, beside the administrator. */
function editorsOf({ target, actors }: Setting, folder: FolderName): string[] {
  if (homes[folder] !== 'deployment') return [];
  const editors = ['member', 'memberOauth'].filter((actor) => {
    const edits = target.credentials.get(actor)?.claims?.edits?.map(String) ?? [];
    return edits.includes(String(target.bindings[folder]?.id));
  });
  return [...actors(call), ...editors];
}

function moves(setting: Setting): MoveKind[] {
  const { target } = setting;
  const bound = boundFolders(target);
  if (bound.length === 0) return [];
  // Those that are most likely to have more than one place to be at, or more than one editor.
  const often = (['folder', 'folder', 'lockedFolder'] as const).filter((name) =>
    bound.includes(name),
  );
  const index = fc.option(fc.nat(9), { nil: undefined, freq: 2 });
  const writes = { needs: ['admin', 'deployment.numericId'], effect: 'reversible' } as const;
  // A parent that is taken after all could not be put back on a tenant.
  const parents =
    target.kind === 'mock' && bound.includes('lockedFolder') ? (['null', 'another'] as const) : [];
  const parent = fc.constantFrom(undefined, undefined, undefined, undefined, ...parents);
  return [
    moveKind(
      'update folder',
      16,
      writes,
      fc.constantFrom(...bound, ...often).chain((folder) =>
        fc.record({
          folder: fc.constant(folder),
          actors: inTurns(editorsOf(setting, folder)),
          watched: fc.boolean(),
          name: index,
          position: index,
          parent,
        }),
      ),
      updateInTurns,
    ),
    moveKind('read folder', 7, { ...writes, reads: true }, fc.constantFrom(...bound), readFolder),
    moveKind(
      'update folder half in vain',
      6,
      writes,
      fc.record({ folder: fc.constantFrom(...bound), badName: fc.boolean(), name: fc.nat(9) }),
      updateHalf,
    ),
  ];
}

export const folders: ExploredArea = { moves };
