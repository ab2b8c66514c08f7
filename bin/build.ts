/**
 * Makes `dist/`: what tsc emits, the files that the code reads at run time, and a CycloneDX list of
 * the dependencies.
 *
 * Everything that `bin/lockstep.ts` and the kits import is emitted; tests, benchmarks and generators
 * are not reached from there and stay behind.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}/dist`;

/** Read by `new URL('...', import.meta.url)`, or imported as they are: all that is no TypeScript. */
const data = [
  '{spec,mock,conformance,fixtures}/**/*.{css,html,js,json,svg,yaml}',
  'spec/*.d.ts',
  'reports/exam.md',
];
const unread = ['**/{biome,tsconfig}.json', '**/examples/**', '**/testing/**', '**/bench/**'];

rmSync(out, { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'],
  { cwd: root, stdio: 'inherit' },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
for (const file of globSync(data, { cwd: root, exclude: unread })) {
  cpSync(`${root}/${file}`, `${out}/${file}`);
}

// tsc rewrites the extensions of imports, but neither those of URLs, such as a worker's, nor those of
// `import()` in a function that it changes for `using`.
const source = /\b(new URL|import)\('(\.[^']+)\.ts'/g;
for (const file of globSync('**/*.js', { cwd: out })) {
  const text = readFileSync(`${out}/${file}`, 'utf8');
  const rewritten = text.replaceAll(source, "$1('$2.js'");
  if (rewritten !== text) writeFileSync(`${out}/${file}`, rewritten);
}

/** A CycloneDX document, as far as it is read here. */
interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; name: string } };
  components: readonly { readonly 'bom-ref': string; readonly name: string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** What the package brings with it: names, versions, licences and digests, of the lockfile. */
function listDependencies(): Bill {
  const args = ['sbom', '--package-lock-only', '--sbom-type=library', '--sbom-format=cyclonedx'];
  const { npm_execpath: npm = 'npm' } = process.env;
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const sbom = spawnSync(process.execPath, [npm, ...args], options);
  if (sbom.status !== 0) {
    throw new Error(
      `the dependencies cannot be listed; start this by npm run build: ${sbom.stderr}`,
    );
  }
  const bill = JSON.parse(sbom.stdout) as Bill;
  const { dependencies: own } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  // `--omit dev` loses what a development dependency needs as well.
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const about = bill.metadata.component;
  const nameOf = new Map(bill.components.map((one) => [one['bom-ref'], one.name]));
  const direct = needs.get(about['bom-ref'])?.filter((ref) => (nameOf.get(ref) ?? '') in own) ?? [];
  const brought = new Set(direct);
  for (const ref of brought) for (const next of needs.get(ref) ?? []) brought.add(next);
  bill.components = bill.components.filter((one) => brought.has(one['bom-ref']));
  bill.dependencies = [
    { ref: about['bom-ref'], dependsOn: direct },
    ...bill.dependencies.filter(({ ref }) => brought.has(ref)),
  ];
  // npm takes the name of the folder.
  about.name = 'lockstep';
  return bill;
}
writeFileSync(`${out}/sbom.cdx.json`, JSON.stringify(listDependencies()));
