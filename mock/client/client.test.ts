/**
 * Runs a client's tests against every service that this could be. The clients are short scripts.
 */
import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RemoteMock, startMock } from '../kits/index.ts';
import { type ClientCommand, type Plan, runClient } from './client.ts';
import { baselineOf, clientText, failuresIn, missedIn } from './client-report.ts';
import { relianceOf } from './reliance.ts';
import { ownMocks, worldsOf } from './run-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-client-'));

/** A script of Node as a test command. `get` reads a path, `put` writes one. */
function client(name: string, script: string): readonly string[] {
  const file = join(folder, `${name}.mjs`);
  const head = `
const { LOCKSTEP_BASE_URL: base, LOCKSTEP_ADMIN_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const call = (method, path, body) =>
  fetch(base + path, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(3000) });
const get = (path) => call('GET', path);
const put = (path, body) => call('PUT', path, body);
const folder = '/api/v1/deployments/1/folders/11';
`;
  writeFileSync(file, head + script);
  return [process.execPath, file];
}

const run = (argv: readonly string[], more: Partial<ClientCommand> = {}) =>
  runClient({
    ...{ argv, env: process.env, open: ownMocks(startMock), kinds: ['sweep', 'loss', 'mutant'] },
    ...{ jobs: 2, budgetMs: 60_000, timeoutMs: 15_000 },
    ...more,
  });

const renames = client(
  'renames',
  `
const answer = await put(folder, { name: 'Costs' });
if (!answer.ok || (await answer.json()).name !== 'Costs') process.exit(1);
`,
);
const trusting = client(
  'trusting',
  `
await put(folder, { name: 'Costs' }).catch(() => {});
`,
);

test('a broken promise is noticed only by tests that check the answer', async () => {
  const only = { only: ['type:updateFolder:name'], kinds: ['mutant'] as const };
  const [looking, blind] = await Promise.all([run(renames, only), run(trusting, only)]);
  expect(looking.results).toMatchObject([{ id: 'type:updateFolder:name', outcome: 'broken' }]);
  expect(missedIn(looking)).toEqual([]);
  expect(missedIn(blind)).toMatchObject([{ id: 'type:updateFolder:name', outcome: 'held' }]);
  expect(clientText(blind, 'again')).toContain('rely on 1 promise, and notice a breach of 0');
});

test('the plan holds only the silences and promises that the tests met', async () => {
  let plan: Plan | undefined;
  const aborter = new AbortController();
  const planned = run(renames, {
    signal: aborter.signal,
    onPlan(made) {
      plan = made;
      aborter.abort(new Error('the plan is enough'));
    },
  });
  await expect(planned).rejects.toThrow('the plan is enough');
  const ids = plan?.variations.map(({ id }) => id) ?? [];
  expect(ids).toContain('updateFolder:after-commit');
  expect(ids).toContain('type:updateFolder:name');
  expect(ids.filter((id) => /scim|staging|listVersions/i.test(id))).toEqual([]);
});

test('a loss that the client swallows is a failure; one that it reports is not', async () => {
  const only = { only: ['updateFolder:before'], kinds: ['loss'] as const };
  const [good, bad] = await Promise.all([run(renames, only), run(trusting, only)]);
  expect(failuresIn(good)).toEqual([]);
  expect(failuresIn(bad)).toMatchObject([{ said: expect.stringContaining('swallowed-error') }]);
});

test.for([['own mocks'], ['a mock that runs']] as const)(
  'a request with a random part is lost as well: %j',
  async ([where]) => {
    const random = client(
      'random',
      `await put(folder, { name: crypto.randomUUID() }).catch(() => {});`,
    );
    await using server = await startMock();
    await using remote = new RemoteMock(`${server.baseUrl}/__admin`);
    const open = where === 'own mocks' ? ownMocks(startMock) : worldsOf(remote.control);
    const report = await run(random, { open, only: ['updateFolder:before'], kinds: ['loss'] });
    expect(failuresIn(report)).toMatchObject([
      { said: expect.stringContaining('swallowed-error') },
    ]);
  },
);

test('a run that does not meet its variation is reported, and neither held nor broken', async () => {
  const once = client(
    'once',
    `
if (process.env.LOCKSTEP_RUN !== 'plain') { await get('/api/v1/deployments'); process.exit(1); }
await put(folder, { name: 'Costs' });
`,
  );
  const report = await run(once, { only: ['FOLDER-14:date'], kinds: ['sweep'] });
  expect(report.results).toMatchObject([{ id: 'FOLDER-14:date', outcome: 'not met' }]);
  expect(failuresIn(report)).toEqual([]);
  expect(clientText(report)).toMatch(/^1 run did not meet the variation; .*: FOLDER-14:date$/m);
  expect(relianceOf(report).unknown).toEqual(['FOLDER-14']);
});

test('a run that fails before its first request is played again alone', async () => {
  const state = join(folder, 'disturbed');
  const disturbed = client(
    'disturbed',
    `
import { existsSync, writeFileSync } from 'node:fs';
if (process.env.LOCKSTEP_RUN !== 'plain' && !existsSync('${state}')) {
  writeFileSync('${state}', '');
  process.exit(1);
}
await put(folder, { name: 'Costs' });
`,
  );
  const report = await run(disturbed, { only: ['FOLDER-14:date'], kinds: ['sweep'] });
  expect(report.results).toMatchObject([{ outcome: 'held' }]);
});

test('a command that passes without a request, from cached results, ends everything', async () => {
  const kept = client(
    'kept',
    `if (process.env.LOCKSTEP_RUN === 'plain') await get('/api/v1/deployments');`,
  );
  await expect(run(kept)).rejects.toThrow(
    /^the command passes in the run .* without a request: let it keep no results of an earlier run \(go test -count=1/,
  );
});

test('a client that hangs is reported, even if the test runner ends its test', async () => {
  const patient = client(
    'patient',
    `
const hung = setTimeout(() => {
  process.stdout.write('Error: Test timed ');
  setTimeout(() => { console.log('out in 5000ms.'); process.exit(1); }, 50);
}, 500);
const body = JSON.stringify({ name: 'Costs' });
const answer = await fetch(base + folder, { method: 'PUT', headers, body });
clearTimeout(hung);
if (!answer.ok) process.exit(1);
`,
  );
  const report = await run(patient, { only: ['updateFolder:stall'], kinds: ['loss'] });
  expect(failuresIn(report)).toMatchObject([{ said: expect.stringMatching(/^hang: PUT/) }]);
});

test('Go runs the tests and does not use its cache', async () => {
  const flags = client('flags', `await put(folder, { name: process.env.GOFLAGS })`);
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  const only = { only: ['FOLDER-14:date'], kinds: ['sweep'] as const };
  let sent: string | null | undefined;
  await run(flags, {
    ...only,
    env,
    onPlan: ({ plain }) => {
      sent = plain.entries[0]?.requestBody;
    },
  });
  expect(sent).toBe('{"name":"-mod=mod -count=1"}');
});

test('an accepted failure does not fail the run, and is counted', async () => {
  const only = { only: ['updateFolder:before'], kinds: ['loss'] as const };
  const report = await run(trusting, { ...only, accepted: ['updateFolder:before'] });
  expect(failuresIn(report)).toEqual([]);
  expect(clientText(report, 'again')).toContain('did not cope with 1 (1 accepted, --baseline).');
});

test('a baseline holds present failures, and accepted ones that did not come up', async () => {
  const kinds = ['loss'] as const;
  const report = await run(trusting, { only: ['updateFolder:before'], kinds, accepted: ['other'] });
  expect(baselineOf(report)).toEqual(['other', 'updateFolder:before']);
  const good = await run(renames, {
    ...{ only: ['updateFolder:before'], kinds, accepted: ['updateFolder:before'] },
  });
  expect(baselineOf(good)).toEqual([]);
});

test('worlds that a test makes itself are varied as well', async () => {
  const own = client(
    'own-world',
    `
const made = await call('POST', '/__admin/worlds', {});
const world = await made.json();
headers.authorization = 'Bearer ' + world.credentials.admin;
if ((await (await put(folder, { name: 'Costs' })).json()).name !== 'Costs') process.exit(1);
await call('DELETE', '/__admin/worlds/' + world.id);
`,
  );
  const report = await run(own, { only: ['type:updateFolder:name'], kinds: ['mutant'] });
  expect(report.results).toMatchObject([{ outcome: 'broken' }]);
});

test('mocks that a test makes in its own process are varied as well', async () => {
  const kits = new URL('../kits/index.ts', import.meta.url).href;
  const inProcess = client(
    'in-process',
    `
import { createMock } from '${kits}';
await using mock = await createMock();
using world = await mock.createWorld();
const sent = { method: 'PUT', body: JSON.stringify({ name: 'Costs' }), headers: { 'content-type': 'application/json' } };
const answer = await world.fetch(folder, sent).catch(() => undefined);
if (answer !== undefined && (await answer.json()).name !== 'Costs') process.exit(1);
`,
  );
  const broken = await run(inProcess, { only: ['type:updateFolder:name'], kinds: ['mutant'] });
  expect(broken.results).toMatchObject([{ outcome: 'broken' }]);
  const lost = await run(inProcess, { only: ['updateFolder:reset'], kinds: ['loss'] });
  expect(failuresIn(lost)).toMatchObject([{ said: expect.stringContaining('swallowed-error') }]);
});

test('a mock that runs already gives the same result, and keeps no world', async () => {
  await using server = await startMock();
  await using remote = new RemoteMock(`${server.baseUrl}/__admin`);
  const only = ['type:updateFolder:name'];
  const report = await run(renames, { open: worldsOf(remote.control), only });
  expect(report.results).toMatchObject([{ outcome: 'broken' }]);
  const ids: string[][] = [];
  for (const open of [ownMocks(startMock), worldsOf(remote.control)]) {
    const planned = run(renames, {
      ...{ open, kinds: ['mutant'] },
      onPlan(plan) {
        ids.push(plan.variations.map(({ id }) => id));
        throw new Error('the plan is enough');
      },
    });
    await expect(planned).rejects.toThrow('the plan is enough');
  }
  expect(ids[1]?.toSorted()).toEqual(ids[0]?.toSorted());
  expect([...server.service.worlds.keys()]).toEqual([server.world.id]);
  const elsewhere = run(client('in-no-mock', ''), { open: worldsOf(remote.control) });
  await expect(elsewhere).rejects.toThrow('take part only without --base-url');
});

test('a run that fails once and passes once is flaky, and counts as not noticed', async () => {
  const state = join(folder, 'flaky');
  const flaky = client(
    'flaky',
    `
import { existsSync, writeFileSync } from 'node:fs';
await put(folder, { name: 'Costs' }).catch(() => {});
if (process.env.LOCKSTEP_RUN !== 'plain' && !existsSync('${state}')) {
  writeFileSync('${state}', '');
  process.exit(1);
}
`,
  );
  const report = await run(flaky, { only: ['type:updateFolder:name'], kinds: ['mutant'] });
  expect(report.results).toMatchObject([{ outcome: 'flaky' }]);
  expect(missedIn(report)).toHaveLength(1);
});

test('the reliance names the statements that each test relies on', async () => {
  const junit = join(folder, '{run}.xml');
  const told = client(
    'told',
    `
import { writeFileSync } from 'node:fs';
const { name } = await (await put(folder, { name: 'Costs' })).json().catch(() => ({}));
const failure = name === 'Costs' ? '' : '<failure/>';
writeFileSync(process.argv[2], '<testsuite><testcase classname="Folders" name="renames &amp; keeps">' + failure + '</testcase></testsuite>');
if (failure !== '') process.exit(1);
`,
  );
  const only = { only: ['type:updateFolder:name'], kinds: ['mutant'] as const, junit };
  const report = await run([...told, junit], only);
  const [{ id = '', statements = [] } = {}] = report.results;
  const promises = Object.fromEntries(statements.map((statement) => [statement, [id]]));
  expect(relianceOf(report)).toMatchObject({
    ...{ asked: ['promises'], unknown: [], unnoticed: {} },
    tests: { 'Folders › renames & keeps': { promises, assumptions: {} } },
  });
});

test('--junit takes several files, but none of an earlier run, and not the output of a test', async () => {
  const reports = mkdtempSync(join(folder, 'reports-'));
  const xml = (name: string, more: string) =>
    `<testsuite><testcase name="${name}">${more}</testcase></testsuite>`;
  const old = join(reports, 'old.xml');
  writeFileSync(old, xml('of yesterday', '<failure/>'));
  utimesSync(old, 0, 0);
  const told = client(
    'several',
    `
import { writeFileSync } from 'node:fs';
const { name } = await (await put(folder, { name: 'Costs' })).json();
const failure = name === 'Costs' ? '' : '<failure/>';
writeFileSync(process.argv[2] + '/a.xml', ${JSON.stringify(xml('renames', '@'))}.replace('@', failure));
writeFileSync(process.argv[2] + '/b.xml', ${JSON.stringify(xml('prints', '<system-out><![CDATA[<error> <testcase name="x">]]></system-out>'))});
if (failure !== '') process.exit(1);
`,
  );
  const junit = join(reports, '*.xml');
  const only = { only: ['type:updateFolder:name'], kinds: ['mutant'] as const, jobs: 1 };
  const report = await run([...told, reports], { ...only, junit });
  expect(report.results).toMatchObject([{ outcome: 'broken', tests: ['renames'] }]);
  const elsewhere = run([...told, reports], { ...only, junit: join(reports, '*.txt') });
  await expect(elsewhere).rejects.toThrow(/wrote no tests into .*\.txt \(--junit\)/);
});

test('reliance separates untried alternatives from those that no test relies on', async () => {
  const [unnoticed, nothing] = await Promise.all([
    run(trusting, { only: ['type:updateFolder:name'], kinds: ['mutant'] }),
    run(renames, { kinds: ['sweep', 'mutant'], budgetMs: 0 }),
  ]);
  const [{ id = '', statements = [] } = {}] = unnoticed.results;
  const held = Object.fromEntries(statements.map((statement) => [statement, [id]]));
  expect(relianceOf(unnoticed)).toMatchObject({ tests: {}, unnoticed: held });
  expect(relianceOf(nothing)).toMatchObject({
    ...{ asked: ['promises', 'assumptions'], tests: {}, unnoticed: {} },
    unknown: expect.arrayContaining(['FOLDER-2']),
  });
});

test('if the test command fails or reaches no mock, everything ends with the reason', async () => {
  await expect(run(client('fails', 'process.exit(1)'))).rejects.toThrow(
    /the command fails against the plain mock, .* no request reached the mock: .*LOCKSTEP_BASE_URL/,
  );
  await expect(run(client('elsewhere', ''))).rejects.toThrow(
    /no request reached the mock: .*LOCKSTEP_BASE_URL/,
  );
  await expect(run(client('lost', `await get('/api/v2/nothing')`))).rejects.toThrow(
    'matched no operation, such as GET /api/v2/nothing',
  );
  await expect(run(['no-such-program-here'])).rejects.toThrow(
    'no-such-program-here cannot be started: there is no such program on the PATH',
  );
  await expect(run(renames, { only: ['type:updateFolder:nam'] })).rejects.toThrow(
    'the tests do not meet type:updateFolder:nam; type:updateFolder:name is',
  );
});

test('a command that hangs is ended, with all its child processes', async () => {
  const beats = join(folder, 'beats');
  const hangs = client(
    'hangs',
    `
import { spawn } from 'node:child_process';
const beat = "setInterval(() => require('fs').appendFileSync('${beats}', '.'), 20)";
spawn(process.execPath, ['-e', beat], { stdio: 'inherit' });
setInterval(() => {}, 1000);
`,
  );
  await expect(run(hangs, { timeoutMs: 1500 })).rejects.toThrow('does not end');
  const heard = readFileSync(beats, 'utf8');
  await pause(200);
  expect(readFileSync(beats, 'utf8')).toBe(heard);
});
