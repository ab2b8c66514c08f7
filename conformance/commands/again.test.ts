/** `--again` runs only the failed scenarios; `--missing` names the keys that a tenant file lacks. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { loadSuite } from '../language/load.ts';
import { env, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';
import { missingKeys } from './missing.ts';
import { verify } from './verify.ts';

const read = (name: string, status: number): string => `
scenario: ${name}
steps:
  - { call: listDeployments, as: admin, checks: { DEPL-1: { status: ${status} } } }
`;
const rename = `
scenario: Rename
effect: reversible
steps:
  - { call: updateFolder, as: admin, path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }, body: { name: "x" }, checks: { FOLDER-2: { status: 418 } } }
`;

test('only the scenarios in which something failed are run again, and verified', async ({
  service,
}) => {
  const texts = [read('Holds', 200), read('Fails', 418)];
  const first = await runYaml(service, texts, { convergenceMs: 123 });
  const again = join(first.folder, 'out');
  const second = await runYaml(service, texts, { again, convergenceMs: undefined });
  expect(second.report?.scenarios.map(({ scenario }) => scenario)).toEqual(['Fails']);
  expect(second.exitCode).toBe(1);
  expect(second.report?.options).toMatchObject({ convergenceMs: 123, leftOut: ['Holds'] });
  const suite = loadSuite(
    texts.map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })),
  );
  const { problems, differences } = await verify(join(second.folder, 'out'), { suite });
  expect([problems, differences]).toEqual([[], []]);
  // The report of all of them stays.
  const third = await runYaml(service, texts, { again, out: again });
  expect(third).toMatchObject({ exitCode: 2, message: expect.stringContaining('covers all') });
});

test('after a report without failures, nothing runs', async ({ service }) => {
  const { folder } = await runYaml(service, [read('Holds', 200)]);
  const made = service.requests.length;
  const second = await runYaml(service, [read('Holds', 200)], { again: join(folder, 'out') });
  expect(second).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/nothing failed in that run$/),
  });
  expect(service.requests.length).toBe(made);
});

test('a report of traffic is neither repeated nor verified, and the message says why', async ({
  service,
}) => {
  const texts = [read('Fails', 418)];
  const { report, folder } = await runYaml(service, texts);
  const scenarios = report?.scenarios.map((item) => ({ ...item, file: 'traffic' }));
  const again = join(folder, 'out');
  writeFileSync(join(again, 'report.json'), JSON.stringify({ ...report, scenarios }));
  expect(await runYaml(service, texts, { again })).toMatchObject({
    exitCode: 2,
    message: `--again ${again}: it is a report of traffic, which no run can repeat`,
  });
  expect(await verify(again, { suite: loadSuite([]) })).toMatchObject({
    exitCode: 2,
    problems: ['it is a report of traffic; only the certificate of a run can be derived'],
  });
});

test('permission to write is not taken from a report', async ({ service }) => {
  const { folder } = await runYaml(service, [rename]);
  const again = join(folder, 'out');
  const second = await runYaml(service, [rename], { again, allow: undefined });
  expect(second).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/need --allow reversible$/),
  });
});

test('each missing key is listed with the statements that it adds, without a request', async ({
  service,
}) => {
  const elsewhere = `
scenario: Elsewhere
steps:
  - { call: listEnvironments, as: scoped, path: { deployment_id: "{otherDeployment.id}" }, checks: { AUTH-8: { status: 403 } } }
  - { call: listDeployments, as: admin, checks: { DEPL-1: { status: 200 } } }
`;
  const scoped = read('Scoped', 200).replace('admin', 'scoped').replace('DEPL-1', 'AUTH-9');
  const suite = loadSuite(
    [read('Holds', 200), elsewhere, scoped].map((text, index) => ({ name: `${index}.yaml`, text })),
  );
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(tenant, tenantYaml(service.baseUrl));
  const io = { env, cwd: '/', safety: safetyFacts, version: '0' };
  const found = await missingKeys({ tenant, suite }, io);
  expect(found.map(({ adds, ...rest }) => ({ ...rest, adds: [...adds] }))).toEqual([
    { keys: ['credentials.scoped'], adds: [['none', ['AUTH-9']]], more: [] },
    {
      keys: ['bindings.otherDeployment', 'credentials.scoped'],
      adds: [['none', ['AUTH-8']]],
      more: ['DEPL-1'],
    },
  ]);
  expect(service.requests).toEqual([]);
});
