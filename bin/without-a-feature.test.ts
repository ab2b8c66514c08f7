/** A tenant that lacks a feature shows that it is needed; one that has it cannot. */
import { expect, test } from 'vitest';
import { loadOwnSuite } from '../conformance/own-suite.ts';
import type { Transport } from '../conformance/target.ts';
import { createService } from '../mock/index.ts';
import { runOn } from './suite-run.ts';

const suite = loadOwnSuite();
const service = await createService();

/** Serves the export whatever the plan is. */
const served =
  (send: Transport): Transport =>
  async (request) => {
    const answer = await send(request);
    const isExport = request.url.includes('/audit-logs/export') && answer.status === 403;
    return isExport
      ? { status: 200, headers: { 'content-type': 'text/csv' }, text: 'a,b' }
      : answer;
  };

test('with the feature nothing shows that the export needs it', async () => {
  const report = await runOn(service, suite, {});
  expect(report.statements.find(({ id }) => id === 'AUDIT-12')?.verdict).toBe('unobservable');
});

test('without it the export must not be served', async () => {
  const kept = await runOn(service, suite, { fixture: 'basic-plan' });
  expect(kept.statements.find(({ id }) => id === 'AUDIT-12')?.verdict).toBe('verified');
  expect(kept.exitCode).toBe(0);
  const broken = await runOn(service, suite, { fixture: 'basic-plan', around: served });
  const found = broken.statements.find(({ id }) => id === 'AUDIT-12');
  expect(found?.verdict).toBe('violated');
  expect(broken.exitCode).toBe(1);
});
