import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { countsOf } from '../mock/control/docs/docs.ts';
import { program, run } from '../mock/testing/program.ts';
import { curl, hasTool } from '../mock/testing/tools.ts';
import { version } from '../spec/base/version.ts';
import { contract } from '../spec/contract.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test.for([...contract.operations.values()])('the README counts what $id rests on', (operation) => {
  const { promised, assumed } = countsOf(operation);
  const line = `| \`${operation.id}\` | \`${operation.method} ${operation.path}\` | ${promised} | ${assumed} |`;
  expect(readme).toContain(line);
});

test('the version is that of package.json', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  expect(version).toBe(manifest.version);
});

const found = hasTool(curl.probe, curl.version, 'THE SCRIPT IN THE README');
test.runIf(found)('the script for a mock in the background works as it stands', async () => {
  const [, script = ''] = /```sh\n(npx lockstep mock .*?)```/s.exec(readme) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-readme-'));
  // npx puts a shell between the script and the program, and does not hand a signal on to it.
  const npx = `#!/bin/sh\nshift\n"${process.execPath}" "${program}" "$@"\nexit $?\n`;
  writeFileSync(join(folder, 'npx'), npx);
  chmodSync(join(folder, 'npx'), 0o755);
  const { code, stdout, stderr } = await run('sh', ['-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, NO_PROXY: '*' },
  }).ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"name":"Sales"');
  expect(readdirSync(folder)).toEqual(['npx']);
});
