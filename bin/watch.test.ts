import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTenant } from '../lab/tenant/tenant.ts';

import { startMock } from '../mock/kits/index.ts';
import { lockstep, run } from '../mock/testing/program.ts';
import { certificateFor } from '../mock/transport/certificate.ts';
import { harProblems } from '../spec/testing/har-problems.ts';

const program = fileURLToPath(new URL('./lockstep.js', import.meta.url));
let folder: string;
let mock: Awaited<ReturnType<typeof startMock>>;
let ca: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-watch-'));
  const tls = certificateFor('127.0.0.1');
  ca = join(folder, 'ca.pem');
  writeFileSync(ca, tls.ca);
  mock = await startMock({ tls });
});
afterAll(async () => {
  await mock?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A proxy in a process of its own, once it listens. */
async function proxy(to: string, ...options: readonly string[]) {
  const started = run(process.execPath, [program, 'proxy', '--to', to, '--port', '0', ...options]);
  await expect.poll(() => started.printed.stderr).toContain('/__admin/report');
  const baseUrl = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(started.printed.stderr)?.[1] ?? '';
  return { ...started, baseUrl };
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const sending = request(url, { headers, method }).end();
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

const key = () => mock.world.credentials.admin ?? '';

test('a client reaches a service over TLS, each answer is graded, and a signal writes the report', async () => {
  const out = join(folder, 'report');
  const { baseUrl, child, ended } = await proxy(mock.baseUrl, '--ca', ca, '--out', out);
  const { status, headers, body } = await get(`${baseUrl}/api/v1/deployments?limit=2`, {
    authorization: `Bearer ${key()}`,
  });
  expect([status, headers['lockstep-basis']]).toEqual([200, 'documented']);
  expect(JSON.parse(body.toString()).data.deployments).toHaveLength(2);
  const health = await get(`${baseUrl}/__admin/health`);
  expect(JSON.parse(health.body.toString())).toMatchObject({ name: 'lockstep-proxy', protocol: 1 });
  const journal = JSON.parse((await get(`${baseUrl}/__admin/requests`)).body.toString());
  expect(journal.requests).toMatchObject([
    { id: 1, operation: 'listDeployments', credential: 'caller-1', contractFailures: [] },
  ]);
  const admin = async (path: string, method = 'GET') => {
    const answer = await get(`${baseUrl}/__admin${path}`, {}, method);
    return { ...answer, text: answer.body.toString() };
  };
  expect((await admin('/')).text).toContain('/__admin/console/console.js');
  const coverage = JSON.parse((await admin('/worlds/tenant/coverage')).text);
  expect(coverage).toMatchObject({
    operations: { listDeployments: { 200: 1 } },
    pages: { listDeployments: { first: 1 } },
  });
  const { text: har } = await admin('/requests.har');
  const [{ request: asked, time }] = JSON.parse(har).log.entries;
  expect([asked.url, time > 0]).toEqual([`${mock.baseUrl}/api/v1/deployments?limit=2`, true]);
  expect(har).not.toMatch(/Sales|Ana/);
  expect(harProblems(JSON.parse(har))).toEqual([]);
  // The world that keeps the journal has rows, which are neither shown nor changed.
  for (const [method, path] of [
    ['GET', '/worlds/tenant/state'],
    ['PUT', '/worlds/tenant/clock'],
    ['POST', '/worlds'],
    ['GET', '/worlds/tenant/requests/../state'],
  ] as const)
    expect([path, (await admin(path, method)).status]).toEqual([path, 404]);
  // The journal leaves credentials out, which proves nothing of the service.
  writeFileSync(join(folder, 'journal.har'), har);
  const ofJournal = await lockstep(['grade', join(folder, 'journal.har')]);
  expect([ofJournal.code, ofJournal.stderr.includes('violates')]).toEqual([0, false]);
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect([code, stdout.includes('NOTHING BROKEN')]).toEqual([0, true]);
  expect(readdirSync(out)).toEqual(
    expect.arrayContaining(['report.json', 'profile.yaml', 'evidence']),
  );
  const all = readdirSync(join(out, 'evidence')).map((name) =>
    readFileSync(join(out, 'evidence', name), 'utf8'),
  );
  expect(all.join()).not.toContain(key());
  expect(all.flatMap((text) => harProblems(JSON.parse(text)))).toEqual([]);
  const again = await lockstep(['grade', join(out, 'evidence', 'traffic-listDeployments.har')]);
  expect([again.code, again.stdout.includes('shapes of bodies alone')]).toEqual([0, true]);
});

test('a violation goes to the log at once, and ends 1', async () => {
  const tenant = await startTenant({
    before:
      ({ handle }) =>
      async (asked) => {
        const reply = await handle(asked);
        return asked.target.startsWith('/api/v1/deployments') ? { ...reply, status: 201 } : reply;
      },
  });
  const { baseUrl, child, ended, printed } = await proxy(tenant.baseUrl);
  await get(`${baseUrl}/api/v1/deployments`, {
    authorization: `Bearer ${tenant.credentials.admin}`,
  });
  await expect
    .poll(() => printed.stderr)
    .toContain('#1 listDeployments violates DEPL-1 at /status: promised "200", came 201');
  child.kill('SIGINT');
  expect((await ended).code).toBe(1);
  await tenant.close();
});

test('a client gets the bytes of the service, and --headers off adds none', async () => {
  const tenant = await startTenant();
  const plain = await proxy(tenant.baseUrl, '--headers', 'off');
  const graded = await proxy(tenant.baseUrl);
  const headers = { authorization: `Bearer ${tenant.credentials.admin}` };
  const bases: Readonly<Record<string, string | undefined>> = {
    '/api/v1/deployments?limit=5': 'documented',
    '/api/v1/deployments/': 'assumed; REQ-1',
    '/nothing': undefined,
  };
  for (const path of Object.keys(bases)) {
    const direct = await get(tenant.baseUrl + path, headers);
    const through = await get(graded.baseUrl + path, headers);
    const bare = await get(plain.baseUrl + path, headers);
    for (const { status, body } of [through, bare])
      expect([status, body.toString()]).toEqual([direct.status, direct.body.toString()]);
    expect(bare.headers['lockstep-basis']).toBeUndefined();
    const { 'lockstep-basis': basis } = through.headers;
    expect([path, basis]).toEqual([path, bases[path]]);
  }
  graded.child.kill('SIGTERM');
  plain.child.kill('SIGTERM');
  await Promise.all([graded.ended, plain.ended, tenant.close()]);
});

test('the control API asks for a token, and refuses pages of another origin', async () => {
  const started = run(
    process.execPath,
    [
      program,
      'proxy',
      '--to',
      mock.baseUrl,
      '--port',
      '0',
      '--admin-token-env',
      'LOCKSTEP_TEST_TOKEN',
    ],
    { env: { ...process.env, LOCKSTEP_TEST_TOKEN: 'a-token-for-tests' } },
  );
  await expect.poll(() => started.printed.stderr).toContain('/__admin/report');
  const baseUrl = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(started.printed.stderr)?.[1] ?? '';
  type Sent = Record<string, string>;
  const at = async (headers: Sent) => (await get(`${baseUrl}/__admin/report`, headers)).status;
  expect(await at({})).toBe(403);
  expect(await at({ 'Lockstep-Admin-Token': 'another' })).toBe(403);
  expect(await at({ 'Lockstep-Admin-Token': 'a-token-for-tests' })).toBe(200);
  expect(
    await at({ 'Lockstep-Admin-Token': 'a-token-for-tests', Origin: 'http://evil.example' }),
  ).toBe(403);
  started.child.kill('SIGTERM');
  // Nothing was evaluated.
  expect((await started.ended).code).toBe(4);
});

test.for<[to: string, message: string]>([
  ['http://acme.example.com', 'only https is accepted beyond this machine'],
  ['https://user:secret@acme.example.com', '--to has no user, query or fragment'],
  ['acme', 'https://... is expected'],
])('%s is refused with 2', async ([to, message]) => {
  const { code, stderr } = await lockstep(['proxy', '--to', to, '--port', '0']);
  expect([code, stderr.includes(message)]).toEqual([2, true]);
  expect(stderr).not.toContain('secret');
});
