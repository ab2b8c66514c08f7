import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import type { Handler } from '../../pipeline/handler.ts';
import type { FolderRow } from '../../world/rows.ts';
import { ancestorsOf, updateFolder as change, makeRoom, siblingsOf } from './machine.ts';

type Folder = components['schemas']['Folder'];

/** A text that is blank, or has a control character. */
const unusualName = /^\s*$|\p{Cc}/u;
const longName = /.{256}/su;

export const updateFolder: Handler<'updateFolder', FolderRow> = {
  validate(call) {
    const { name } = call.input;
    if (name === '' && call.assume('FOLDER-16') === 'refused') {
      return call.invalidBody('name must not be empty', '/name', 'FOLDER-16');
    }
    if (!name) return undefined;
    const refuse = (rule: string) => call.invalidBody(`name must ${rule}`, '/name', 'FOLDER-26');
    if (longName.test(name) && call.assume('FOLDER-26') !== 'none') {
      return refuse('have at most 255 characters');
    }
    if (unusualName.test(name) && call.assume('FOLDER-26') === 'plain') {
      return refuse('have text, and no control character');
    }
    return undefined;
  },
  find(call) {
    const { deploymentId, folderId } = call.path;
    const row = call.world.state.tables.folders.get(folderId);
    if (row?.deploymentId === String(deploymentId)) return row;
    const statement = row === undefined ? 'FOLDER-6' : 'FOLDER-7';
    return call.refuse(404, statement, `Deployment ${deploymentId} has no folder ${folderId}`);
  },
  handle(call, folder) {
    const { world } = call;
    const { folders } = world.state.tables;
    const siblings = siblingsOf(folder, folders.of(folder.deploymentId));
    const changes = { ...call.input };
    const { position, name } = changes;
    const sent = Object.entries({ name, position }).flatMap(([key, value]) =>
      value === undefined ? [] : [key],
    );
    call.enter(`folder: ${sent.join(' and ') || 'nothing'}`);
    if (position !== undefined && (position < 0 || position > siblings.length)) {
      const choice = call.assume('FOLDER-15');
      if (choice === 'refused') {
        const message = `There is no position ${position} among ${siblings.length} siblings`;
        return call.refuseAssumed('FOLDER-15', message, '/position');
      }
      if (choice === 'clamped') changes.position = Math.min(Math.max(position, 0), siblings.length);
    }
    if (name !== undefined && siblings.some((other) => other.name === name)) {
      if (call.assume('FOLDER-17') === 'conflict') {
        const message = `A sibling is named ${JSON.stringify(name)} already`;
        return call.refuseAssumed('FOLDER-17', message, '/name');
      }
    }
    const by = { userId: call.caller.user?.id ?? 0, at: new Date(world.clock.now()).toISOString() };
    const changed = change(folder, changes, by);
    if (changed !== folder) {
      folders.put(folder.id, changed);
      if (call.choice('FOLDER-20') === 'make-room') {
        const moved = makeRoom(siblings, folder.position, changed.position);
        for (const other of moved) folders.put(other.id, other);
      }
      const details = `folder ${folder.id}: ${changed.name} at ${changed.position}`;
      call.audit('FolderUpdated', folder.deploymentId, details);
    }
    return call.reply(200, folderRecord(call, changed));
  },
};

/** The other forms of a time, by choice of FOLDER-14. */
const spellings: Readonly<Record<string, (time: string) => string>> = {
  date: (time) => time.slice(0, 10),
  'http-date': (time) => new Date(time).toUTCString(),
};

function folderRecord(call: Pick<Call, 'assume' | 'world'>, row: FolderRow): Folder {
  const ancestors = ancestorsOf(row, (id) => call.world.state.tables.folders.get(id));
  if (call.assume('FOLDER-18') === 'with-self') ancestors.push(row);
  const spelt = (time: string) => (spellings[call.assume('FOLDER-14')] ?? String)(time);
  const absence = call.assume('FOLDER-13');
  const record: Folder = {
    id: row.id,
    deploymentId: Number(row.deploymentId),
    name: row.name,
    position: row.position,
    type: row.type,
    createdAt: spelt(row.createdAt),
    updatedAt: spelt(row.updatedAt),
  };
  if (row.parentId !== null) record.parentId = row.parentId;
  else if (absence === 'nulls') record.parentId = null;
  if (absence === 'few') return record;
  if (absence === 'few-null') {
    return { ...record, createdBy: null, updatedBy: null, folderPath: null };
  }
  record.createdBy = row.createdBy;
  record.updatedBy = row.updatedBy;
  record.folderPath = ancestors.map(({ id, name }) => ({ id, name }));
  return record;
}
