/** Tests that the suite and the published schemas fit each other. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { grammarSchema, sha256Of } from '../../spec/base/grammar.ts';
import { contract, type Effect, type Requires } from '../../spec/contract.ts';
import { startFake, tenantYaml } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { authorisationFamily, type Expected } from './authorisation.ts';
import * as grammars from './grammars.generated.js';
import { readScenarioFiles } from './load.ts';
import { matcherNames } from './matcher.ts';
import { list, loadOwnSuite } from './own-suite.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats(ajv);
const schema = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')) as Record<
    string,
    unknown
  >;

test('the whole suite loads, and every promise that a call can show has a check', () => {
  const suite = loadOwnSuite();
  expect(suite.scenarios.length).toBeGreaterThan(100);
  const without = list(suite).filter(
    (item) => item.unobservable === undefined && item.checks.length === 0,
  );
  const missing = without.map(
    ({ id }) => `${id} has no check: write one in a scenario of conformance/scenarios/<area>/`,
  );
  expect(missing).toEqual([]);
});

test('the list has only the statements that are asked for', () => {
  const ids = list(loadOwnSuite(), ['FOLDER-4', 'STAGE-3']).map(({ id }) => id);
  expect(ids.sort()).toEqual(['FOLDER-4', 'STAGE-3']);
});

test('the grammars are compiled ahead of time', () => {
  const scenario = schema('../scenario.schema.json');
  expect(grammars.scenario.of).toBe(sha256Of(grammarSchema(scenario)));
  expect(grammars.standing.of).toBe(sha256Of(grammarSchema(scenario, 'standing')));
  const matrix = schema('../authorisation.schema.json');
  expect(grammars.authorisation.of).toBe(sha256Of(grammarSchema(matrix)));
});

test('every scenario file fits the published schema', () => {
  const validate = ajv.compile(schema('../scenario.schema.json'));
  for (const { name, text } of readScenarioFiles()) {
    const fits = validate(parse(text));
    expect(fits, `${name}: ${JSON.stringify(validate.errors?.[0])}`).toBe(true);
    expect(text.startsWith('# yaml-language-server: $schema='), `${name}: first line`).toBe(true);
  }
});

test('the scenario schema knows every matcher', () => {
  const text = JSON.stringify(schema('../scenario.schema.json'));
  for (const name of matcherNames) expect(text).toContain(`"${name}"`);
});

test('a tenant file fits the published schema', () => {
  const validate = ajv.compile(schema('../tenant.schema.json'));
  expect(validate(parse(tenantYaml('https://x.example'))), JSON.stringify(validate.errors)).toBe(
    true,
  );
});

test('a report fits its published schema', async () => {
  const service = await startFake();
  try {
    const ran = await runYaml(service, [
      'scenario: A\neffect: none\nsteps: [{ as: admin, call: listDeployments, checks: { PAGE-1: { status: 201 }, PAGE-2: { status: 200 } }, observe: { PAGE-10: "{walk.ids}" } }]\n',
    ]);
    const validate = ajv.compile(schema('../report.schema.json'));
    const report: unknown = JSON.parse(JSON.stringify(ran.report));
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  } finally {
    await service.close();
  }
});

/** The expectation of `x-requires` for a cell; the hand-written matrix must say the same. */
function required(actor: string, requires: Requires, effect: Effect): Expected | undefined {
  const { surface, credentials, deployment } = requires;
  const scoped = actor === 'scoped' || actor === 'scopedElsewhere';
  const kind = /embed$/i.test(actor)
    ? 'embed'
    : actor.startsWith('scim')
      ? 'scim'
      : /oauth/i.test(actor)
        ? 'oauth'
        : 'apiKey';
  if (/^(none|malformed|keyAlone|basic|quoted|twice|expired)$/.test(actor)) return '401';
  if (actor === 'neverIssued') return 'silent';
  if (actor === 'metadataToken') return 'closed';
  if (actor === 'overHttp') return effect === 'none' ? 'unserved' : undefined;
  if (actor === 'adminElsewhere') return undefined;
  if (actor === 'expiredOauth') return requires.credentials.includes('oauth') ? '401' : undefined;
  if (actor === 'expiredScim') return requires.credentials.includes('scim') ? '401' : undefined;
  if (actor.startsWith('expired')) return requires.schemes.includes('Api-Key') ? '401' : undefined;
  if (actor === 'metadataTokenApiKey')
    return requires.schemes.includes('Api-Key') ? 'closed' : undefined;
  if (actor === 'scopedElsewhere') return deployment === undefined ? undefined : '403';
  const scheme = actor.endsWith('ApiKey') ? 'Api-Key' : 'Bearer';
  const ordinary = /^member/.test(actor) || actor === 'embed';
  // Such callers may be refused for lack of a role, and then the answer shows no choice.
  if (surface === 'scim' && (ordinary || kind === 'embed')) return undefined;
  if (!requires.schemes.includes(scheme) || !credentials.includes(kind)) return 'silent';
  if (scoped && deployment === undefined) return 'silent';
  const special = requires.role ?? requires.permission ?? requires.edit;
  if (ordinary && special === undefined && requires.statements?.role?.[kind]) return 'silent';
  return ordinary && special !== undefined ? '403' : 'allowed';
}

test('the authorisation matrix has every cell, each as x-requires has it', () => {
  const { cells } = authorisationFamily();
  const actors = [...new Set(cells.map((cell) => cell.actor))];
  expect(actors).toHaveLength(27);
  for (const { id, requires, effect } of contract.operations.values()) {
    const row = Object.fromEntries(
      cells
        .filter((cell) => cell.operation === id && cell.actor !== 'adminElsewhere')
        .map(({ actor, clauses: [first] }) => [
          actor,
          first?.expected === 'refused' ? '403' : first?.expected,
        ]),
    );
    const wanted = actors
      .map((actor) => [actor, required(actor, requires, effect)] as const)
      .filter(([, expected]) => expected !== undefined);
    expect({ [id]: row }).toEqual({ [id]: Object.fromEntries(wanted) });
  }
});
