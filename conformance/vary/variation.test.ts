/** Tests how a variation changes a scenario. */

import { expect, test } from 'vitest';
import { loadSuite } from '../language/load.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { Scenario } from '../language/scenario.ts';
import { rewrites } from './rewrites.ts';
import { hasFreeText } from './texts.ts';
import { plain, varied } from './variation.ts';

const { whole } = loadOwnSuite();

function scenarioOf(steps: string, more = ''): Scenario {
  const text = `scenario: Varied\n${more}steps:\n${steps}`;
  const [scenario] = loadSuite([{ name: 'scenarios/test.yaml', text }]).scenarios;
  if (scenario === undefined) throw new Error('there is no scenario');
  return scenario;
}

const stepOf = (steps: string) => {
  const [step] = scenarioOf(steps).steps;
  if (step === undefined) throw new Error('there is no step');
  return step;
};

test('the plain variation changes nothing', () => {
  const scenario = scenarioOf('  - { id: one, call: listVersions }\n');
  expect(varied(scenario, plain, whole?.callers)).toBe(scenario);
});

test('a caller replaces the usual one in the named steps', () => {
  const scenario = scenarioOf(
    '  - { id: one, call: listScimUsers }\n  - { id: two, call: listScimUsers }\n',
  );
  const made = varied(scenario, { as: { two: 'scimApiKey' } }, whole?.callers);
  expect(made.steps.map(({ as }) => as)).toEqual([
    'scim',
    { header: 'Api-Key {credentials.scim}' },
  ]);
});

test('the other deployment and its folder replace the deployment and the folder', () => {
  const scenario = scenarioOf(
    '  - { id: one, call: updateFolder, body: {}, checks: { FOLDER-1: { body: { deploymentId: "{deployment.numericId}" } } } }\n',
  );
  const made = varied(scenario, { elsewhere: true }, whole?.callers);
  expect(made.steps[0]?.path).toEqual({
    deploymentId: '{otherDeployment.numericId}',
    folderId: '{foreignFolder.numericId}',
  });
  expect(JSON.stringify(made.steps[0]?.checks)).toContain('{otherDeployment.numericId}');
  expect(made.needs).toEqual(expect.arrayContaining(['otherDeployment.numericId']));
  expect(made.steps[0]?.operation).toBe(scenario.steps[0]?.operation);
});

test.each([
  [
    'by identifier',
    '{ branchName: "{sharedBranch.name}", enabled: true }',
    { branchId: '{sharedBranch.id}', enabled: true },
  ],
  [
    'by name',
    '{ branchId: "{sharedBranch.id}", enabled: true }',
    { branchName: '{sharedBranch.name}', enabled: true },
  ],
  ['by identifier', '{ branchName: "{missing.name}", enabled: true }', undefined],
  ['by name', '{ branchId: 1, branchName: x }', undefined],
])('a branch is named %s: %s', (name, body, made) => {
  const step = stepOf(`  - { id: one, call: setStagingEnvironment, body: ${body} }\n`);
  expect(rewrites[name]?.of(step)?.body).toEqual(made);
});

test('missing parameters are sent with their default, unless a check is about the default', () => {
  const rewrite = rewrites['with defaults sent'];
  const first = stepOf('  - { id: one, call: listEnvironments, query: { limit: 5 } }\n');
  expect(rewrite?.of(first)?.query).toEqual({ limit: 5, offset: 0 });
  const checked = stepOf(
    '  - { id: one, call: listEnvironments, query: { limit: 5 }, checks: { PAGE-1: 2xx } }\n',
  );
  expect(rewrite?.of(checked)).toBeUndefined();
});

test('an object whose fields are free gets a field of each kind', () => {
  const rewrite = rewrites['with a context of every kind of value'];
  const mint = stepOf(
    '  - { id: one, call: createMetaSyncToken, body: { security_context: { a: 1 } } }\n',
  );
  expect(rewrite?.of(mint)?.body).toMatchObject({
    security_context: { $like: { a: 1 }, lockstepNull: null },
  });
  const empty = stepOf(
    '  - { id: one, call: createMetaSyncToken, body: { security_context: {} } }\n',
  );
  expect(rewrite?.of(empty)).toBeUndefined();
});

test('texts are free if they name nobody', () => {
  const folder = '  - { id: one, call: updateFolder, body: { name: "lockstep {run.id}" } }\n';
  const people =
    '  - { id: one, call: addNotificationRecipients, body: { recipients: [{ externalId: "lockstep-{run.id}@example.com" }] } }\n';
  expect([folder, people].map((steps) => hasFreeText(scenarioOf(steps)))).toEqual([true, false]);
  const made = varied(scenarioOf(folder), { text: 'in a text beyond ASCII' }, whole?.callers);
  expect(made.mark).toContain('北京');
  expect(made.steps[0]?.open).toBe(true);
});
