import { expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import type { Claims, Feature } from '../language/vocabulary.ts';
import { inconclusive } from './entitlement.ts';

const exports = contract.operations.get('exportAuditLogs');

function target(
  features: Readonly<Record<string, Feature>>,
  claims: Claims = {},
): Parameters<typeof inconclusive>[0] {
  const names = ['admin', 'member'];
  const credentials = new Map(names.map((name) => [name, { secret: 'x', claims }]));
  return { features, credentials };
}

test('a refusal proves nothing if the file does not mention the feature', () => {
  const open = target({}, { auditLogManage: true });
  expect(inconclusive(open, exports, 'admin', 403, true)).toMatch('features: { auditLog: true }');
  expect(inconclusive(open, exports, 'member', 403, false)).toMatch('features: { auditLog: true }');
  expect(inconclusive(open, exports, 'admin', 400, false)).toBeUndefined();
  expect(inconclusive(open, exports, 'admin', 200, true)).toBeUndefined();
});

test('a refusal breaks a promise if the file says that the caller may', () => {
  const told = target({ auditLog: true }, { auditLogManage: true });
  expect(inconclusive(told, exports, 'admin', 403, true)).toBeUndefined();
  const permission = target({ auditLog: true });
  expect(inconclusive(permission, exports, 'admin', 403, true)).toMatch(
    'of admin auditLogManage: true',
  );
  expect(inconclusive(permission, exports, 'admin', 401, true)).toBeUndefined();
});

test('an accepted call breaks a promise if the file says that the caller may not', () => {
  const open = target({ auditLog: true });
  expect(inconclusive(open, exports, 'member', 200, true)).toMatch(
    'of member auditLogManage: false',
  );
  const told = target({ auditLog: true }, { auditLogManage: false });
  expect(inconclusive(told, exports, 'member', 200, true)).toBeUndefined();
});

test('other operations need neither the feature nor the permission', () => {
  const lists = contract.operations.get('listDeployments');
  expect(inconclusive(target({}), lists, 'admin', 403, true)).toBeUndefined();
});
