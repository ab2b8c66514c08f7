/**
 * Makes `dist/`: the types and the code that tsc emits, the code in a few large files, the files that
 * it reads at run time, and a CycloneDX list of the dependencies.
 *
 * Everything that `bin/lockstep.ts` and the kits import is emitted; tests, benchmarks and generators
 * are not reached from there, so they are left out.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { compileOwnSuite } from '../conformance/language/own-suite.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}/dist`;

/** Files other than TypeScript, read by `new URL('...', import.meta.url)` or imported as they are. */
const data = [
  '{spec,mock,conformance,fixtures}/**/*.{css,html,js,json,svg,yaml,yml}',
  'lab/deviations/*.json',
  'spec/*.d.ts',
  'reports/{exam,honest}.md',
];
const unread = ['**/{biome,tsconfig}.json', '**/examples/**', '**/testing/**', '**/bench/**'];

rmSync(out, { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'],
  { cwd: root, stdio: 'inherit' },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// tsc rewrites the extensions of imports, but neither those of URLs, such as a worker's, nor those of
// `import()` in a function that it changes for `using`.
const source = /\b(new URL|import)\('(\.[^']+)\.ts'/g;
const emitted = globSync('**/*.js', { cwd: out });
for (const file of emitted) {
  const text = readFileSync(`${out}/${file}`, 'utf8');
  const rewritten = text.replaceAll(source, "$1('$2.js'");
  if (rewritten !== text) writeFileSync(`${out}/${file}`, rewritten);
}
for (const file of globSync(data, { cwd: root, exclude: unread })) {
  cpSync(`${root}/${file}`, `${out}/${file}`);
}

/** Modules that others import, run as workers, or load with `require`; all lie one folder deep. */
const entries = {
  'bin/lockstep': 'bin/lockstep.js',
  'lab/exam-worker': 'lab/exam/exam-worker.js',
  'spec/compile': 'spec/compile.js',
  'kits/mock': 'mock/kits/mock.js',
  'kits/vitest': 'mock/kits/vitest.js',
  'kits/vitest-reporter': 'mock/kits/vitest-reporter.js',
  'kits/msw': 'mock/kits/msw.js',
  'kits/testcontainers': 'mock/kits/testcontainers.js',
  'kits/types': 'mock/kits/types.js',
};

// One by one, the files would take a third of the time of a start (decisions/0026).
const bundle = await rolldown({
  cwd: out,
  input: entries,
  platform: 'node',
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  plugins: [
    {
      name: 'files-are-read-from-where-they-were',
      transform: (code, id) => {
        const place = `new URL('../${relative(out, id)}', import.meta.url).href`;
        return { code: code.replaceAll('import.meta.url', place), map: null };
      },
    },
  ],
});
const { output } = await bundle.generate({
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
});
const checks = ['spec/validators.generated.js', 'conformance/language/grammars.generated.js'];
for (const file of [...emitted, ...checks]) rmSync(`${out}/${file}`);
for (const file of output) {
  mkdirSync(dirname(`${out}/${file.fileName}`), { recursive: true });
  if (!('code' in file)) continue;
  // A page loads the kit for MSW too, and has no version of Node.
  const isForNode = file.fileName.startsWith('kits/') && file.fileName !== 'kits/msw.js';
  const first = isForNode ? "import '../../bin/supported.js';\n" : '';
  writeFileSync(`${out}/${file.fileName}`, `${first}${file.code}`);
}

compileOwnSuite(out);

/** A CycloneDX document, as far as it is read here. */
interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; name: string } };
  components: readonly { readonly 'bom-ref': string; readonly name: string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The dependencies of the package: names, versions, licences and digests, from the lockfile. */
function listDependencies(): Bill {
  const args = ['sbom', '--package-lock-only', '--sbom-type=library', '--sbom-format=cyclonedx'];
  const { npm_execpath: npm = 'npm' } = process.env;
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const sbom = spawnSync(process.execPath, [npm, ...args], options);
  if (sbom.status !== 0) {
    throw new Error(
      `npm could not list the dependencies; run "npm run build", not this file: ${sbom.stderr}`,
    );
  }
  const bill = JSON.parse(sbom.stdout) as Bill;
  const { dependencies: own } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  // `--omit dev` also omits packages that a development dependency needs as well.
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
  // npm names the root after the folder.
  about.name = 'lockstep';
  return bill;
}
writeFileSync(`${out}/sbom.cdx.json`, JSON.stringify(listDependencies()));
