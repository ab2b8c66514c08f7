import { expect, test } from 'vitest';
import type { CheckRecord, Result } from '../conformance/judge/record.ts';
import type { TraceEvent } from '../conformance/target/trace-event.ts';
import { Redactor } from '../spec/base/redactor.ts';
import { createTrace } from './trace.ts';

const redactor = new Redactor();
redactor.add('secret-of-admin', '{admin}');

function told(...events: readonly TraceEvent[]): string {
  let text = '';
  const trace = createTrace({ write: (part) => (text += part) }, redactor);
  for (const event of events) trace(event);
  return text;
}

const exchange = {
  ...{ type: 'exchange', scenario: 'Mine', step: 'page', kind: 'call' },
  request: {
    method: 'GET',
    url: 'https://x.example/api/v1/deployments?limit=2',
    headers: { authorization: 'Bearer secret-of-admin' },
    body: undefined,
  },
  answer: { status: 200, headers: {}, text: '', durationMs: 12, sentAt: 0, throttled: 0 },
} as const satisfies TraceEvent;
const location = { file: 'mine.yaml', line: 1, column: 1 };
const check = (statement: string, result: Result): CheckRecord => ({
  ...{ scenario: 'Mine', step: 'page', kind: 'check', location, statement, level: 'documented' },
  readings: [{ result, evidence: [], circumstances: [] }],
});

test('an exchange shows the caller, the call, the answer and the duration', () => {
  expect(told(exchange)).toBe(
    '\nMine\n  page  admin  GET /api/v1/deployments?limit=2 -> 200, 12 ms\n',
  );
});

test('a cut text shows no half of a secret', () => {
  const text = told({
    ...{ type: 'step', scenario: 'Mine', step: 'page', checks: [] },
    captured: { name: `${'x'.repeat(290)}secret-of-admin` },
  });
  expect(text).not.toContain('secret');
});

test('a line shows if the engine made the call, and if no answer came', () => {
  const { request, answer } = exchange;
  const lost = {
    ...exchange,
    kind: 'protect',
    again: true,
    answer: { ...answer, status: 0 },
  } as const;
  const nobody = { ...lost, request: { ...request, headers: {} } };
  expect(told(nobody)).toContain(
    'nobody  GET /api/v1/deployments?limit=2 -> no answer, 12 ms (protect, is sent again)',
  );
});

test('a step shows its captures, the results of its checks, and a condition that did not hold', () => {
  const text = told(exchange, {
    ...{ type: 'step', scenario: 'Mine', step: 'page' },
    captured: { key: 'secret-of-admin', gone: undefined },
    checks: [
      check('PAGE-1', { kind: 'holds' }),
      check('X-A', { kind: 'fails', pointer: '/status', expected: 201, actual: 200 }),
      check('PAGE-4', { kind: 'untestable', reason: 'the check needs 1 of x, and saw 0' }),
    ],
    stopped: { rule: 'unresolved', reason: 'there is no folder' },
  });
  expect(text.split('\n').slice(3, -1)).toEqual([
    '  page  captured key = "{admin}"',
    '  page  captured gone = nothing',
    '  page  PAGE-1 verified',
    '  page  X-A violated: /status: expected 201, came 200',
    '  page  PAGE-4 not testable: the check needs 1 of x, and saw 0',
    '  page  stopped: there is no folder',
  ]);
});

test('a scenario has one heading until another scenario reports', () => {
  const other = { ...exchange, scenario: 'Other' };
  const lines = told(exchange, exchange, other, exchange).split('\n');
  expect(lines.filter((line) => /^\w/.test(line))).toEqual(['Mine', 'Other', 'Mine']);
});
