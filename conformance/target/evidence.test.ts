/** The evidence of a run, while it lies in the temporary folder. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Redactor } from '../../spec/base/redactor.ts';
import { harProblems } from '../../spec/testing/har-problems.ts';
import { notice } from '../judge/report.ts';
import { Evidence } from './evidence.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const add = (evidence: Evidence) =>
  evidence.add(
    'a',
    { scenario: 'A', step: 'a', kind: 'call' },
    { method: 'GET', url: 'https://a.example/', headers: {}, body: undefined },
    { status: 200, headers: {}, text: '{}', sentAt: 0, durationMs: 1, throttled: 0 },
  );

test('folders of a killed run are removed, and those of a live run stay', () => {
  const left = [
    `lockstep-evidence-${2 ** 30}-abc`,
    `lockstep-evidence-${process.pid}-abc`,
    'other',
  ];
  for (const name of left) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, '0'), 'x');
  }
  add(new Evidence(new Redactor()));
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
});

test('no exchange is added after it was read', () => {
  const evidence = new Evidence(new Redactor());
  expect(add(evidence)).toBe('evidence/a.har#0');
  expect(evidence.files()).toHaveLength(1);
  expect(() => add(evidence)).toThrow('the run is over');
});

test('it can be read by its user alone, and says that it holds personal data', () => {
  const evidence = new Evidence(new Redactor());
  add(evidence);
  const [inside = ''] = readdirSync(folder);
  const modes = [inside, join(inside, '0')].map(
    (name) => statSync(join(folder, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600]);
  const [file] = evidence.files();
  const har: unknown = JSON.parse(file?.text ?? '');
  expect(har).toMatchObject({ log: { comment: notice } });
  expect(harProblems(har)).toEqual([]);
});
