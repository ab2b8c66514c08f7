/** The choices that a run has learned of a target's silences. */

import { expect, test } from 'vitest';
import type { CheckResult, Report, StatementResult } from '../conformance/judge/report.ts';
import { contract } from '../spec/contract.ts';
import { learned, profileYaml } from './profile-yaml.ts';
import { passedReport } from './testing/sample-report.ts';

const location = { file: 'scenarios/a.yaml', line: 1, column: 1 };

function observed(actual: unknown): CheckResult {
  return {
    scenario: 'A',
    step: 'one',
    kind: 'observe',
    verdict: 'observed',
    actual,
    location,
    evidence: [],
  };
}

function silent(id: string, checks: readonly CheckResult[], reason?: string): StatementResult {
  const verdict = checks.length > 0 ? 'observed' : 'not-testable';
  const about = { id, level: 'silent' as const, section: 'S', text: 'T' };
  return { ...about, verdict, checks, ...(reason === undefined ? {} : { reason }) };
}

const statements = [
  silent('STAGE-9', [
    observed({ choice: 'conflict', value: 409 }),
    observed({ choice: 'conflict', value: 409 }),
  ]),
  silent('AUTH-7', [observed({ choice: 'forbidden' }), observed({ value: 403 })]),
  silent('REQ-1', [observed({ choice: 'same' }), observed({ choice: 'not-found' })]),
  silent('PAGE-10', [observed({ choice: 'other', value: 409 }), observed({ choice: 'ascending' })]),
  silent('ERR-9', [observed({ choice: 'other', value: 451 })]),
  silent('VER-11', [observed({ value: ['stable', 'a\nb'] })]),
  silent('SVC-17', [observed({ choice: 'more' })]),
  { ...silent('SVC-14', []), verdict: 'unobservable' as const },
  silent('AUDIT-13', [], 'the tenant file does not say auditLog: absent'),
];
const told = (
  kind: Report['observations'][number]['kind'],
  operation: string,
  value: unknown,
  more: Partial<Report['observations'][number]> = {},
) => ({ kind, operation, value, count: 1, evidence: [], ...more });
const report: Report = passedReport({ statements });

test('a choice is learned if no observation shows another one', () => {
  const { choices, open } = learned(report);
  expect(Object.fromEntries(choices)).toEqual({
    'STAGE-9': 'conflict',
    'AUTH-7': 'forbidden',
    'PAGE-10': 'ascending',
    'ERR-9': 'not-found 451',
  });
  expect(Object.fromEntries(open)).toEqual({
    'REQ-1': 'seen as same and not-found',
    'VER-11': 'seen: ["string"]',
    'SVC-17': 'seen as more: a client ignores them, so the mock has no use for one',
    'AUDIT-13': 'the tenant file does not say auditLog: absent',
  });
});

test('statuses, numbers, choices of one operation, headers and fields are learned; values are not', () => {
  const shown = (statement: string, operation: string, choice: string) =>
    told('silence', operation, null, { statement, choice });
  const { choices, open } = learned({
    statements: [
      silent('UPD-13', [observed({ choice: 'other', value: 422 })]),
      silent('REQ-8', [observed({ choice: 'other', value: 404 })]),
      // Another silence may refuse the call.
      silent('REQ-4', [observed({ choice: 'other', value: 409 })]),
      // A case shows that it is this one, and the status is not the usual one.
      silent('REQ-5', [observed({ choice: 'refused', value: 409 })]),
      silent('RECIP-42', [observed({ choice: 'refused', value: 400 })]),
      // It may be a limit of calls, and says nothing.
      silent('AUDIT-13', [observed({ choice: 'other', value: 429 })]),
      silent('SCIM-12', [observed({ choice: 'number', value: 10 })]),
      silent('AUDIT-14', [observed({ choice: 'titled', value: ['When', 'What'] })]),
      silent('META-11', [observed({ choice: 'other', value: '/claims/context' })]),
      silent('RECIP-28', [observed({ choice: 'other', value: ['PARTNER'] })]),
      silent('SCIM-13', [
        observed({
          choice: 'other',
          value: [{ id: 'string', emails: [{ value: 'string' }], groups: [] }],
        }),
      ]),
      silent('AUTH-24', [
        observed({ choice: 'allowed' }),
        observed({ choice: 'other', value: 409 }),
      ]),
      // The name of a field may be a person.
      silent('SCIM-19', [observed({ choice: 'other', value: { 'ana@example.com': 'string' } })]),
      silent('PAGE-10', [observed({ choice: 'descending' }), observed({ choice: 'other' })]),
      silent('ERR-5', [observed({ choice: 'default' }), observed({ choice: 'bad-request' })]),
      silent('REQ-2', [observed({ choice: 'ignored' }), observed({ choice: 'refused' })]),
      // One look that was too early proves a delay.
      silent('STAGE-23', [observed({ choice: 'at-once' }), observed({ choice: 'later' })]),
      silent('SVC-22', [observed({ choice: 'more' })]),
    ],
    observations: [
      shown('ERR-5', 'listScimUsers', 'default'),
      shown('ERR-5', 'listDeployments', 'bad-request'),
      shown('PAGE-10', 'listDeployments', 'descending'),
      shown('PAGE-10', 'listVersions', 'other'),
      shown('AUTH-24', 'createMetaSyncToken', 'allowed'),
      told('silence', 'setStagingEnvironment', 409, { statement: 'AUTH-24', choice: 'other' }),
      shown('REQ-2', 'listVersions', 'ignored'),
      shown('REQ-2', 'listVersions', 'refused'),
      told('undeclared-header', 'listVersions', 'x-request-id'),
      told('undeclared-header', 'listVersions', 'x-trace'),
      told('undeclared-field', 'listDeployments', '/data/*/region', { type: 'string' }),
      // The name of a field may be a person, and the fields of a refusal are not learned.
      told('undeclared-field', 'listDeployments', '/data/ana@example.com', { type: 'string' }),
      told('undeclared-field', 'listDeployments', '/code'),
    ],
  });
  expect(Object.fromEntries(choices)).toEqual({
    'UPD-13': 'bad-request 422',
    'REQ-8': 'method-not-allowed 404',
    'SCIM-12': 'number 10',
    'AUDIT-14': 'titled When What',
    'REQ-5': 'refused 409',
    'RECIP-42': 'refused',
    'AUTH-24': 'allowed',
    'META-11': 'other /claims/context',
    'RECIP-28': 'other PARTNER',
    'SCIM-13': 'other /*/id:string /*/emails/*/value:string /*/groups:array',
    'PAGE-10 listDeployments': 'descending',
    'ERR-5 listScimUsers': 'default',
    'ERR-5 listDeployments': 'bad-request',
    'STAGE-23': 'later',
    'SVC-22 listVersions': 'more x-request-id x-trace',
    'SVC-17 listDeployments': 'more /data/*/region:string',
  });
  expect([...open.keys()]).toEqual(['REQ-4', 'AUDIT-13', 'SCIM-19', 'REQ-2']);
});

test('the profile has a line for each choice and a comment for each silence without one', () => {
  expect(profileYaml(report).split('\n').slice(2)).toEqual([
    `STAGE-9: conflict # ${contract.statements.get('STAGE-9')?.text}`,
    `AUTH-7: forbidden # ${contract.statements.get('AUTH-7')?.text}`,
    `PAGE-10: ascending # ${contract.statements.get('PAGE-10')?.text}`,
    `ERR-9: not-found 451 # ${contract.statements.get('ERR-9')?.text}`,
    '# Not learned. Here the mock keeps its own assumption:',
    '# REQ-1: seen as same and not-found',
    '# VER-11: seen: ["string"]',
    '# SVC-17: seen as more: a client ignores them, so the mock has no use for one',
    '# AUDIT-13: the tenant file does not say auditLog: absent',
    '',
  ]);
});

test('the profile is valid even if nothing was learned', () => {
  expect(profileYaml(passedReport({ statements: [] }))).toMatch(/\{\}\n$/);
});
