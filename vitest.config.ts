import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The product's tests, those of its command line included, and the rules of the house. */
const product = ['{bin,spec,mock,conformance,fixtures,reports,lab/house}/**/*.test.ts'];
/** Tests that need a browser, a container or a program from elsewhere. */
const outside = ['**/*.outside.test.ts'];
const lab = 'lab/!(house)/**/*.test.ts';

export default defineConfig({
  resolve: {
    // The examples import the package by its name, as they do where they are copied to.
    alias: [
      {
        find: /^lockstep\/(\w+)$/,
        replacement: fileURLToPath(new URL('mock/kits/$1.ts', import.meta.url)),
      },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'product', include: product, exclude: outside } },
      { extends: true, test: { name: 'lab and outside', include: [...outside, lab] } },
    ],
    globalSetup: ['bin/testing/temporary-folder.ts'],
    // A limit for what hangs, not a measure: a busy machine takes several times as long.
    testTimeout: process.env.LOCKSTEP_NIGHTLY === undefined ? 300_000 : 1_500_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // In use, Node strips the types itself. Only vitest uses esbuild, to read the tests.
    pool: 'threads',
    // Files share the modules that they load, and leave nothing; many of them wait for a process or a time.
    isolate: false,
    maxWorkers: availableParallelism() + 1,
  },
});
