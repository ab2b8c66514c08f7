/** The same tests on a mock and, by one variable, through a real `lockstep proxy` on a tenant over TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { launch, program, run } from '../testing/program.ts';
import { hasTool } from '../testing/tools.ts';
import { certificateFor } from '../transport/certificate.ts';
import { type Mock, startMock, type World } from './mock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'mock/kits/examples');
const work = mkdtempSync(join(tmpdir(), 'lockstep-through-'));

let server: Mock;
/** A world of another mock, so that no credential is the same on both sides. */
let tenant: World;
let proxy: ReturnType<typeof launch>;
let through = '';

beforeAll(async () => {
  const tls = certificateFor('127.0.0.1');
  writeFileSync(join(work, 'ca.pem'), tls.ca);
  server = await startMock({ tls, assumptions: { 'STAGE-9': 'conflict' } });
  tenant = await server.createWorld({ id: 'theirs' });
  proxy = launch('proxy', '--to', server.baseUrl, '--ca', join(work, 'ca.pem'), '--port', '0');
  await vi.waitFor(() => expect(proxy.printed.stderr).toContain('/__admin/report'), 60_000);
  through = / at (http:\S+)/.exec(proxy.printed.stderr)?.[1] ?? '';
});
beforeEach(() => tenant.reset());
afterAll(async () => {
  proxy.child.kill('SIGINT');
  const { code, stderr } = await proxy.ended;
  await server.close();
  rmSync(work, { recursive: true, force: true });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('violates')]);
});

const onTenant = (writes: string) => ({
  ...process.env,
  ...{ LOCKSTEP_THROUGH: through, LOCKSTEP_THROUGH_WRITES: writes },
  LOCKSTEP_ADMIN_KEY: tenant.credentials.admin,
  LOCKSTEP_SCIM_TOKEN: tenant.credentials.scim,
});
const served = () => tenant.requests.find().map(({ operation, status }) => [operation, status]);

test('the example for vitest passes on the tenant, and changes it', async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'product', join(examples, 'vitest/folders.test.ts')];
  const { code, stdout } = await run(process.execPath, args, { cwd: root, env: onTenant('yes') })
    .ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining('3 passed')]);
  expect(served()).toContainEqual(['updateFolder', 200]);
  expect(JSON.stringify(tenant.changes())).toContain('Q1');
});

const python = ['python3', '-B', '-m', 'unittest', 'test_client.py'] as const;
const hasPython = hasTool(
  ['python3', '--version'],
  /Python 3\./,
  'THE SWITCH TO A TENANT IN PYTHON',
);

test.for([
  ['typescript', [process.execPath, 'client-test.ts'], true],
  ['python', python, hasPython],
] as const)(
  'the example client in %s, through a mock of its own',
  async ([folder, command, found], { skip }) => {
    skip(!found);
    const [tool, ...args] = command;
    const cwd = join(examples, 'client', folder);
    // In this language the mock is a process, and the variables are its own.
    const tried = async (writes: string) => {
      const mock = run(process.execPath, [program, 'mock', '--port', '0'], {
        env: onTenant(writes),
      });
      await expect.poll(() => mock.printed.stdout).toContain('/__admin/\n');
      const { 1: url = '' } = / at (http:\S+)/.exec(mock.printed.stdout) ?? [];
      const keys = { LOCKSTEP_ADMIN_KEY: 'acme-admin', LOCKSTEP_SCIM_TOKEN: 'acme-scim' };
      const env = { ...process.env, LOCKSTEP_BASE_URL: url, ...keys };
      const { code, stdout, stderr } = await run(tool, args, { cwd, env }).ended;
      mock.child.kill('SIGTERM');
      return { code, text: stdout + stderr, told: (await mock.ended).stderr };
    };
    const reads = await tried('');
    expect([reads.code, reads.text]).toEqual([1, expect.stringContaining('501')]);
    expect(reads.told).toContain(`requests go on to the tenant behind ${through}, reads only`);
    expect(reads.told).toContain('permit it with LOCKSTEP_THROUGH_WRITES=yes');
    expect(new Set(served().map(([name]) => name))).toEqual(
      new Set(['listScimUsers', 'listVersions', 'listEnvironments']),
    );
    const writes = await tried('yes');
    expect([writes.code, writes.text]).toEqual([0, expect.anything()]);
    expect(writes.told).toContain(
      'lockstep: PUT /build/api/v1/deployments/1/branches/staging-environment: the mock answers 400, the tenant 409',
    );
    expect(served()).toContainEqual(['addNotificationRecipients', 200]);
  },
);
