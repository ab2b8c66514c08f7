/** Updates of a folder that are refused, and leave it as it was. */
import { call, eventOf, type FolderName, names, pathOf } from './folder-call.ts';
import { stays } from './folder-judge.ts';
import { readFolder } from './folder-update.ts';
import type { Session } from './session.ts';

export interface Refusal {
  readonly event: 'without authorisation' | 'half of it invalid' | 'foreign' | 'missing';
  readonly actor: string;
  readonly folder: FolderName;
  readonly body: 'name' | 'position' | 'both' | 'nothing';
  readonly name: number;
  /** Whether the folder is read before and after. */
  readonly look: boolean;
}

export async function refuse(session: Session, wish: Refusal): Promise<void> {
  const { event, folder } = wish;
  const look = wish.look && event !== 'missing';
  const { name, position } = session.model.folder(folder).fields;
  if (look && (name === undefined || position === undefined)) {
    await readFolder(session, folder);
  }
  await refuseOnly(session, wish);
  if (look) await readFolder(session, folder);
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
