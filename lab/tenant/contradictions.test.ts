/** Credentials that the tenant file describes wrongly: no such run may pass. */

import { expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Transport } from '../../conformance/target/target.ts';
import { outcome } from '../../reports/outcome.ts';
import { reportOf } from '../exam/suite-run.ts';
import { bench } from './measure.ts';

const suite = loadOwnSuite();

/** A read-only run in which one credential has the rights of another, or was never issued. */
async function whereItIs(name: string, other: string | undefined): Promise<Report> {
  const { target } = bench({ habits: [] });
  const known = target.credentials.get(name);
  if (known === undefined) throw new Error(`the tenant has no ${name}`);
  const secret = 'of-its-own-0123456789abcdef';
  const taken = other === undefined ? secret : target.credentials.get(other)?.secret;
  const credentials = new Map(target.credentials).set(name, { ...known, secret });
  const transport: Transport = (request, signal) => {
    const own = Object.entries(request.headers).map(([key, text]) => [
      key,
      text.replace(secret, taken ?? secret),
    ]);
    return target.transport({ ...request, headers: Object.fromEntries(own) }, signal);
  };
  const options = { allow: 'none', convergenceMs: 20, jobs: 8 } as const;
  return reportOf(suite, { ...target, transport, credentials }, options);
}

const violated = ({ statements }: Report): string[] =>
  statements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);

test('a correct file contradicts nothing', async () => {
  const report = await whereItIs('admin', 'admin');
  expect(report.preflight).toEqual([]);
  expect(report.exitCode).toBe(0);
});

test.for([
  ['expired', 'admin', 'AUTH-4'],
  ['scoped', 'admin', 'AUTH-8'],
  ['member', 'admin', 'AUDIT-11'],
] as const)('%s with the rights of %s breaks a promise', async ([name, of, id]) => {
  const report = await whereItIs(name, of);
  expect(violated(report)).toContain(id);
  expect(report.exitCode).toBe(1);
});

test.for(['admin', 'oauth', 'member', 'scoped', 'scim'])(
  '%s that is refused everywhere may be stale: the run ends 4 and names both causes',
  async (name) => {
    const report = await whereItIs(name, undefined);
    expect(report.preflight).toContainEqual({
      name,
      kind: 'credential',
      message: expect.stringMatching(/it is stale or mistyped, or the service refuses a good one$/),
    });
    expect(violated(report)).toEqual([]);
    expect(report.exitCode).toBe(4);
    expect(outcome(report).tone).toBe('not-judged');
  },
);
