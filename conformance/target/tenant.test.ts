import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import schema from '../tenant.schema.json' with { type: 'json' };
import { readTenantFile } from './tenant.ts';

const refusalOf = (file: JsonObject): string => {
  try {
    readTenantFile('tenant.yaml', JSON.stringify(file));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const admin = { env: 'LOCKSTEP_ADMIN' };

test.for([
  [{ bindings: { folder: { id: '' } } }, /bindings\.folder\.id: expected an identifier/],
  [{ bindings: { folder: { id: [11] } } }, /bindings\.folder\.id: .*: found a list$/],
  [{ bindings: { folder: 11 } }, /bindings\.folder: .*: found a number$/],
  [{ bindings: { sharedBranch: { id: 1 } } }, /bindings\.sharedBranch: name is missing$/],
  [{ bindings: { audit: { start: 'last week' } } }, /audit\.start: expected an ISO 8601 date/],
  [{ bindings: { audit: { end: '03/05/2025' } } }, /audit\.end: expected an ISO 8601 date/],
  [{ bindings: { audit: { userEmail: 'UserLogin' } } }, /audit\.userEmail: .*mail address/],
  [{ bindings: { recipients: { users: [{}] } } }, /users\.0: expected a user by userId, email/],
  [{ bindings: { recipients: { users: [{ channelId: 'C1' }] } } }, /users\.0: expected a user/],
  [
    { credentials: { admin: { ...admin, edits: [''] } } },
    /admin\.edits\.0: expected an identifier/,
  ],
  [{ credentials: { admin: { ...admin, colour: 1 } } }, /credentials\.admin: .*another key$/],
  [{ name: null }, /name: .*: found nothing$/],
] as const)('%j is refused, and the message names the key', ([file, message]) => {
  expect(refusalOf(file)).toMatch(message);
});

test.for([
  { bindings: { audit: { start: '2025-03-05', end: '2025-03-20T10:00:00.000Z' } } },
  {
    bindings: { recipients: { users: [{ userId: 2, type: 'USER' }, { email: 'u5@example.com' }] } },
  },
  { bindings: { folder: { id: 11 }, deployment: { id: '1' }, versions: { mayRun: [] } } },
])('%j is accepted', (file) => {
  expect(refusalOf(file)).toBe('');
});

test('no message shows a text or a key of the file', () => {
  const secret = 'sk-live-0123456789';
  const files = [
    { credentials: { admin: secret } },
    { credentials: { admin: { env: secret } } },
    { credentials: { admin: { ...admin, [secret]: 1 } } },
    { aliases: { [secret]: 1 } },
    { bindings: { audit: { start: secret, userEmail: secret } } },
    { [secret]: 1 },
  ];
  for (const file of files) {
    expect(refusalOf(file)).toContain('tenant.yaml:1:');
    expect(refusalOf(file)).not.toContain(secret);
  }
});

test('no key takes an empty text', () => {
  const open: string[] = [];
  const look = (node: unknown, path: string): void => {
    if (!isObject(node)) return;
    const { type, minLength, pattern, format, enum: words } = node;
    const isText = [type].flat().includes('string') && words === undefined;
    if (isText && [minLength, pattern, format].every((one) => one === undefined)) open.push(path);
    for (const [key, item] of Object.entries(node)) look(item, `${path}/${key}`);
  };
  look(schema, '');
  expect(open).toEqual([]);
});
