/**
 * Deviations of folder updates: fields that change although they were not sent, updates that are
 * lost, late, or made to another folder.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { sends, sendsOnly, sendsValue, since } from '../../deviations/conditions.ts';
import { type Asked, all, both, type Does, trial } from '../../deviations/does.ts';
import { inItsDeployment, objectOf } from '../../deviations/objects.ts';
import { changeAt, GONE, objectsOf } from '../../deviations/places.ts';
import { asAdmin, despite, refuses } from '../../deviations/refusals.ts';
import { body, field, sets } from '../../deviations/replies.ts';
import { ignores, reads, seesToo } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import type { Due } from '../../deviations/state.ts';
import { afterMs, besides, instead, showsOld, undone } from '../../deviations/state.ts';
import { isServed } from '../../deviations/wire.ts';

const id = 'updateFolder';
const AROUND = 40;

/**
 * The folders of the deployment with nearby ids. The ids are tried one by one, because no call
 * lists folders.
 */
async function near(asked: Asked): Promise<readonly JsonObject[]> {
  const { path } = asked.call;
  const own = Number(path.folderId);
  const found: JsonObject[] = [];
  for (let other = Math.max(1, own - AROUND); other <= own + AROUND; other += 1) {
    const there = { ...asAdmin(asked), path: { ...path, folderId: String(other) }, body: {} };
    const reply = await trial(asked, there);
    if (other !== own && isServed(reply)) found.push(reply.body as JsonObject);
  }
  return found;
}

const pathIds = ({ folderPath }: JsonObject) => objectsOf(folderPath).map((item) => item.id);
const parentOf = (folder: JsonObject) => pathIds(folder).at(-1) ?? null;

/** Some other folders get the new name as well. */
const renames = (which: (other: JsonObject, own: JsonObject) => boolean): Does =>
  besides(async (done) => {
    const { path, body: sent } = done.call;
    const others = await near(done);
    return others
      .filter((other) => which(other, done.reply.body as JsonObject))
      .map((other) => ({
        ...asAdmin(done),
        path: { ...path, folderId: String(other.id) },
        body: { name: sent.name },
      }));
  });
const siblings = renames((other, own) => parentOf(other) === parentOf(own));
const children = renames((other, own) => parentOf(other) === own.id);

const oneFurther = seesToo(async (asked) => ({
  position: Number((await objectOf(asked))?.position) + 1,
}));
/** A folder without siblings has no other place, so only the answer can show another one. */
const nestedOneFurther = body((whole) => {
  const folder = whole as JsonObject;
  if (typeof folder.parentId !== 'number') return undefined;
  return { ...folder, position: Number(folder.position) + 1 };
});
const edited = seesToo(async (asked) => ({ name: `${(await objectOf(asked))?.name} (edited)` }));
const atTop = both(sets('folderPath', []), sets('parentId', null));
const elsewhere = body(async (folder, done) => {
  const own = folder as JsonObject;
  const others = await near(done);
  const other = others.find((one) => one.id !== parentOf(own) && !pathIds(one).includes(own.id));
  return other && { ...own, parentId: other.id, folderPath: [{ id: other.id, name: other.name }] };
});
const sendsParent = (fits: (parent: unknown) => boolean) => since(sendsValue('parentId', fits));
const sendsParentId = sendsValue('parentId', (id) => id !== undefined);
const isNumber = (value: unknown): boolean => typeof value === 'number';
const withoutName = instead(({ call }) => ({ body: changeAt(call.body, ['name'], () => GONE) }));
const cut = reads('name', (name: string) => name.slice(0, 10));
const atRename: Due = ({ call }) => call.body.name !== undefined;

/** A refused update is carried out with one of its fields. */
const only = (name: string) =>
  despite('ERR-6', (done) => {
    const { [name]: value } = done.call.body;
    return value === undefined ? undefined : { ...asAdmin(done), body: { [name]: value } };
  });
const inForeignFolder = despite('FOLDER-7', (done) => inItsDeployment(done, {}));

const ancestorsTwice = field('folderPath', (path) =>
  objectsOf(path).flatMap((item) => [item, item]),
);

const noDates = both(sets('createdAt', 'banana'), sets('updatedAt', 'banana'));

const rows: readonly Row[] = [
  ['rename-moves-on', 'FOLDER-4', oneFurther, sendsOnly('name')],
  ['rename-moves-a-nested-one', 'FOLDER-4', nestedOneFurther, sendsOnly('name')],
  ['position-resets-name', 'FOLDER-4', seesToo({ name: 'New folder' }), sendsOnly('position')],
  ['rename-undoes-position', 'FOLDER-4', undone([id], atRename, sendsOnly('position'))],
  ['rename-undone-after-two-seconds', 'FOLDER-2', undone([id], afterMs(2000), sends('name'))],
  ['empty-update-moves', 'FOLDER-4', oneFurther, sendsOnly()],
  ['empty-update-renames', 'FOLDER-4', edited, sendsOnly()],
  ['sibling-renamed', 'FOLDER-4', siblings, sends('name')],
  ['children-renamed', 'FOLDER-4', children, sends('name')],
  ['empty-update-refused', 'FOLDER-21', refuses(400, 'ERR-6'), sendsOnly()],
  ['position-moves-to-top', 'FOLDER-5', atTop, since(sends('position'))],
  ['rename-moves-elsewhere', 'FOLDER-5', elsewhere, sends('name')],
  ['sent-parent-obeyed', 'FOLDER-5', elsewhere, sendsParent(isNumber)],
  ['parent-beside-a-name-obeyed', 'FOLDER-5', elsewhere, since(all(sends('name'), sendsParentId))],
  ['sent-null-parent-obeyed', 'FOLDER-5', atTop, sendsParent((id) => id === null)],
  ['name-cut: A name is cut after 10 characters.', 'FOLDER-2', cut],
  [
    'rename-lost: The answer has the new name, but the folder keeps the old one.',
    'FOLDER-2',
    withoutName,
    sends('name'),
  ],
  ['name-sent-with-position-ignored', 'FOLDER-2', ignores('name'), sends('name', 'position')],
  ['position-off-by-one', 'FOLDER-3', reads('position', (place: number) => place + 1)],
  ['position-alone-ignored', 'FOLDER-3', ignores('position'), sendsOnly('position')],
  ['answer-from-before', 'FOLDER-2 FOLDER-3', both(showsOld('name'), showsOld('position'))],
  ['no-edit-access-but-done', 'FOLDER-12 AUTH-14', despite('FOLDER-8')],
  ['out-of-scope-but-done', 'AUTH-14 FOLDER-12', despite('AUTH-8')],
  ['foreign-folder-refused-but-done', 'FOLDER-12', inForeignFolder],
  ['bad-position-but-renamed', 'FOLDER-12', only('name')],
  ['bad-name-but-moved', 'FOLDER-12', only('position')],
  ['times-without-a-date', 'FOLDER-23', noDates],
  ['path-twice', 'FOLDER-11', ancestorsTwice],
];

export const folders = table('folders', [id], rows);
