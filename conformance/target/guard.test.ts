import { expect, test } from 'vitest';
import { Guard, Unsafe, writeTarget } from './guard.ts';

const guard = new Guard({
  agreed: [{ userId: 2 }, { embedTenantName: 'p', externalId: 'e@x.y' }],
  marks: ['run7'],
});
const permit = (method: string, path: string, body?: unknown): void => {
  const target = writeTarget(method, path, body);
  if (target !== undefined) guard.permit(target);
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
    'a recipient of the run',
    'POST',
    recipients,
    { recipients: [{ embedTenantName: 'p', externalId: 'run7@example.com' }] },
  ],
  ['no recipients', 'POST', recipients, { recipients: [] }],
])('lets through %s', (_name, method, path, body) => {
  expect(() => guard.check(method, path, body)).not.toThrow();
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
    'a stranger beside the mark',
    'POST',
    recipients,
    { recipients: [{ email: 'boss@x.y', externalId: 'run7' }] },
  ],
])('stops %s', (_name, method, path, body) => {
  expect(() => guard.check(method, path, body)).toThrow(Unsafe);
});

test('whoever was reported as a recipient may be named again', () => {
  const call = { recipients: [{ email: 'two@x.y' }] };
  expect(() => guard.check('POST', recipients, call)).toThrow(Unsafe);
  guard.learnRecipients({
    createdRecipients: [{ userId: 2, email: 'two@x.y' }],
    updatedRecipients: [],
    unchangedRecipients: [],
  });
  expect(() => guard.check('POST', recipients, call)).not.toThrow();
});
