/** The file of known problems. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBaseline, writeBaseline } from './baseline.ts';

function file(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-baseline-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'known.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

const entry = (statement: string) =>
  ({
    statement,
    scenario: 'Rename',
    step: 'renamed',
    verdict: 'violated',
    since: '2026-03-01',
  }) as const;

test('a missing file, an empty one and one with only comments have no known problem', () => {
  for (const text of [undefined, '', '# nothing yet\n', 'problems: []\n']) {
    expect(readBaseline(file(text)).size).toBe(0);
  }
});

test('a link to a device is refused, and the empty device knows no problem', () => {
  const path = file();
  symlinkSync('/dev/zero', path);
  expect(() => readBaseline(path)).toThrow('is a device, not a file');
  expect(readBaseline('/dev/null').size).toBe(0);
});

test('a link to a file of another folder is refused without its text, and one within its folder is read', () => {
  const secret = file('key: of-somebody');
  const path = file();
  symlinkSync(secret, path);
  expect(() => readBaseline(path)).toThrow('known.yaml is a link that leads out of');
  const within = join(dirname(secret), 'linked.yaml');
  symlinkSync('known.yaml', within);
  expect(() => readBaseline(within)).toThrow('linked.yaml:1:1');
});

test.skipIf(process.platform === 'win32')('a named pipe is refused: it might never end', () => {
  const path = file();
  execFileSync('mkfifo', [path]);
  expect(() => readBaseline(path)).toThrow('is a pipe, not a file');
});

test('it is written sorted, with a line for the reason, and read again', () => {
  const path = file();
  writeBaseline(path, [entry('STAGE-10'), entry('STAGE-9'), entry('ENV-6')]);
  expect([...readBaseline(path).values()].map(({ statement }) => statement)).toEqual([
    'ENV-6',
    'STAGE-9',
    'STAGE-10',
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(
    /since: 2026-03-01\n {4}reason: ""\n {2}- statement: STAGE-9/,
  );
});

test('an update keeps reasons, dates and comments, and writes the same twice', () => {
  const path = file(`# ours
problems:
  # asked the vendor on Monday
  - statement: STAGE-9
    scenario: Rename
    step: renamed
    verdict: unstable
    since: 2026-02-01
    until: 2026-04-01
    reason: "ticket 4711: #mended in April"
`);
  writeBaseline(path, [...readBaseline(path).values(), entry('ENV-6')]);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('  # asked the vendor on Monday\n  - statement: STAGE-9');
  expect(text).toContain('until: 2026-04-01\n    reason: "ticket 4711: #mended in April"');
  expect(text).toMatch(/^# ours\nproblems:\n {2}- statement: ENV-6/);
  writeBaseline(path, [...readBaseline(path).values()]);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test.for([
  ['problems: 7', /known\.yaml:1:11: expected a list of problems, or \[\]: found 7/],
  ['problems:\n  - statment: ENV-6', /known\.yaml:2:5: statement is missing/],
  [
    'problems:\n  - { statement: ENV-6, verdict: wrong, since: 2026-03-01 }',
    /expected one of violated, .*: found "wrong"/,
  ],
  [
    'problems:\n  - { statement: ENV-6, verdict: violated, since: 2026-03-01, until: soon }',
    /expected a date such as 2026-12-31: found "soon"/,
  ],
  [
    'problems:\n  - { statement: ENV-6, verdict: violated, since: 2026-02-30 }',
    /known\.yaml:2:\d+: 2026-02-30 is not a day/,
  ],
  [
    'problems:\n  - &a { statement: ENV-6, verdict: violated, since: 2026-03-01 }\n  - { statement: ENV-6, verdict: violated, since: 2026-03-02 }',
    /known\.yaml:3:\d+: this problem is in the file twice/,
  ],
] as const)('%s is refused with its place', ([text, message]) => {
  expect(() => readBaseline(file(text))).toThrow(message);
});

test('a link at the temporary file of a baseline is not followed', () => {
  const path = file();
  const other = file('mine');
  symlinkSync(other, `${path}.tmp`);
  writeBaseline(path, [entry('ENV-6')]);
  expect(readFileSync(other, 'utf8')).toBe('mine');
});
