import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { certify, failureOf } from '../../conformance/commands/command.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { startMock } from '../../mock/kits/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'lockstep-guarded-'));
afterAll(() => rmSync(cwd, { recursive: true }));

test.for([
  ['with the token', { LOCKSTEP_ADMIN_TOKEN: 'let-me-in' }, 0, undefined],
  ['without it', {}, 4, /needs the Lockstep-Admin-Token header.*LOCKSTEP_ADMIN_TOKEN/],
] as const)('a mock that asks for a token is certified %s', async ([, env, exitCode, reason]) => {
  await using mock = await startMock({ adminToken: 'let-me-in' });
  const options = { baseUrl: mock.baseUrl, only: ['DBT-2'] };
  const io = { env, cwd, safety: safetyFacts, version: '0.0.0', ownSuite: loadOwnSuite };
  const { report, ...failure } = await certify(options, io).catch((error: unknown) => {
    return { ...failureOf(error), report: undefined };
  });
  expect(report === undefined ? failure : report).toMatchObject({ exitCode });
  if (reason === undefined) expect(report?.target.kind).toBe('mock');
  else expect(failure.message).toMatch(reason);
});
