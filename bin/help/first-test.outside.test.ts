/**
 * The first test that `lockstep init` writes for Python and Go, by the tools of these languages.
 * bin/package.outside.test.ts runs those for JavaScript, because they need the packed package.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/kits/index.ts';
import { run } from '../../mock/testing/program.ts';
import { hasTool } from '../../mock/testing/tools.ts';
import { runInit } from './init.ts';

/** Calls each test, as pytest does. */
const pytest = `import test_lockstep as tests
for name in dir(tests):
    if name.startswith("test_"): getattr(tests, name)()
`;
const languages = [
  {
    runner: 'pytest',
    command: ['python3', '-B', '-c', pytest],
    probe: ['python3', '--version'],
    version: /Python 3\./,
    files: {},
  },
  {
    runner: 'go',
    command: ['go', 'test', '-count=1', '-run', 'Lockstep', '.'],
    probe: ['go', 'version'],
    version: /go1\.(2[2-9]|[3-9]\d)/,
    files: { 'go.mod': 'module example.com/mine\n\ngo 1.22\n' },
  },
] as const;

for (const { runner, command, probe, version, files } of languages) {
  const found = hasTool(probe, version, `THE FIRST TEST FOR ${runner}`);
  test.runIf(found)(`${runner}: it passes, and fails if the mock refuses`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-first-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await runInit(folder, { yes: true, runner });
    await using mock = await startMock();
    const outcome = async (credential: string) => {
      const env = {
        ...process.env,
        // Nothing is fetched: neither a module nor another Go.
        ...{ GOPROXY: 'off', GOTOOLCHAIN: 'local', NO_PROXY: '127.0.0.1' },
        ...{ LOCKSTEP_BASE_URL: mock.baseUrl, LOCKSTEP_ADMIN_KEY: credential },
      };
      const [tool, ...args] = command;
      const { code, stdout, stderr } = await run(tool, args, { cwd: folder, env }).ended;
      return { code, text: `${stdout}${stderr}` };
    };
    expect(await outcome('acme-admin')).toMatchObject({ code: 0 });
    expect(await outcome('nobody')).toEqual({ code: 1, text: expect.stringContaining('401') });
  });
}
