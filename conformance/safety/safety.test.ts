/** Tests of the harm that must never happen to a tenant: a changed object, a secret on disk. */

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { certify, failureOf } from '../commands/command.ts';
import { undo } from '../commands/undo.ts';
import { verify } from '../commands/verify.ts';
import { loadSuite } from '../language/load.ts';
import { env, type FakeService, secrets, signature, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const writes = `
scenario: Writes of every kind
effect: disruptive
steps:
  - { id: staging, as: admin, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: true } }
  - { id: rename, as: admin, call: updateFolder, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: { name: "lockstep-{run.id}" } }
  - { id: move, as: admin, call: updateFolder, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: { position: 9 } }
  - { id: switch, as: admin, call: updateDeployment, path: { deployment_id: "{deployment.id}" }, body: { releaseChannelVersion: 1.1.0 }, checks: { UPD-1: { status: 2xx } } }
`;
const io = (cwd: string): Parameters<typeof undo>[1] => ({
  env,
  cwd,
  safety: safetyFacts,
  version: '0.0.0',
  locks: join(cwd, 'locks'),
});
const leftIn = (folder: string): Parameters<typeof undo>[0] => ({
  tenant: join(folder, 'tenant.yaml'),
  ledger: join(folder, 'ledger'),
});
const snapshot = (service: FakeService): string => JSON.stringify(service.state);

const killedRuns = new Set<string>();
const runOf = ({ headers }: IncomingMessage): string =>
  String(headers['x-request-id']).replace(/-[^-]*$/, '');
const isOfKilled = (request: IncomingMessage): boolean => killedRuns.has(runOf(request));

/** Stops a run at its nth request, like kill -9, and answers with its folder. */
async function killAt(
  service: FakeService,
  count: number,
  hang: 'before' | 'after',
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const seen = service.requests.length;
  let killed: (() => void) | undefined;
  const dead = new Promise<'killed'>((resolve) => {
    killed = () => resolve('killed');
  });
  let stopped = false;
  service.intercept = (request) => {
    if (stopped || isOfKilled(request)) return { hang: 'before' };
    if (service.requests.length - seen < count) return undefined;
    stopped = true;
    killedRuns.add(runOf(request));
    killed?.();
    return { hang };
  };
  const suite = loadSuite([{ name: 'scenarios/test/w.yaml', text: writes }]);
  writeFileSync(join(folder, 'tenant.yaml'), tenantYaml(service.baseUrl));
  const options = {
    tenant: join(folder, 'tenant.yaml'),
    suite,
    allow: 'disruptive' as const,
    convergenceMs: 200,
    out: join(folder, 'out'),
    ledger: join(folder, 'ledger'),
  };
  const outcome = await Promise.race([certify(options, io(folder)), dead]);
  // The process of this test lives on, and so do the runs in it.
  service.intercept = (request) => (isOfKilled(request) ? { hang: 'before' } : undefined);
  if (outcome !== 'killed') return undefined;
  const left = ['ledger', 'locks'].flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
  );
  for (const file of left) {
    // A killed run leaves the number of a dead process.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"pid":\d+/, '"pid":999999'));
  }
  return folder;
}

test.concurrent.for(['before', 'after'] as const)(
  'a kill at any request, %s it is served: undo restores everything',
  async (hang, { service }) => {
    const initial = snapshot(service);
    let kills = 0;
    for (let count = 1; ; count++) {
      const folder = await killAt(service, count, hang);
      if (folder === undefined) break;
      kills++;
      const undone = await undo(leftIn(folder), io(folder));
      expect(undone, `killed at request ${count}`).toMatchObject({
        exitCode: 0,
        refused: [],
        failed: [],
      });
      expect(snapshot(service), `killed at request ${count}`).toBe(initial);
      expect(readdirSync(join(folder, 'ledger'))).toEqual([]);
    }
    expect(kills).toBeGreaterThan(10);
    expect(snapshot(service)).toBe(initial);
  },
);

test.concurrent('undo refuses if somebody else changed the value, and the next run does not start', async ({
  service,
}) => {
  let folder: string | undefined;
  for (let count = 1; service.state.folder.name === 'Finance'; count++)
    folder = await killAt(service, count, 'after');
  if (folder === undefined) throw new Error('the run was not killed');
  service.state.folder.name = 'Somebody else';
  const undone = await undo(leftIn(folder), io(folder));
  // As long as the ledger names the object, no run begins, so the message has both ways out.
  expect(undone).toMatchObject({
    exitCode: 5,
    refused: ['folder 11 of deployment 1'],
    hints: [
      expect.stringMatching(
        /^folder 11 of deployment 1 was \{"name":"Finance".*\} before the run: set it so by hand and run undo again; or remove \S+\.jsonl, to keep it as it is$/,
      ),
    ],
  });
  expect(service.state.folder.name).toBe('Somebody else');
  const again = await runYaml(service, [writes], {}, folder);
  expect(again).toMatchObject({
    exitCode: 5,
    message: expect.stringMatching(
      /run `lockstep undo --tenant \S+tenant.yaml --ledger \S+ledger` first/,
    ),
  });
});

test.concurrent('two runs against one tenant are kept apart', async ({ service }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  service.intercept = () => ({ hang: 'before' });
  void runYaml(service, [writes], {}, folder);
  while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await runYaml(service, [writes], {}, folder);
  expect(second).toMatchObject({ exitCode: 5, message: expect.stringContaining('another run') });
});

test.concurrent('an object whose value cannot be read is not written', async ({ service }) => {
  service.intercept = (request) =>
    request.url?.endsWith('/folders/11') === true
      ? { status: 200, body: { nothing: true } }
      : undefined;
  const ran = await runYaml(service, [writes]);
  expect(ran.checks('UPD-1')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'folder 11 of deployment 1 cannot be read, so it is not written',
  });
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(false);
});

test.concurrent('an object whose name is a key is neither written nor kept in a ledger', async ({
  service,
}) => {
  service.state.folder.name = `of ${secrets.admin}`;
  const ran = await runYaml(service, [writes]);
  expect(ran.checks('UPD-1')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'the known state of folder 11 of deployment 1 holds a secret, so it is not written',
  });
  expect(service.requests).not.toContain('PUT /api/v1/deployments/1');
  expect(service.state.folder.name).toBe(`of ${secrets.admin}`);
});

const tokens = `
scenario: Tokens
effect: reversible
steps:
  - id: mint
    as: admin
    call: createMetaSyncToken
    path: { deployment_id: "{deployment.id}", environment_id: "{environment.id}" }
    body: { security_context: { secret: false } }
    checks: { META-7: { jwt: { token: "{body.data.token}", payload: { context: { secret: false } } } }, META-2: { body: { data: { token: "shown" } } } }
  - { id: try, as: { header: "Bearer {steps.mint.body.data.token}" }, call: listDeployments, checks: { META-8: { status: 401 } } }
  - { id: raw, as: { header: "{credentials.admin}" }, call: listDeployments, checks: { AUTH-3: { status: 401 } } }
  - { id: users, as: scim, call: listScimUsers, checks: { SCIM-1: { status: 200 } } }
`;

test.concurrent('no artefact of a run holds a secret or a minted token', async ({ service }) => {
  service.intercept = (request) =>
    request.url?.startsWith('/api/scim') === true
      ? {
          status: 400,
          headers: { 'set-cookie': 'session=hidden-session' },
          body: { detail: `not for ${request.headers.authorization}` },
        }
      : undefined;
  const ran = await runYaml(service, [tokens]);
  expect(ran.checks('META-7')[0]?.verdict).toBe('verified');
  expect(ran.checks('META-8')[0]?.verdict).toBe('verified');
  const files = readdirSync(ran.folder, { recursive: true, withFileTypes: true }).filter((item) =>
    item.isFile(),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    for (const secret of [secrets.admin, secrets.scim, signature, 'hidden-session']) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64'),
      ]) {
        expect(text.includes(form), `${file.name} holds ${secret}`).toBe(false);
      }
    }
  }
});

test.concurrent('verify derives the same verdicts, and notices tampering', async ({ service }) => {
  const ran = await runYaml(service, [tokens, writes]);
  const suite = loadSuite(
    [tokens, writes].map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })),
  );
  const file = join(ran.out ?? '', 'report.json');
  expect(ran.exitCode).toBe(1);
  expect(await verify(file, { suite })).toMatchObject({
    exitCode: 0,
    problems: [],
    differences: [],
  });
  const text = readFileSync(file, 'utf8');
  const report = JSON.parse(text) as { statements: { id: string; verdict: string }[] };
  for (const item of report.statements) if (item.id === 'META-2') item.verdict = 'verified';
  writeFileSync(file, JSON.stringify(report));
  expect(await verify(file, { suite })).toMatchObject({
    exitCode: 1,
    differences: [{ statement: 'META-2', reported: 'verified', derived: 'violated' }],
  });
  writeFileSync(file, text);
  const har = join(ran.out ?? '', 'evidence', 'test-0.har');
  writeFileSync(har, readFileSync(har, 'utf8').replace('"status":401', '"status":200'));
  expect(await verify(file, { suite })).toMatchObject({
    exitCode: 2,
    problems: ['evidence/test-0.har does not have the digest that the report names'],
  });
});

test.concurrent('plain HTTP to another host, and a host outside the tenant file, are refused', async () => {
  const run = (baseUrl: string, tenant?: string): Promise<unknown> =>
    certify({ baseUrl, tenant, suite: loadSuite([]) }, io('/')).catch(failureOf);
  expect(await run('http://tenant.example')).toMatchObject({ exitCode: 5 });
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const file = join(folder, 'tenant.yaml');
  writeFileSync(file, 'baseUrl: https://a.example\n');
  expect(await run('https://b.example', file)).toMatchObject({ exitCode: 5 });
  expect(await run('nonsense')).toMatchObject({ exitCode: 2 });
});
