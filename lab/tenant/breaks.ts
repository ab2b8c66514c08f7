/**
 * Faults that only this tenant has: caches with an incomplete key, clocks, and confusion of
 * neighbouring objects. Only certain sequences of calls show them. All other faults are in the
 * catalogue.
 */

import type { JsonObject } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { every, isOf, sameHeader, sends, subjectOf } from '../deviations/conditions.ts';
import { all, answersServed, type Does, makes, type When } from '../deviations/does.ts';
import { after, nth, served, with_ } from '../deviations/history.ts';
import { count, exchange, setIn } from '../deviations/memory.ts';
import { objectOf as readObject } from '../deviations/objects.ts';
import { cut, paged } from '../deviations/pages.ts';
import { objectsOf } from '../deviations/places.ts';
import { accepts, asAdmin, refuses } from '../deviations/refusals.ts';
import { items, withBody } from '../deviations/replies.ts';
import { type Row, table } from '../deviations/rows.ts';
import { besides, instead, lost, stale } from '../deviations/state.ts';
import { type Call, deploymentOf, isRefused, isServed, type Reply } from '../deviations/wire.ts';

const everywhere: readonly OperationId[] = [...contract.operations.keys()];
const toggle = 'setStagingEnvironment';
const update = 'updateDeployment';
const recipients = 'addNotificationRecipients';
const MINUTE_MS = 60_000;

// ── rights ──────────────────────────────────────────────────────────────────────

/** An object that one caller has just read is also shown to the next caller, who has no right to it. */
const opensOnce =
  (of: (call: Call) => string, why: string): Does =>
  async (call, target) => {
    const before = target.memory.get('opened');
    const opens = of(call) !== '' && before === of(call);
    const reply = await (opens ? accepts(why)(call, target) : target.handle(call));
    target.memory.set('opened', isServed(reply) ? of(call) : undefined);
    return reply;
  };
const whole = (call: Call): string => call.target;
const letsIn = (why: string, isDue: (times: number) => boolean): Does =>
  accepts(why, (done) => (isDue(count(done.target.memory)) ? asAdmin(done) : undefined));

// ── lists ───────────────────────────────────────────────────────────────────────

interface Kept {
  readonly target: string;
  readonly by: string;
  readonly reply: Reply;
}
const ofAnotherKey: Does = answersServed(({ call, target, reply }) => {
  const now: Kept = { target: call.target, by: sameHeader(call), reply };
  const last = exchange(target.memory, 'last', now);
  return last?.target === now.target && last.by !== now.by ? last.reply : undefined;
});
const flipped = paged((page, { whole: list }) => ({ items: cut(page, list.toReversed()) }));
const oneFewer = paged(({ total }) => ({ total: total - 1 }));
const isOfOthers: When = ({ call, target }) =>
  call.operation.id === 'listEnvironments' && sameHeader(call) !== target.memory.get('writer');
const unseenByOthers: Does = (call, target) => {
  if (call.operation.id === toggle) target.memory.set('writer', sameHeader(call));
  return stale(isOf(toggle), isOfOthers)(call, target);
};

// ── staging and versions ────────────────────────────────────────────────────────

const offLately: When = ({ call, target: { memory, now } }) => {
  const { enabled } = call.body;
  if (enabled === false) memory.set(subjectOf(call), now());
  return enabled === true && now() - Number(memory.get(subjectOf(call))) < MINUTE_MS;
};
const switchesCranes = instead(({ call: { body } }) => ({
  body: { branchName: 'cranes', enabled: body.enabled },
}));
const offAfterToken: Does = answersServed(async ({ call, target }) => {
  const { memory } = target;
  const on = memory.get('on') as Call | undefined;
  const isOn = call.operation.id === toggle && call.body.enabled === true;
  memory.set('on', isOn ? call : undefined);
  if (on !== undefined && call.operation.id !== toggle)
    await makes({ call: on, target }, { body: { ...on.body, enabled: false } });
  return undefined;
});
const yardFollows = besides((done) => ({ ...asAdmin(done), path: { deployment_id: '7002' } }));
const forgets: Does = async (call, target) => {
  const left = setIn(target.memory, 'left');
  const forgotten = [...left].slice(0, -1);
  if (call.operation.id !== update) {
    const stays = ({ isLatestInChannel, isCurrent, version }: JsonObject) =>
      isLatestInChannel === true || isCurrent === true || !forgotten.includes(String(version));
    return items('data', (list) => list.filter(stays))(call, target);
  }
  const { version } = (await readObject({ call, target })) ?? {};
  const reply = await target.handle(call);
  // Deleted first, so that the version that was left last is the last of the set.
  left.delete(String(version));
  if (isServed(reply)) left.add(String(version));
  return reply;
};

// ── folders and recipients ──────────────────────────────────────────────────────

const withinAMinute: When = ({ call, target: { memory, now } }) =>
  now() - (exchange(memory, call.target, now()) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS;
const refusesUsedName: Does = async (call, target) => {
  const had = setIn(target.memory, call.target);
  const old = (await readObject({ call, target }))?.name;
  const { name } = call.body;
  if (name !== old && had.has(String(name))) return refuses(422, 'ERR-6')(call, target);
  if (name !== undefined) had.add(String(old));
  return target.handle(call);
};
const namesTheOneBefore = instead(({ call, target }) => {
  const last = exchange(target.memory, 'last', call.path);
  return last === undefined || last.folderId === call.path.folderId ? undefined : { path: last };
});
const knownElsewhere = answersServed(({ call, target, reply }) => {
  const last = exchange(target.memory, 'last', call);
  if (last === undefined || last.target === call.target || last.text !== call.text)
    return undefined;
  const { createdRecipients, unchangedRecipients, ...body } = reply.body as JsonObject;
  const known = [...objectsOf(unchangedRecipients), ...objectsOf(createdRecipients)];
  return withBody(reply, { ...body, createdRecipients: [], unchangedRecipients: known });
});
const refusedComeLater: Does = async (call, target) => {
  const waiting = exchange<readonly JsonObject[]>(target.memory, 'waiting') ?? [];
  await makes(
    { call, target },
    waiting.map((item) => ({ body: { recipients: [item] } })),
  );
  const reply = await target.handle(call);
  const isForContent = isRefused(reply) && reply.status === 400;
  target.memory.set('waiting', isForContent ? objectsOf(call.body.recipients) : []);
  return reply;
};

const heldScope = opensOnce(deploymentOf, 'AUTH-8');
const heldSuccess = opensOnce(whole, 'AUTH-4');
const heldRole = opensOnce(whole, 'RECIP-20 RECIP-21 RECIP-22');
const byIdAfterByName = after(
  [served(toggle, with_('branchName')), served(toggle, with_('branchId'))],
  switchesCranes,
);

const anywhere: readonly Row[] = [
  [
    'scope-cached: A scoped key may read a deployment that another key has just read.',
    'AUTH-8',
    heldScope,
  ],
  [
    'expired-after-success: An expired key is accepted for a read that another key has just made.',
    'AUTH-4',
    heldSuccess,
  ],
  [
    'metadata-token-third-time: A metadata token is refused twice, and accepted the third time.',
    'META-8',
    letsIn('META-16', (times) => times > 2),
  ],
  [
    'eighth-stranger: Each eighth call without a credential is served.',
    'AUTH-1',
    letsIn('AUTH-1', (times) => times % 8 === 0),
  ],
];
const ofLists: readonly Row[] = [
  [
    'order-flips: Each fifth later page is served from the other end of the list.',
    'PAGE-6',
    flipped,
    all(sends('offset'), every(5)),
  ],
  ['total-wraps: The total of each 64th list is too low by one.', 'PAGE-5', oneFewer, every(64)],
];
const ofToggle: readonly Row[] = [
  [
    'on-off-on: A branch that was switched off less than a minute ago is not switched on again.',
    'STAGE-5',
    lost,
    offLately,
  ],
  [
    'by-id-after-by-name: A switch by id right after one by name switches another branch.',
    'STAGE-12',
    byIdAfterByName,
  ],
];
const ofFolders: readonly Row[] = [
  [
    'edit-access-cached: Members may edit a folder that was just written.',
    'FOLDER-8',
    opensOnce(whole, 'FOLDER-8'),
  ],
  [
    'renamed-twice: A folder that is renamed twice within a minute keeps the first name.',
    'FOLDER-2',
    lost,
    all(sends('name'), withinAMinute),
  ],
  [
    'name-goes-to-the-one-before: A new name right after that of another folder goes to that other folder.',
    'FOLDER-2',
    namesTheOneBefore,
    sends('name'),
  ],
  [
    'used-name-refused: A folder cannot get back a name that it had before.',
    'FOLDER-2',
    refusesUsedName,
  ],
];
const ofRecipients: readonly Row[] = [
  [
    'role-cached: Right after an administrator, anybody may add recipients.',
    'RECIP-20 RECIP-21',
    heldRole,
  ],
  [
    'known-on-another-notification: A recipient that another notification just got is reported as unchanged.',
    'RECIP-10',
    knownElsewhere,
  ],
  [
    'refused-recipients-come-later: The recipients of a refused request are added with the next request.',
    'RECIP-17',
    refusedComeLater,
  ],
];
const of = (operations: readonly OperationId[], ...rows: readonly Row[]) =>
  table('harbour', operations, rows, { foundBy: 'explore' });

export const breaks = [
  ...of(everywhere, ...anywhere),
  ...of(
    ['listDeployments'],
    [
      'page-of-another-key: The next credential gets the page that the one before got of the same list.',
      'DEPL-4',
      ofAnotherKey,
    ],
  ),
  ...of(['listDeployments', 'listEnvironments'], ...ofLists),
  ...of(
    [toggle, 'listEnvironments'],
    [
      'switch-unseen-by-other-key: Only the credential that made a switch sees it.',
      'STAGE-5 STAGE-6',
      unseenByOthers,
    ],
  ),
  ...of([toggle], ...ofToggle),
  ...of(
    [toggle, 'createMetaSyncToken'],
    [
      'switch-off-after-token: A new token switches off the environment that was switched on right before.',
      'STAGE-5',
      offAfterToken,
    ],
  ),
  ...of(
    [update],
    [
      'other-deployment-follows: Each third switch of a version also switches another deployment.',
      'VER-13 UPD-1',
      after(nth(3, served(update)), yardFollows),
    ],
  ),
  ...of(
    [update, 'listVersions'],
    [
      'version-forgotten: A version that was left two switches ago is no longer listed.',
      'VER-6',
      forgets,
    ],
  ),
  ...of(['updateFolder'], ...ofFolders),
  ...of([recipients], ...ofRecipients),
];
