/** The test runners that `lockstep init` knows. Every command loads this file, so it loads no other. */
export const testRunners = ['vitest', 'node', 'jest', 'pytest', 'go'] as const;
export type TestRunner = (typeof testRunners)[number];
