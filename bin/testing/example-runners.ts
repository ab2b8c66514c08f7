/** The runners of JavaScript tests that the examples are for, and how each counts. For package.test.ts. */
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Counted {
  readonly passed: number;
  readonly failed: number;
}

export interface Runner {
  readonly name: string;
  /** Of mock/kits/examples; also the working folder. */
  readonly folder: string;
  /** Arguments of node; the project's packages lie one folder above. */
  readonly args: readonly string[];
  /** How many tests the example has. */
  readonly tests: number;
  /** A replacement in the example that makes some of its tests fail, and their number. */
  readonly broken: { readonly from: string; readonly to: string; readonly failing: number };
  /** Reads the runner's own report off stdout. */
  readonly count: (stdout: string) => Counted;
}

/** Not among our own dependencies: see decisions/0015. */
export const notOurs = ['jest@30.5.2', 'axios@1.21.1', 'got@14.6.6'];

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A browser that is installed; Playwright would fetch one. */
export const browser = existsSync(chromium) ? chromium : undefined;

// The mock answers as if it had switched the branch on, but does not.
const deviating = (make: string) => ({
  from: `${make}()`,
  to: `${make}({ deviations: ['staging:lost-enable'] })`,
});

export const nodeTest: Runner = {
  name: 'node:test',
  folder: 'node-test',
  args: ['--test', '--test-reporter=tap'],
  tests: 3,
  broken: { ...deviating('createMock'), failing: 1 },
  count: (stdout) => ({
    passed: Number(/^# pass (\d+)$/m.exec(stdout)?.[1]),
    failed: Number(/^# fail (\d+)$/m.exec(stdout)?.[1]),
  }),
};

export const runners: readonly Runner[] = [
  {
    name: 'vitest',
    folder: 'vitest',
    args: ['../node_modules/vitest/vitest.mjs', 'run'],
    tests: 5,
    // One refusal more than the client's patience.
    broken: {
      from: "phase: 'before', status: 503, times: 2",
      to: "phase: 'before', status: 503, times: 3",
      failing: 1,
    },
    count(stdout) {
      const [, tests = ''] = /^ *Tests +(.*)$/m.exec(stripVTControlCharacters(stdout)) ?? [];
      return {
        passed: Number(/(\d+) passed/.exec(tests)?.[1] ?? 0),
        failed: Number(/(\d+) failed/.exec(tests)?.[1] ?? 0),
      };
    },
  },
  nodeTest,
  {
    ...nodeTest,
    name: 'axios, got and node:http by MSW',
    folder: 'msw',
    broken: { ...deviating('createMock'), failing: 3 },
  },
  {
    name: 'Jest',
    folder: 'jest',
    args: ['--experimental-vm-modules', '../node_modules/jest/bin/jest.js', '--json'],
    tests: 3,
    broken: { ...deviating('createMock'), failing: 1 },
    count(stdout) {
      const report = JSON.parse(stdout) as { numPassedTests: number; numFailedTests: number };
      return { passed: report.numPassedTests, failed: report.numFailedTests };
    },
  },
  {
    name: 'Playwright',
    folder: 'playwright',
    args: [
      '../node_modules/@playwright/test/cli.js',
      'test',
      '--reporter=json',
      ...(browser === undefined ? ['--grep-invert=@browser'] : []),
    ],
    tests: browser === undefined ? 3 : 4,
    broken: { ...deviating('startMock'), failing: browser === undefined ? 1 : 2 },
    count(stdout) {
      const { stats } = JSON.parse(stdout) as { stats: { expected: number; unexpected: number } };
      return { passed: stats.expected, failed: stats.unexpected };
    },
  },
];
