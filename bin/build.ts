/**
 * Makes `dist/`: what tsc emits, and beside it the files that the code reads at run time.
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
const data = ['{spec,mock,conformance,fixtures}/**/*.{css,html,js,json,svg,yaml}', 'spec/*.d.ts'];
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
