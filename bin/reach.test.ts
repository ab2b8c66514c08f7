/** Whose tests a breach reaches, and what it looks like, as somebody types it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { verify } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { startMock } from '../mock/kits/index.ts';
import { lockstep as inProcess } from '../mock/testing/program.ts';
import { version } from '../spec/base/version.ts';
import { contractName } from '../spec/contract.ts';
import { certificateFiles, ownExam } from './report-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-reach-'));
const broken = await startMock({ deviations: ['folders:name-cut'] });
const other = await startMock({ assumptions: { 'STAGE-9': 'conflict' } });
afterAll(async () => {
  await Promise.all([broken.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

const clients = mkdtempSync(join(folder, 'clients-'));
const about = { lockstep: version, contract: contractName, asked: ['promises', 'assumptions'] };
const relies = { promises: { 'FOLDER-2': ['folders:name-cut'] }, assumptions: {} };
const guesses = { promises: {}, assumptions: { 'STAGE-9': ['conflict'] } };
const files = {
  'billing.json': { ...about, tests: { renames: relies, enables: guesses } },
  'dashboard.json': { ...about, tests: {} },
};
for (const [name, value] of Object.entries(files))
  writeFileSync(join(clients, name), JSON.stringify(value));

const lockstep = (...args: readonly string[]) => inProcess(args, { cwd: folder });
const told = 'it reaches billing (1 test); dashboard does not rely on it';
const checking = { suite: loadOwnSuite(), exam: ownExam(), render: certificateFiles };
const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

test('every file of a night says whose tests it reaches and what it looks like', async () => {
  const made = await lockstep(
    ...['gate', '--base-url', broken.baseUrl, '--only', 'FOLDER-2', '--quiet', '--out', 'night'],
    ...['--baseline', 'known.yaml', '--history', 'nights', '--reliance', clients],
  );
  expect(made.code, made.stderr).toBe(1);
  const home = 'To reproduce it: npx --no-install lockstep mock --deviate folders:name-cut';
  expect(made.stdout).toMatch(/^GATE FAILED .*FOLDER-2 violated; reaches billing \(1 test\)/);
  expect(made.stdout).toContain(told);
  expect(made.stdout).toContain(home);
  for (const file of ['gate.md', 'summary.md', 'certificate.html']) {
    expect(read('night', file), file).toContain('it reaches billing');
    expect(read('night', file), file).toContain('--deviate folders:name-cut');
  }
  expect((await lockstep('history', 'nights')).stdout).toContain('reaches billing (1 test)');
  const verified = () => verify(join(folder, 'night'), checking);
  expect(await verified()).toMatchObject({ exitCode: 0 });
  const again = await lockstep(
    ...['gate', '--report', 'night', '--baseline', 'known.yaml', '--reliance', clients],
  );
  expect(again.stdout).toContain(told);
  // The page is made of the report: another one is refused.
  const file = join(folder, 'night', 'gate.md');
  writeFileSync(file, read('night', 'gate.md').replace('billing', 'nobody'));
  expect(await verified()).toMatchObject({ exitCode: 2 });
});

test('certify says it as well', async () => {
  const made = await lockstep(
    ...['certify', '--base-url', broken.baseUrl, '--only', 'FOLDER-2', '--quiet'],
    ...['--reliance', clients, '--out', 'told'],
  );
  expect(made.stdout).toContain(told);
  expect(made.stdout).toContain('As if folders:name-cut');
});

test('--no-diagnosis looks for nothing, and a difference of a promise or a silence says whose tests it reaches', async () => {
  const certify = (url: string, out: string) =>
    lockstep(
      ...['certify', '--base-url', url, '--only', 'FOLDER-2,STAGE-9', '--quiet', '--no-diagnosis'],
      ...['--out', out],
    );
  await using plain = await startMock();
  await certify(plain.baseUrl, 'plain');
  const [bare] = await Promise.all([
    certify(broken.baseUrl, 'broken'),
    certify(other.baseUrl, 'other'),
  ]);
  expect(bare.stdout).toContain('FOLDER-2');
  expect(bare.stdout).not.toContain('As if');
  expect(JSON.parse(read('broken', 'report.json'))).not.toHaveProperty('diagnosis');
  const promise = await lockstep('diff', 'plain', 'broken', '--reliance', clients);
  expect(promise.stdout).toMatch(/FOLDER-2 {2}violated.*it reaches billing \(1 test\)/s);
  const silence = await lockstep('diff', 'plain', 'other', '--reliance', clients);
  expect(silence.stdout).toMatch(/STAGE-9 {2}conflict.*it reaches billing \(1 test\)/s);
});

test.for([
  ['certify', '--base-url', 'http://127.0.0.1:1'],
  ['gate', '--base-url', 'http://127.0.0.1:1', '--baseline', 'none.yaml'],
  ['diff', 'no-report', 'no-report'],
  ['diff', '--base-url', 'http://127.0.0.1:1', '--against', 'http://127.0.0.1:1'],
])('a bad file is refused before any call: %j', async (args) => {
  const bad = mkdtempSync(join(folder, 'bad-'));
  writeFileSync(join(bad, 'a.json'), '{"tests": []}');
  const made = await lockstep(...args, '--reliance', bad);
  expect(made).toMatchObject({ code: 2, stderr: expect.stringContaining('a.json does not say') });
});
