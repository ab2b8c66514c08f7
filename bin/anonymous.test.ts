/** A certificate with invented names: it holds nothing of the tenant, and its verdicts still follow from it. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { safetyFacts } from '../conformance/areas/safety.ts';
import { runSuite } from '../conformance/commands/run-suite.ts';
import { judgedAgain, verify } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { anonymous } from '../conformance/watch/capture/anonymous.ts';
import { Pseudonyms } from '../conformance/watch/capture/names.ts';
import { inProcessTarget } from '../lab/exam/in-process.ts';
import { bench, withLedger } from '../lab/tenant/measure.ts';
import { createService } from '../mock/kits/index.ts';
import { writeReport } from '../reports/write.ts';
import { Redactor } from '../spec/base/redactor.ts';
import { version } from '../spec/base/version.ts';
import { scaled } from '../spec/testing/campaign.ts';
import { certificateFiles, ownExam, reportFiles } from './report-files.ts';

const suite = loadOwnSuite();

/** By day an answer of each operation, refusals, and each kind of name; at night all. */
const byDay = [
  ...['DEPL-1', 'ENV-11', 'STAGE-5', 'VER-12', 'UPD-1', 'META-5', 'FOLDER-2', 'RECIP-5', 'RECIP-4'],
  ...['AUDIT-7', 'AUDIT-9', 'DBT-1', 'SCIM-11', 'AUTH-8', 'PAGE-6'],
];

test('an anonymous certificate holds no name of its tenant', async () => {
  const exam = ownExam();
  const { target, tenant } = bench({ habits: [] });
  const made = await withLedger(async (openLedger) =>
    runSuite({
      ...{ suite, target, safety: safetyFacts, version, exam, openLedger },
      options: {
        ...{ allow: 'permanent', convergenceMs: 20, standards: 'report', complete: false },
        ...{ jobs: 4, only: scaled(0, 1) === 1 ? [] : byDay, seed: 7 },
      },
      names: { id: 'shown1', startedAt: new Date().toISOString() },
    }),
  );
  const { report: told, evidence } = anonymous(made, new Pseudonyms('a key'), suite);
  const report = await judgedAgain({ report: told, evidence }, suite);
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-anonymous-'));
  await writeReport(report, folder, reportFiles(report, evidence), evidence, new Redactor());
  expect(await verify(folder, { suite, exam, render: certificateFiles })).toMatchObject({
    ...{ exitCode: 0, problems: [], differences: [] },
  });
  const { totals, exitCode } = made.report;
  expect([report.totals, report.exitCode]).toEqual([totals, exitCode]);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const text = files
    .map((name) => readFileSync(join(folder, name), 'utf8').toLowerCase())
    .join('\n');
  const state = tenant.state();
  const words = [
    ...state.users.flatMap(({ name, email }) => [...name.split(' '), email]),
    ...state.branches.flatMap(({ name, hash }) => [name, hash]),
    ...state.deployments.map(({ name }) => name.split(' ')[0] ?? ''),
    ...[
      'harbour',
      'haulier',
      'petrel',
      'berth plans',
      'north-sea',
      'deployments/7001',
      'folders/3310',
      'deployment 7001',
      '"7001"',
    ],
  ].map((word) => word.toLowerCase());
  const heldBy = (where: string) =>
    [...new Set(words)].filter((word) => word.length > 3 && where.includes(word));
  expect(heldBy(JSON.stringify(made).toLowerCase()).length).toBeGreaterThan(40);
  expect(heldBy(text)).toEqual([]);
}, 240_000);

test('the certificate of a mock is anonymous too, and keeps what the runner adds to its requests', async () => {
  const target = await inProcessTarget(await createService(), { world: { id: 'seagull' } });
  const options = { allow: 'permanent', convergenceMs: 20, standards: 'report' } as const;
  const only = scaled(0, 1) === 1 ? [] : ['META-7', 'FOLDER-6', 'REQ-5', 'DEPL-1', 'AUTH-8'];
  const made = await runSuite({
    ...{ suite, target, safety: safetyFacts, version, exam: undefined, openLedger: undefined },
    options: { ...options, complete: false, jobs: 4, only, seed: 7 },
    names: { id: 'shown2', startedAt: new Date().toISOString() },
  });
  await target.close();
  const shown = anonymous(made, new Pseudonyms('a key'), suite);
  const report = await judgedAgain(shown, suite);
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-anonymous-'));
  const files = reportFiles(report, shown.evidence);
  await writeReport(report, folder, files, shown.evidence, new Redactor());
  const found = await verify(folder, { suite, render: certificateFiles });
  expect(found).toMatchObject({ exitCode: 0, problems: [], differences: [] });
  const text = JSON.stringify([report, shown.evidence]);
  expect(text).toContain('über 北京');
  expect(text).not.toContain('seagull');
});
