/** Folder updates, going wrong: fields that change unasked, updates that are lost, late or somebody else's. */
import type { JsonObject } from '../../../spec/base/json.ts';
import {
  again,
  all,
  isElsewhere,
  not,
  objectOf,
  setIn,
  since,
} from '../../deviations/conditions.ts';
import {
  type Asked,
  type Does,
  type Done,
  both,
  given,
  trial,
  type When,
} from '../../deviations/does.ts';
import { objectsOf } from '../../deviations/places.ts';
import {
  accepts,
  asAdmin,
  despite,
  refuses,
  refusesOnce,
  served,
} from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import {
  ignores,
  reads,
  seesToo,
  sends,
  sendsOnly,
  sendsValue,
} from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import {
  answersAsOther,
  besides,
  type Due,
  instead,
  lost,
  objectOf as readObject,
  reading,
  showsOld,
  undone,
} from '../../deviations/state.ts';
import { isServed, type Other } from '../../deviations/wire.ts';
import { inItsDeployment } from '../lists/deviations.ts';

const id = 'updateFolder';
const isEmpty = sendsOnly();
const isLater = all(not(isEmpty), again(objectOf));
const alone = (name: string) => sendsOnly(name);

// ── other folders ───────────────────────────────────────────────────────────────

const AROUND = 40;

/** The folders of the deployment whose ids are near: no call lists folders. */
async function near({ call, target }: Asked): Promise<readonly JsonObject[]> {
  const own = Number(call.path.folderId);
  const found: JsonObject[] = [];
  for (let other = Math.max(1, own - AROUND); other <= own + AROUND; other += 1) {
    const path = { ...call.path, folderId: String(other) };
    const reply = await trial({ call, target }, { path, body: {}, ...asAdmin({ call, target }) });
    if (other !== own && isServed(reply)) found.push(reply.body as JsonObject);
  }
  return found;
}

const pathIds = ({ folderPath }: JsonObject) => objectsOf(folderPath).map((item) => item.id);
const parentOf = (folder: JsonObject) => pathIds(folder).at(-1) ?? null;

/** Other folders get the name that is sent, too. */
const renames = (which: (other: JsonObject, own: JsonObject) => boolean): Does =>
  given(
    sends('name'),
    besides(async (done) => {
      const others = await near(done);
      const chosen = others.filter((other) => which(other, done.reply.body as JsonObject));
      return chosen.map((other) => ({
        ...asAdmin(done),
        path: { ...done.call.path, folderId: String(other.id) },
        body: { name: done.call.body.name },
      }));
    }),
  );

const whereItIs = (asked: Asked) => inItsDeployment(asked, {});

// ── what an update leaves behind ────────────────────────────────────────────────

const oneFurther = seesToo(async (asked) => ({
  position: Number((await readObject(asked))?.position) + 1,
}));
const edited = seesToo(async (asked) => ({ name: `${(await readObject(asked))?.name} (edited)` }));
const atTop = both(
  field('folderPath', () => []),
  field('parentId', () => null),
);
const elsewhere = body(async (folder, done) => {
  const own = folder as JsonObject;
  const others = await near(done);
  const other = others.find((one) => one.id !== parentOf(own) && !pathIds(one).includes(own.id));
  return other && { ...own, parentId: other.id, folderPath: [{ id: other.id, name: other.name }] };
});
const moves = (when: When, where: Does = atTop): Does => given(since(when), where);
const sentParent = (fits: (parent: unknown) => boolean) => sendsValue('parentId', fits);
const atNextThat =
  (fits: (body: JsonObject) => boolean): Due =>
  ({ call }) =>
    fits(call.body);
const takenBack = (by: Due, when: When) => undone([id], by, when);
const isNothing = (sent: JsonObject) => Object.keys(sent).length === 0;
const without = (name: string, { [name]: _left, ...rest }: JsonObject): JsonObject => rest;
/** A new value is answered, and the old one kept. */
const loses = (name: string) =>
  given(
    sends(name),
    instead(({ call }) => ({ body: without(name, call.body) })),
  );
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A folder is sent back to a position that it had before. */
const movesBack: When = async (asked) => {
  const { position } = asked.call.body;
  const now = (await readObject(asked))?.position;
  const had = setIn(asked.target.memory, objectOf(asked.call));
  const back = position !== now && had.has(String(position));
  if (position !== undefined) had.add(String(now));
  return back;
};

const firstReply = body((folder, { target }) => {
  const key = `first of ${(folder as JsonObject).id}`;
  if (!target.memory.has(key)) target.memory.set(key, folder);
  return target.memory.get(key);
});

// ── refused, and done ───────────────────────────────────────────────────────────

/** Done with one of its fields. */
const only =
  (name: string) =>
  (done: Done): readonly Other[] => {
    const { [name]: value } = done.call.body;
    return value === undefined ? [] : [{ ...asAdmin(done), body: { [name]: value } }];
  };
const doneThere = async (done: Done) => [await whereItIs(done)].filter((one) => one !== undefined);
const folderOf = ({ call }: Asked) => call.path.folderId ?? '';

// ── the path of a folder ────────────────────────────────────────────────────────

const path = (change: (ancestors: readonly JsonObject[]) => unknown) =>
  field('folderPath', (ancestors) =>
    objectsOf(ancestors).length > 0 ? change(objectsOf(ancestors)) : undefined,
  );
const oldNames: Does = async (call, target) => {
  const { memory } = target;
  const old = await readObject({ call, target });
  const key = `name of ${call.path.folderId}`;
  if (old !== undefined && call.body.name !== undefined && !memory.has(key))
    memory.set(key, old.name);
  const named = path((list) =>
    list.map((item) => ({ ...item, name: memory.get(`name of ${item.id}`) ?? item.name })),
  );
  return named(call, target);
};
const ofNear = body(async (folder, done) => {
  const own = folder as JsonObject;
  const other = (await near(done)).find((one) => one.id !== parentOf(own));
  return pathIds(own).length > 0 && other
    ? { ...own, folderPath: [{ id: other.id, name: other.name }] }
    : undefined;
});

const rows: Rows = {
  'FOLDER-4': {
    'rename-resets-position': given(
      alone('name'),
      seesToo(() => ({ position: 0 })),
    ),
    'rename-moves-on': given(alone('name'), oneFurther),
    'position-resets-name': given(
      alone('position'),
      seesToo(() => ({ name: 'New folder' })),
    ),
    'position-undoes-rename': takenBack(
      atNextThat((sent) => sent.name === undefined && !isNothing(sent)),
      alone('name'),
    ),
    'rename-undoes-position': takenBack(
      atNextThat((sent) => sent.position === undefined && !isNothing(sent)),
      alone('position'),
    ),
    'empty-update-moves': given(isEmpty, oneFurther),
    'empty-update-renames': given(isEmpty, edited),
    'rename-changes-type': given(
      since(sends('name')),
      field('type', () => 'REPORT'),
    ),
    'rename-changes-creation': given(
      sends('name'),
      field('createdAt', (_old, { target }) => new Date(target.now()).toISOString()),
    ),
    'sibling-renamed': renames((other, own) => parentOf(other) === parentOf(own)),
    'children-renamed': renames((other, own) => parentOf(other) === own.id),
    'empty-update-refused': refuses(400, 'ERR-6', isEmpty),
    'name-needed': refuses(400, 'ERR-6', alone('position')),
    'position-needed': refuses(400, 'ERR-6', alone('name')),
  },
  'FOLDER-2 FOLDER-3 FOLDER-4': {
    'empty-update-undoes: An update that sends nothing undoes the one before.': takenBack(
      atNextThat(isNothing),
      not(isEmpty),
    ),
  },
  'FOLDER-5': {
    'update-moves-to-top': moves(not(isEmpty)),
    'rename-moves-to-top': moves(sends('name')),
    'position-moves-to-top': moves(sends('position')),
    'update-moves-elsewhere': given(not(isEmpty), elsewhere),
    'sent-parent-obeyed': moves(
      sentParent((parent) => typeof parent === 'number'),
      elsewhere,
    ),
    'sent-null-parent-obeyed': moves(sentParent((parent) => parent === null)),
    'parent-lost-later: A second update takes it out of its parent.': moves(isLater),
  },
  'FOLDER-2': {
    'name-cut: A name is cut after 10 characters.': reads('name', (text: string) =>
      text.slice(0, 10),
    ),
    'name-in-small-letters': reads('name', (text: string) => text.toLowerCase()),
    'name-in-capitals': reads(
      'name',
      (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1),
    ),
    'name-with-dashes': reads('name', (text: string) => text.replaceAll(' ', '-')),
    'name-escaped': reads('name', escaped),
    'name-in-ascii': reads('name', (text: string) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
    'rename-lost: A new name is answered, and not kept.': loses('name'),
    'name-sent-with-position-ignored': given(sends('name', 'position'), ignores('name')),
    'rename-late: A new name shows in the answer to the next update.': showsOld('name'),
  },
  'FOLDER-3': {
    'position-off-by-one': reads('position', (place: number) => place + 1),
    'position-one-before': reads('position', (place: number) => place - 1),
    'position-zero-ignored': given(
      sendsValue('position', (place) => place === 0),
      ignores('position'),
    ),
    'position-lost: A new position is answered, and not kept.': loses('position'),
    'position-alone-ignored': given(alone('position'), ignores('position')),
    'position-sent-with-name-ignored': given(sends('name', 'position'), ignores('position')),
    'position-late: A new position shows in the answer to the next update.': showsOld('position'),
    'move-back-ignored': given(movesBack, ignores('position')),
  },
  'FOLDER-2 FOLDER-3': {
    'update-lost: An update is answered, and not kept.': lost,
    'second-update-lost': given(isLater, lost),
    'second-update-ignored': given(isLater, ignores('name', 'position')),
    'answer-from-before': answersAsOther(({ call }) => reading(call)),
    'first-update-answered-again': firstReply,
  },
  'FOLDER-12 AUTH-14': {
    'no-edit-access-but-done': despite('FOLDER-8'),
    'no-edit-access-but-renamed': despite('FOLDER-8', only('name')),
    'no-edit-access-but-moved': despite('FOLDER-8', only('position')),
  },
  'AUTH-14 FOLDER-12': {
    'out-of-scope-but-done': despite('AUTH-8'),
  },
  'FOLDER-12': {
    'foreign-folder-refused-but-done': despite('FOLDER-7', doneThere),
    'bad-position-but-renamed': despite('ERR-6', only('name')),
    'bad-name-but-moved': despite('ERR-6', only('position')),
  },
  'FOLDER-8': {
    'members-edit-elsewhere': accepts('FOLDER-8', async (done) =>
      (await isElsewhere(done)) ? asAdmin(done) : undefined,
    ),
  },
  'FOLDER-7': {
    'foreign-folder-updated': accepts('FOLDER-7', whereItIs),
    'foreign-folder-refused-once': refusesOnce('FOLDER-7', whereItIs),
    'foreign-folder-shown': accepts('FOLDER-7', async (done) =>
      (await isEmpty(done)) ? whereItIs(done) : undefined,
    ),
  },
  'FOLDER-6': {
    'missing-folder-answered': accepts('FOLDER-6', served()),
    'missing-folder-refused-once': refusesOnce('FOLDER-6', served(), (call) =>
      folderOf({ call } as Asked),
    ),
  },
  'FOLDER-1': {
    'id-of-another': field('id', (own) => Number(own) + 1),
    'deployment-of-another': field('deploymentId', (own) => Number(own) + 1),
  },
  'FOLDER-11': {
    'path-names-another': ofNear,
    'path-empty': path(() => []),
    'path-with-old-names': oldNames,
    'path-twice': path((ancestors) => ancestors.flatMap((item) => [item, item])),
  },
};

export const folders = table('folders', [id], rows);
