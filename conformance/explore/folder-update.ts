/** Updates of a folder that are served: what is sent changes, all else stays. */
import { call, eventOf, type FolderName, homes, isBound, names, pathOf } from './folder-call.ts';
import { judge, learn, stays } from './folder-judge.ts';
import { accessStatement } from './move.ts';
import type { Session } from './session.ts';

export interface Update {
  readonly folder: FolderName;
  readonly actor: string;
  readonly name: number | undefined;
  /** Which of the positions that are there for sure. */
  readonly position: number | undefined;
  readonly parent: 'null' | 'another' | undefined;
}

/** An update that sends nothing, which shows the folder. */
export function readFolder(session: Session, folder: FolderName): Promise<void> {
  const nothing = { name: undefined, position: undefined, parent: undefined };
  return update(session, { folder, actor: 'admin', ...nothing });
}

export async function update(session: Session, wish: Update): Promise<void> {
  const { folder, actor } = wish;
  const belief = session.model.folder(folder);
  const body: Record<string, unknown> = {};
  if (wish.name !== undefined) {
    body.name = `${names[wish.name % names.length] ?? ''} ${folder}`;
  }
  const sibling = folder === 'folder' ? 'lockedFolder' : 'folder';
  if (
    wish.position !== undefined &&
    belief.positions.size < 2 &&
    isBound(session.target, sibling)
  ) {
    // Where a sibling is, this one can be as well.
    for (const name of [folder, sibling] as const) await readFolder(session, name);
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
