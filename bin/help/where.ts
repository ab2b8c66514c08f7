/** `lockstep where STATEMENT`: the hand-written files that name a statement, and its deviations. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../lab/areas/catalogue.ts';
import { Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { contract } from '../../spec/contract.ts';

/** The checkout, or `dist/` of an installed package, which has no code to read and no tests. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The kinds of file. A file belongs to the first kind that matches. */
const kinds: readonly (readonly [kind: string, files: RegExp])[] = [
  ['tests', /\.test(-d)?\.ts$|\/(testing|campaigns)\//],
  ['contract', /^spec\//],
  ['scenarios', /^conformance\/.*\.yaml$/],
  ['deviations', /^lab\/(areas|deviations)\//],
  ['lab', /^lab\//],
  ['docs', /\.md$/],
  ['code', /./],
];

/** Generated files, which nobody edits to change a rule. */
const written = /generated|__snapshots__|\.types\.ts$|^reports\/\w+\.md$|CHANGELOG/;

/** The order of the output. */
const shown = ['contract', 'code', 'scenarios', 'deviations', 'lab', 'docs', 'tests'] as const;

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Lines of text; throws Refused if there is no such statement. */
export function where(name: string): readonly string[] {
  const id = name.toUpperCase();
  const statement = contract.statements.get(id);
  if (statement === undefined) {
    throw new Refused(`there is no statement ${id}${hint(id, contract.statements.keys())}`);
  }
  const { level, section, line, text } = statement;
  const places = placesOf(id);
  const byKind = Map.groupBy(places, ({ file }) => kindOf(file));
  const files = new Set(places.map(({ file }) => file));
  const broken = catalogue.filter(({ breaks }) => breaks.includes(id)).map((one) => one.id);
  return [
    `${id} (${level}, ${section}, line ${line} of the description): ${text}`,
    ...shown.flatMap((kind) =>
      (byKind.get(kind) ?? []).map(({ file, line }) => `${kind.padEnd(12)}${file}:${line}`),
    ),
    ...broken.map((deviation) => `${'broken by'.padEnd(12)}${deviation}`),
    `${files.size} files written by hand, ${broken.length} deviations`,
  ];
}

const kindOf = (file: string): string => kinds.find(([, files]) => files.test(file))?.[0] ?? 'code';

/** The first line of each file that names the statement, by kind and name. */
function placesOf(id: string): readonly Place[] {
  const name = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  const folders =
    '{spec,mock,conformance,fixtures,reports,lab,bin,decisions}/**/*.{ts,js,yaml,md,json}';
  return globSync([folders, '*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'reports/out/**'],
  })
    .filter((file) => !written.test(file))
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(`${root}/${file}`, 'utf8').split('\n');
      const index = lines.findIndex((line) => name.test(line));
      return index === -1 ? [] : [{ file, line: index + 1 }];
    });
}
