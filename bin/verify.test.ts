/** Every certificate that a run writes can be derived again from its evidence; an altered one cannot. */
import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { safetyFacts } from '../conformance/areas/safety.ts';
import { attest, signedFiles, signingKey } from '../conformance/commands/attestation.ts';
import { runSuite } from '../conformance/commands/run-suite.ts';
import { verify } from '../conformance/commands/verify.ts';
import { assembleReport } from '../conformance/judge/assemble-report.ts';
import type { Report, RunOptions, StatementResult } from '../conformance/judge/report.ts';
import { isFailure } from '../conformance/judge/verdict.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { entriesOf } from '../conformance/target/evidence.ts';
import { NetworkError } from '../conformance/target/target.ts';
import { deviationsOf } from '../lab/areas/catalogue.ts';
import { type InProcessOptions, inProcessTarget } from '../lab/exam/in-process.ts';
import { createService, startMock } from '../mock/kits/index.ts';
import { lockstep as inProcess } from '../mock/testing/program.ts';
import { json, writeReport } from '../reports/write.ts';
import { Random } from '../spec/base/random.ts';
import { Redactor } from '../spec/base/redactor.ts';
import { version } from '../spec/base/version.ts';
import { figure, scaled } from '../spec/testing/campaign.ts';
import { certificateFiles, ownExam, reportFiles } from './report-files.ts';
import { runGate } from './runner.ts';

const suite = loadOwnSuite();
const exam = ownExam();
const service = await createService();

interface Made {
  readonly folder: string;
  readonly report: Report;
}

/** Runs the suite as `certify` does, and writes all that it writes. */
async function makeCertificate(
  options: Partial<RunOptions> = {},
  world: InProcessOptions = {},
  { key, signal }: { readonly key?: KeyObject | undefined; readonly signal?: AbortSignal } = {},
): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-verify-'));
  const target = await inProcessTarget(service, world);
  const { report, evidence } = await runSuite({
    suite,
    target,
    options: {
      ...{ allow: 'permanent', convergenceMs: 30_000, standards: 'report', complete: false },
      ...{ jobs: 4, only: [], seed: 7, ...options },
    },
    names: { id: 'verified', startedAt: new Date().toISOString() },
    safety: safetyFacts,
    version,
    exam,
    signal,
  });
  await target.close();
  const files = evidence.map(({ file, text }) => ({ file, text }));
  const rendered = reportFiles(report, files);
  if (key !== undefined) {
    rendered.set('attestation.json', attest(report, signedFiles(rendered, files), key));
  }
  await writeReport(report, folder, rendered, files, new Redactor());
  return { folder, report };
}

/** The result of `lockstep verify` on a folder. Rendered once, because the test makes many tries. */
function check(folder: string, publicKey?: KeyObject) {
  const rendered = new Map<string, ReadonlyMap<string, string>>();
  return () =>
    verify(folder, {
      suite,
      exam,
      publicKey,
      render: (certificate) => {
        const key = hash('sha256', json(certificate.report));
        const files = rendered.get(key) ?? certificateFiles(certificate);
        rendered.set(key, files);
        return files;
      },
    });
}

const deviating = (...ids: string[]): InProcessOptions => ({
  prepare: ({ deviations }) => deviations.set(deviationsOf(ids)),
});

type Row = readonly [string, Partial<RunOptions>, InProcessOptions, number];

const loses = (body: string | undefined) =>
  (body?.length ?? 0) > 10_000
    ? Promise.reject(new NetworkError('UND_ERR_SOCKET: other side closed'))
    : undefined;

const tooDeep = (url: string) =>
  url.includes('/scim/')
    ? Promise.resolve({ status: 200, headers: {}, text: '['.repeat(200) })
    : undefined;

/** By day only scenarios of these statements are played; at night all are. */
const byDay = (...only: string[]) => (scaled(0, 1) === 1 ? {} : { only });

test.for([
  [
    'a mock that keeps its promises',
    byDay('ENV-11', 'STAGE-5', 'UPD-1', 'FOLDER-2', 'RECIP-5', 'AUDIT-20', 'SCIM-11', 'PAGE-6'),
    {},
    0,
  ],
  [
    'one that keeps a promise at times',
    { tries: 2, ...byDay('FOLDER-2', 'STAGE-5', 'PAGE-6', 'AUDIT-20') },
    deviating('folders:rename-lost:every=5'),
    1,
  ],
  [
    'a run that only reads',
    { allow: 'none', ...byDay('DEPL-1', 'ENV-11', 'AUDIT-7', 'SCIM-11', 'PAGE-6', 'AUTH-8') },
    {},
    0,
  ],
  ['a narrowed run', { only: ['STAGE-3', 'PAGE-6'] }, {}, 0],
  [
    'a tenant that lacks a feature and breaks a promise',
    byDay('AUDIT-1', 'AUDIT-13', 'STAGE-5', 'STAGE-6', 'AUTH-8'),
    { world: { fixture: 'basic-plan' }, ...deviating('staging:lost-enable') },
    1,
  ],
  [
    'a tenant that gives no answer to one thousand recipients',
    { only: ['RECIP-23', 'RECIP-27', 'RECIP-5'] },
    {
      around:
        (send) =>
        (request, ...more) =>
          loses(request.body) ?? send(request, ...more),
    },
    4,
  ],
  [
    'a tenant whose list of people is nested too deep to be read',
    { only: ['SCIM-11', 'SCIM-1', 'STAGE-3', 'ENV-11'] },
    {
      around:
        (send) =>
        (request, ...more) =>
          tooDeep(request.url) ?? send(request, ...more),
    },
    4,
  ],
] as const satisfies readonly Row[])('the certificate of %s is accepted', async (row) => {
  const [, options, world, exitCode] = row;
  const { folder, report } = await makeCertificate(options, world);
  expect(report.exitCode).toBe(exitCode);
  expect(await check(folder)()).toMatchObject({ problems: [], differences: [], exitCode: 0 });
});

test.for([20, 60, 150, 400])(
  'the results of a run that is interrupted after %i requests follow, and the others are counted',
  async (most) => {
    const end = new AbortController();
    let requests = 0;
    const { folder, report } = await makeCertificate(
      byDay('ENV-6', 'STAGE-5', 'FOLDER-2', 'PAGE-6', 'AUTH-8', 'SVC-4'),
      {
        around:
          (send) =>
          (request, ...more) => {
            if (++requests === most) end.abort();
            return send(request, ...more);
          },
      },
      { signal: end.signal },
    );
    expect(report.interrupted).toBe(true);
    const found = await check(folder)();
    expect(found).toMatchObject({ problems: [], differences: [], exitCode: 4 });
    expect(found.notDerived).toBeGreaterThan(0);
  },
);

test('a result that an interrupted run did not have is refused', async () => {
  const end = new AbortController();
  const { folder, report } = await makeCertificate(
    { only: ['FOLDER-2', 'STAGE-5'] },
    {
      around:
        (send) =>
        (request, ...more) => {
          end.abort();
          return send(request, ...more);
        },
    },
    { signal: end.signal },
  );
  const forged = report.statements.map((item) => {
    const checks = item.checks.map((one) => ({ ...one, verdict: 'verified' as const }));
    return item.id === 'FOLDER-2' ? { ...item, verdict: 'verified' as const, checks } : item;
  });
  writeFileSync(join(folder, 'report.json'), json({ ...report, statements: forged }));
  rmSync(join(folder, 'certificate.html'));
  const found = await verify(folder, { suite, exam });
  expect(found.problems).toEqual([]);
  expect(found).toMatchObject({ exitCode: 1, differences: [{ statement: 'FOLDER-2' }] });
});

describe('the certificate of a command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-commands-'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const LOCKSTEP_SIGN = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const mock = await startMock();
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });
  const place = { cwd: folder, env: { ...process.env, LOCKSTEP_SIGN } };
  const lockstep = (...args: readonly string[]) => inProcess(args, place);
  const narrow = ['--only', 'DEPL-2', '--quiet', '--sign-key-env', 'LOCKSTEP_SIGN'];
  const mine =
    'scenario: Mine\nsteps:\n  - { id: list, as: admin, call: listDeployments, checks: { X-MINE: { status: 200 } } }\n';
  writeFileSync(join(folder, 'mine.yaml'), mine);

  test.concurrent.for([
    ['certify', ['certify']],
    ['certify of files', ['certify', '--scenarios', 'mine.yaml', '--no-suite']],
    ['self-certify', ['self-certify']],
  ] as const)('is verified: %s', async ([name, args]) => {
    const out = name.replaceAll(/\W+/g, '-');
    const where = args[0] === 'self-certify' ? [] : ['--base-url', mock.baseUrl];
    const options = name.includes('files') ? narrow.slice(2) : narrow;
    const made = await lockstep(...args, ...where, '--out', out, ...options);
    expect(made.code, made.stderr).toBe(0);
    expect(await check(join(folder, out))()).toMatchObject({ exitCode: 0 });
  });

  test('of a gate is verified, is refused if its words were changed, and is not compared then', async () => {
    const made = await lockstep(
      ...['gate', '--baseline', 'night.yaml', '--base-url', mock.baseUrl, '--out', 'night'],
      ...['--history', 'nights', ...narrow],
    );
    expect(made.code, made.stderr).toBe(0);
    const report = join(folder, 'night');
    const accepted = { exitCode: 0, problems: [] };
    expect(await check(report)()).toMatchObject(accepted);
    const again = await lockstep(
      ...['gate', '--report', 'night', '--baseline', 'night.yaml', '--out', 'again'],
    );
    expect(again.code, again.stderr).toBe(0);
    expect(await check(join(folder, 'again'))()).toMatchObject(accepted);
    const changes = [
      ['gate.md', 'PASSED', 'FAILED', `gate.md is not what Lockstep ${version} makes of`],
      ['gate.json', /"runId": "\w+"/, '"runId": "other"', 'gate.json belongs to another'],
      // No report tells the content of the baseline: only a signature covers it.
      ['gate.json', '"known": []', '"known": [ ]', `gate.json is not what Lockstep ${version}`],
    ] as const;
    const change = ([name, from, to]: (typeof changes)[number]) => {
      const file = join(report, name);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(from, to));
      return () => writeFileSync(file, text);
    };
    for (const row of changes) {
      const undo = change(row);
      const problems = [expect.stringContaining(row[3])];
      expect(await check(report)()).toMatchObject({ problems, exitCode: 2 });
      const compared = runGate({ report, baseline: join(folder, 'night.yaml') });
      await expect(compared).rejects.toThrow(row[3]);
      undo();
    }
    // The commands say the same.
    const [first] = changes;
    const undo = change(first);
    const stdout = expect.stringContaining(first[3]);
    expect(await lockstep('verify', 'night')).toMatchObject({ code: 2, stdout });
    const compared = await lockstep('gate', '--report', 'night', '--baseline', 'night.yaml');
    expect(compared).toMatchObject({ code: 2, stderr: expect.stringContaining(first[3]) });
    undo();
    expect(await check(report)()).toMatchObject(accepted);
  });
});

test.for([
  ['a file that is none of its own', 'summary2.md', 'x', 'summary2.md is not a file of'],
  [
    'evidence that the report does not name',
    'evidence/other.har',
    '{}',
    'other.har is not a file of',
  ],
  ['a file that was taken away', 'junit.xml', undefined, 'junit.xml was signed, and is not there'],
] as const)('a signed certificate is refused with %s', async ([, name, text, problem]) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { folder } = await makeCertificate(
    { only: ['DEPL-2'], allow: 'none' },
    {},
    { key: privateKey },
  );
  if (text === undefined) rmSync(join(folder, name));
  else writeFileSync(join(folder, name), text);
  expect(await check(folder)()).toMatchObject({
    ...{ exitCode: 2, problems: [expect.stringContaining(problem)] },
  });
});

test.for([
  ['invented', (all: readonly StatementResult[]) => [...all, { ...all[0], id: 'GOOD-1' }]],
  ['told twice', (all: readonly StatementResult[]) => [...all, all[0]]],
  ['left out', (all: readonly StatementResult[]) => all.slice(1)],
] as const)('a statement that is %s is refused', async ([, change]) => {
  const { folder, report } = await makeCertificate({ only: ['DEPL-2'], allow: 'none' });
  for (const name of readdirSync(folder)) {
    if (/\.\w+$/.test(name)) rmSync(join(folder, name));
  }
  const forged = { ...report, statements: change(report.statements) };
  writeFileSync(join(folder, 'report.json'), json(forged));
  const verified = await check(folder)();
  expect(verified.exitCode).toBe(1);
  expect(verified.differences).toHaveLength(1);
});

test('a scenario of another file, and a wait for another step, are refused', async () => {
  const { folder, report } = await makeCertificate({ only: ['STAGE-5'] });
  const [scenario, ...scenarios] = report.scenarios;
  const eventually = report.eventually.map((one) => ({ ...one, step: 'another' }));
  expect(eventually.length).toBeGreaterThan(0);
  for (const [part, forged] of [
    ['scenarios', { ...report, scenarios: [{ ...scenario, file: 'other.yaml' }, ...scenarios] }],
    ['eventually', { ...report, eventually }],
  ] as const) {
    writeFileSync(join(folder, 'report.json'), json(forged));
    rmSync(join(folder, 'certificate.html'), { force: true });
    const problem = `the report's ${part} does not follow from the evidence`;
    expect(await verify(folder, { suite })).toMatchObject({ exitCode: 1, problems: [problem] });
  }
});

const changes = scaled(300, 10_000);

test('a certificate with any one byte changed is refused', async () => {
  const { folder, report } = await makeCertificate(
    { only: ['DEPL-2'], allow: 'none' },
    {},
    { key: generateKeyPairSync('ed25519').privateKey },
  );
  const own = ['report.json', 'certificate.html', 'attestation.json'];
  const names = [...own, ...report.evidence.map(({ file }) => file)];
  const again = check(folder);
  const originals = new Map<string, Buffer>();
  const random = new Random(20_261_122);
  for (let turn = 0; turn < changes; turn += 1) {
    const name = names[turn % names.length] ?? '';
    const file = join(folder, name);
    const bytes = originals.get(name) ?? readFileSync(file);
    originals.set(name, bytes);
    const place = random.below(bytes.length);
    const changed = Buffer.from(bytes);
    changed[place] = ((changed[place] ?? 0) + 1 + random.below(255)) % 256;
    writeFileSync(file, changed);
    const { exitCode } = await again();
    if (exitCode === 0) throw new Error(`seed 20261122, turn ${turn}: byte ${place} of ${name}`);
    writeFileSync(file, bytes);
  }
  expect(await again()).toMatchObject({ exitCode: 0 });
  figure('certificates that were altered', 'single bytes changed, each refused', changes);
});

test('a forged certificate is refused, though its verdicts and digests were made again', async () => {
  const { folder, report } = await makeCertificate(
    { only: ['STAGE-5'] },
    deviating('staging:lost-enable'),
  );
  expect(report.exitCode).toBe(1);
  const judged = report.statements.flatMap(({ id: statement, checks }) =>
    checks.map(({ expected: _e, actual: _a, pointer: _p, reason: _r, ...item }) => ({
      ...item,
      ...{ statement, verdict: 'verified' as const },
    })),
  );
  const {
    statements: _s,
    totals: _t,
    exitCode: _x,
    unobservable: _u,
    schemaVersion: _v,
    ...rest
  } = report;
  const forged = assembleReport({ ...rest, judged, mayTry: new Set() });
  expect(forged.exitCode).toBe(0);
  const files = report.evidence.map(({ file }) => ({
    file,
    text: new Redactor().text(readFileSync(join(folder, file), 'utf8')),
  }));
  await writeReport(forged, folder, reportFiles(forged, files), files, new Redactor());
  const verified = await check(folder)();
  expect(verified).toMatchObject({ exitCode: 1 });
  expect(verified.differences).toContainEqual({
    ...{ statement: 'STAGE-5', reported: 'verified', derived: 'violated' },
  });
});

describe('a signed certificate', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const narrow = { only: ['DEPL-2'], allow: 'none' } as const;

  test('says whose key signed it, and is accepted with that key', async () => {
    const { folder } = await makeCertificate(narrow, {}, { key: privateKey });
    const signedBy = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    expect(await check(folder, publicKey)()).toMatchObject({ exitCode: 0, signedBy });
  });

  test('is an in-toto test result in a DSSE envelope', async () => {
    const { folder } = await makeCertificate(narrow, {}, { key: privateKey });
    const text = readFileSync(join(folder, 'attestation.json'), 'utf8');
    const { payload, payloadType } = JSON.parse(text) as Record<string, string>;
    expect(payloadType).toBe('application/vnd.in-toto+json');
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64').toString('utf8'))).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: expect.arrayContaining([
        { name: 'certificate.html', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      ]),
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: { result: 'PASSED', passedTests: ['DEPL-2'], failedTests: [] },
    });
  });

  test.for([
    ['by another key', other.privateKey, 'was signed with another key'],
    ['by nobody', undefined, 'nobody signed this'],
  ] as const)('is refused if it was signed %s', async ([, key, problem]) => {
    const { folder } = await makeCertificate(narrow, {}, { key });
    const problems = [expect.stringContaining(problem)];
    expect(await check(folder, publicKey)()).toMatchObject({ exitCode: 2, problems });
  });

  test('a key that cannot sign is refused before the run', () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = rsa.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => signingKey(pem)).toThrow('is not a private Ed25519 key');
    expect(() => signingKey('no key')).toThrow('is not a private Ed25519 key');
  });
});

test('a certificate that differs from its report is refused', async () => {
  const { folder } = await makeCertificate(
    { only: ['DEPL-1'] },
    deviating('drop:listDeployments:data'),
  );
  const file = join(folder, 'summary.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Failed', 'Passed'));
  expect(await check(folder)()).toMatchObject({
    exitCode: 2,
    problems: [`summary.md is not what Lockstep ${version} makes of this report`],
  });
});

test.for([
  ['/etc/hostname', 'names a file outside of its folder'],
  ['evidence/../../secret.har', 'names a file outside of its folder'],
  ['evidence/linked.har', 'is a link that leads out of'],
] as const)('%s is not read', async ([name, problem]) => {
  const { folder, report } = await makeCertificate({ only: ['DEPL-2'], allow: 'none' });
  symlinkSync('/etc/hostname', join(folder, 'evidence', 'linked.har'));
  const evidence = [{ ...report.evidence[0], file: name }];
  rmSync(join(folder, 'certificate.html'));
  writeFileSync(join(folder, 'report.json'), json({ ...report, evidence }));
  const verified = await check(folder)();
  expect(verified).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(problem)] });
});

test.for([
  ['no JSON', '{'],
  ['no report', '{"schemaVersion": 1}'],
] as const)('a report.json that is %s is refused', async ([, text]) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-verify-'));
  writeFileSync(join(folder, 'report.json'), text);
  expect(await check(folder)()).toMatchObject({
    exitCode: 2,
    problems: [expect.stringContaining('report.json is not a report')],
  });
});

describe('a certificate with the evidence of failures alone', () => {
  const broken = deviating('staging:lost-enable');
  const narrow = { only: ['STAGE-5', 'DEPL-2'], evidence: 'failures' } as const;

  test('is derived as far as its evidence goes, and says what is not', async () => {
    const { folder, report } = await makeCertificate(narrow, broken);
    expect(report.exitCode).toBe(1);
    const verdictsOf = (wanted: string) =>
      report.statements.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
    expect(verdictsOf('violated')).toEqual(['STAGE-5']);
    const kept = report.evidence.flatMap(({ file }) =>
      entriesOf(readFileSync(join(folder, file), 'utf8')).map(({ _lockstep }) => _lockstep),
    );
    const failed = report.statements.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => isFailure(verdict)),
    );
    const titles = (all: readonly { scenario: string }[]) =>
      new Set(all.map((one) => one.scenario));
    expect(titles(kept)).toEqual(titles(failed));
    expect(await check(folder)()).toMatchObject({
      ...{ exitCode: 4, problems: [], differences: [], alike: 1, notDerived: 1 },
    });
  });

  test('is not a green certificate if nothing is broken', async () => {
    const { folder, report } = await makeCertificate({ ...narrow, allow: 'none' });
    expect([report.exitCode, report.evidence]).toEqual([0, []]);
    expect(await check(folder)()).toMatchObject({ exitCode: 4, alike: 0, notDerived: 1 });
  });

  test('is refused if a broken statement has no evidence', async () => {
    const { folder, report } = await makeCertificate(narrow, broken);
    const forged = { ...report, evidence: [] };
    await writeReport(forged, join(folder, 'forged'), reportFiles(forged, []), [], new Redactor());
    expect(await check(join(folder, 'forged'))()).toMatchObject({
      exitCode: 1,
      problems: ['STAGE-5 is reported as broken, but its evidence is missing'],
    });
  });
});
