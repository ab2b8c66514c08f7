import { describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { hostileReport } from '../testing/hostile-report.ts';
import { type Element, readMarkup, textOf, walk } from '../testing/markup.ts';
import { passedReport, sampleReport } from '../testing/sample-report.ts';
import { certificateHtml } from './certificate-html.ts';

function elements(page: string): readonly Element[] {
  return readMarkup(page, { language: 'html' }).flatMap((root) => [...walk(root)]);
}

function byId(all: readonly Element[], id: string): Element {
  const found = all.find(({ attributes }) => attributes.id === id);
  if (found === undefined) throw new Error(`no element #${id}`);
  return found;
}

const reports = [
  ['sample', sampleReport()],
  ['passed', passedReport()],
  ['hostile', hostileReport()],
] as const;

describe.each(reports)('the certificate of the %s report', (_name, report) => {
  const page = certificateHtml(report, contract);
  const all = elements(page);

  test('is well formed, has each id once and no dead link', () => {
    const ids = all.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all.flatMap(({ attributes }) => attributes.href ?? []);
    for (const link of links) {
      expect(link).toMatch(/^(#[\w-]+|evidence\/[\w.-]+\.har(#\d+)?|report\.json)$/);
      if (link.startsWith('#')) expect(ids).toContain(link.slice(1));
    }
  });

  test('has no script, makes no request, and its policy forbids both', () => {
    const names = new Set(all.map(({ name }) => name));
    for (const name of ['script', 'img', 'iframe', 'link', 'svg', 'object', 'form']) {
      expect(names).not.toContain(name);
    }
    for (const { attributes } of all) {
      expect(Object.keys(attributes).filter((name) => /^on|^src|^action$/.test(name))).toEqual([]);
    }
    const style = all.find(({ name }) => name === 'style');
    expect(style === undefined ? '' : textOf(style)).not.toMatch(/url\(|@import|</);
    expect(page).toContain("default-src 'none'");
  });

  test('shows every statement', () => {
    for (const { id } of report.statements) expect(textOf(byId(all, id))).not.toBe('');
  });

  test('can be read without a mouse', () => {
    const labels = all.filter(({ name }) => name === 'label').flatMap((label) => [...walk(label)]);
    const inputs = all.filter(({ name }) => name === 'input');
    expect(inputs.every((input) => labels.includes(input))).toBe(true);
    expect(all.filter(({ attributes }) => 'tabindex' in attributes)).toEqual([]);
  });
});

test('the first screen gives the result in words for a manager', () => {
  const page = certificateHtml(sampleReport(), contract);
  const words = textOf(elements(page).find(({ name }) => name === 'header') ?? missing());
  expect(words).toContain('https://acme.example.com');
  expect(words).toContain('20 November 2026');
  expect(words).toMatch(/The target breaks 2 of \d+ documented promises\./);
  expect(words).toContain('Warning. the name of folder 11');
  const before = page.slice(0, page.indexOf('id="statements"'));
  expect(before).toContain('not allowed: permanent (raise --allow)');
  for (const { id, reason } of sampleReport().unobservable) {
    expect(before).toContain(`#${id}`);
    expect(before).toContain(reason.replaceAll("'", '&#39;'));
  }
});

test('a violation is expanded and shows all that is needed to investigate it', () => {
  const page = certificateHtml(sampleReport(), contract);
  const all = elements(page);
  const details = all.find(
    (item) => [...walk(item)].includes(byId(all, 'STAGE-5')) && item.name === 'details',
  );
  expect(details?.attributes).toHaveProperty('open');
  const words = textOf(byId(all, 'STAGE-5'));
  for (const part of ['step after', '"$length": 1', '[]', '/that/0', 'toggle.yaml:28:7', 'ENV-6']) {
    expect(words).toContain(part);
  }
  const links = [...walk(byId(all, 'STAGE-5'))].flatMap(({ attributes }) => attributes.href ?? []);
  expect(links).toContain('evidence/staging.har#3');
});

test('a silence shows what the target does beside what the mock could do', () => {
  const report = sampleReport({
    observations: [
      {
        kind: 'silence',
        statement: 'STAGE-9',
        choice: 'conflict',
        value: 409,
        count: 3,
        evidence: ['evidence/staging.har#7'],
      },
      {
        kind: 'silence',
        statement: 'STAGE-9',
        choice: 'other',
        value: 418,
        count: 1,
        evidence: [],
      },
    ],
  });
  const all = elements(certificateHtml(report, contract));
  const rows = [...walk(byId(all, 'STAGE-9'))].filter(({ name }) => name === 'tr').map(textOf);
  expect(rows.find((row) => row.includes('bad-request'))).toMatch(/^–400.*the mock's assumption/);
  expect(rows.find((row) => row.includes('conflict'))).toMatch(
    /^● 3 ×409.*409 staging.har entry 7/,
  );
  expect(rows.find((row) => row.includes('418'))).toContain(
    'neither the assumption nor an alternative',
  );
});

test('a check that is verified many times in a loop takes one row', () => {
  const base = passedReport();
  const statements = base.statements.map((item) =>
    item.id === 'AUTH-1'
      ? {
          ...item,
          checks: Array.from({ length: 500 }, () => item.checks)
            .flat()
            .slice(0, 500),
        }
      : item,
  );
  const all = elements(certificateHtml({ ...base, statements }, contract));
  expect(textOf(byId(all, 'AUTH-1'))).toContain('250 ×');
});

test('two renderings of one report are equal', () => {
  const once = certificateHtml(sampleReport(), contract);
  expect(certificateHtml(sampleReport(), contract)).toBe(once);
});

function missing(): never {
  throw new Error('missing');
}
