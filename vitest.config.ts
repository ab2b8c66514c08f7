import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bin,spec,mock,conformance,fixtures,reports}/**/*.test.ts'],
    globalSetup: ['bin/testing/temporary-folder.ts'],
    testTimeout: 30_000,
    // Node's own type stripping is what runs in use; esbuild is only how vitest reads the tests.
    pool: 'threads',
  },
});
