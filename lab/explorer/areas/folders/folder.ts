/** What is believed of a folder, and what an answer must say of it. */

import type { Conditions } from '../../../../conformance/language/scenario.ts';
import type { Target } from '../../../../conformance/target/target.ts';
import { isObject, type JsonObject } from '../../../../spec/base/json.ts';
import type { Entry } from '../../contradiction.ts';
import type { Session } from '../../session.ts';

/** The bound folders, each with the deployment that it is in. */
export const homes = {
  folder: 'deployment',
  nestedFolder: 'deployment',
  lockedFolder: 'deployment',
  foreignFolder: 'otherDeployment',
} as const;

export type FolderName = keyof typeof homes;

/**
 * The folders that are bound. Where `nestedFolder` is not, the tenant file lends it the id of
 * `folder`: it is the same folder then, and not one more.
 */
export function boundFolders({ bindings }: Target): FolderName[] {
  const ids = new Set<unknown>();
  return (Object.keys(homes) as FolderName[]).filter((name) => {
    const id = bindings[name]?.numericId;
    const fresh = id !== undefined && bindings[homes[name]] !== undefined && !ids.has(id);
    ids.add(id);
    return fresh;
  });
}

const fields = ['name', 'position', 'parentId', 'type', 'createdAt', 'createdBy'] as const;
type Field = (typeof fields)[number];

/** Statements that promise what is sent. */
const sentFields: Readonly<Record<string, string>> = { name: 'FOLDER-2', position: 'FOLDER-3' };

interface Known {
  readonly value: unknown;
  /** Statement that another value would contradict. */
  since: string;
  /** The entry that showed it; undefined where it was sent. */
  readonly source: string | undefined;
}

interface Folder {
  readonly fields: Map<Field, Known>;
  /** Positions that it or a sibling was seen at: these are there for sure (FOLDER-15). */
  readonly positions: Set<number>;
  /** Ids of its ancestors. */
  ancestors?: readonly unknown[];
}

export class Folders extends Map<FolderName, Folder> {
  of(name: FolderName): Folder {
    const found = this.get(name) ?? { fields: new Map(), positions: new Set() };
    this.set(name, found);
    return found;
  }

  /** A refused update leaves the folder as it was. */
  stays(name: FolderName, statement: string): void {
    // An update that nobody has read since is blamed before a refusal is.
    for (const known of this.of(name).fields.values()) {
      if (!Object.values(sentFields).includes(known.since)) known.since = statement;
    }
  }
}

const maybe = (value: unknown) => ({ $any: [{ $absent: true }, value] });
const noParent = { $any: [{ $absent: true }, null] };
const isList = { folderPath: { $type: 'array' } };

/** folderPath is the chain of ancestors; whether the folder itself ends it is open (FOLDER-18). */
const pathChecks: readonly Conditions[] = [
  {
    body: { folderPath: { $contains: { id: '{body.parentId}' } } },
    only: { body: { ...isList, parentId: { $type: 'integer' } } },
    because: 'the parent is an ancestor',
  },
  {
    body: { folderPath: { $unique: 'id' } },
    only: { body: isList },
    because: 'no ancestor stands there twice',
  },
  {
    body: { folderPath: { $every: { id: '{body.id}' } } },
    only: { body: { ...isList, parentId: null } },
    because: 'a folder at the top has no ancestors',
  },
];

/**
 * Throws Contradiction where an answer of 200 does not say what it must of the folder, and takes in
 * what it says.
 */
export function takeIn(session: Session, entry: Entry, name: FolderName, sent: JsonObject): void {
  const folder = session.beliefs(Folders).of(name);
  const body = entry.answer.body as JsonObject;
  session.judge(entry, {
    'FOLDER-1': {
      body: {
        id: maybe(`{${name}.numericId}`),
        deploymentId: maybe(`{${homes[name]}.numericId}`),
      },
    },
  });
  for (const field of fields) {
    const known = folder.fields.get(field);
    const shown = body[field] ?? undefined;
    if (field in sent) {
      const since = sentFields[field] ?? 'FOLDER-4';
      session.judge(entry, { [since]: { body: { [field]: maybe(sent[field]) } } });
      folder.fields.set(field, { value: sent[field], since, source: undefined });
      continue;
    }
    const isParent = field === 'parentId';
    if (known !== undefined) {
      const { source, value, since } = known;
      const before = source === undefined ? value : `{steps.${source}.body.${field}}`;
      const same = value === undefined ? noParent : isParent ? before : maybe(before);
      session.judge(entry, { [since]: { body: { [field]: same } } });
    }
    if (isParent || shown !== undefined) {
      const since = isParent ? 'FOLDER-5' : 'FOLDER-4';
      const source = known === undefined ? entry.id : known.source;
      folder.fields.set(field, { value: shown, since, source });
    }
  }
  session.judge(entry, { 'FOLDER-11': [...pathChecks, ...ancestorChecks(session, folder)] });
  if (Array.isArray(body.folderPath)) {
    const ids = body.folderPath.filter(isObject).map((item) => item.id);
    folder.ancestors = ids.filter((id) => id !== body.id);
  }
  if (typeof body.position === 'number' && !('position' in sent)) {
    folder.positions.add(body.position);
  }
  shareWithSiblings(session, name, 'position' in sent);
}

function ancestorChecks(session: Session, { ancestors }: Folder): Conditions[] {
  const checks: Conditions[] = [];
  if (ancestors !== undefined) {
    const allowed = { $every: { id: { $in: [...ancestors, '{body.id}'] } } };
    checks.push({
      body: { folderPath: { ...allowed, $length: { $min: ancestors.length } } },
      only: { body: isList },
      because: 'the ancestors are those of before',
    });
  }
  for (const [name, other] of session.beliefs(Folders)) {
    const called = other.fields.get('name')?.value;
    if (called === undefined) continue;
    const id = `{${name}.numericId}`;
    checks.push({
      body: { folderPath: { $contains: { id, name: called } } },
      only: { body: { id: { $not: id }, folderPath: { $contains: { id } } } },
      because: 'an ancestor is called as its own answer says',
    });
  }
  return checks;
}

/** Siblings have their positions in common; where one moves, the others may make room. */
function shareWithSiblings(session: Session, name: FolderName, moved: boolean): void {
  const folders = session.beliefs(Folders);
  const folder = folders.of(name);
  for (const [other, sibling] of folders) {
    const parent = sibling.fields.get('parentId');
    const isSibling =
      other !== name &&
      homes[other] === homes[name] &&
      parent !== undefined &&
      parent.value === folder.fields.get('parentId')?.value;
    if (!isSibling) continue;
    for (const position of sibling.positions) folder.positions.add(position);
    for (const position of folder.positions) sibling.positions.add(position);
    if (moved) sibling.fields.delete('position');
  }
}
