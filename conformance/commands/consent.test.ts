/** The owner's consent: nothing is written before it, and no more than was agreed. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { loadSuite } from '../language/load.ts';
import { env, type FakeService, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';
import { certify, failureOf, planOf } from './command.ts';
import { gate } from './gate.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

const rename = (title: string): string => `
scenario: ${title}
steps:
  - { id: rename, as: admin, call: updateFolder, body: { name: "lockstep-{run.id}" }, checks: { FOLDER-1: 200 } }
  - { id: move, as: admin, call: updateFolder, body: { position: 9 }, checks: { FOLDER-1: 200 } }
`;
const suiteOf = (...scenarios: readonly string[]) =>
  loadSuite(scenarios.map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })));

/** Options of a command that writes to a tenant. */
function given(yaml: string, more: CertifyOptions = {}, io: Partial<CommandIo> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-consent-'));
  writeFileSync(join(folder, 'tenant.yaml'), yaml);
  const options = {
    ...{ tenant: 'tenant.yaml', suite: suiteOf(rename('One')), allow: 'reversible' as const },
    ...{ convergenceMs: 100, seed: 0, jobs: 1, out: 'out', ledger: 'ledger', ...more },
    allowEnv: Object.keys(env),
  };
  const locks = join(folder, 'locks');
  const surroundings = { env, cwd: folder, safety: safetyFacts, version: '0', locks, ...io };
  return { folder, options, io: surroundings };
}

async function run(yaml: string, more: CertifyOptions = {}, io: Partial<CommandIo> = {}) {
  const made = given(yaml, more, io);
  const came = await certify(made.options, made.io).catch(failureOf);
  return { ...made, ...came, report: 'report' in came ? came.report : undefined };
}

/** Nobody listens there. */
const elsewhere = tenantYaml('https://tenant.invalid');
const writesIn = ({ requests }: FakeService) => requests.filter((one) => !one.startsWith('GET'));

test('without a terminal, a host that is not this machine is written to only with --yes', async () => {
  const refused = { exitCode: 2, message: expect.stringContaining('add --yes') };
  expect(await run(elsewhere)).toMatchObject(refused);
  const asked = given(elsewhere);
  const night = gate({ ...asked.options, baseline: 'known.yaml' }, asked.io);
  expect(await night.catch(failureOf)).toMatchObject(refused);
  // It goes on, and finds nobody there.
  for (const more of [{ yes: true }, { allow: 'none' as const }])
    expect(await run(elsewhere, more)).toMatchObject({ exitCode: 4 });
});

test('a terminal is asked, and told how much is written', async () => {
  const questions: string[] = [];
  const ask = (answer: boolean) => async (question: string) => {
    questions.push(question);
    return answer;
  };
  expect(await run(elsewhere, {}, { ask: ask(false) })).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('nothing was written'),
  });
  expect(await run(elsewhere, {}, { ask: ask(true) })).toMatchObject({ exitCode: 4 });
  expect(questions).toEqual(
    Array(2).fill(expect.stringMatching(/^13 writes to https:.*reversible/)),
  );
});

test('a soak writes more than the plan has, so the plan and the question say so', async () => {
  const { options, io } = given(elsewhere, { soakMs: 60_000 });
  const { plan, pace } = await planOf(options, io);
  expect([plan.writes.length, plan.soakWrites]).toEqual([13, 6]);
  expect(pace.soakMs).toBe(60_000);
  const refused = await run(elsewhere, { soakMs: 60_000 });
  expect(refused).toMatchObject({
    message: expect.stringMatching(/^13 writes, and 6 more in each round of the soak, to https:/),
  });
  expect((await planOf(given(elsewhere).options, io)).plan.soakWrites).toBe(0);
});

test('a soak ends before it makes more writes than --max-writes, and is judged', async ({
  service,
}) => {
  const soak = { soakMs: 60_000, maxWrites: 40 };
  const { report } = await run(tenantYaml(service.baseUrl), soak);
  expect(report?.exitCode).toBe(0);
  expect(writesIn(service).length).toBeGreaterThan(30);
  expect(writesIn(service).length).toBeLessThanOrEqual(40);
});

test('production is not written to by mistake, and its plan may be looked at', async ({
  service,
}) => {
  const yaml = `production: true\n${tenantYaml(service.baseUrl)}`;
  const refused = { exitCode: 2, message: expect.stringContaining('--allow-production') };
  expect(await run(yaml)).toMatchObject(refused);
  const asked = given(yaml);
  const night = gate({ ...asked.options, baseline: 'known.yaml' }, asked.io);
  expect(await night.catch(failureOf)).toMatchObject(refused);
  expect((await planOf(asked.options, asked.io)).plan.writes).toHaveLength(13);
  expect(service.requests).toEqual([]);
  expect((await run(yaml, { allow: 'none' })).report?.plan).toEqual([]);
  expect((await run(yaml, { allowProduction: true })).report?.exitCode).toBe(0);
});

test('a plan of more writes than --max-writes is refused before a call', async ({ service }) => {
  const yaml = tenantYaml(service.baseUrl);
  expect(await run(yaml, { maxWrites: 12 })).toMatchObject({
    exitCode: 2,
    message: 'the plan has 13 writes, and --max-writes is 12',
  });
  expect(service.requests).toEqual([]);
  expect((await run(yaml, { maxWrites: 13 })).report?.exitCode).toBe(0);
  expect(writesIn(service)).toHaveLength(13);
});

test('a run stops before it makes more writes than --max-writes, and puts back', async ({
  service,
}) => {
  const before = JSON.stringify(service.state);
  const suite = suiteOf(
    rename('Wrong').replace('\nsteps:', '\nconfirm: 5\nsteps:').replace('200', '404'),
  );
  await run(tenantYaml(service.baseUrl), { suite, maxWrites: 21 });
  expect(writesIn(service).length).toBeGreaterThan(6);
  expect(writesIn(service).length).toBeLessThanOrEqual(21);
  expect(JSON.stringify(service.state)).toBe(before);
});

test('a run stops after writes that fail in a row, and puts back its changes', async ({
  service,
}) => {
  const before = JSON.stringify(service.state);
  const titles = Array.from({ length: 12 }, (_, index) => `Scenario ${index}`);
  let writes = 0;
  service.intercept = ({ method, url }) => {
    if (method === 'GET' || url?.includes('folders') !== true) return undefined;
    writes++;
    // The mark and the first scenario are served, and can still be put back in the end.
    return writes > 10 && writes < 20 ? { status: 500, body: { error: 'down' } } : undefined;
  };
  const ran = await runYaml(service, titles.map(rename), { jobs: 1, convergenceMs: 100 });
  const stopped = /^the run was stopped, as \d+ writes in a row were answered 5xx$/;
  expect(ran.report).toMatchObject({
    ...{ exitCode: 4, stopped: expect.stringMatching(stopped), leftBehind: [] },
    totals: { checks: { violated: 0 } },
  });
  expect(writesIn(service).length).toBeLessThan(36);
  expect(JSON.stringify(service.state)).toBe(before);
});

test('made-up people get addresses at the domain in the tenant file', async ({ service }) => {
  const subscribe = `
scenario: Somebody new
steps:
  - { id: add, as: admin, call: addNotificationRecipients, body: { recipients: [{ email: "{mail.new}" }, { email: "{missing.email}" }] } }
`;
  const more = { suite: suiteOf(subscribe), allow: 'permanent' as const };
  const planned = async (yaml: string) => {
    const { options, io } = given(yaml, more);
    return (await planOf(options, io)).plan.writes.flatMap(({ leaves = [] }) => leaves);
  };
  const yaml = tenantYaml(service.baseUrl);
  expect(await planned(yaml)).toEqual([
    expect.stringMatching(/^lockstep-r\w+-new@example\.com$/),
    expect.stringMatching(/^lockstep-missing-r\w+@example\.com$/),
  ]);
  const told = yaml.replace('{ users:', '{ mailTo: "qa+{}@acme.example", users:');
  expect(await planned(told)).toEqual([
    expect.stringMatching(/^qa\+lockstep-r\w+-new@acme\.example$/),
    expect.stringMatching(/^qa\+lockstep-missing-r\w+@acme\.example$/),
  ]);
  for (const wrong of ['qa@acme.example', '{}', 'qa@{}.example', 'a{}b{}@acme.example'])
    expect(await run(told.replace('qa+{}@acme.example', wrong), more)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('an address with {} before the @'),
    });
});
