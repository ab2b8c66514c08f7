/** What changed since the last run, as people read it. */
import { expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import { hostileReport } from '../testing/hostile-report.ts';
import { readMarkup, walk } from '../testing/markup.ts';
import { passedReport, sampleReport } from '../testing/sample-report.ts';
import { digestHtml, digestMd, digestText } from './digest.ts';
import { diffReports } from './reports.ts';

const slow = { listDeployments: Array.from({ length: 20 }, (_, index) => 84 + index) };
const quick = { listDeployments: Array.from({ length: 20 }, (_, index) => 40 + index / 2) };

/** Two promises are broken that were kept, an answer is slower, a silence is answered otherwise. */
function worse(): [last: Report, now: Report] {
  const [last, now] = [passedReport({ latency: quick }), sampleReport({ latency: slow })];
  const answered = (report: Report, choice: string): Report => ({
    ...report,
    statements: report.statements.map((item) =>
      item.id === 'STAGE-9'
        ? { ...item, checks: item.checks.map((check) => ({ ...check, actual: { choice } })) }
        : item,
    ),
  });
  return [answered(last, 'bad-request'), answered(now, 'conflict')];
}

test('the headline says it in one line', () => {
  expect(diffReports(...worse()).headline).toBe(
    '+3 broken, 1 silence answered otherwise, listDeployments 2.1 x slower',
  );
  const [last, now] = worse();
  expect(diffReports(now, last).headline).toBe(
    '-3 broken, 1 silence answered otherwise, 1 operation quicker',
  );
  expect(diffReports(last, last).headline).toBe('no difference');
});

test('as text: the headline, what was compared, warnings, then lists', () => {
  const text = digestText(diffReports(...worse()));
  const [first, ...others] = text.split('\n');
  expect(first).toMatch(/^\+3 broken/);
  expect(others[0]).toMatch(/^last {2}https:\/\/localhost:4010, a Lockstep mock, 2026/);
  expect(text).toContain('WARNING  another target: https://localhost:4010 before');
  expect(text).toMatch(/\nBroken \(3\)\n {2}STAGE-5 {2}violated, was verified: /);
  expect(text).toMatch(
    /\nSilences answered otherwise \(1\)\n {2}STAGE-9 {2}conflict, was bad-request: /,
  );
  expect(text).toContain('listDeployments  45 ms, now 93 ms: 2.1 x slower');
});

test('if every operation is slower, no single one is blamed', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const all = (samples: readonly number[]) => Object.fromEntries(ids.map((id) => [id, samples]));
  const last = passedReport({ latency: all(quick.listDeployments) });
  const now = passedReport({ latency: all(slow.listDeployments) });
  expect(diffReports(last, now).headline).toBe('the whole run 2.1 x slower');
});

test('Markdown and HTML cannot be taken over by what a target says', () => {
  const digest = diffReports(passedReport(), hostileReport());
  const md = digestMd(digest).replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  expect(md).not.toContain('<');
  expect(md).not.toMatch(/(?<!\\)\]\(|@everyone/);
  expect(digestText(digest)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  const elements = readMarkup(digestHtml(digest), { language: 'html' }).flatMap((one) => [
    ...walk(one),
  ]);
  expect(elements.map(({ name }) => name)).not.toContain('script');
  expect(elements.map(({ name }) => name)).not.toContain('img');
  expect(digestHtml(digest)).toContain('<p class="headline worse">');
});
