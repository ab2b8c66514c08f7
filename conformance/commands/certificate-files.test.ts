/** A run may only replace files that a run wrote. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mustBeOurs } from './certificate-files.ts';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.for<[string, (out: string) => void, RegExp]>([
  ['a file', (out) => writeFileSync(out, ''), /is not a folder/],
  ['a link', (out) => symlinkSync(tmpdir(), out), /is not a folder/],
  ['a file of somebody', (out) => plant(out, 'notes.txt'), /holds notes\.txt, which no run writes/],
  ['a file in the evidence', (out) => plant(out, 'evidence/x.sh'), /holds evidence\/x\.sh, which/],
  [
    'a folder of evidence that is a link',
    (out) => {
      mkdirSync(out);
      symlinkSync('/', join(out, 'evidence'));
    },
    /holds evidence, which no run writes/,
  ],
  ['a gate without a report', (out) => plant(out, 'gate.md'), /holds gate\.md, and no report/],
  [
    'a file that is not a report',
    (out) => plant(out, 'report.json'),
    /report\.json is not a report/,
  ],
  [
    'a link of the name of a report',
    (out) => {
      mkdirSync(out);
      symlinkSync('/etc/hostname', join(out, 'summary.md'));
    },
    /holds summary\.md, which no run writes/,
  ],
])('%s is not written over', ([, make, problem]) => {
  const out = join(place(), 'out');
  make(out);
  expect(() => mustBeOurs(out)).toThrow(problem);
});

function plant(out: string, name: string): void {
  mkdirSync(join(out, 'evidence'), { recursive: true });
  writeFileSync(join(out, name), 'x');
}

test('a run may use a new or empty folder, or the remains of a killed run', () => {
  const out = join(place(), 'out');
  mustBeOurs(out);
  mkdirSync(out);
  mustBeOurs(out);
  mkdirSync(join(out, '.lockstep-0123456789ab'));
  writeFileSync(join(out, '.lockstep-0123456789ab/report.json'), 'x');
  mustBeOurs(out);
  writeFileSync(join(out, 'gate.json'), 'x');
  mustBeOurs(out);
});
