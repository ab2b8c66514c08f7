/** Answers made from a description alone: for `Prefer` headers, and for paths of `--description`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { createMock } from '../kits/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-simulation-'));
afterAll(() => rmSync(folder, { recursive: true }));
const description = join(folder, 'service.yaml');
writeFileSync(
  description,
  `openapi: 3.1.0
info: { title: The service's own, version: 1.0.0 }
paths:
  /api/v1/regions:
    get:
      operationId: listRegions
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1 } }]
      responses:
        "200":
          description: Regions
          content:
            application/json:
              schema: { type: object, required: [data], properties: { data: { type: array, items: { type: string } } } }
              examples:
                two: { value: { data: [eu, us] } }
                none: { value: { data: [] } }
  /api/v1/reports/{reportId}:
    delete:
      operationId: deleteReport
      parameters: [{ name: reportId, in: path, required: true, schema: { type: integer } }]
      responses: { "204": { description: Gone } }
  /api/v1/deployments/{deploymentId}/folders/{folderId}:
    delete:
      operationId: deleteFolder
      parameters:
        - { name: deploymentId, in: path, required: true, schema: { type: integer } }
        - { name: folderId, in: path, required: true, schema: { type: integer } }
      responses: { "204": { description: Gone } }
  /api/v1/deployments/{deploymentId}/variables:
    get:
      operationId: listVariables
      parameters: [{ name: deploymentId, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: None } }
    put:
      operationId: setVariables
      description: Replaces the variables. Administrator only.
      parameters: [{ name: deploymentId, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: Set } }
  /api/v1/policies:
    get:
      operationId: listPolicies
      x-requires: { role: admin }
      responses: { "204": { description: None } }
  /api/v1/deployments:
    post:
      operationId: createDeployment
      responses: { "201": { description: Made } }
    get:
      operationId: anotherList
      responses:
        "200":
          description: The mock never sends this, because the contract models the path
          content: { application/json: { example: { stolen: true } } }
`,
);

const mock = await createMock({ description });
const one = '/api/v1/deployments/1';
const prefer = (path: string, value: string, init: RequestInit & { as?: string } = {}) => {
  const { as = 'admin', ...rest } = init;
  return mock.fetch(path, {
    ...rest,
    headers: {
      Authorization: `Bearer acme-${as}`,
      Prefer: value,
      ...(rest.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
  });
};
/** A path of an operation, with the fixture's ids in it. */
const pathOf = (template: string) =>
  template
    .replace(/\{deployment_?[iI]d\}/, '1')
    .replace('{environment_id}', '201')
    .replace('{folderId}', '11')
    .replace('{id}', '31')
    .replace('{syncJobId}', 'sync-completed');
const operations = [...contract.operations.values()].map((operation) => ({
  id: operation.id,
  method: operation.method,
  path: pathOf(operation.path),
  as: operation.requires.surface === 'scim' ? 'scim' : 'admin',
  codes: Object.keys(operation.responses).filter((code) => /^\d{3}$/.test(code)),
}));

describe('Prefer: code=', () => {
  test.for(operations.flatMap((item) => item.codes.map((code) => ({ ...item, code }))))(
    '$id answers $code',
    async ({ method, path, as, code }) => {
      const response = await prefer(path, `code=${code}`, { method, as });
      expect(response.status, await response.text()).toBe(Number(code));
      expect(response.headers.get('Lockstep-Basis')).toBeNull();
    },
  );

  test('nothing is carried out', async () => {
    using world = await mock.createWorld();
    const response = await world.fetch(`${one}/folders/11`, {
      method: 'PUT',
      body: '{"name":"Money"}',
      headers: { Prefer: 'code=200' },
    });
    expect(response.status).toBe(200);
    expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
    expect(world.state.audit).toEqual([]);
  });

  test('a code that the contract does not have is an error that says so', async () => {
    const response = await prefer('/build/api/v1/deployments/1/branches', 'code=201');
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toEqual({
      message: expect.stringMatching(/The contract has no answer/),
    });
  });

  test('a code of an open class has the shape of that class', async () => {
    const response = await prefer(`${one}/versions`, 'code=418');
    expect(response.status).toBe(418);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test('a credential is still needed', async () => {
    const response = await mock.fetch(`${one}/versions`, { headers: { Prefer: 'code=200' } });
    expect(response.status).toBe(401);
  });

  test('HEAD is answered like GET, without a body', async () => {
    const response = await prefer(`${one}/versions`, 'code=200', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('another preference of RFC 7240 does nothing', async () => {
    const response = await prefer(`${one}/versions`, 'respond-async, wait=10');
    expect(response.status).toBe(200);
    expect(response.headers.get('Lockstep-Basis')).toBe('documented');
  });
});

describe('Prefer: example=', () => {
  test.for([
    ['GET', '/api/v1/deployments', 'twoDeployments', { data: { deployments: [{}, {}] } }],
    ['GET', `${one}/environments`, 'production', { data: { environments: [{}] } }],
    ['GET', `${one}/versions`, 'latest', { data: expect.any(Array) }],
    ['GET', `${one}/dbt-sync/x/result`, 'completed', { syncJobId: expect.any(String) }],
  ] as const)('%s %s, %s', async ([method, path, example, body]) => {
    const response = await prefer(path, `example=${example}`, { method });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(body);
  });

  test('with a code as well', async () => {
    const response = await prefer(one, 'code=400, example=unlisted', { method: 'PUT', body: '{}' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });
});

describe('Prefer: dynamic=true', () => {
  test.for(operations)('$id gives an answer that keeps the contract', async (item) => {
    for (let round = 0; round < 5; round += 1) {
      const response = await prefer(item.path, 'dynamic=true', item);
      expect(response.status, await response.text()).toBeLessThan(300);
    }
  });
});

describe('a description of the service answers paths that the contract does not model', () => {
  const get = (path: string, method = 'GET') =>
    mock.fetch(path, { method, headers: { Authorization: 'Bearer acme-admin' } });

  test('an operation of the description, graded as assumed', async () => {
    const response = await get('/api/v1/regions');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: ['eu', 'us'] });
    expect(response.headers.get('Lockstep-Basis')).toBe('assumed; SVC-6');
  });

  test('Prefer chooses there as well', async () => {
    expect(await (await prefer('/api/v1/regions', 'example=none')).json()).toEqual({ data: [] });
  });

  test('an answer without a body', async () => {
    const response = await get('/api/v1/reports/7', 'DELETE');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test('it refuses a request that its own schema refuses', async () => {
    const response = await get('/api/v1/regions?limit=0');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'Request query parameter limit must be >= 1' });
  });

  test('paths of the contract keep their answers', async () => {
    expect(await (await get('/api/v1/deployments')).json()).toMatchObject({
      pagination: { total: 45 },
    });
  });

  test('a method that the contract does not know is answered from it as well', async () => {
    const response = await get(`${one}/folders/11`, 'DELETE');
    expect(response.status).toBe(204);
    expect(response.headers.get('Lockstep-Basis')).toBe('assumed; ERR-10');
  });

  test('another method of a path that the contract knows is answered from it', async () => {
    expect((await get('/api/v1/deployments', 'POST')).status).toBe(201);
  });

  test.for([
    ['scoped', 'GET', '/api/v1/deployments/1/variables', 204],
    ['scoped', 'GET', '/api/v1/deployments/2/variables', 403],
    ['admin', 'GET', '/api/v1/deployments/2/variables', 204],
    ['scoped', 'DELETE', '/api/v1/deployments/2/folders/21', 403],
    ['member', 'GET', '/api/v1/deployments/1/variables', 204],
    ['member', 'PUT', '/api/v1/deployments/1/variables', 403],
    ['memberOauth', 'GET', '/api/v1/policies', 403],
    ['admin', 'PUT', '/api/v1/deployments/1/variables', 204],
    ['admin', 'GET', '/api/v1/policies', 204],
  ] as const)(
    'the rights of %s hold there too: %s %s is %i',
    async ([as, method, path, status]) => {
      const headers = { Authorization: `Bearer acme-${as}` };
      const response = await mock.fetch(path, { method, headers });
      expect(response.status, await response.text()).toBe(status);
    },
  );

  test('a path in neither stays 501', async () => {
    expect((await get('/api/v1/workbooks')).status).toBe(501);
    expect((await get(`${one}/folders/11`, 'PATCH')).status).toBe(501);
    expect((await get('/api/v1/regions', 'POST')).status).toBe(501);
  });

  test('without a description such a path is 501 and names the remedy', async () => {
    await using bare = await createMock();
    const response = await bare.fetch('/api/v1/regions');
    expect(response.status).toBe(501);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/--description/) });
  });

  test('a file without a description is an error at start', async () => {
    const absent = join(folder, 'absent.yaml');
    await expect(createMock({ description: absent })).rejects.toThrow(/absent\.yaml/);
    const other = join(folder, 'other.yaml');
    writeFileSync(other, 'name: not a description\n');
    await expect(createMock({ description: other })).rejects.toThrow(/OpenAPI document/);
  });
});

describe('Prism is optional', () => {
  const index = new URL('../kits/index.ts', import.meta.url).href;
  /** Runs a module in another process; returns its output as JSON. */
  function run(body: string, hook = ''): unknown {
    const file = join(folder, `child-${Math.abs(hash(body + hook))}.mjs`);
    writeFileSync(file, `${hook}\nconst { createMock } = await import('${index}');\n${body}`);
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout) as unknown;
  }
  const hash = (text: string) =>
    [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, 7);
  /** Counts modules below @stoplight that are resolved from here on, or refuses them. */
  const watch = `import { registerHooks } from 'node:module';
globalThis.loaded = 0;
registerHooks({ resolve(specifier, context, next) {
  if (specifier.startsWith('@stoplight/')) globalThis.loaded += 1;
  return next(specifier, context);
} });`;
  const refuse = `import { registerHooks } from 'node:module';
registerHooks({ resolve(specifier, context, next) {
  if (specifier.startsWith('@stoplight/')) {
    throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
  }
  return next(specifier, context);
} });`;
  const send = (path: string, headers: object = {}) =>
    `await mock.fetch('${path}', { headers: ${JSON.stringify({ Authorization: 'Bearer acme-admin', ...headers })} })`;
  const asked = pathToFileURL(description).pathname;

  test('it is loaded only when it is needed', () => {
    const seen = run(
      `const mock = await createMock({ description: '${asked}' });
       ${send('/api/v1/deployments')};
       ${send('/api/v1/nothing')};
       ${send('/api/v1/deployments', { Prefer: 'respond-async' })};
       const before = globalThis.loaded;
       const answered = ${send('/api/v1/deployments', { Prefer: 'code=200' })};
       console.log(JSON.stringify({ before, status: answered.status, after: globalThis.loaded > 0 }));`,
      watch,
    );
    expect(seen).toEqual({ before: 0, status: 200, after: true });
  });

  test('without Prism such answers are 501 and name the package to install', () => {
    const seen = run(
      `const mock = await createMock({ description: '${asked}' });
       const answers = [
         ${send('/api/v1/deployments')},
         ${send('/api/v1/deployments', { Prefer: 'code=200' })},
         ${send('/api/v1/regions')},
       ];
       const texts = await Promise.all(answers.map((answer) => answer.text()));
       console.log(JSON.stringify({ statuses: answers.map(({ status }) => status), texts: texts.slice(1) }));`,
      refuse,
    );
    const missing = expect.stringMatching(/npm install @stoplight\/prism-http/);
    expect(seen).toEqual({ statuses: [200, 501, 501], texts: [missing, missing] });
  });
});
