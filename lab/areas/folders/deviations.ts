/** Folder updates, going wrong: fields that change unasked, updates that are lost, late or somebody else's. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { since } from '../../deviations/conditions.ts';
import {
  type Asked,
  both,
  type Does,
  type Done,
  given,
  trial,
  type When,
} from '../../deviations/does.ts';
import { objectsOf } from '../../deviations/places.ts';
import { asAdmin, despite, refuses } from '../../deviations/refusals.ts';
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
  reading,
  objectOf as readObject,
  undone,
} from '../../deviations/state.ts';
import { isServed, type Other } from '../../deviations/wire.ts';
import { inItsDeployment } from '../lists/deviations.ts';

const id = 'updateFolder';
const isEmpty = sendsOnly();
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

// ── refused, and done ───────────────────────────────────────────────────────────

/** Done with one of its fields. */
const only =
  (name: string) =>
  (done: Done): readonly Other[] => {
    const { [name]: value } = done.call.body;
    return value === undefined ? [] : [{ ...asAdmin(done), body: { [name]: value } }];
  };
const doneThere = async (done: Done) => [await whereItIs(done)].filter((one) => one !== undefined);

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

const rows: Rows = {
  'FOLDER-4': {
    'rename-moves-on': given(alone('name'), oneFurther),
    'position-resets-name': given(
      alone('position'),
      seesToo(() => ({ name: 'New folder' })),
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
    'sibling-renamed': renames((other, own) => parentOf(other) === parentOf(own)),
    'children-renamed': renames((other, own) => parentOf(other) === own.id),
    'empty-update-refused': refuses(400, 'ERR-6', isEmpty),
  },
  'FOLDER-5': {
    'position-moves-to-top': moves(sends('position')),
    'rename-moves-elsewhere': given(sends('name'), elsewhere),
    'sent-parent-obeyed': moves(
      sentParent((parent) => typeof parent === 'number'),
      elsewhere,
    ),
    'sent-null-parent-obeyed': moves(sentParent((parent) => parent === null)),
  },
  'FOLDER-2': {
    'name-cut: A name is cut after 10 characters.': reads('name', (text: string) =>
      text.slice(0, 10),
    ),
    'rename-lost: A new name is answered, and not kept.': loses('name'),
    'name-sent-with-position-ignored': given(sends('name', 'position'), ignores('name')),
  },
  'FOLDER-3': {
    'position-off-by-one': reads('position', (place: number) => place + 1),
    'position-alone-ignored': given(alone('position'), ignores('position')),
  },
  'FOLDER-2 FOLDER-3': {
    'answer-from-before': answersAsOther(({ call }) => reading(call)),
  },
  'FOLDER-12 AUTH-14': {
    'no-edit-access-but-done': despite('FOLDER-8'),
  },
  'AUTH-14 FOLDER-12': {
    'out-of-scope-but-done': despite('AUTH-8'),
  },
  'FOLDER-12': {
    'foreign-folder-refused-but-done': despite('FOLDER-7', doneThere),
    'bad-position-but-renamed': despite('ERR-6', only('name')),
    'bad-name-but-moved': despite('ERR-6', only('position')),
  },
  'FOLDER-11': {
    'path-with-old-names': oldNames,
    'path-twice': path((ancestors) => ancestors.flatMap((item) => [item, item])),
  },
};

export const folders = table('folders', [id], rows);
