/** Folder updates, going wrong: fields that change unasked, updates that are lost, late or somebody else's. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { again, all, isElsewhere, not, objectOf, setIn, since } from '../../deviations/conditions.ts';
import { type Asked, type Does, type Done, both, given, trial, type When } from '../../deviations/does.ts';
import { objectsOf } from '../../deviations/places.ts';
import { accepts, asAdmin, despite, refuses, refusesOnce, served } from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import { ignores, reads, seesToo, sends, sendsOnly, sendsValue } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
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
  given(sends(name), instead(({ call }) => ({ body: without(name, call.body) })));
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
  if (old !== undefined && call.body.name !== undefined && !memory.has(key)) memory.set(key, old.name);
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

const rows: readonly Row[] = [
  ['rename-resets-position', 'FOLDER-4', given(alone('name'), seesToo(() => ({ position: 0 })))],
  ['rename-moves-on', 'FOLDER-4', given(alone('name'), oneFurther)],
  ['position-resets-name', 'FOLDER-4', given(alone('position'), seesToo(() => ({ name: 'New folder' })))],
  ['position-undoes-rename', 'FOLDER-4', takenBack(atNextThat((sent) => sent.name === undefined && !isNothing(sent)), alone('name'))],
  ['rename-undoes-position', 'FOLDER-4', takenBack(atNextThat((sent) => sent.position === undefined && !isNothing(sent)), alone('position'))],
  ['empty-update-moves', 'FOLDER-4', given(isEmpty, oneFurther)],
  ['empty-update-renames', 'FOLDER-4', given(isEmpty, edited)],
  ['rename-changes-type', 'FOLDER-4', given(since(sends('name')), field('type', () => 'REPORT'))],
  ['rename-changes-creation', 'FOLDER-4', given(sends('name'), field('createdAt', (_old, { target }) => new Date(target.now()).toISOString()))],
  ['sibling-renamed', 'FOLDER-4', renames((other, own) => parentOf(other) === parentOf(own))],
  ['children-renamed', 'FOLDER-4', renames((other, own) => parentOf(other) === own.id)],
  ['empty-update-refused', 'FOLDER-4', refuses(400, 'ERR-6', isEmpty)],
  ['name-needed', 'FOLDER-4', refuses(400, 'ERR-6', alone('position'))],
  ['position-needed', 'FOLDER-4', refuses(400, 'ERR-6', alone('name'))],
  ['empty-update-undoes: An update that sends nothing undoes the one before.', 'FOLDER-2 FOLDER-3 FOLDER-4', takenBack(atNextThat(isNothing), not(isEmpty))],
  ['update-moves-to-top', 'FOLDER-5', moves(not(isEmpty))],
  ['rename-moves-to-top', 'FOLDER-5', moves(sends('name'))],
  ['position-moves-to-top', 'FOLDER-5', moves(sends('position'))],
  ['update-moves-elsewhere', 'FOLDER-5', moves(not(isEmpty), elsewhere)],
  ['sent-parent-obeyed', 'FOLDER-5', moves(sentParent((parent) => typeof parent === 'number'), elsewhere)],
  ['sent-null-parent-obeyed', 'FOLDER-5', moves(sentParent((parent) => parent === null))],
  ['parent-lost-later: A second update takes it out of its parent.', 'FOLDER-5', moves(isLater)],
  ['name-cut: A name is cut after 10 characters.', 'FOLDER-2', reads('name', (text: string) => text.slice(0, 10))],
  ['name-in-small-letters', 'FOLDER-2', reads('name', (text: string) => text.toLowerCase())],
  ['name-in-capitals', 'FOLDER-2', reads('name', (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1))],
  ['name-with-dashes', 'FOLDER-2', reads('name', (text: string) => text.replaceAll(' ', '-'))],
  ['name-escaped', 'FOLDER-2', reads('name', escaped)],
  ['name-in-ascii', 'FOLDER-2', reads('name', (text: string) => text.replaceAll(/[^\x20-\x7e]/gu, '?'))],
  ['rename-lost: A new name is answered, and not kept.', 'FOLDER-2', loses('name')],
  ['name-sent-with-position-ignored', 'FOLDER-2', given(sends('name', 'position'), ignores('name'))],
  ['rename-late: A new name shows in the answer to the next update.', 'FOLDER-2', showsOld('name')],
  ['position-off-by-one', 'FOLDER-3', reads('position', (place: number) => place + 1)],
  ['position-one-before', 'FOLDER-3', reads('position', (place: number) => place - 1)],
  ['position-zero-ignored', 'FOLDER-3', given(sendsValue('position', (place) => place === 0), ignores('position'))],
  ['position-lost: A new position is answered, and not kept.', 'FOLDER-3', loses('position')],
  ['position-alone-ignored', 'FOLDER-3', given(alone('position'), ignores('position'))],
  ['position-sent-with-name-ignored', 'FOLDER-3', given(sends('name', 'position'), ignores('position'))],
  ['position-late: A new position shows in the answer to the next update.', 'FOLDER-3', showsOld('position')],
  ['move-back-ignored', 'FOLDER-3', given(movesBack, ignores('position'))],
  ['update-lost: An update is answered, and not kept.', 'FOLDER-2 FOLDER-3', lost],
  ['second-update-lost', 'FOLDER-2 FOLDER-3', given(isLater, lost)],
  ['second-update-ignored', 'FOLDER-2 FOLDER-3', given(isLater, ignores('name', 'position'))],
  ['answer-from-before', 'FOLDER-2 FOLDER-3', answersAsOther(({ call }) => reading(call))],
  ['first-update-answered-again', 'FOLDER-2 FOLDER-3', firstReply],
  ['no-edit-access-but-done', 'FOLDER-12 AUTH-14', despite('FOLDER-8')],
  ['no-edit-access-but-renamed', 'FOLDER-12 AUTH-14', despite('FOLDER-8', only('name'))],
  ['no-edit-access-but-moved', 'FOLDER-12 AUTH-14', despite('FOLDER-8', only('position'))],
  ['out-of-scope-but-done', 'AUTH-14 FOLDER-12', despite('AUTH-8')],
  ['foreign-folder-refused-but-done', 'FOLDER-12', despite('FOLDER-7', doneThere)],
  ['bad-position-but-renamed', 'FOLDER-12', despite('ERR-6', only('name'))],
  ['bad-name-but-moved', 'FOLDER-12', despite('ERR-6', only('position'))],
  ['members-edit-elsewhere', 'FOLDER-8', accepts('FOLDER-8', async (done) => ((await isElsewhere(done)) ? asAdmin(done) : undefined))],
  ['foreign-folder-updated', 'FOLDER-7', accepts('FOLDER-7', whereItIs)],
  ['foreign-folder-refused-once', 'FOLDER-7', refusesOnce('FOLDER-7', whereItIs)],
  ['foreign-folder-shown', 'FOLDER-7', accepts('FOLDER-7', async (done) => ((await isEmpty(done)) ? whereItIs(done) : undefined))],
  ['missing-folder-answered', 'FOLDER-6', accepts('FOLDER-6', served())],
  ['missing-folder-refused-once', 'FOLDER-6', refusesOnce('FOLDER-6', served(), (call) => folderOf({ call } as Asked))],
  ['id-of-another', 'FOLDER-1', field('id', (own) => Number(own) + 1)],
  ['deployment-of-another', 'FOLDER-1', field('deploymentId', (own) => Number(own) + 1)],
  ['path-names-another', 'FOLDER-11', ofNear],
  ['path-empty', 'FOLDER-11', path(() => [])],
  ['path-with-old-names', 'FOLDER-11', oldNames],
  ['path-twice', 'FOLDER-11', path((ancestors) => ancestors.flatMap((item) => [item, item]))],
];

export const folders = table('folders', [id], rows);
