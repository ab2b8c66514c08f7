/** Single answers and states that lie: recipients. */

import { type Fields, fieldsOf, rowsOf } from '../exchange.ts';
import { amended, type Break, redirected, replaced, sending } from './break.ts';
import { letIn } from './kit.ts';

const toEach = (call: { json?: unknown }, change: (row: Fields) => Fields): Fields => ({
  recipients: rowsOf(fieldsOf(call.json as Fields).recipients).map(change),
});

const recipientsWhere = (
  fits: (row: Fields) => boolean,
  change: (row: Fields) => Fields,
): Break['make'] =>
  redirected('recipients', (call) => {
    const rows = rowsOf(fieldsOf(call.json).recipients);
    return rows.some(fits)
      ? sending(call, () => toEach(call, (row) => (fits(row) ? change(row) : row)))
      : undefined;
  });

const isPlain = (row: Fields): boolean =>
  row.externalId !== undefined && !String(row.externalId).includes('@') && row.email === undefined;

export const ofRecipients = [
  {
    id: 'recipients-for-members',
    statements: ['RECIP-20', 'RECIP-21'],
    text: 'A member may add recipients.',
    make: letIn(['recipients'], [403], (text) => /Lp5t|oat-77/.test(text)),
  },
  {
    id: 'recipients-for-embed',
    statements: ['RECIP-22'],
    text: 'An embed user may add recipients.',
    make: letIn(['recipients'], [403], (text) => text.includes('eyJ')),
  },
  {
    id: 'recipients-chat-taken',
    statements: ['RECIP-15'],
    text: 'A chat recipient is passed over.',
    make: redirected('recipients', (call) => {
      const rows = rowsOf(fieldsOf(call.json).recipients);
      const left = rows.filter((row) => !('channelId' in row));
      return left.length < rows.length && left.length > 0
        ? sending(call, () => ({ recipients: left }))
        : undefined;
    }),
  },
  {
    id: 'recipients-without-email',
    statements: ['RECIP-16'],
    text: 'An embed user needs no email.',
    make: recipientsWhere(isPlain, (row) => ({ ...row, email: 'nobody@harbour.example' })),
  },
  {
    id: 'recipients-half-written',
    statements: ['RECIP-17'],
    text: 'Those before the bad one are written.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      const rows = rowsOf(fieldsOf(call.json).recipients);
      if (
        call.operation === 'recipients' &&
        done.status === 400 &&
        rows.length > 1 &&
        scene.fires()
      )
        serve(sending(call, () => ({ recipients: rows.slice(0, 1) })));
      return done;
    },
  },
  {
    id: 'recipients-too-many',
    statements: ['RECIP-24'],
    text: 'The first thousand of more are taken.',
    make: redirected('recipients', (call) => {
      const rows = rowsOf(fieldsOf(call.json).recipients);
      return rows.length > 1000
        ? sending(call, () => ({ recipients: rows.slice(0, 1000) }))
        : undefined;
    }),
  },
  {
    id: 'recipients-nobody',
    statements: ['RECIP-25'],
    text: 'An empty list is fine.',
    make: replaced(
      (reply, call) => call.operation === 'recipients' && reply.status === 422,
      (reply) => ({
        ...reply,
        status: 200,
        body: { createdRecipients: [], updatedRecipients: [], unchangedRecipients: [] },
      }),
    ),
  },
  {
    id: 'recipients-person-type',
    statements: ['RECIP-26'],
    text: 'The type of a console user is PERSON.',
    make: amended('recipients', (reply) => {
      for (const rows of Object.values(fieldsOf(reply.body)))
        for (const row of rowsOf(rows)) if (row.type === 'USER') row.type = 'PERSON';
      return reply;
    }),
  },
  {
    id: 'recipients-always-created',
    statements: ['RECIP-7'],
    text: 'Who is there already is created again.',
    make: amended('recipients', (reply) => {
      const body = fieldsOf(reply.body);
      body.createdRecipients = [
        ...rowsOf(body.createdRecipients),
        ...rowsOf(body.unchangedRecipients),
      ];
      body.unchangedRecipients = [];
      return reply;
    }),
  },
  {
    id: 'recipients-groups-overlooked',
    statements: ['RECIP-13'],
    text: 'Other groups are no change.',
    make: recipientsWhere(
      (row) => row.groups !== undefined && row.externalId !== undefined,
      ({ groups, ...row }) => row,
    ),
  },
] as const satisfies readonly Break[];
