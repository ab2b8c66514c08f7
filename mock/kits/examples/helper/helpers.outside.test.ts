/** The helpers of this folder, each tested by its own language against a mock that serves. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../testing/program.ts';
import { hasTool } from '../../../testing/tools.ts';
import { startMock } from '../../index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'lockstep-helpers-'));
afterAll(() => rmSync(work, { recursive: true, maxRetries: 5 }));

interface Helper {
  readonly folder: string;
  readonly file: string;
  readonly probe: readonly [string, ...string[]];
  readonly version: RegExp;
  readonly compile?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
  /** A line for each test that passed. */
  readonly passed: RegExp;
  readonly count: number;
}

const helpers: readonly Helper[] = [
  {
    folder: 'python',
    file: 'lockstep.py',
    probe: ['python3', '--version'],
    version: /Python 3\./,
    command: ['python3', '-B', '-m', 'unittest', '-v', 'test_helper.py'],
    passed: /^test_\w+ .*\.\.\. ok$/gm,
    count: 6,
  },
  {
    folder: 'go',
    file: 'lockstep.go',
    probe: ['go', 'version'],
    version: /go1\.(2[1-9]|[3-9]\d)/,
    command: ['go', 'test', '-count=1', '-v', './...'],
    passed: /^--- PASS: /gm,
    count: 6,
  },
  {
    folder: 'java',
    file: 'Lockstep.java',
    probe: ['javac', '-version'],
    version: /javac (1[7-9]|[2-9]\d)/,
    compile: ['javac', '-d', work, 'Lockstep.java', 'HelperTest.java'],
    command: ['java', '-cp', work, 'HelperTest'],
    passed: /^ok - /gm,
    count: 4,
  },
];

const env = {
  ...process.env,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  // Nothing is fetched: neither a module nor another Go.
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};

describe.for([...helpers])('the helper in $folder', (helper) => {
  const { folder, file, probe, version, compile, command, passed, count } = helper;
  const cwd = join(here, folder);

  test('fits on a page: a hundred lines, blank ones aside', () => {
    const lines = readFileSync(join(cwd, file), 'utf8').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(100);
  });

  const found = hasTool(probe, version, `THE HELPER IN mock/kits/examples/helper/${folder}`);
  test.runIf(found)(
    'makes worlds, faults and events, has the findings, and says if there is no mock',
    async () => {
      if (compile !== undefined) execFileSync(compile[0], compile.slice(1), { cwd });
      await using mock = await startMock({ adminToken: 'let-me-in' });
      const [tool, ...args] = command;
      const own = { LOCKSTEP_BASE_URL: mock.baseUrl, LOCKSTEP_ADMIN_TOKEN: 'let-me-in' };
      const told = { ...env, ...own };
      const { stdout, stderr, code } = await run(tool, args, { cwd, env: told }).ended;
      const text = `${stdout}\n${stderr}`;
      expect(text.match(passed), text).toHaveLength(count);
      expect(code).toBe(0);
      const { LOCKSTEP_BASE_URL: _, ...bare } = told;
      const lost = await run(tool, args, { cwd, env: bare }).ended;
      expect(lost.stdout + lost.stderr).toContain(
        'LOCKSTEP_BASE_URL is not set: start lockstep mock',
      );
      // Each world that a test has made is gone.
      expect([...mock.service.worlds.keys()]).toEqual([mock.world.id]);
    },
  );
});

test('every helper is tested', () => {
  const folders = globSync('*/', { cwd: here }).map((name) => name.replace(/\/$/, ''));
  expect(folders.sort()).toEqual(helpers.map(({ folder }) => folder).sort());
});
