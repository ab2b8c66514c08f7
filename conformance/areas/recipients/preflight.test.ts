import { expect, test } from 'vitest';
import type { JsonObject } from '../../../spec/base/json.ts';
import type { Answer } from '../../language/answer.ts';
import { checkUsers } from './preflight.ts';

const ana = { id: '2', userName: 'ana@example.com' };
const ben = { id: '3', userName: 'ben', emails: [{ value: 'Ben@example.com' }] };
const missing = expect.stringMatching(/^the SCIM list has no user with the/);

test.for([
  ['both names of one user', [ana, ben], { userId: 3, email: 'ben@example.com' }, []],
  ['a number that nobody has', [ana, ben], { userId: 4711 }, [missing]],
  ['an address that nobody has', [ana, ben], { email: 'nobody@example.com' }, [missing]],
  ['the names of two users', [ana, ben], { userId: 2, email: 'ben@example.com' }, [missing]],
  ['a list of other numbers', [ana, { id: 'u3' }], { userId: 4711 }, []],
  ['a list without addresses', [ana, { id: '3', userName: 'ben' }], { email: 'x@example.com' }, []],
  ['an empty list', [], { userId: 4711 }, []],
] as const)('the SCIM list and %s', async ([, shown, user, messages]) => {
  const body = { totalResults: shown.length, Resources: shown };
  const ask = async () => ({ ok: true, status: 200, body }) as unknown as Answer;
  const bindings: Record<string, JsonObject> = { recipients: { users: [user] } };
  const credentials = new Map([['scim', { secret: 's' }]]);
  const found = await checkUsers({
    ...{ target: { bindings, credentials }, ask, askAs: () => ask, mayWrite: () => true },
    ...{ proven: new Set(), reader: 'admin', warn: () => {} },
  } as unknown as Parameters<typeof checkUsers>[0]);
  expect(found.map(({ message }) => message)).toEqual(messages);
});
