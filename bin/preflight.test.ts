import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startMock } from '../mock/kits/index.ts';
import { runPreflight } from './preflight.ts';

const said: string[] = [];
vi.mock('../reports/terminal.ts', async (original) => ({
  ...(await original<object>()),
  print: (text: string) => said.push(text),
}));

test('preflight says of each key if it holds and what it unlocks, and writes nothing', async () => {
  await using mock = await startMock();
  vi.stubEnv('LOCKSTEP_ADMIN_KEY', mock.world.credentials.admin);
  vi.stubEnv('LOCKSTEP_MEMBER_KEY', 'stale');
  const tenant = join(mkdtempSync(join(tmpdir(), 'preflight-')), 'tenant.yaml');
  writeFileSync(
    tenant,
    `baseUrl: ${mock.baseUrl}
production: true
credentials:
  admin: { env: LOCKSTEP_ADMIN_KEY, role: admin }
  member: { env: LOCKSTEP_MEMBER_KEY, role: member }
  scoped: { env: LOCKSTEP_SCOPED_KEY_OF_NOBODY }
bindings: { deployment: { id: "1" }, folder: { id: 11 }, lockedFolder: { id: 99 } }
`,
  );
  expect(await runPreflight({ tenant })).toBe(4);
  const lines = said.join('');
  expect(lines).toMatch(/^right {8}credentials\.admin: unlocks \d+ statements \(.*\bFOLDER \d+/m);
  expect(lines).toMatch(/^WRONG {8}credentials\.member: .*\n {13}it is answered 401/m);
  expect(lines).toMatch(
    /^WRONG {8}credentials\.scoped: .*\n {13}its environment variable is not set/m,
  );
  expect(lines).toMatch(/^not checked {2}bindings\.folder: /m);
  expect(lines).toMatch(/^right {8}bindings\.deployment: /m);
  expect(lines).toContain('Keys that the file lacks, and what they would add:\n');
  expect(lines).toContain('6 claims, 2 of them wrong');
  expect(mock.world.requests.list().every(({ method }) => method === 'GET')).toBe(true);
});
