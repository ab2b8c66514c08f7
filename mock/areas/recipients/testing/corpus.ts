import { type CorpusEntry, post } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const recipients = `${one}/notifications/31/recipients`;
const subscribe = (...items: unknown[]) => post(recipients, { recipients: items });
const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };

export const corpus: readonly CorpusEntry[] = [
  {
    name: 'recipients as a member',
    send: post(recipients, { recipients: [{ userId: 2 }] }, { as: 'member' }),
  },
  {
    name: 'recipients with an embed JWT',
    send: post(recipients, { recipients: [{ userId: 2 }] }, { as: 'embed' }),
  },
  { name: 'a chat recipient', send: subscribe({ channelId: 'C1', channelName: 'ops' }) },
  { name: 'an unresolvable recipient', send: subscribe({ userId: 999 }) },
  { name: 'a console user', send: subscribe({ userId: 2 }) },
  { name: 'an embed user', send: subscribe(pat) },
  {
    name: 'an embed user of a new embed tenant',
    send: subscribe({ ...pat, embedTenantName: 'partner-z' }),
  },
  { name: 'one recipient twice', send: subscribe({ userId: 2 }, { email: 'ben@example.com' }) },
  { name: 'no recipient', send: post(recipients, { recipients: [] }) },
  {
    name: '1001 recipients',
    send: subscribe(...Array.from({ length: 1001 }, () => ({ userId: 2 }))),
  },
  { name: 'a stranger', send: subscribe({ email: 'nobody@example.com' }) },
  { name: 'two users in one item', send: subscribe({ userId: 2, email: 'ana@example.com' }) },
  {
    name: 'no such notification',
    send: post(`${one}/notifications/99/recipients`, { recipients: [{ userId: 2 }] }),
  },
  {
    name: 'a context that is not sent again',
    before: [subscribe({ ...pat, securityContext: { a: 1 } })],
    send: subscribe(pat),
  },
  {
    name: 'groups in another order',
    before: [subscribe({ ...pat, groups: ['a', 'b'] })],
    send: subscribe({ ...pat, groups: ['b', 'a'] }),
  },
  { name: 'email in capitals', send: subscribe({ email: 'BEN@example.com' }) },
  { name: 'console user with a context', send: subscribe({ userId: 2, securityContext: {} }) },
  {
    name: 'another email for an embed user',
    before: [subscribe({ embedTenantName: 'partner-a', externalId: 'ext-1' })],
    send: subscribe({
      embedTenantName: 'partner-a',
      externalId: 'ext-1',
      email: 'new@example.com',
    }),
  },
  {
    name: 'an email whose host has no point',
    send: subscribe({ embedTenantName: 'x', externalId: 'root@localhost' }),
  },
  {
    name: 'no groups after none',
    before: [subscribe(pat)],
    send: subscribe({ ...pat, groups: [] }),
  },
  { name: 'half an embed user', send: subscribe({ externalId: 'pat@example.com' }) },
  {
    name: 'half an embed user with the email of a console user',
    send: subscribe({ externalId: 'ext-1', email: 'ben@example.com' }),
  },
  { name: 'an item of two kinds', send: subscribe({ ...pat, userId: 2 }) },
  { name: 'a user with a channel', send: subscribe({ channelId: 'C1', userId: 2 }) },
  {
    name: 'a userId with an email of nobody',
    send: subscribe({ userId: 2, email: 'x@example.com' }),
  },
  { name: 'two new recipients', send: subscribe({ userId: 2 }, pat) },
];
