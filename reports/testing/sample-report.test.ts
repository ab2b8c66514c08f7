import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { hostileReport } from './hostile-report.ts';
import { passedReport, sampleReport } from './sample-report.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../conformance/report.schema.json', import.meta.url), 'utf8'),
) as object;

test.each([
  ['sample', sampleReport()],
  ['passed', passedReport()],
])('the %s report is one that the runner could write', (_name, report) => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(JSON.parse(JSON.stringify(report)));
  expect(validate.errors ?? []).toEqual([]);
});

test('the hostile report has hostile text in every field', () => {
  const text = JSON.stringify(hostileReport());
  expect(text.match(/<script>/g)?.length).toBeGreaterThan(50);
});
