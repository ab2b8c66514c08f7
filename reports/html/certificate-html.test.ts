import { describe, expect, test } from 'vitest';
import type { Report } from '../../conformance/judge/report.ts';
import { contract } from '../../spec/contract.ts';
import { hostileReport } from '../testing/hostile-report.ts';
import { type Element, readMarkup, textOf, walk } from '../testing/markup.ts';
import { passedReport, sampleReport, sampleTarget } from '../testing/sample-report.ts';
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
  const page = certificateHtml(report, []);
  const all = elements(page);

  test('is well formed, has each id once and no dead link', () => {
    const ids = all.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all.flatMap(({ attributes }) => attributes.href ?? []);
    for (const link of links) {
      expect(link).toMatch(
        /^(#[\w-]+|evidence\/[\w.-]+\.har|report\.json|data:application\/json;base64,[\w+/=]+)$/,
      );
      if (link.startsWith('#')) expect(ids).toContain(link.slice(1));
    }
  });

  test('has no script, makes no request, and its policy forbids both', () => {
    const names = new Set(all.map(({ name }) => name));
    for (const name of ['script', 'img', 'iframe', 'link', 'object', 'form']) {
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

  test('can be read without a mouse, and its headings go down by one', () => {
    expect(all.filter(({ attributes }) => 'tabindex' in attributes)).toEqual([]);
    const levels = all.flatMap(({ name }) => /^h(\d)$/.exec(name)?.[1] ?? []).map(Number);
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });
});

test('the header names the target and the verdict, for a manager', () => {
  const page = certificateHtml(
    sampleReport({
      target: { ...sampleTarget('https://acme.example.com'), name: 'Acme, staging' },
    }),
    [],
  );
  const words = textOf(elements(page).find(({ name }) => name === 'header') ?? missing());
  expect(words).toContain('Conformance certificate Acme, staging');
  expect(words).toContain('https://acme.example.com · 20 November 2026, 05:12 UTC');
  expect(words).toMatch(/The target breaks 2 of \d+ documented promises\./);
  expect(words).toContain('Warning. the name of folder 11');
  expect(words).not.toContain('A mock');
});

test('the page calls a mock a mock, and a nameless target by its host', () => {
  const page = certificateHtml(passedReport(), []);
  const words = textOf(elements(page).find(({ name }) => name === 'header') ?? missing());
  expect(words).toContain('localhost:4010');
  expect(words).toContain('A mock, not the service.');
});

test('the exam of the suite is named, with its digest', () => {
  const { suite } = passedReport();
  const honest = { sha256: 'f'.repeat(64), services: 1700, refused: 0 };
  const exam = { sha256: 'e'.repeat(64), deviations: 1000, refused: 985, honest };
  const page = certificateHtml(passedReport({ suite: { ...suite, exam } }), []);
  expect(page).toContain(
    'This suite detects 985 of 1000 known ways to break a promise (98.5 %) and wrongly rejects 0 of 1700 honest services',
  );
  expect(page).toContain(exam.sha256);
  expect(page).toContain(honest.sha256);
  expect(certificateHtml(passedReport(), [])).toContain('not known');
});

/** The text of the page between two headings. */
function between(page: string, from: string, to: string): string {
  const [start, end] = [`id="${from}"`, `id="${to}"`].map((id) => page.indexOf(id));
  expect(start).toBeGreaterThan(0);
  expect(end).toBeGreaterThan(start ?? 0);
  const part = page.slice(start, end).replaceAll(/href="data:[^"]*"/g, '');
  return part
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');
}

describe('a broken statement', () => {
  const url = 'https://acme.example.com/api/v1/deployments/1/environments?type=staging';
  const scenario = sampleReport().scenarios[0]?.scenario ?? '';
  const exchange = (method: string, body: unknown, status = 200) => ({
    startedDateTime: '2026-11-20T05:12:44.120Z',
    time: 12,
    request: { method, url, headers: [{ name: 'authorization', value: 'Bearer {admin}' }] },
    response: { status, headers: [], content: { text: JSON.stringify(body) } },
    _lockstep: { scenario, step: 'after', kind: 'call' },
  });
  const entries = [
    exchange('GET', {}),
    exchange('PUT', {}, 400),
    exchange('GET', {}),
    exchange('GET', { data: [{ id: '201' }, { id: '202' }] }),
  ];
  const evidence = [{ file: 'evidence/staging.har', text: JSON.stringify({ log: { entries } }) }];
  const base = sampleReport();
  const statements = base.statements.map((item) => ({
    ...item,
    checks: item.checks.map((check) =>
      item.id === 'STAGE-5' && check.verdict === 'violated'
        ? {
            ...check,
            pointer: '/list',
            expected: { $not: { $contains: '202' } },
            actual: ['201', '202'],
          }
        : check,
    ),
  }));
  const page = certificateHtml({ ...base, statements }, evidence);
  const words = between(page, 'broken', 'what');

  test('comes first, in words', () => {
    expect(words).toContain(
      'GET …/environments?type=staging: the list holds 202, and must not, after PUT …/environments?type=staging was answered 400',
    );
    expect(page).not.toContain('$not');
    expect(page).not.toContain('$contains');
  });

  test('shows the caller and the answer, and marks the wrong part', () => {
    expect(words).toContain(`admin called: GET ${url}`);
    expect(words).toContain('answered, after 12 ms: 200');
    expect(page).toContain('&quot;id&quot;: ');
    const marks = elements(page)
      .filter(({ name }) => name === 'mark')
      .map(textOf);
    expect(marks).toEqual(['"id": "202"']);
  });

  test('marks, in a whole body, the object that must not be there', () => {
    const held = statements.map((item) => ({
      ...item,
      checks: item.checks.map((check) =>
        check.pointer === '/list'
          ? { ...check, pointer: '/body', expected: { $not: { $anywhere: { id: '201' } } } }
          : check,
      ),
    }));
    const marks = elements(certificateHtml({ ...base, statements: held }, evidence))
      .filter(({ name }) => name === 'mark')
      .map(textOf);
    expect(marks).toEqual(['{', '"id": "201"', '},']);
  });

  test('carries its exchanges, so that the page may travel alone', () => {
    const data =
      /download="STAGE-5\.har" href="data:application\/json;base64,([^"]*)"/.exec(page)?.[1] ?? '';
    const har = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as {
      log: { entries: unknown[] };
    };
    expect(har.log.entries).toEqual(entries);
  });

  test('names the evidence and the next step', () => {
    for (const part of ['staging.har, entry 4', '--only STAGE-5']) {
      expect(words).toContain(part);
    }
  });
});

test('a statement shows its source, and the inference if the description does not say it', () => {
  const base = passedReport();
  const verdict = 'violated' as const;
  const statements = base.statements.map((item) => {
    if (item.id !== 'FOLDER-12') return item;
    return { ...item, verdict, checks: item.checks.map((check) => ({ ...check, verdict })) };
  });
  const page = certificateHtml({ ...base, statements }, []);
  const all = elements(page);
  expect(textOf(byId(all, 'DEPL-4'))).toMatch(
    /GET \/api\/v1\/deployments, line \d+ of the description/,
  );
  const why = `Inferred: ${contract.statements.get('FOLDER-12')?.inferred}`;
  expect(textOf(byId(all, 'FOLDER-12'))).toContain(why);
  expect(between(page, 'broken', 'picture')).toContain(why);
});

test('one list has every gap, with texts, reasons and the way to close it', () => {
  const report = sampleReport();
  const words = between(certificateHtml(report, []), 'gaps', 'statements');
  expect(words).toContain('Not allowed: permanent (raise --allow). Run with --allow permanent.');
  expect(words).toContain('Name the credential scoped in the tenant file.');
  expect(words).toContain('write features: { auditLog: true }');
  for (const { id } of report.unobservable) {
    expect(words).toContain(`${id} ${report.statements.find((item) => item.id === id)?.text}`);
  }
});

test.each([
  ['there is no credential oauth', 'Name the credential oauth in the tenant file.'],
  ['the tenant file binds no folder', 'Bind folder in the tenant file.'],
  ['the binding folder has no name', 'Give the binding folder its name.'],
  ['the target is plain HTTP', 'Certify over HTTPS: a mock serves it with --tls.'],
  ['late: it showed after 40 s', 'Wait longer: --convergence 2m.'],
  [
    'the check needs 1 of its, and saw 0',
    'The target holds too little to see it. Bind objects that have more.',
  ],
])('a gap because %s', (reason, remedy) => {
  const base = passedReport();
  const statements = base.statements.map((item) =>
    item.id === 'DEPL-1' ? { ...item, verdict: 'not-testable' as const, reason } : item,
  );
  expect(between(certificateHtml({ ...base, statements }, []), 'gaps', 'statements')).toContain(
    remedy,
  );
});

test('an operation is broken if its own promise is, or if its call broke a shared one', () => {
  const marked = (report: Report): readonly string[] =>
    elements(certificateHtml(report, []))
      .filter(({ attributes }) => attributes.class === 'o-broken')
      .map((item) => textOf(item).split(' ')[1] ?? '');
  expect(marked(passedReport())).toEqual([]);
  expect(marked(sampleReport())).toContain('setStagingEnvironment');
  expect(marked(sampleReport())).not.toContain('listScimUsers');
});

test('a page that passes calls nothing broken', () => {
  const base = passedReport();
  const statements = base.statements.map((item) => {
    const checks = item.checks.map((check) => ({ ...check, verdict: 'deviates' as const }));
    return item.id === 'HTTP-1' ? { ...item, verdict: 'deviates' as const, checks } : item;
  });
  const page = certificateHtml({ ...base, statements }, []);
  expect(page).not.toContain('Broken statements');
  expect(page).toContain('Deviations from standards, which do not fail the run');
});

test('an operation without a call counts as not tried', () => {
  const marks = (report: Report): readonly string[] =>
    elements(certificateHtml(report, []))
      .filter(({ attributes }) => attributes.class?.startsWith('o-'))
      .map(textOf);
  const base = passedReport();
  const statements = base.statements.map((item) =>
    item.id === 'UPD-2' ? { ...item, verdict: 'not-testable' as const } : item,
  );
  const report = { ...base, statements, latency: { listVersions: [3] } };
  expect(marks(report)).toContain('– updateDeployment not tried');
  const called = { ...report, latency: { updateDeployment: [3] } };
  expect(marks(called)).toContain('◐ updateDeployment partly tried');
});

test('a failure has a command that repeats it, and names the affected callers', () => {
  const entry = {
    request: {
      ...{ method: 'PUT', url: 'https://acme.example.com/api/v1/deployments/1' },
      headers: [{ name: 'authorization', value: 'Bearer {admin}' }],
    },
    response: { status: 422, headers: [], content: {} },
    _lockstep: { scenario: 'x', step: 'y', kind: 'call' },
  };
  const text = JSON.stringify({ log: { entries: [entry, entry, entry] } });
  const base = sampleReport();
  const statements = base.statements.map((item) => ({
    ...item,
    checks: item.checks.map((check) => ({ ...check, only: 'as oauth' })),
  }));
  const report = { ...base, statements };
  const page = certificateHtml(report, [{ file: 'evidence/versions.har', text }]);
  const words = between(page, 'broken', 'what');
  expect(words).toContain(
    `curl -i -X PUT -H 'authorization: Bearer '"$ADMIN" https://acme.example.com/api/v1/deployments/1`,
  );
  expect(words).toContain('answered 422, and must answer 400, only as oauth');
});

test('a silence shows the answer of the target and the name of the choice', () => {
  const seen = {
    kind: 'silence',
    statement: 'STAGE-9',
    evidence: ['evidence/staging.har#7'],
  } as const;
  const report = sampleReport({
    observations: [
      { ...seen, choice: 'conflict', value: 409, count: 3 },
      { ...seen, choice: 'other', value: 418, count: 1 },
    ],
  });
  const words = textOf(byId(elements(certificateHtml(report, [])), 'STAGE-9'));
  expect(words).toContain('Here: 409; 418');
  expect(words).toMatch(
    /3 × conflict 409 \(an alternative of the mock\): 409 staging\.har, entry 8/,
  );
  expect(words).toMatch(/1 × \(neither the assumption of the mock nor an alternative\): 418/);
});

test.each([
  [undefined, 'derives every verdict again from the evidence'],
  ['failures', 'derives the broken statements again: the run kept evidence of failures only'],
] as const)(
  'with the evidence of %s it names what verify can and cannot derive',
  (evidence, says) => {
    const { options } = passedReport();
    const page = certificateHtml(passedReport({ options: { ...options, evidence } }), []);
    const text = textOf(byId(elements(page), 'digests'));
    expect(text).toContain(says);
    expect(text).toContain('only a signature covers them');
    expect(page).toContain('personal data');
  },
);

test('latencies are drawn, and given in words', () => {
  const latency = { listDeployments: [10, 12, 14, 400] };
  const page = certificateHtml(passedReport({ latency }), []);
  expect(page).toContain('aria-label="median 12 ms, 95 % within 400 ms"');
  expect(certificateHtml(passedReport(), [])).not.toContain('id="latency"');
});

test('two renderings of one report are equal', () => {
  const once = certificateHtml(sampleReport(), []);
  expect(certificateHtml(sampleReport(), [])).toBe(once);
});

function missing(): never {
  throw new Error('missing');
}
