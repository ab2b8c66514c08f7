/** The service's own description against the contract: each way in which the two can differ. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../spec/base/json.ts';
import { contract, contractFile } from '../../spec/contract.ts';
import { OpenapiDocument } from '../../spec/openapi-document.ts';
import { compareContracts } from './contracts.ts';

const text = readFileSync(contractFile, 'utf8');
const ours = new OpenapiDocument(text);
const prefixes = Object.values(contract.surfaces).map(({ prefix }) => prefix);

/** Compares the contract with a copy that is changed in one place, as the service's description might be. */
function compared(change: (at: (pointer: string) => Record<string, unknown>) => void) {
  const document: unknown = parse(text);
  change((pointer) => {
    let node = document;
    for (const key of pointer.split(' ')) node = isObject(node) ? node[key] : undefined;
    if (!isObject(node)) throw new Error(`there is no ${pointer}`);
    return node as Record<string, unknown>;
  });
  if (!isObject(document)) throw new Error('no document');
  return compareContracts(ours, document, prefixes);
}
const told = (change: Parameters<typeof compared>[0]) =>
  compared(change).map(({ kind, text: what }) => `${kind}: ${what}`);

const list = 'paths /api/v1/deployments get';
const schemas = 'components schemas';

test('the contract does not differ from itself', () => {
  expect(compared(() => undefined)).toEqual([]);
});

test('a difference names the place in their document and the line in ours', () => {
  const [found] = compared((at) => {
    at(`${schemas} Deployment properties id`).type = 'integer';
  });
  expect(found).toEqual({
    kind: 'contradicts',
    text: 'GET /api/v1/deployments: answer 200/data/deployments/*/id is integer, and not string',
    theirs: '/components/schemas/Deployment/properties/id/type',
    line: expect.any(Number),
    operation: 'listDeployments',
    statements: expect.arrayContaining([expect.stringMatching(/^[A-Z]+-\d+$/)]),
  });
  const line = text.split('\n')[(found?.line ?? 0) - 1];
  expect(line).toContain('type: string');
});

describe('told is', () => {
  test.for<[string, Parameters<typeof compared>[0], string]>([
    [
      'an operation that is not modelled',
      (at) => Object.assign(at('paths'), { '/api/v1/regions': { get: {} } }),
      'not modelled: GET /api/v1/regions',
    ],
    [
      'an operation that is gone',
      (at) => delete at('paths')['/api/v1/deployments'],
      'gone: GET /api/v1/deployments is not there',
    ],
    [
      'a surface that is not described',
      (at) => delete at('paths')['/api/scim/v2/Users'],
      'not compared: the document has nothing below /api/scim/v2',
    ],
    [
      'a parameter that is gone',
      (at) => {
        at(list).parameters = [];
      },
      'gone: GET /api/v1/deployments: query parameter offset is not there',
    ],
    [
      'a parameter that is new',
      (at) => (at(list).parameters as unknown[]).push({ name: 'sort', in: 'query' }),
      'not modelled: GET /api/v1/deployments: query parameter sort',
    ],
    [
      'a parameter that is required',
      (at) =>
        (at(list).parameters as unknown[]).push({ name: 'account', in: 'query', required: true }),
      'contradicts: GET /api/v1/deployments: query parameter account is required',
    ],
    [
      'a status that is new',
      (at) => Object.assign(at(`${list} responses`), { 302: {} }),
      'not modelled: GET /api/v1/deployments: answer 302',
    ],
    [
      'an answer that is gone',
      (at) => delete at(`${list} responses`)['200'],
      'gone: GET /api/v1/deployments: answer 200 is not there',
    ],
    [
      'another media type',
      (at) => {
        at(`${list} responses 200`).content = { 'text/xml': {} };
      },
      'gone: GET /api/v1/deployments: answer 200 as application/json is not there',
    ],
    [
      'a field that is new',
      (at) => Object.assign(at(`${schemas} Deployment properties`), { region: {} }),
      'not modelled: GET /api/v1/deployments: answer 200/data/deployments/*/region',
    ],
    [
      'a field that is gone',
      (at) => delete at(`${schemas} Deployment properties`).name,
      'gone: GET /api/v1/deployments: answer 200/data/deployments/*/name is not there',
    ],
    [
      'a field that may be absent',
      (at) => {
        at(`${schemas} Deployment`).required = ['id'];
      },
      'contradicts: GET /api/v1/deployments: answer 200/data/deployments/*/name may be absent',
    ],
    [
      'a value that may be null (3.0)',
      (at) => {
        at(`${schemas} Deployment properties name`).nullable = true;
      },
      'contradicts: GET /api/v1/deployments: answer 200/data/deployments/*/name is null or string, and not string',
    ],
    [
      'a value of an enumeration that is new',
      (at) => (at(`${schemas} EnvironmentType`).enum as unknown[]).push('preview'),
      'contradicts: GET /api/v1/deployments/{deployment_id}/environments: query parameter type may be "preview"',
    ],
    [
      'another limit',
      (at) => {
        at('paths /api/v1/deployments/{deploymentId}/notifications/{id}/recipients post');
        at(`${schemas} AddNotificationRecipientsInput properties recipients`).maxItems = 500;
      },
      'contradicts: POST /api/v1/deployments/{deploymentId}/notifications/{id}/recipients: body/recipients has maxItems 500, and not 1000',
    ],
    [
      'a schema in another file',
      (at) => {
        at(`${list} responses 200 content application/json`).schema = {
          $ref: 'https://x.example/a.yaml',
        };
      },
      'not compared: GET /api/v1/deployments: answer 200: its schema is not in the document',
    ],
  ])('%s', ([, change, expected]) => {
    expect(told(change)).toContain(expected);
  });
});

test('a field that becomes required and changes its type gives two differences', () => {
  const found = told((at) => {
    const input = at(`${schemas} UpdateFolderInput`);
    input.required = ['position'];
    Object.assign(at(`${schemas} UpdateFolderInput properties position`), { type: 'string' });
  });
  expect(found).toEqual([
    expect.stringMatching(/^contradicts: PUT .*: body\/position is required$/),
    expect.stringMatching(/^contradicts: PUT .*: body\/position is string, and not integer$/),
  ]);
});

test('the same schema in another notation does not differ', () => {
  const found = compared((at) => {
    const { get } = at('paths /api/v1/deployments/{deployment_id}/versions');
    const paths = at('paths');
    delete paths['/api/v1/deployments/{deployment_id}/versions'];
    paths['/api/v1/deployments/{any}/versions/'] = { get };
    const whole = { ...at(`${schemas} Deployment`) };
    Object.assign(at(schemas), { Deployment: { allOf: [{ properties: {} }, whole] } });
    delete at(`${schemas} Pagination`).required;
  });
  expect(found).toEqual([]);
});

test.for(['oneOf', 'anyOf'])('a nullable value is compared in each notation: %s', (union) => {
  // The contract lets a parent be null, and a name not.
  const withNull =
    (pointer: string, schema: object) =>
    (at: Parameters<typeof compared>[0] extends (at: infer At) => void ? At : never) => {
      const properties = at(`${schemas} ${pointer} properties`);
      Object.assign(at('components schemas'), { Text: schema });
      for (const field of ['parentBranch', 'name'])
        if (field in properties)
          properties[field] = {
            [union]: [{ $ref: '#/components/schemas/Text' }, { type: 'null' }],
          };
    };
  expect(told(withNull('Branch', { type: 'string' }))).toEqual([
    expect.stringMatching(/^contradicts: PUT .*\/data\/name is null or string, and not string$/),
  ]);
  expect(told(withNull('Branch', { type: 'integer' }))).toEqual([
    expect.stringMatching(/\/data\/name is integer or null, and not string$/),
    expect.stringMatching(/\/data\/parentBranch is integer or null, and not null or string$/),
  ]);
});

test('a document that refers to itself in a circle ends', () => {
  const found = told((at) => {
    at(schemas).Loop = { $ref: '#/components/schemas/Loop' };
    at(`${list} responses 200 content application/json`).schema = {
      $ref: '#/components/schemas/Loop',
    };
  });
  expect(found).toEqual([
    'not compared: GET /api/v1/deployments: answer 200: its schema is not in the document',
  ]);
});
