/**
 * Runs the examples in other languages, each by its own tool. All tests of an example pass. Each test fails
 * against a mock that breaks the test's subject. bin/package.outside.test.ts runs the examples for
 * JavaScript, because they need the packed package.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { program, run } from '../../testing/program.ts';
import { curl, hasTool } from '../../testing/tools.ts';
import { startMock } from '../index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The tests of each example, each with a deviation that only this test must notice. */
const tests: Readonly<Record<string, string>> = {
  'an enabled environment is listed': 'staging:lost-enable',
  'a member may not add recipients': 'auth:addNotificationRecipients:role-dropped-apiKey',
  'another world does not see it': 'staging:disabled-in-filtered-list',
};

interface Example {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** A command that shows if the tool is there and new enough. */
  readonly probe: readonly [string, ...string[]];
  readonly version: RegExp;
  /** A line of the tool's own report that counts one test; its name is the first group. */
  readonly passed: RegExp;
  readonly failed: RegExp;
  /** Starts a mock of its own, with these options of `lockstep mock`. */
  readonly ownMock?: boolean;
}

const examples: readonly Example[] = [
  {
    folder: 'python',
    command: ['python3', '-B', '-m', 'unittest', '-v', 'test_staging.py'],
    probe: ['python3', '--version'],
    version: /Python 3\./,
    passed: /^test_(\w+) .*\.\.\. ok$/gm,
    failed: /^test_(\w+) .*\.\.\. FAIL$/gm,
  },
  {
    folder: 'go',
    // -count=1: a cached result of an earlier run proves nothing.
    command: ['go', 'test', '-count=1', '-v', './...'],
    probe: ['go', 'version'],
    version: /go1\.(2[1-9]|[3-9]\d)/,
    passed: /^--- PASS: Test(\w+)/gm,
    failed: /^--- FAIL: Test(\w+)/gm,
  },
  {
    folder: 'java',
    command: ['java', 'Staging.java'],
    probe: ['java', '-version'],
    version: /version "(1[7-9]|[2-9]\d)/,
    passed: /^ok - (.*)$/gm,
    failed: /^not ok - (.*?):/gm,
  },
  {
    folder: 'shell',
    command: ['sh', 'staging.sh'],
    ...curl,
    passed: /^ok - (.*)$/gm,
    failed: /^not ok - (.*?):/gm,
    ownMock: true,
  },
];

/** A folder with `lockstep` in it, as an installed package has one in node_modules/.bin. */
const bin = mkdtempSync(join(tmpdir(), 'lockstep-bin-'));
afterAll(() => rmSync(bin, { recursive: true }));
writeFileSync(join(bin, 'lockstep'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
chmodSync(join(bin, 'lockstep'), 0o755);

const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  // Nothing is fetched: neither a module nor another Go.
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};

/** Go compiles its HTTP client once on each machine, which takes most of a minute if the cores are busy. */
describe.for([...examples])('the example in $folder', (example) => {
  const { folder, probe, version } = example;
  const found = hasTool(probe, version, `THE EXAMPLE IN mock/kits/examples/${folder}`);

  test.runIf(found)('runs three tests, and all pass', async () => {
    const { code, passed, failed, text } = await outcome(example, []);
    expect({ passed, failed }, text).toEqual({
      passed: Object.keys(tests).map(plain).sort(),
      failed: [],
    });
    expect(code).toBe(0);
  });

  test.runIf(found).for(Object.entries(tests))(
    '%s: fails if a deviation breaks it',
    async (pair) => {
      const [name, deviation] = pair;
      const { code, passed, failed, text } = await outcome(example, [deviation]);
      expect(failed, text).toEqual([plain(name)]);
      expect(passed).toHaveLength(2);
      expect(code).toBe(1);
    },
  );
});

/** Runs an example against a mock with deviations; reads the passed and failed tests from the tool's output. */
async function outcome(example: Example, deviations: readonly string[]) {
  const [command, ...args] = example.command;
  await using mock = await startMock({ deviations });
  const options = deviations.flatMap((id) => ['--deviate', id]);
  const { stdout, stderr, code } = await run(
    command,
    [...args, ...(example.ownMock === true ? options : [])],
    {
      cwd: join(here, example.folder),
      env: example.ownMock === true ? env : { ...env, LOCKSTEP_BASE_URL: mock.baseUrl },
    },
  ).ended;
  const text = `${stdout}\n${stderr}`;
  const names = (line: RegExp) =>
    [...text.matchAll(line)].map(([, name = '']) => plain(name)).sort();
  return { code, text, passed: names(example.passed), failed: names(example.failed) };
}

/** A name without the ways in which languages write one. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
}
