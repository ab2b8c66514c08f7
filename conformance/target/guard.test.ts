import { expect, test } from 'vitest';
import { callTo } from './call.ts';
import { Guard, Unsafe } from './guard.ts';

const guard = new Guard(
  {
    recipients: {
      users: [{ userId: 2 }],
      embedUsers: [{ embedTenantName: 'p', externalId: 'e@x.y' }],
    },
  },
  'run7',
);
const permit = (method: string, path: string, body?: unknown): void => {
  const { object } = callTo(method, path, body);
  if (object !== undefined) guard.permit(object);
};
permit('PUT', '/api/v1/deployments/1/folders/11');
permit('PUT', '/build/api/v1/deployments/1/branches/staging-environment', { branchName: 'shared' });
permit('POST', '/api/v1/deployments/1/notifications/31/recipients');

const recipients = '/api/v1/deployments/1/notifications/31/recipients';
test.each([
  ['a read', 'GET', '/api/v1/deployments/9', undefined],
  ['a planned write', 'PUT', '/api/v1/deployments/1/folders/11', { name: 'x' }],
  ['a planned write with a slash', 'PUT', '/api/v1/deployments/1/folders/11/', {}],
  [
    'the planned branch',
    'PUT',
    '/build/api/v1/deployments/1/branches/staging-environment',
    { branchName: 'shared', enabled: true },
  ],
  ['an agreed recipient', 'POST', recipients, { recipients: [{ userId: 2 }] }],
  [
    'an agreed embed user in capitals, changed',
    'POST',
    recipients,
    { recipients: [{ embedTenantName: 'p', externalId: 'E@X.Y', groups: ['g'] }] },
  ],
  [
    'an agreed user, with an email of the run',
    'POST',
    recipients,
    { recipients: [{ userId: 2, email: 'run7@example.com' }] },
  ],
  [
    'a recipient of the run',
    'POST',
    recipients,
    { recipients: [{ embedTenantName: 'p', externalId: 'run7@example.com' }] },
  ],
  ['no recipients', 'POST', recipients, { recipients: [] }],
])('lets through %s', (_name, method, path, body) => {
  expect(() => guard.check(callTo(method, path, body))).not.toThrow();
});

test.each([
  ['another folder', 'PUT', '/api/v1/deployments/1/folders/12', {}],
  ['an encoded way to another folder', 'PUT', '/api/v1/deployments/1/folders/%31%32', {}],
  [
    'another branch',
    'PUT',
    '/build/api/v1/deployments/1/branches/staging-environment',
    { branchName: 'main' },
  ],
  [
    'two branches',
    'PUT',
    '/build/api/v1/deployments/1/branches/staging-environment',
    { branchName: 'shared', branchId: 9 },
  ],
  ['an unknown path', 'POST', '/api/v1/other', {}],
  ['another method', 'DELETE', '/api/v1/deployments/1/folders/11', undefined],
  ['a stranger', 'POST', recipients, { recipients: [{ userId: 2 }, { userId: 3 }] }],
  [
    'an agreed embed user in another tenant',
    'POST',
    recipients,
    { recipients: [{ embedTenantName: 'q', externalId: 'e@x.y' }] },
  ],
  [
    'a recipient who has the mark and a stranger’s address',
    'POST',
    recipients,
    { recipients: [{ email: 'boss@x.y', externalId: 'run7' }] },
  ],
])('stops %s', (_name, method, path, body) => {
  expect(() => guard.check(callTo(method, path, body))).toThrow(Unsafe);
});

test('a person that was reported as a recipient may be named again', () => {
  const again = callTo('POST', recipients, { recipients: [{ email: 'two@x.y' }] });
  expect(() => guard.check(again)).toThrow(Unsafe);
  guard.learn(again, {
    createdRecipients: [{ userId: 2, email: 'two@x.y' }],
    updatedRecipients: [],
    unchangedRecipients: [],
  });
  expect(() => guard.check(again)).not.toThrow();
});
