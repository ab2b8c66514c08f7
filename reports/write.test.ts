import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../conformance/judge/report.ts';
import { Redactor } from '../spec/base/redactor.ts';
import { summaryMd } from './summary-md.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';
import { moveAll, type SafeEvidence, writeReport } from './write.ts';

const formats = ['certificate.html', 'ctrf.json', 'junit.xml', 'profile.yaml', 'summary.md'];
const ours = [...formats, 'evidence', 'report.json'].toSorted();

const redactor = new Redactor();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-write-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function withEvidence(make: typeof sampleReport, name: string): [Report, SafeEvidence[]] {
  const text = redactor.text(`{"log":{"comment":"${name}"}}`);
  const file = `evidence/${name}.har`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return [make({ evidence: [{ file, sha256, entries: 0 }] }), [{ file, text }]];
}

function write(report: Report, directory: string, evidence: readonly SafeEvidence[]) {
  const summary = summaryMd(report);
  const rendered = new Map(formats.map((name) => [name, summary]));
  return writeReport(report, directory, rendered, evidence, redactor);
}

async function listing(directory: string): Promise<string[]> {
  return (await readdir(directory)).toSorted();
}

test('a new directory holds the whole report', async () => {
  const [report, evidence] = withEvidence(sampleReport, 'staging');
  const written = await write(report, join(folder, 'a', 'b'), evidence);
  expect(written).toBe(join(folder, 'a', 'b'));
  expect(await listing(written)).toEqual(ours);
  expect(await listing(join(written, 'evidence'))).toEqual(['staging.har']);
  const read: unknown = JSON.parse(await readFile(join(written, 'report.json'), 'utf8'));
  expect(read).toEqual(JSON.parse(JSON.stringify(report)));
  expect(await listing(join(folder, 'a'))).toEqual(['b']);
});

test('in an existing directory the old report is replaced and other files stay', async () => {
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await write(...first(withEvidence(sampleReport, 'old')));
  await write(...first(withEvidence(passedReport, 'new')));
  expect(await listing(folder)).toEqual([...ours, 'notes.txt'].toSorted());
  expect(await listing(join(folder, 'evidence'))).toEqual(['new.har']);
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('Passed');
});

test('the gate files and the signature of the old report are removed with it', async () => {
  for (const name of ['gate.md', 'gate.json', 'attestation.json'])
    await writeFile(join(folder, name), 'old');
  await symlink('/etc/hostname', join(folder, 'summary.md'));
  await write(...first(withEvidence(passedReport, 'new')));
  expect(await listing(folder)).toEqual(ours);
  expect(await readFile('/etc/hostname', 'utf8')).not.toContain('Passed');
  const { mode } = await stat(join(folder, 'report.json'));
  expect(mode & 0o077).toBe(0);
});

test('every file of a report can be read by its user alone, the evidence among them', async () => {
  const target = join(folder, 'out');
  const [report, evidence] = withEvidence(passedReport, 'new');
  await write(report, target, evidence);
  const modes = await Promise.all(
    [...formats, 'report.json', 'evidence/new.har'].map((name) => stat(join(target, name))),
  );
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual(modes.map(() => 0o600));
});

test('the files of a run that was killed while it wrote are removed by the next', async () => {
  const target = join(folder, 'out');
  const [report, evidence] = withEvidence(passedReport, 'new');
  const others = ['other.0123456789ab.tmp', 'out.txt'];
  for (const name of [...others, 'out.0123456789ab.tmp', 'out/.lockstep-0123456789ab']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'report.json'), 'old');
  }
  await write(report, target, evidence);
  expect(await listing(folder)).toEqual(['other.0123456789ab.tmp', 'out', 'out.txt']);
  expect(await listing(target)).toEqual(ours);
});

function first([report, evidence]: [Report, SafeEvidence[]]): [Report, string, SafeEvidence[]] {
  return [report, folder, evidence];
}

describe('nothing is written', () => {
  test.each([
    ['../x.har', 'must be named'],
    ['evidence/../../x.har', 'must be named'],
    ['evidence/.har', 'must be named'],
    ['evidence/other.har', 'does not name'],
  ])('if evidence is called %s', async (file, message) => {
    const [report] = withEvidence(sampleReport, 'staging');
    const target = join(folder, 'out');
    await expect(write(report, target, [{ file, text: redactor.text('') }])).rejects.toThrow(
      message,
    );
    expect(await listing(folder)).toEqual([]);
  });

  test('if evidence differs from its digest or is missing', async () => {
    const [report] = withEvidence(sampleReport, 'staging');
    const target = join(folder, 'out');
    const changed = [{ file: 'evidence/staging.har', text: redactor.text('changed') }];
    await expect(write(report, target, changed)).rejects.toThrow('digest');
    await expect(write(report, target, [])).rejects.toThrow('was not handed over');
    expect(await listing(folder)).toEqual([]);
  });

  test('if the target is a file', async () => {
    const target = join(folder, 'out');
    await writeFile(target, 'mine');
    await expect(write(...at(target))).rejects.toThrow();
    expect(await readFile(target, 'utf8')).toBe('mine');
    expect(await listing(folder)).toEqual(['out']);
  });

  test('if one move fails, and the earlier moves are undone', async () => {
    const path = (name: string): string => join(folder, name);
    await writeFile(path('old'), 'old');
    await writeFile(path('new'), 'new');
    await mkdir(path('taken/by-somebody'), { recursive: true });
    const moves = [
      [path('old'), path('aside')],
      [path('new'), path('old')],
      [path('old'), path('taken')],
    ] as const;
    await expect(moveAll(moves)).rejects.toThrow();
    expect(await readFile(path('old'), 'utf8')).toBe('old');
    expect(await readFile(path('new'), 'utf8')).toBe('new');
    expect(await listing(folder)).toEqual(['new', 'old', 'taken']);
  });
});

function at(directory: string): [Report, string, SafeEvidence[]] {
  const [report, evidence] = withEvidence(sampleReport, 'staging');
  return [report, directory, evidence];
}
