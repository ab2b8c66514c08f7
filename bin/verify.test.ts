/** Every certificate that a run writes can be derived again from its evidence. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { safetyFacts } from '../conformance/areas/safety.ts';
import { verify } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { runSuite } from '../conformance/run/run.ts';
import { deviationsOf } from '../mock/areas/catalogue.ts';
import { createService } from '../mock/kits/index.ts';
import { writeReport } from '../reports/write.ts';
import { inProcessTarget } from './in-process.ts';

const suite = loadOwnSuite();
const service = await createService();

test.for([
  ['a mock that keeps its promises', [], 1, 0],
  ['one that keeps a promise at times', ['folders:rename-lost:every=5'], 3, 1],
] as const)('the certificate of %s', { timeout: 120_000 }, async ([, ids, tries, exitCode]) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const target = await inProcessTarget(service, {
    prepare: ({ deviations }) => deviations.set(deviationsOf(ids)),
  });
  const { report, evidence } = await runSuite({
    suite,
    target,
    options: {
      ...{ allow: 'permanent', convergenceMs: 30_000, standards: 'report', complete: false },
      ...{ jobs: 4, only: [], tries, seed: 7 },
    },
    names: { id: 'verified', startedAt: new Date().toISOString() },
    safety: safetyFacts,
    version: '0',
  });
  await target.close();
  expect(report.exitCode).toBe(exitCode);
  const files = evidence.map(({ about, text }) => ({ file: about.file, text }));
  await writeReport(report, folder, new Map(), files);
  const verified = await verify(join(folder, 'report.json'));
  expect(verified).toMatchObject({ problems: [], differences: [], exitCode: 0 });
});
