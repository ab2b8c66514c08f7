/** What an answer must say of a folder, and what is believed of it from then on. */
import { equal, isObject, type JsonObject } from '../../spec/base/json.ts';
import type { Conditions } from '../language/scenario.ts';
import type { Entry } from './contradiction.ts';
import { type FolderName, fields, homes } from './folder-call.ts';
import type { Session } from './session.ts';

/** What an answer of 200 must say of the folder. */
export function judge(session: Session, entry: Entry, folder: FolderName, sent: JsonObject): void {
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

export function learn(session: Session, entry: Entry, folder: FolderName, sent: JsonObject): void {
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
export function stays(session: Session, folder: FolderName, statement: string): void {
  const belief = session.model.folder(folder);
  for (const field of fields) {
    // An update that nobody has read since is blamed before a refusal is.
    const since = belief.since[field];
    if (since !== 'FOLDER-2' && since !== 'FOLDER-3') belief.since[field] = statement;
  }
}
