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
const report: Report = passedReport({ statements });

test('a choice is learned if no observation shows another one', () => {
  const { choices, open } = learned(report);
  expect(Object.fromEntries(choices)).toEqual({
    'STAGE-9': 'conflict',
    'AUTH-7': 'forbidden',
    'PAGE-10': 'ascending',
  });
  expect(Object.fromEntries(open)).toEqual({
    'REQ-1': 'seen as same and not-found',
    'ERR-9': 'seen as no known choice: 451',
    'VER-11': 'seen: ["string"]',
    'SVC-17': 'seen as more: a client passes over them, so the mock has no use for one',
    'AUDIT-13': 'the tenant file does not say auditLog: absent',
  });
});

test('the profile has a line for each choice and a comment for each silence without one', () => {
  expect(profileYaml(report).split('\n').slice(2)).toEqual([
    `STAGE-9: conflict # ${contract.statements.get('STAGE-9')?.text}`,
    `AUTH-7: forbidden # ${contract.statements.get('AUTH-7')?.text}`,
    `PAGE-10: ascending # ${contract.statements.get('PAGE-10')?.text}`,
    '# Not learned. Here the mock keeps its own assumption:',
    '# REQ-1: seen as same and not-found',
    '# ERR-9: seen as no known choice: 451',
    '# VER-11: seen: ["string"]',
    '# SVC-17: seen as more: a client passes over them, so the mock has no use for one',
    '# AUDIT-13: the tenant file does not say auditLog: absent',
    '',
  ]);
});

test('the profile is valid even if nothing was learned', () => {
  expect(profileYaml(passedReport({ statements: [] }))).toMatch(/\{\}\n$/);
});
