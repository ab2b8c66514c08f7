/** Embed users that are not made, made anew, or do not resolve by the email that they have. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { type Json, same } from '../../../deviations/transforms.ts';
import { refusal } from '../../../pipeline/exchange.ts';
import { embedUserKey } from '../../../world/rows.ts';
import { isEmail } from '../machine.ts';
import { deviation, embedKeyOf, embedUserOf, first, isEmbed, itemsOf, sees } from './add-call.ts';
import { isEmbedRecord, relists, tidies } from './answer-lists.ts';
import { refuses } from './refused-items.ts';

export const embedUsers: readonly Deviation[] = [
  deviation('embed-user-not-made', 'An embed user that does not exist is refused.', ['RECIP-6'], {
    stage: refuses(
      'RECIP-16',
      'There is no such embed user',
      (item, call) => isEmbed(item) && embedUserOf(call, item) === undefined,
    ),
    collateral: ['RECIP-5', 'RECIP-7', 'RECIP-10', 'RECIP-18', 'RECIP-19'],
  }),
  deviation(
    'embed-user-made-anew',
    'An embed user is made anew, with a new embedUserId, at each call.',
    ['RECIP-5', 'RECIP-7'],
    {
      handle: first(({ call, world }) => {
        const { state } = world;
        const known = itemsOf(call)
          .filter(isEmbed)
          .flatMap((item) => embedUserOf(call, item) ?? []);
        for (const user of known) {
          const key = embedUserKey(user.embedTenantName, user.externalId);
          state.tables.embedUsers.put(key, { ...user, id: state.nextEmbedUserId });
          state.nextEmbedUserId += 1;
        }
        return known.length > 0;
      }),
    },
  ),
  deviation(
    'embed-users-share-an-id',
    'Of several new embed users of a call only the first is made; the others get its embedUserId.',
    ['RECIP-6'],
    {
      handle: relists((lists, { before }) => {
        const isNew = ({ embedTenantName, externalId }: Json) =>
          !before.tables.embedUsers.has(embedUserKey(String(embedTenantName), String(externalId)));
        const fresh = lists.created.filter((record) => isEmbedRecord(record) && isNew(record));
        const id = fresh[0]?.embedUserId;
        return {
          ...lists,
          created: lists.created.map((record) =>
            fresh.includes(record) ? { ...record, embedUserId: id } : record,
          ),
        };
      }),
    },
  ),
  deviation(
    'email-shaped-id-refused',
    'An externalId in the shape of an email resolves to nothing.',
    ['RECIP-18'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) && item.email === undefined && !isEmail(embedUserOf(call, item)?.email),
      ),
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-7', 'RECIP-10'],
    },
  ),
  deviation(
    'email-shaped-id-resolves-once',
    'An externalId in the shape of an email resolves for the first recipient of a call only.',
    ['RECIP-18'],
    {
      stage: (stage, refused, { call }) =>
        stage === 'validate' &&
        refused === undefined &&
        itemsOf(call).some(
          (item, index, items) =>
            index > 0 &&
            isEmbed(item) &&
            item.email === undefined &&
            isEmail(item.externalId) &&
            !isEmail(embedUserOf(call, item)?.email) &&
            !same(item, items[0]),
        )
          ? refusal(400, 'RECIP-16', 'The embed user has no email')
          : refused,
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-7', 'RECIP-8', 'RECIP-10'],
    },
  ),
  deviation(
    'sent-email-resolves-nothing',
    'An email that is sent with an embed user does not resolve it.',
    ['RECIP-19'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) &&
          item.email !== undefined &&
          !isEmail(item.externalId) &&
          !isEmail(embedUserOf(call, item)?.email),
      ),
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-10'],
    },
  ),
  deviation(
    'sent-email-forgotten',
    'An email that is sent with an embed user resolves it in that call, and is then forgotten.',
    ['RECIP-19'],
    {
      handle: tidies(({ call, world, before }) => {
        const { embedUsers } = world.state.tables;
        const sent = itemsOf(call).filter((item) => isEmbed(item) && item.email !== undefined);
        let forgot = false;
        for (const item of sent) {
          const user = embedUserOf(call, item);
          const email = before.tables.embedUsers.get(embedKeyOf(item))?.email ?? null;
          if (user === undefined || user.email === email) continue;
          embedUsers.put(embedKeyOf(item), { ...user, email });
          forgot = true;
        }
        return forgot;
      }),
    },
  ),
  deviation(
    'external-id-beats-sent-email',
    'An externalId in the shape of an email counts as the email of its user, whatever email is sent.',
    ['RECIP-19'],
    {
      handle: sees((item) =>
        isEmbed(item) && item.email !== undefined && isEmail(item.externalId)
          ? { ...item, email: item.externalId }
          : item,
      ),
    },
  ),
  deviation(
    'known-embed-user-refused',
    'The email of an embed user that exists is not looked up: without another one it is refused.',
    ['RECIP-5'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) &&
          item.email === undefined &&
          !isEmail(item.externalId) &&
          isEmail(embedUserOf(call, item)?.email),
      ),
    },
  ),
  deviation(
    'embed-tenant-ignored',
    'An embed user is found by its externalId alone, in whichever embed tenant it is.',
    ['RECIP-5'],
    {
      handle: sees((item, _row, { world }) => {
        if (!isEmbed(item)) return item;
        const known = world.state.tables.embedUsers
          .rows()
          .find((user) => user.externalId === item.externalId);
        return known === undefined ? item : { ...item, embedTenantName: known.embedTenantName };
      }),
    },
  ),
];
