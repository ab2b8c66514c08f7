/** On every kind of tenant, a run leaves nothing changed without a report. */

import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { type Undone, undo } from '../commands/undo.ts';
import { env, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { sealedLine } from '../testing/sealed-ledger.ts';
import { test } from '../testing/service-test.ts';
import { ledgerFiles } from './ledger.ts';
import { lockTarget } from './target-lock.ts';

const folderPath = '/api/v1/deployments/1/folders/11';
const branchesPath = '/build/api/v1/deployments/1/branches';

const rename = (first = ''): string => `
scenario: Rename
effect: reversible
steps:
${first}
  - { id: rename, as: admin, call: updateFolder, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: { name: "late" }, checks: { FOLDER-2: { status: 200 } } }
`;
const read =
  '  - { id: read, as: admin, call: updateFolder, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: {} }';
const switchOff = `
scenario: "Off"
effect: reversible
steps:
  - { id: "off", as: admin, call: setStagingEnvironment, path: { deployment_id: "{deployment.id}" }, body: { branchName: "{sharedBranch.name}", enabled: false }, checks: { STAGE-4: { status: 200 } } }
`;
const switchVersion = `
scenario: Switch
effect: disruptive
steps:
  - { id: nothing, as: admin, call: updateDeployment, path: { deployment_id: "{deployment.id}" }, body: {} }
  - { id: switch, as: admin, call: updateDeployment, path: { deployment_id: "{deployment.id}" }, body: { releaseChannelVersion: "{versions.mayRun[1]}" }, checks: { UPD-2: { status: 2xx } } }
`;

test.concurrent('a folder that shows no id is put back', async ({ service }) => {
  service.amend = (request, body) => {
    if (request.url !== folderPath) return undefined;
    const { id: _id, ...shown } = body as { readonly id: number };
    return shown;
  };
  const ran = await runYaml(service, [rename(read)]);
  expect(ran.checks('FOLDER-2')[0]?.verdict).toBe('verified');
  expect(service.state.folder.name).toBe('Finance');
});

test.concurrent('a colleague who changes a folder after it was put back keeps his value', async ({
  service,
}) => {
  let renamed = false;
  service.amend = (request, body) => {
    if (request.url !== folderPath) return undefined;
    const shown = { ...(body as { readonly name: string }) };
    renamed ||= shown.name === 'late';
    // The answer shows the put-back, and then he renames the folder.
    if (renamed && shown.name === 'Finance') service.state.folder.name = 'Finance 4';
    return shown;
  };
  const ran = await runYaml(service, [rename()]);
  expect(service.state.folder.name).toBe('Finance 4');
  expect(ran.report?.leftBehind).toEqual([]);
  expect(ran.report?.warnings).toEqual([
    expect.stringMatching(
      /^folder 11 .* was changed by somebody else meanwhile, so the run leaves it/,
    ),
  ]);
});

test.concurrent('an unreadable object is not written, even after a reading write', async ({
  service,
}) => {
  service.amend = (request, body) =>
    request.url?.endsWith('/versions') === true
      ? { data: (body as { data: object[] }).data.map((item) => ({ ...item, isCurrent: true })) }
      : undefined;
  const ran = await runYaml(service, [switchVersion]);
  expect(ran.checks('UPD-2')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'version of deployment 1 cannot be read, so it is not written',
  });
  expect(service.state.version).toBe('1.0.0');
  expect(service.requests.filter((line) => line === 'PUT /api/v1/deployments/1')).toEqual([]);
});

test.concurrent('a branch on the second page of its list is put back', async ({ service }) => {
  service.state.branch.isStagingEnvironmentEnabled = true;
  const others = Array.from({ length: 20 }, (_, id) => ({ id: id + 1, name: `branch-${id + 1}` }));
  service.amend = (request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname !== branchesPath) return undefined;
    const all = [...others, { ...service.state.branch }];
    const offset = Number(searchParams.get('offset') ?? 0);
    const pagination = { offset, limit: 20, total: all.length };
    return { data: { branches: all.slice(offset, offset + 20) }, pagination };
  };
  const ran = await runYaml(service, [switchOff]);
  expect(ran.checks('STAGE-4')[0]?.verdict).toBe('verified');
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(true);
});

test.concurrent('a write that the service makes after a gateway answered is put back', async ({
  service,
}) => {
  let renamed = 0;
  service.intercept = (request) => {
    if (request.url !== folderPath) return undefined;
    renamed += isWrite(request) ? 1 : 0;
    // The first name is the mark of the run.
    if (renamed < 2) return undefined;
    service.intercept = undefined;
    setTimeout(() => Object.assign(service.state.folder, { name: 'late' }), 200);
    return { status: 504, body: 'no answer in time' };
  };
  const ran = await runYaml(service, [rename()]);
  // The late write is put back, and the scenario is tried again.
  expect(ran.checks('FOLDER-2')[0]?.verdict).toBe('verified');
  expect(ran.exitCode).toBe(0);
  expect(service.state.folder.name).toBe('Finance');
});

test.concurrent('an object that somebody else changed meanwhile is left alone and reported', async ({
  service,
}) => {
  let renamed = 0;
  service.intercept = (request) => {
    if (request.url !== folderPath) return undefined;
    // The first name is the mark of the run.
    if (renamed === 2) Object.assign(service.state.folder, { name: 'By a person' });
    renamed += isWrite(request) ? 1 : 0;
    return undefined;
  };
  const ran = await runYaml(service, [rename()]);
  expect(service.state.folder.name).toBe('By a person');
  expect(ran.report?.warnings).toContain(
    'folder 11 of deployment 1 was changed by somebody else meanwhile, so the run leaves it. Before the run it was {"name":"Finance","position":2}',
  );
});

test.concurrent('undo reports once for each object its permanent changes and the people they name', async ({
  service,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const tenant = join(folder, 'tenant.yaml');
  writeFileSync(tenant, tenantYaml(service.baseUrl));
  const write = (recipients: readonly object[]): object => ({
    kind: 'write',
    key: 'POST /recipients',
    object: 'recipients of notification 31 of deployment 1',
    operation: 'addNotificationRecipients',
    method: 'POST',
    path: '/api/v1/deployments/1/notifications/31/recipients',
    before: null,
    sent: { recipients },
    effect: 'permanent',
  });
  const header = {
    kind: 'run',
    runId: 'r1',
    baseUrl: service.baseUrl,
    startedAt: '',
    pid: 2 ** 30,
  };
  const writes = [write([{ userId: 2 }, { email: 'a@example.com' }]), write([{ userId: 2 }])];
  const lines = [JSON.stringify(header), ...writes.map((line) => sealedLine(header, line))];
  writeFileSync(join(folder, 'x.jsonl'), lines.join('\n'));
  const done = await undo(
    { tenant, ledger: folder },
    { env, cwd: folder, safety: safetyFacts, version: '0.0.0' },
  );
  expect(done.permanent).toEqual([
    'recipients of notification 31 of deployment 1: 2 requests, some perhaps refused, naming 2, a@example.com',
  ]);
});

test.concurrent('two runs from two folders are kept apart', async ({ service }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const place = join(folder, 'locks');
  const { baseUrl } = service;
  const release = lockTarget({ baseUrl, runId: 'rother' }, '/elsewhere/ledger', place);
  const refused = await runYaml(service, [rename()], {}, folder);
  expect(refused.exitCode).toBe(5);
  expect(refused.message).toMatch(/another run \(rother, process \d+, with the ledger \/elsewhere/);
  expect(service.requests).toEqual([]);
  release();
  expect((await runYaml(service, [rename()], {}, folder)).exitCode).toBe(0);
});

test.concurrent("a field that the run never sent is somebody else's, even if answers show it", async ({
  service,
}) => {
  const move = rename().replace('{ name: "late" }', '{ position: 9 }');
  service.intercept = (request) => {
    // Somebody renames the folder in the moment in which the run moves it.
    if (request.url === folderPath && request.headers['content-length'] !== '2')
      Object.assign(service.state.folder, { name: 'By a person' });
    return undefined;
  };
  const ran = await runYaml(service, [move]);
  expect(service.state.folder.name).toBe('By a person');
  expect(ran.report?.warnings.join()).toContain('was changed by somebody else meanwhile');
});

/** Undoes the changes of a run from its folder. */
function undoIn(folder: string): Promise<Undone> {
  for (const file of ledgerFiles(join(folder, 'ledger'))) {
    // The process of this test goes on, but the process of a killed run has ended.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"pid":\d+/, '"pid":999999'));
  }
  return undo(
    { tenant: join(folder, 'tenant.yaml'), ledger: join(folder, 'ledger') },
    { env, cwd: folder, safety: safetyFacts, version: '0.0.0' },
  );
}

const marked = rename().replace('"late"', '"lockstep {run.id} A"');
const isWrite = ({ url, headers }: IncomingMessage): boolean =>
  url === folderPath && headers['content-length'] !== '2';

test.concurrent('a name of the run is its own, even if the service changed other fields', async ({
  service,
}) => {
  let writes = 0;
  service.intercept = (request) => {
    if (isWrite(request) && ++writes === 1) Object.assign(service.state.folder, { position: 7 });
    return undefined;
  };
  const ran = await runYaml(service, [marked]);
  expect(service.state.folder).toMatchObject({ name: 'Finance', position: 2 });
  expect(ran.report?.leftBehind).toEqual([]);
  expect(ran.report?.warnings).toEqual([
    'folder 11 of deployment 1 had a name of this run and {"position":7}, which the run did not send; it was put back to {"position":2} as well',
  ]);
});

test.concurrent('a name of the run that cannot be put back ends the run with 5', async ({
  service,
}) => {
  let writes = 0;
  service.intercept = (request) => {
    if (!isWrite(request)) return undefined;
    Object.assign(service.state.folder, { position: 7 });
    return ++writes > 1 ? { status: 403 } : undefined;
  };
  const ran = await runYaml(service, [marked]);
  expect(ran.exitCode).toBe(5);
  const { name } = service.state.folder;
  expect(ran.report?.leftBehind).toMatchObject([
    { object: 'folder 11 of deployment 1', was: { name: 'Finance' }, now: { name, position: 7 } },
  ]);
  service.intercept = undefined;
  expect(await undoIn(ran.folder)).toMatchObject({
    ...{ exitCode: 0, restored: ['folder 11 of deployment 1'] },
  });
  expect(service.state.folder).toMatchObject({ name: 'Finance', position: 2 });
});

const stepsOf = (scenario: string): string => scenario.slice(scenario.indexOf('  - '));
const another = 'lockstep rmwx4532k5b5bdc A';
const namesAnother = 'carries the mark of another run (rmwx4532k5b5bdc, begun 2026-11-26T05:29Z)';

test.concurrent('a run that finds the mark of another stops before it writes anything', async ({
  service,
}) => {
  service.state.folder.name = another;
  const ran = await runYaml(service, [switchOff, marked]);
  expect(ran).toMatchObject({ exitCode: 5, message: expect.stringContaining(namesAnother) });
  expect(service.requests.filter((line) => /^PUT .*(staging-environment|\/1)$/.test(line))).toEqual(
    [],
  );
  expect(service.state.folder.name).toBe(another);
});

test.concurrent('a mark that comes after the start is found before the first write', async ({
  service,
}) => {
  service.state.branch.isStagingEnvironmentEnabled = true;
  service.intercept = ({ method, url }) => {
    // The other machine begins while this run switches a branch.
    if (method === 'PUT' && url?.endsWith('/staging-environment') === true)
      service.state.folder.name = another;
    return undefined;
  };
  const ran = await runYaml(service, [`${switchOff}${stepsOf(marked)}`]);
  expect(ran).toMatchObject({ exitCode: 5, message: expect.stringContaining(namesAnother) });
  expect(service.state.folder.name).toBe(another);
  expect(service.state.branch.isStagingEnvironmentEnabled).toBe(true);
});

test.concurrent('a mark of another run is left alone, and the ledger keeps the old state', async ({
  service,
}) => {
  let renamed = 0;
  service.intercept = (request) => {
    if (request.url !== folderPath) return undefined;
    if (renamed === 2) service.state.folder.name = another;
    renamed += isWrite(request) ? 1 : 0;
    return undefined;
  };
  const ran = await runYaml(service, [marked]);
  expect(ran.exitCode).toBe(5);
  expect(ran.report?.leftBehind).toMatchObject([
    { was: { name: 'Finance' }, reason: expect.stringContaining('the mark of another run') },
  ]);
  expect(service.state.folder.name).toBe(another);
  expect(ledgerFiles(join(ran.folder, 'ledger'))).toHaveLength(1);
});

test.concurrent('undo sends each field alone if a service accepts only one at a time', async ({
  service,
}) => {
  const both = JSON.stringify({ name: 'Finance', position: 2 }).length;
  const takesOne = ({ headers }: IncomingMessage): boolean =>
    headers['content-length'] === String(both);
  let name = '';
  service.intercept = (request) => {
    if (takesOne(request)) name = service.state.folder.name;
    return undefined;
  };
  service.amend = (request) =>
    takesOne(request) ? Object.assign(service.state.folder, { name }) : undefined;
  const ran = await runYaml(service, [marked]);
  expect(ran).toMatchObject({
    exitCode: 5,
    report: { leftBehind: [{ was: { name: 'Finance' } }] },
  });
  expect(await undoIn(ran.folder)).toMatchObject({ exitCode: 0, failed: [] });
  expect(service.state.folder).toMatchObject({ name: 'Finance', position: 2 });
});

test.concurrent('a put-back that a gateway answers is tried again', async ({ service }) => {
  let writes = 0;
  service.intercept = (request) => {
    if (request.url !== folderPath || request.headers['content-length'] === '2') return undefined;
    writes++;
    return writes === 2 || writes === 3 ? { status: 502, body: 'no' } : undefined;
  };
  const ran = await runYaml(service, [rename()]);
  expect(ran.report?.leftBehind).toEqual([]);
  expect(service.state.folder.name).toBe('Finance');
});

test('a lock folder that others can open is refused', ({ service }) => {
  const place = mkdtempSync(join(tmpdir(), 'lockstep-'));
  chmodSync(place, 0o777);
  const wanted = { baseUrl: service.baseUrl, runId: 'r1' };
  expect(() => lockTarget(wanted, '/ledger', place)).toThrow(
    /is not a folder of this user alone: set TMPDIR/,
  );
});

const least = `
scenario: The least that a call can do
effect: disruptive
steps:
  - { id: offered, as: admin, call: listVersions, capture: { runs: "{body.data[isCurrent=true][0].version}" } }
  - { id: stay, as: admin, call: updateDeployment, body: { releaseChannelVersion: "v{runs}" }, checks: { UPD-3: 2xx } }
  - { id: look, as: admin, call: updateFolder, body: {} }
`;

test.concurrent('a write of the present state is not put back; a reading write needs no look', async ({
  service,
}) => {
  const ran = await runYaml(service, [least]);
  const writes = service.requests.filter((request) => request.startsWith('PUT'));
  // The preflight looks at the folder; the run looks, marks it and looks again.
  const folder = 'PUT /api/v1/deployments/1/folders/11';
  const marks = [folder, folder, folder];
  const back = [folder, folder, folder];
  expect(writes).toEqual([folder, ...marks, 'PUT /api/v1/deployments/1', folder, ...back]);
  expect(ran.report?.plan).toHaveLength(writes.length);
  expect(ran.report?.leftBehind).toEqual([]);
});
