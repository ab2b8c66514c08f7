/** Faults that only a history of calls shows: recipients. */

import { type Call, type Fields, fieldsOf, type Json, type Reply, rowsOf } from '../exchange.ts';
import { type Break, isServed, sending } from './break.ts';
import { after, armed, is, sent, served } from './kit.ts';

const people = (call: Call): Fields[] => rowsOf(sent(call).recipients);

const moveTo = (from: string, to: string, reply: Reply): void => {
  const body = fieldsOf(reply.body);
  body[to] = [...rowsOf(body[to]), ...rowsOf(body[from])];
  body[from] = [];
};

export const historyOfRecipients = [
  {
    id: 'idempotent-twice-only',
    statements: ['RECIP-7'],
    text: 'The same call is unchanged the second time and created the third.',
    make: (scene) => {
      const counts = new Map<string, number>();
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'recipients' || !isServed(done)) return done;
        const key = JSON.stringify(call.json);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count >= 3 && scene.fires()) moveTo('unchangedRecipients', 'createdRecipients', done);
        return done;
      };
    },
  },
  {
    id: 'created-again-after-update',
    statements: ['RECIP-7', 'RECIP-10'],
    text: 'After an update in one call, the next call creates its recipients again.',
    make: armed(
      (call, done) =>
        served('recipients')(call, done) &&
        rowsOf(fieldsOf(done.body).updatedRecipients).length > 0,
      is('recipients'),
      (call, serve) => {
        const done = serve(call);
        if (isServed(done)) moveTo('unchangedRecipients', 'createdRecipients', done);
        return done;
      },
    ),
  },
  {
    id: 'refused-recipients-come-later',
    statements: ['RECIP-17'],
    text: 'Those of a refused request are written with the next one.',
    make: armed(
      (call, done) =>
        call.operation === 'recipients' && done.status === 400 && people(call).length > 1,
      is('recipients'),
      (call, serve, _scene, arming) => {
        for (const row of people(arming)) serve(sending(arming, () => ({ recipients: [row] })));
        return serve(call);
      },
    ),
  },
  {
    id: 'email-forgotten-after-update',
    statements: ['RECIP-19'],
    text: 'An embed user who was updated has lost the email that was sent.',
    make: after(
      'recipients',
      () => ({}),
      (call, done, _memory, { state, fires }) => {
        for (const { externalId } of rowsOf(fieldsOf(done.body).updatedRecipients)) {
          const user = state.embedUsers.find(
            (one) => one.externalId === externalId && !one.externalId.includes('@'),
          );
          if (user !== undefined && fires())
            state.embedUsers = state.embedUsers.filter((one) => one !== user);
        }
        return call;
      },
    ),
  },
  {
    id: 'second-update-unnoticed',
    statements: ['RECIP-11', 'RECIP-12', 'RECIP-13'],
    text: 'The second change of a recipient is called unchanged.',
    make: (scene) => {
      const changed = new Set<Json>();
      return (call, serve) => {
        const done = serve(call);
        if (!served('recipients')(call, done)) return done;
        const rows = rowsOf(fieldsOf(done.body).updatedRecipients);
        if (rows.some((row) => changed.has(row.embedUserId ?? null)) && scene.fires())
          moveTo('updatedRecipients', 'unchangedRecipients', done);
        for (const row of rows) changed.add(row.embedUserId ?? null);
        return done;
      };
    },
  },
  {
    id: 'known-on-another-notification',
    statements: ['RECIP-10'],
    text: 'Who was subscribed elsewhere in the last call is called unchanged.',
    make: (scene) => {
      let last: readonly [string, Set<Json>] = ['', new Set()];
      return (call, serve) => {
        const done = serve(call);
        if (!served('recipients')(call, done)) return done;
        const [notification, known] = last;
        const rows = rowsOf(fieldsOf(done.body).createdRecipients);
        const elsewhere =
          notification !== '' &&
          notification !== call.path[1] &&
          rows.some((row) => known.has(row.embedUserId ?? null));
        if (elsewhere && scene.fires()) moveTo('createdRecipients', 'unchangedRecipients', done);
        last = [
          call.path[1] ?? '',
          new Set(
            Object.values(fieldsOf(done.body))
              .flatMap((list) => rowsOf(list).map((row) => row.embedUserId ?? null))
              .filter((id) => id !== null),
          ),
        ];
        return done;
      };
    },
  },
  {
    id: 'order-of-lists-counts',
    statements: ['RECIP-8'],
    text: 'Of a call with a new, a changed and an unchanged recipient, the changed one is told twice.',
    make: after(
      'recipients',
      () => ({}),
      (_call, done, _memory, { fires }) => {
        const body = fieldsOf(done.body);
        const lists = ['createdRecipients', 'updatedRecipients', 'unchangedRecipients'].map(
          (name) => rowsOf(body[name]),
        );
        if (lists.every((rows) => rows.length > 0) && fires())
          body.unchangedRecipients = [...(lists[2] ?? []), ...(lists[1] ?? [])];
      },
    ),
  },
] as const satisfies readonly Break[];
