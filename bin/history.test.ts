/** Years of nights: read, printed and drawn. */
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHistory, writeNight } from '../conformance/gate/history.ts';
import type { Night } from '../conformance/judge/gate.generated.ts';
import { comparisonText } from '../reports/diff/comparison.ts';
import { historyComparisons, historyHtml } from '../reports/nights/history.ts';
import { readMarkup } from '../reports/testing/markup.ts';
import { Random } from '../spec/base/random.ts';

const ids = Array.from({ length: 265 }, (_, index) => `AREA-${index + 1}`);
const digits = (index: number): string => index.toString(16).padStart(6, '0');

/** The nights as they are printed and drawn. */
function told(nights: readonly Night[]) {
  const targets = historyComparisons(nights);
  const text = targets.map((one) => comparisonText(one)).join('');
  return { text, page: historyHtml(targets) };
}

/** As large as a night of the whole suite; AREA-7 is broken from the tenth to the nineteenth. */
function night(index: number, random = new Random(index)): Night {
  const broken = index >= 10 && index < 20 ? ['AREA-7'] : [];
  const flaky = ids.filter((id) => id !== 'AREA-7' && random.below(100) === 0);
  const startedAt = new Date(Date.UTC(2024, 0, 1 + index, 2)).toISOString();
  const texts = (length: number, of: (n: number) => string) =>
    Array.from({ length }, (_, n) => of(n));
  return {
    night: {
      startedAt,
      target: 'acme.example.com',
      exitCode: 0,
      headline: 'GATE PASSED  nothing new',
    },
    verdicts: {
      violated: broken,
      unstable: flaky,
      verified: ids.filter((id) => ![...broken, ...flaky].includes(id)),
    },
    failures: flaky.map((id) => ({
      key: `${id} | A scenario of it | step | `,
      verdict: 'unstable',
    })),
    scenarios: Object.fromEntries(
      texts(371, (n) => `The scenario of this suite with the number ${n}`).map((title) => [
        title,
        random.below(3000),
      ]),
    ),
    skipped: [],
    silences: Object.fromEntries(
      texts(105, (n) => `SILENT-${n}`).map((id) => [
        id,
        { 'bad-request': texts(6, (n) => digits(n)) },
      ]),
    ),
    latency: Object.fromEntries(
      texts(12, (n) => `operation${n}`).map((name) => [
        name,
        [40 + random.below(9), 90 + random.below(50)],
      ]),
    ),
    convergence: Object.fromEntries(
      texts(20, (n) => `A change ${n} / shows`).map((name) => [name, 1000 + random.below(4000)]),
    ),
  };
}

function folder(nights: number): string {
  const path = mkdtempSync(join(tmpdir(), 'lockstep-history-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (let index = 0; index < nights; index += 1) writeNight(path, night(index));
  return path;
}

test('a thousand nights are read and drawn in seconds, as a page of bearable size', () => {
  const path = folder(1000);
  const start = performance.now();
  const { nights, warnings } = readHistory(path);
  const { text, page } = told(nights);
  const took = performance.now() - start;
  expect([nights.length, warnings]).toEqual([1000, []]);
  expect(took).toBeLessThan(15_000);
  expect(page.length).toBeLessThan(2_000_000);
  expect(text.split('\n').length).toBeLessThan(120);
});

test('a change is marked on its day, in the text and on the page', () => {
  const { text } = told(readHistory(folder(30)).nights);
  expect(text).toMatch(
    /Changes \(the last 40 of \d+\)\n {2}\(the newest first.*\n {2}2024-01-30 02:00 {2}AREA-\d+: /,
  );
  expect(text).toMatch(/The last nights\n.*\n {2}2024-01-30 02:00 .*\n {2}2024-01-29 02:00 /);
  expect(text).toMatch(/\n {2}AREA-7 {2}\.{10}X{10}\.{10}\n/);
  for (const [nights, line] of [
    [12, '<dt>2024-01-11 02:00</dt><dd>AREA-7: verified -&gt; violated</dd>'],
    [22, '<dt>2024-01-21 02:00</dt><dd>AREA-7: violated -&gt; verified</dd>'],
  ] as const) {
    const { page } = told(readHistory(folder(nights)).nights);
    expect(page).toContain(line);
    expect(() => readMarkup(page, { language: 'html' })).not.toThrow();
  }
});

test('the page has a colour for each verdict, and sentences for headlines', () => {
  const { page } = told(readHistory(folder(22)).nights);
  expect(page).toContain('<b class="s-verified">.</b><b class="s-violated">X</b>');
  expect(page).toContain('<p>The gate passed: nothing new.</p>');
  expect(page).not.toMatch(/GATE|<pre/);
  const colours = [...page.matchAll(/\.s-[\w-]+ \{ color: (.*?); \}/g)].map(([, colour]) => colour);
  expect(colours.length).toBeGreaterThan(6);
  expect(new Set(colours).size).toBe(colours.length);
});

test('a file that is cut off, or is not a night, is passed over and named', () => {
  const path = folder(3);
  const [first = '', second = ''] = readdirSync(path).sort();
  const text = readFileSync(join(path, first), 'utf8');
  writeFileSync(join(path, first), text.slice(0, text.length / 2));
  writeFileSync(join(path, 'other.jsonl'), '{"kind":"run"}\n');
  writeFileSync(join(path, 'notes.txt'), 'ours');
  // Reading it to its end would hold the night for ever.
  symlinkSync('/dev/zero', join(path, 'device.jsonl'));
  appendFileSync(join(path, second), '\n');
  const { nights, warnings } = readHistory(path);
  expect(nights).toHaveLength(2);
  expect(warnings).toEqual([
    expect.stringContaining(`${first} was skipped: it is cut off, or no JSON lines`),
    expect.stringContaining('device.jsonl was skipped: expected a file of'),
    expect.stringContaining('other.jsonl was skipped: night is missing'),
  ]);
});

test('a hostile name is text', () => {
  const { night: head, ...rest } = night(0);
  const target = '<script>alert(1)</script>\u001b[2J';
  const { text, page } = told([{ ...rest, night: { ...head, target, headline: target } }]);
  expect(page).not.toContain('<script');
  expect(text).not.toContain('\u001b');
});
