/** Only a tenant without a feature can show that an operation needs it. */
import { expect, test } from 'vitest';
import { reasonOf } from '../../conformance/judge/rules-of-evidence.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { makePlan } from '../../conformance/safety/plan.ts';
import type { Transport } from '../../conformance/target/target.ts';
import { readTenantFile, tenantTarget } from '../../conformance/target/tenant.ts';
import { createService } from '../../mock/kits/index.ts';
import { runOn } from '../exam/suite-run.ts';

const suite = loadOwnSuite();
const service = await createService();

const never: Transport = () => Promise.reject(new Error('nothing is sent'));

/** Serves the export on every plan. */
const served =
  (send: Transport): Transport =>
  async (request) => {
    const answer = await send(request);
    const isExport = request.url.includes('/audit-logs/export') && answer.status === 403;
    return isExport
      ? { status: 200, headers: { 'content-type': 'text/csv' }, text: 'a,b' }
      : answer;
  };

test('with the feature, nothing shows that the export needs it', async () => {
  const report = await runOn(service, suite, {});
  expect(report.statements.find(({ id }) => id === 'AUDIT-12')?.verdict).toBe('unobservable');
});

test.each([
  ['true', 'the tenant file does not say auditLog: absent'],
  ['false', 'the tenant file does not say auditLog: absent'],
  ['absent', undefined],
])('a tenant file with auditLog: %s', (says, reason) => {
  const file = readTenantFile(
    'tenant.yaml',
    `features: { auditLog: ${says} }\ncredentials: { admin: { env: KEY } }`,
  );
  const { target } = tenantTarget(
    'https://x.example',
    file,
    { KEY: 'k' },
    never,
    async () => undefined,
  );
  const names = { id: 'x', startedAt: '2026-01-01T00:00:00.000Z' };
  const plan = makePlan(suite, target, { allow: 'none' }, names);
  const absence = plan.skipped.find(({ scenario }) => scenario.needs.includes('!auditLog'));
  expect(absence && reasonOf(absence.why)).toBe(reason);
});

test('a tenant file can only say that a feature is on or off', () => {
  expect(() => readTenantFile('tenant.yaml', 'features: { auditLog: maybe }')).toThrow(
    'true, false (not looked at) or absent',
  );
});

test('without the feature the export must not be served', async () => {
  const kept = await runOn(service, suite, { world: { fixture: 'basic-plan' } });
  expect(kept.statements.find(({ id }) => id === 'AUDIT-12')?.verdict).toBe('verified');
  expect(kept.exitCode).toBe(0);
  const broken = await runOn(service, suite, { world: { fixture: 'basic-plan' }, around: served });
  const found = broken.statements.find(({ id }) => id === 'AUDIT-12');
  expect(found?.verdict).toBe('violated');
  expect(broken.exitCode).toBe(1);
});
