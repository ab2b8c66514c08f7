import { expect, test } from 'vitest';
import { summaryMd } from './summary-md.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

test('the summary gives the result, broken statements and gaps', () => {
  const text = summaryMd(sampleReport());
  expect(text).toMatch(
    /^## ❌ Lockstep: Failed\n\n\*\*The target breaks 2 of \d+ documented promises\.\*\*/,
  );
  expect(text).toContain(
    '- **UPD-5** violated: An update of a deployment to a version that is not on the versions list is refused with 400.',
  );
  expect(text).toContain('  - answered 422, and must answer 400; evidence/versions.har\\#2');
  expect(text).toContain('`conformance/scenarios/versions/switch.yaml:27:7`');
  expect(text).toContain('- the tenant file names no credential \\`scoped\\`: AUTH-9');
  expect(text).toContain(
    '| silent | 91 | – | – | – | – | 0 | 91 |'.replaceAll('91', String(silences())),
  );
});

function silences(): number {
  return sampleReport().statements.filter(
    ({ level, verdict }) => level === 'silent' && verdict !== 'unobservable',
  ).length;
}

test('the summary of a passed run is short', () => {
  const text = summaryMd(passedReport());
  expect(text).toContain('## ✅ Lockstep: Passed');
  expect(text.split('\n').length).toBeLessThan(20);
});

test('text from the target is escaped', () => {
  const text = summaryMd(hostileReport());
  const outsideCode = text.replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '').replace(/<\/?sub>/g, '');
  expect(outsideCode).not.toContain('<');
  expect(outsideCode).not.toMatch(/(?<!\\)\]\(|@everyone/);
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines)
    expect(line).toMatch(/^(##|\*\*|\||Not counted|> |- | {2}- |`|<sub>|… and)/);
});

test('the summary of a giant report stays below the 1 MiB that GitHub accepts', () => {
  const base = sampleReport();
  // Each of the lists alone is larger than what is allowed.
  const long = 'ä'.repeat(20_000);
  const many = <T>(of: (index: number) => T): T[] => Array.from({ length: 40 }, (_, at) => of(at));
  const giant = summaryMd({
    ...base,
    warnings: many((at) => `${at} ${long}`),
    preflight: many((at) => ({ name: `${at}`, kind: 'binding', message: long })),
    leftBehind: many((at) => ({
      ...{ object: `folder ${at}`, reason: long, operation: 'updateFolder', scenario: long },
      location: { file: 'x.yaml', line: 1, column: 1 },
    })),
  });
  expect(Buffer.byteLength(giant)).toBeLessThan(600_000);
  expect(giant).toMatch(/^## ❌ Lockstep/);
  expect(giant).toMatch(/\n… cut off here\. The certificate has the rest\.\n$/);
  // One line that is longer than all that is allowed.
  const line = summaryMd({
    ...base,
    target: { ...base.target, baseUrl: `https://${long.repeat(60)}` },
  });
  expect(Buffer.byteLength(line)).toBeLessThan(600_000);
});

test('of many broken statements the summary shows the first', () => {
  const base = sampleReport();
  const [example] = base.statements.filter(({ id }) => id === 'UPD-5');
  if (example === undefined) throw new Error('no UPD-5');
  const statements = Array.from({ length: 5000 }, (_, index) => ({ ...example, id: `X-${index}` }));
  const text = summaryMd({ ...base, statements });
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain('… and 4950 more in the certificate.');
});
