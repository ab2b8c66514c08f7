/** The report on a description as long as a real one, with a difference of each kind. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../spec/base/json.ts';
import { contract, contractFile } from '../../spec/contract.ts';
import { runDrift } from './drift.ts';

type Node = Record<string, unknown>;

const ours = parse(readFileSync(contractFile, 'utf8')) as Node;

/** The contract as their document, with operations that it does not have: 82 in all. */
function theirs(): Node {
  const document = structuredClone(ours);
  const paths = document.paths as Node;
  const own = contract.operations.size;
  for (let count = own; count < 82; count++)
    paths[`/api/v1/areas/{id}/things-${count}`] = {
      get: { operationId: `theirs${count}`, responses: { 200: { description: 'Things' } } },
    };
  return document;
}

const at = (document: Node, pointer: string): Node =>
  pointer.split(' ').reduce((node: Node, key) => {
    const next = node[key];
    if (!isObject(next)) throw new Error(`there is no ${key} of ${pointer}`);
    return next as Node;
  }, document);

const schemas = 'components schemas';
const deployments = 'paths /api/v1/deployments get';
const nullable = (schema: unknown) => ({ oneOf: [schema, { type: 'null' }] });

/** The line of the report, the change that causes it, and whether a scenario would fail. */
const differences: readonly (readonly [RegExp, (document: Node) => void, fails: boolean])[] = [
  [/not modelled.*GET \/api\/v1\/areas/s, () => {}, false],
  [
    /dbt-sync\/\{syncJobId\}\/result is not there/,
    (all) =>
      delete at(all, 'paths')['/api/v1/deployments/{deploymentId}/dbt-sync/{syncJobId}/result'],
    true,
  ],
  [
    /query parameter account is required/,
    (all) =>
      (at(all, deployments).parameters = [
        ...(at(all, deployments).parameters as unknown[]),
        { name: 'account', in: 'query', required: true },
      ]),
    false,
  ],
  [
    /query parameter type is not there/,
    (all) => {
      const list = at(all, 'paths /api/v1/deployments/{deployment_id}/environments get');
      list.parameters = (list.parameters as Node[]).filter(({ name }) => name !== 'type');
    },
    true,
  ],
  [
    /answer 302/,
    (all) => Object.assign(at(all, `${deployments} responses`), { 302: { description: 'Moved' } }),
    false,
  ],
  [
    /POST .*tokens-for-meta-sync: answer 200 is not there/,
    (all) =>
      delete at(
        all,
        'paths /api/v1/deployments/{deployment_id}/environments/{environment_id}/tokens-for-meta-sync post responses',
      )['200'],
    true,
  ],
  [
    /audit-logs\/export: answer 200 as text\/csv is not there/,
    (all) =>
      (at(all, 'paths /api/v1/audit-logs/export get responses 200').content = {
        'application/json': {},
      }),
    true,
  ],
  [
    /deployments\/\*\/region/,
    (all) =>
      Object.assign(at(all, `${schemas} Deployment properties`), { region: { type: 'string' } }),
    false,
  ],
  [
    /deployments\/\*\/name is not there/,
    (all) => delete at(all, `${schemas} Deployment properties`).name,
    true,
  ],
  [
    /deployments\/\*\/created_at may be absent/,
    (all) => (at(all, `${schemas} Deployment`).required = ['id', 'name']),
    true,
  ],
  [
    /deployments\/\*\/id is integer, and not string/,
    (all) => (at(all, `${schemas} Deployment properties id`).type = 'integer'),
    true,
  ],
  [
    /environments\/\*\/name is null or string/,
    (all) => {
      const { properties } = at(all, `${schemas} Environment`) as { properties: Node };
      properties.name = nullable(properties.name);
    },
    true,
  ],
  [
    /query parameter type may be "preview"|\/type may be "preview"/,
    (all) =>
      (at(all, `${schemas} EnvironmentType`).enum = [
        'production',
        'staging',
        'development',
        'preview',
      ]),
    true,
  ],
  [
    /body\/recipients has maxItems 500, and not 1000/,
    (all) =>
      (at(all, `${schemas} AddNotificationRecipientsInput properties recipients`).maxItems = 500),
    true,
  ],
  [
    /body\/position is required/,
    (all) => (at(all, `${schemas} UpdateFolderInput`).required = ['position']),
    false,
  ],
  [
    /body\/name is integer, and not string/,
    (all) => (at(all, `${schemas} UpdateFolderInput properties name`).type = 'integer'),
    true,
  ],
  [
    /isStagingEnvironmentEnabled is string, and not boolean/,
    (all) => (at(all, `${schemas} Branch properties isStagingEnvironmentEnabled`).type = 'string'),
    true,
  ],
  [
    /data\/\*\/version has pattern "\^x"/,
    (all) => (at(all, `${schemas} Version properties version`).pattern = '^x'),
    true,
  ],
  [
    /answer 200: its schema is not in the document/,
    (all) =>
      (at(
        all,
        'paths /build/api/v1/deployments/{deployment_id}/branches/staging-environment put responses 200 content application/json',
      ).schema = { $ref: 'https://elsewhere.example/a.yaml' }),
    false,
  ],
  [
    /the document has nothing below \/api\/scim\/v2/,
    (all) => delete at(all, 'paths')['/api/scim/v2/Users'],
    false,
  ],
];

test.for(differences.map((difference, index) => ({ index, difference })))(
  'alone: difference $index is reported with its statements and the scenarios that would fail',
  async ({ difference: [expected, change, fails] }) => {
    const text = await told([change]);
    expect(text).toMatch(expected);
    const line = text.split('\n').findIndex((one) => expected.test(one));
    if (line < 0) return;
    const details = text
      .split('\n')
      .slice(line + 1, line + 4)
      .join('\n');
    expect(text.split('\n')[line]).toMatch(/spec\/openapi\.yaml:(?!1\b)\d+ /);
    if (fails)
      expect(details).toMatch(/touches [A-Z]+-\d+[\s\S]*would fail: [a-z-]+\/[a-z-]+\.yaml/);
  },
);

test('one report has all differences', async () => {
  // Another change removes the object of this change, so this difference cannot show.
  const text = await told(
    differences.filter((_one, index) => index !== 16).map(([, change]) => change),
  );
  const missing = differences.filter(([expected], index) => index !== 16 && !expected.test(text));
  expect(missing.map(([expected]) => expected)).toEqual([]);
  expect(text).toMatch(/\d+ contradicts, \d+ gone, \d+ not modelled, 2 not compared/);
});

const folder = mkdtempSync(join(tmpdir(), 'lockstep-drift-'));

async function told(changes: readonly ((document: Node) => void)[]): Promise<string> {
  const document = theirs();
  expect(
    Object.values(document.paths as Node).flatMap((item) =>
      Object.keys(item as Node).filter((key) => /^(get|put|post)$/.test(key)),
    ),
  ).toHaveLength(82);
  for (const change of changes) change(document);
  const file = join(folder, 'theirs.json');
  writeFileSync(file, JSON.stringify(document));
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runDrift(file, []);
  const text = printed.mock.calls.join('');
  printed.mockRestore();
  return text;
}
