/** The sentences of gate.md about a finding. */
import { expect, test } from 'vitest';
import type { Finding, Gate } from '../../conformance/judge/gate.generated.ts';
import { comparisonMd } from '../diff/comparison.ts';
import { readExchanges } from '../exchanges.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { gateComparison, toldGate } from './gate.ts';

const night = { startedAt: '2026-03-10T02:00:00Z', target: 'acme.example.com' };
const lists = { known: [], stale: [], unknown: [], unconfirmed: [], late: [], silences: [] };
const gate = (more: Partial<Gate>): Gate => ({
  schemaVersion: 1,
  night: { ...night, exitCode: 1, headline: 'GATE FAILED' },
  ...{ ...lists, news: [], lost: [], outages: [], putBack: [], ...more },
});

test('a finding has the sentence of the certificate, with the address of its exchange', () => {
  const report = sampleReport();
  const { checks = [] } = report.statements.find(({ id }) => id === 'STAGE-5') ?? {};
  const [failed] = checks.filter(({ verdict }) => verdict === 'violated');
  const { scenario = '', step = '' } = failed ?? {};
  const finding: Finding = {
    ...{ statement: 'STAGE-5', scenario, step, verdict: 'violated', since: '2026-03-10' },
  };
  const call = {
    request: { method: 'GET', url: 'https://acme.example.com/x', headers: [] },
    response: { status: 200, headers: [], content: { text: '[]' } },
    _lockstep: { scenario },
  };
  const entries = Array.from({ length: 4 }, () => call);
  const har = JSON.stringify({ log: { entries } });
  const exchanges = readExchanges([{ file: 'evidence/staging.har', text: har as never }]);
  const told = toldGate(gate({ news: [finding] }), report, exchanges);
  const text = comparisonMd(gateComparison(told));
  expect(text).toContain('the value read is empty, and must have length 1');
  expect(text).toMatch(/evidence\/staging\.har\\#3/);
  expect(text).toContain('  - `curl -i https://acme.example.com/x`');
});

test('a statement that is no longer tried is listed with its reason', () => {
  const lost: Finding = { statement: 'AUTH-8', verdict: 'not-testable', since: '2026-03-10' };
  const detail = 'the tenant file binds no otherDeployment';
  const text = comparisonMd(gateComparison(gate({ lost: [{ ...lost, detail }] })));
  expect(text).toMatch(
    /### No longer tried \(1\)[\s\S]*- `AUTH-8` the tenant file binds no otherDeployment/,
  );
});
