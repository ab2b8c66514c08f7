import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readTenantFile } from '../../conformance/target/tenant.ts';
import { tenantText } from './first-files.ts';
import { runInit } from './init.ts';

const said: string[] = [];
vi.mock('../../reports/terminal.ts', async (original) => ({
  ...(await original<object>()),
  print: (text: string) => said.push(text),
  printError: (text: string) => said.push(text),
}));

const asked: string[] = [];
const answers: string[] = [];
vi.mock('node:readline/promises', () => ({
  createInterface: () => ({
    question: async (text: string) => {
      asked.push(text);
      return answers.shift() ?? '';
    },
    close: () => undefined,
  }),
}));

const project = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'init-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  said.length = 0;
  return folder;
};
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

test('init uses and prints what it detects, and leaves existing files alone', async () => {
  const manifest = JSON.stringify({ devDependencies: { vitest: '*', typescript: '*' } });
  const folder = project({ 'package.json': manifest, 'lockstep.test.ts': 'mine' });
  await runInit(folder, { yes: true, baseUrl: 'https://beta.example.com' });
  expect(said.join('')).toContain('assumed: test runner vitest, as package.json names it');
  expect(said.join('')).toContain('assumed: name of the tenant beta, as its address says');
  expect(said.join('')).toContain('left as it is: lockstep.test.ts');
  expect(read(folder, 'lockstep.test.ts')).toBe('mine');
  const tenant = read(folder, 'tenants/beta.yaml');
  expect(tenant).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/node_modules\/lockstep\/dist\/conformance\/tenant\.schema\.json\n/,
  );
  expect(readTenantFile('beta.yaml', tenant)).toMatchObject({
    baseUrl: 'https://beta.example.com',
    credentials: { admin: { env: 'LOCKSTEP_ADMIN_KEY', role: 'admin' } },
  });
  expect(read(folder, '.github/workflows/lockstep-nightly.yml')).toContain('tenant: [beta]');
});

test('in a terminal init asks what no option says, and an empty answer takes the offer', async () => {
  const folder = project({ 'go.mod': '' });
  const terminals = [process.stdin, process.stderr].map((stream) => {
    const { isTTY } = stream;
    stream.isTTY = true;
    return () => Object.assign(stream, { isTTY });
  });
  try {
    answers.push('node', 'https://beta.example.com');
    await runInit(folder, {});
  } finally {
    for (const restore of terminals) restore();
  }
  expect(asked).toEqual([
    'test runner (vitest, node, jest, pytest, go) [go, as there is a go.mod]: ',
    'address of the tenant [https://acme.example.com, as an example]: ',
    'name of the tenant [beta, as its address says]: ',
  ]);
  expect(readdirSync(folder)).toContain('lockstep.test.mjs');
  expect(readdirSync(join(folder, 'tenants'))).toEqual(['beta.yaml']);
});

test('each commented key can be switched on', async () => {
  const { bundledData } = await import('../../mock/service/fixture.ts');
  const { audit: _, ...bindings } = (await bundledData('acme')).bindings;
  const text = tenantText({ name: 'a', baseUrl: 'https://a.example.com', schema: 's', bindings });
  const whole = text.replaceAll(/^( *)# (\w+: [{].*|production: true)$/gm, '$1$2');
  const file = readTenantFile('a.yaml', whole);
  expect(Object.keys(file.credentials ?? {})).toContain('memberOauth');
  expect(file.credentials?.oauth?.env).toBe('LOCKSTEP_OAUTH_TOKEN');
  expect(Object.keys(file.bindings)).toContain('foreignNotification');
});

test.for(['http://127.0.0.1:4010', 'http://[::1]:4010'])('%s says no name', async (baseUrl) => {
  const folder = project({});
  await runInit(folder, { yes: true, baseUrl });
  expect(said.join('')).toContain('assumed: name of the tenant acme, as an example');
});

test.for([
  ['go.mod', 'lockstep_test.go'],
  ['pyproject.toml', 'test_lockstep.py'],
  ['package.json', 'lockstep.test.mjs'],
  ['nothing.txt', 'lockstep.test.js'],
] as const)('a project with %s gets %s', async ([file, written]) => {
  const folder = project({ [file]: '{}' });
  await runInit(folder, { yes: true });
  expect(readdirSync(folder)).toContain(written);
  // Each line can be copied into a shell, and none fetches a package of that name from a registry.
  const [, next = ''] = said.join('').split('Next:\n');
  const commands = next.split('\n').filter((line) => / {2}(npx|node|pytest|go)\b/.test(line));
  expect(commands).toContain('  npx --no-install lockstep preflight --tenant tenants/acme.yaml');
  expect(commands.length).toBeGreaterThan(1);
  expect(next).not.toMatch(/& \S|(?<!--no-install )lockstep (mock|preflight)/);
});

test.for([
  [{ name: '../../etc/passwd' }, /letters, digits and hyphens/],
  [{ baseUrl: 'nowhere' }, /is not an address/],
] as const)('%j is refused, and nothing is written', async ([options, message]) => {
  const folder = project({});
  await expect(runInit(folder, { yes: true, ...options })).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});
