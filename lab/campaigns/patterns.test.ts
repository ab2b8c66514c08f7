/**
 * No text from outside can make a regular expression slow. Each expression takes linear time, or
 * its text is short or our own. `recheck` decides which are linear.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Patterns that are slow on some texts, by file, with the reason why no such text reaches them. */
const reviewed: readonly (readonly [file: string, pattern: RegExp, why: string])[] = [
  ['conformance/language/template.ts', /A-Za-z/, 'reads scenarios of the suite'],
  ['bin/help/completion.ts', /\?:/, 'reads the options of our own commands'],
  ['conformance/judge/report.ts', /\\d\+/, 'reads ids of steps, which the runner makes'],
  [
    'conformance/language/vocabulary.ts',
    /A-Za-z/,
    'reads the names of bindings, which the schema has',
  ],
  ['conformance/safety/planned-writes.ts', /v\?/, 'reads scenarios of the suite'],
  ['conformance/watch/judge-answer.ts', /required property/, 'reads names of the contract'],
  ['conformance/target/call.ts', /\[\^\}\]\*/, 'reads paths of the contract'],
  ['mock/areas/recipients/machine.ts', /@\]\+@/, 'the length is looked at first'],
  ['lab/bench/bench.ts', /FATAL ERROR/, 'reads what our own processes said'],
  ['lab/house/wording.ts', /./, 'reads files of the checkout'],
  ['lab/honest/rules/headers.ts', /eE/, 'reads what JSON.stringify wrote'],
  ['lab/areas/audit/deviations.ts', /\[\^"/, 'reads exports of the mock and of the lab'],
  ['mock/client/command.ts', /\+/, 'reads the command that somebody types'],
  ['mock/control/console/html.js', /./, 'reads templates of the console'],
  ['mock/control/console/parts.js', /true\|false/, 'reads what JSON.stringify wrote'],
  ['mock/pipeline/validate.ts', /\^"/, 'the text was parsed as JSON: every string in it ends'],
  ['reports/matcher-words.ts', / and /, 'reads conditions of the suite'],
  [
    'spec/base/redactor.ts',
    /eyJ/,
    'each part has a longest length; hostile.test.ts sends the worst',
  ],
  ['spec/base/time.ts', /^T\./, 'another pattern has bounded the text'],
  ['spec/facts.ts', /\[\^\}\]\*/, 'reads paths of the contract'],
  ['spec/generate.ts', /readonly/, 'reads types that were just generated'],
];

interface Literal {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function literals(): Literal[] {
  const folders = '{bin,spec,mock,conformance,fixtures,reports,lab}/**/*.{ts,js}';
  const files = globSync(folders, { cwd: root }).filter(
    (file) => !/\.test|generated|openapi\.types|testing\/|examples\/|node_modules/.test(file),
  );
  return files.flatMap((file) => {
    const found: Literal[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest));
    return found;
  });
}

const all = literals();
const isReviewed = ({ file, source }: Literal) =>
  reviewed.some(([place, pattern]) => file === place && pattern.test(source));

test('every pattern takes linear time, or was reviewed', () => {
  const rest = new Map(all.filter((one) => !isReviewed(one)).map((one) => [one.source, one]));
  expect(rest.size).toBeGreaterThan(100);
  const slow = [...rest.values()].flatMap(({ file, source, flags }) => {
    const { status } = checkSync(source, flags, { timeout: 20_000 });
    return status === 'safe' ? [] : [`${file}: /${source}/ is ${status}`];
  });
  expect(slow).toEqual([]);
});

test('every reviewed pattern is still in its file', () => {
  const gone = reviewed.filter(
    ([place, pattern]) => !all.some(({ file, source }) => file === place && pattern.test(source)),
  );
  expect(gone.map(([file, pattern]) => `${file}: ${pattern}`)).toEqual([]);
});
