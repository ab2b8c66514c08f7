import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { passedReport } from '../../reports/testing/sample-report.ts';
import { readReport } from './read-report.ts';

function folder(text: string): string {
  const path = mkdtempSync(join(tmpdir(), 'lockstep-'));
  writeFileSync(join(path, 'report.json'), text);
  return path;
}

test('a report is named by its file or its folder', () => {
  const path = folder(JSON.stringify(passedReport()));
  expect(readReport(path).runId).toBe('r7k2m');
  expect(readReport(join(path, 'report.json')).runId).toBe('r7k2m');
});

test('fields that a later version of Lockstep adds to a report are ignored', () => {
  const later = { ...passedReport(), weather: 'rain' };
  expect(readReport(folder(JSON.stringify(later))).runId).toBe('r7k2m');
});

test.for([
  ['not JSON', 'no', /report\.json is not a report of lockstep certify: it is not JSON/],
  ['other JSON', '{}', /is not a report of lockstep certify: schemaVersion is missing/],
  ['a part of one', '{"schemaVersion": 1, "runId": 7}', /Name a report\.json, or its folder/],
] as const)('%s is refused', ([, text, message]) => {
  expect(() => readReport(folder(text))).toThrow(message);
});

test('a missing file is refused', () => {
  expect(() => readReport('nowhere.json')).toThrow(/^nowhere\.json: there is no such file/);
});
