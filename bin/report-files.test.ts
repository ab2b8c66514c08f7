import { expect, test } from 'vitest';
import { passedReport, sampleReport } from '../reports/testing/sample-report.ts';
import { reportFiles } from './report-files.ts';

test.each([
  ['sample', sampleReport()],
  ['passed', passedReport()],
])('the %s report is written in every format', (_name, report) => {
  const files = reportFiles(report, []);
  const names = [
    'certificate.html',
    'ctrf.json',
    'junit.xml',
    'profile.yaml',
    'report.json',
    'summary.md',
  ];
  expect([...files.keys()].toSorted()).toEqual(names);
  for (const [name, text] of files) expect(text, name).toContain(report.target.baseUrl);
});
