import { readFileSync } from 'node:fs';
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { compileValidators, readContract } from './compile.ts';
import { contract, type Schema } from './contract.ts';
import { document, examplesOf, openapiText } from './testing/examples.ts';

const statementsText = readFileSync(new URL('./statements.yaml', import.meta.url), 'utf8');
const operations = [...contract.operations.values()];
const statements = [...contract.statements.values()];

describe('the contract', () => {
  test('is OpenAPI 3.1.0, version 1.0.0, with the twelve operations', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(operations.map((operation) => operation.id).sort()).toMatchInlineSnapshot(`
      [
        "addNotificationRecipients",
        "createMetaSyncToken",
        "exportAuditLogs",
        "getDbtSyncResult",
        "listBranches",
        "listDeployments",
        "listEnvironments",
        "listScimUsers",
        "listVersions",
        "setStagingEnvironment",
        "updateDeployment",
        "updateFolder",
      ]
    `);
  });

  test('keeps the ids of its statements', () => {
    expect(statements.map(({ id, level }) => `${id} ${level}`)).toMatchSnapshot();
  });

  test('lists the statements that each operation rests on', () => {
    expect(
      Object.fromEntries(operations.map((item) => [item.id, item.statements.join(' ')])),
    ).toMatchSnapshot();
  });

  it.for(operations)('has the requirements and the effect of $id', (operation) => {
    expect(operation.summary).not.toBe('');
    expect(operation.requires.surface).toMatch(/^(management|build|scim)$/);
    expect(operation.requires.schemes).toContain('Bearer');
    expect(operation.effect).toMatch(/^(none|reversible|disruptive|permanent)$/);
    expect(operation.responseFor(401)).toBeDefined();
  });
});

const schemes: Readonly<Record<string, readonly [credential: string, scheme: string]>> = {
  apiKey: ['apiKey', 'Bearer'],
  oauth: ['oauth', 'Bearer'],
  embedJwt: ['embed', 'Bearer'],
  scimToken: ['scim', 'Bearer'],
  scimApiKey: ['scim', 'Api-Key'],
};

test.for(operations)('the security of $id agrees with the mock', ({ path, method, requires }) => {
  const paths = document.paths as Record<string, Record<string, Secured>>;
  const named = (paths[path]?.[method.toLowerCase()]?.security ?? []).flatMap(Object.keys);
  const [credentials, ways] = [0, 1].map((at) => new Set(named.map((name) => schemes[name]?.[at])));
  expect(credentials).toEqual(new Set(requires.credentials));
  expect(ways).toEqual(new Set(requires.schemes));
});

interface Secured {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

describe('the lines of the contract', () => {
  const textAt = (line: number | undefined) => openapiText.split('\n')[(line ?? 0) - 1]?.trim();

  it.for(operations)('lead to the right nodes: $id', ({ id, lines, statements: linked }) => {
    expect(textAt(lines.operation)).toBe(`operationId: ${id}`);
    expect(textAt(lines.requires)).toMatch(/^x-requires:/);
    for (const [name, line] of Object.entries(lines.parameters)) {
      const named = `${textAt(line)} ${textAt(line + 1)}`;
      expect(named).toMatch(new RegExp(`\\bname: ${name}\\b`));
    }
    for (const [pointer, line] of Object.entries(lines.body)) {
      if (pointer === '') continue;
      const key = pointer.split('/').at(-1) ?? '';
      expect(textAt(line), pointer).toContain(/^\d+$/.test(key) ? '- ' : `${key}:`);
    }
    expect(linked).toEqual(expect.arrayContaining(Object.keys(lines.statements)));
    for (const [statement, line] of Object.entries(lines.statements)) {
      expect(textAt(line)).toMatch(new RegExp(`\\b${statement}\\b`));
    }
  });

  test('a failure of a body points to the keyword that failed', () => {
    const { body, lines } = contract.operations.get('addNotificationRecipients') ?? {};
    const [failure] = body?.validate({ recipients: [{ userId: 'x' }] }) ?? [];
    expect(failure?.schemaPointer).toBe('/properties/recipients/items/properties/userId/type');
    expect(textAt(lines?.body[failure?.schemaPointer ?? ''])).toBe('type: integer');
  });
});

describe('statements', () => {
  it.for(statements)('$id makes one claim, and cites its source', (statement) => {
    expect(statement.text).toMatch(/[.)]$/);
    // A certificate shows each statement alone, so its text must not refer to another one.
    expect(statement.text).not.toMatch(/\b(its?|they|their|that refusal)\b/i);
    expect(statement.text).not.toContain(';');
    expect(statement.line).toBeGreaterThan(0);
    expect(statement.operations.length).toBeGreaterThan(0);
    const silent = statement.level === 'silent';
    expect(statement.assumption !== undefined).toBe(silent);
    expect((statement.alternatives ?? []).length > 0).toBe(silent);
    expect(statement.source !== undefined).toBe(statement.level !== 'documented');
  });

  test('the unobservable statements are these few, each confirmed by a person', () => {
    const unobservable = statements.filter((statement) => statement.unobservable !== undefined);
    const idsOf = (level: string) =>
      unobservable.flatMap((one) => (one.level === level ? [one.id] : [])).join(' ');
    expect(idsOf('documented')).toMatchInlineSnapshot(
      `"SVC-5 SVC-10 SVC-11 SVC-12 AUTH-16 AUTH-27 AUTH-28 META-9 META-10 META-18 STAGE-17 STAGE-18 STAGE-19 VER-9 UPD-17 AUDIT-12 AUDIT-25 AUDIT-22 DBT-11 DBT-15 DBT-16 DBT-12 DBT-13 DBT-17 FOLDER-25 FOLDER-19 RECIP-48 RECIP-14"`,
    );
    expect(idsOf('silent')).toMatchInlineSnapshot(
      `"SVC-14 SVC-15 SVC-16 AUTH-29 META-19 FOLDER-27 RECIP-51"`,
    );
    expect(idsOf('standard')).toBe('');
  });

  test('each cites a heading of the description, and headings are in order', () => {
    const { sections } = parse(statementsText) as { readonly sections: Record<string, number> };
    const lines = Object.values(sections);
    expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b));
    expect(lines.every((line) => Number.isInteger(line))).toBe(true);
    expect(new Set(Object.keys(sections))).toEqual(
      new Set(statements.map(({ section }) => section)),
    );
    for (const { section, line } of statements) expect(line, section).toBe(sections[section]);
  });
});

describe('every example fits its schema, for Ajv and for a second validator', () => {
  const examples = operations.flatMap(examplesOf);

  it.for(examples)('$name', async ({ schema, value, validate: ajv }) => {
    expect(ajv(value)).toEqual([]);
    expect(await hyperjump(schema, value)).toBe(true);
  });

  test('each request and each response has one', () => {
    const without = operations.flatMap((operation) => [
      ...(operation.body === null || has(`${operation.id} request`)
        ? []
        : [`${operation.id} request`]),
      ...Object.keys(operation.responses)
        .map((status) => `${operation.id} ${status}`)
        .filter((name) => !has(name)),
    ]);
    expect(without).toEqual([]);
    function has(name: string): boolean {
      return examples.some((example) => example.name.startsWith(`${name}:`));
    }
  });
});

test('both validators refuse values that the contract does not allow', async () => {
  const page = contract.operations.get('listDeployments')?.responseFor(200);
  const wrong = {
    data: { deployments: [{ id: 1, name: 'Sales' }] },
    pagination: { offset: 0, limit: 20, total: 1 },
  };
  const failures = page
    ?.validate(wrong)
    .map(({ pointer, statements: ids }) => `${pointer} ${ids.join()}`);
  expect(failures).toEqual(['/data/deployments/0 DEPL-3', '/data/deployments/0/id DEPL-2']);
  expect(await hyperjump(page?.schema ?? {}, wrong)).toBe(false);
});

describe('an invalid contract stops the start', () => {
  test.for([
    [
      'a schema that does not compile',
      openapiText.replace('enum: [production, staging, development]', 'enum: staging'),
      statementsText,
      /enum/,
    ],
    [
      'a $ref that leads nowhere',
      openapiText.replace('schemas/Folder"', 'schemas/Map"'),
      statementsText,
      /schemas\/Map does not resolve/,
    ],
    [
      'a statement that does not exist',
      openapiText.replace('[ERR-1]', '[ERR-99]'),
      statementsText,
      /ERR-99/,
    ],
    [
      'a statement that nothing uses',
      openapiText.replaceAll(', DEPL-5', ''),
      statementsText,
      /statements\.yaml:\d+: DEPL-5: no operation rests on it/,
    ],
    [
      'an id that is defined twice',
      openapiText,
      statementsText.replace('id: DEPL-2', 'id: DEPL-1'),
      /DEPL-1 is defined twice/,
    ],
    [
      'a section that is not a heading',
      openapiText,
      statementsText.replace('section: Endpoints\n', 'section: Endpoint\n'),
      /REQ-1: sections has no heading Endpoint \(did you mean Endpoints\?\)/,
    ],
    [
      'an id that is retired',
      openapiText,
      statementsText.replace('retired: [', 'retired: [DEPL-2, '),
      /DEPL-2 is retired; ids are never reused/,
    ],
  ] as const)('%s', ([, openapi, list, message]) => {
    expect(() => compileValidators(readContract(openapi, list).schemas)).toThrow(message);
  });
});

describe('a wrong fact about an operation is reported with its line and what to write', () => {
  const at = (text: string) => openapiText.slice(0, openapiText.indexOf(text)).split('\n').length;

  test.for([
    [
      'x-lock: { writes: folders }',
      'x-lock: { writes: folder }',
      /x-lock: expected one of .*folders.*: found folder$/,
    ],
    ['x-success: FOLDER-1', 'x-success: FOLDER-99', /x-success: there is no statement FOLDER-99/],
    [
      'x-items: { at: /data/deployments,',
      'x-items: { at: /data/deployment,',
      /x-items: expected the JSON pointer of a list in the answer 200: found \/data\/deployment$/,
    ],
    ['x-area: folders', 'x-areas: folders', /x-areas has no place here/],
    [
      '"folder {folderId} of',
      '"folder {folder} of',
      /x-object: expected one of deploymentId, folderId, .*: found folder$/,
    ],
    [
      'find: { id: "{folderId}" }',
      'find: { id: "{folder}" }',
      /x-restore: find: expected one of .*: found folder$/,
    ],
    [
      'put: { name: name, position',
      'put: { title: name, position',
      /x-restore: put: expected one of name, position: found title$/,
    ],
    [
      'read: { call: listVersions }',
      'read: { call: updateFolder }',
      /x-restore: read: .* found updateFolder/,
    ],
    [
      'list: recipients',
      'list: people',
      /x-people: list: expected one of recipients: found people$/,
    ],
    [
      'edit: folderId',
      'edit: folder',
      /x-requires: edit: expected one of deploymentId, folderId: found folder$/,
    ],
    [
      'statements: { edit: FOLDER-8 }',
      'statements: {}',
      /x-requires: expected statements\.edit: the statement about a refusal by edit$/,
    ],
    ['x-secret: true', 'x-secret: yes please', /x-secret: expected/],
    ['x-idempotent: false', 'x-idempotence: false', /x-idempotent is missing/],
  ] as const)('%s -> %s', ([right, wrong, message]) => {
    expect(openapiText).toContain(right);
    const problem = problemsOf(openapiText.replace(right, wrong)).find((line) =>
      message.test(line),
    );
    expect(problem).toMatch(/^spec\/openapi\.yaml:\d+: \w+: /);
    const line = Number(problem?.split(':')[1]);
    expect(Math.abs(line - at(right))).toBeLessThan(30);
  });

  test('every missing fact of a write is reported', () => {
    const bare = openapiText.replace(
      / {6}x-lock: \{ writes: folders \}\n[\s\S]*?(?= {6}parameters:)/,
      '',
    );
    expect(problemsOf(bare).map((line) => line.replace(/^.*?: /, ''))).toEqual([
      'updateFolder: x-idempotent is missing',
      'updateFolder: x-object is missing',
      'updateFolder: x-restore is missing',
    ]);
  });

  test('an operation must declare its reads in an area that another one writes', () => {
    expect(problemsOf(openapiText.replace('      x-lock: { reads: versions }\n', ''))).toEqual([
      expect.stringMatching(
        /^spec\/openapi\.yaml:\d+: listVersions: x-lock: expected \{ reads: versions \}: updateDeployment writes/,
      ),
    ]);
  });
});

describe('a wrong link between operations and statements is reported', () => {
  test.for([
    [
      'x-statements: [FOLDER-5]',
      'x-statements: [FOLDER-55]',
      /openapi\.yaml:\d+: x-statements: there is no statement FOLDER-55 \(did you mean FOLDER-5\?\)/,
    ],
    [
      '[FOLDER-5, ',
      '[AUTH-8, FOLDER-5, ',
      /openapi\.yaml:\d+: updateFolder: x-statements: AUTH-8 is about deployment already; take it out/,
    ],
    [
      '[FOLDER-5, ',
      '[SCIM-8, FOLDER-5, ',
      /openapi\.yaml:\d+: updateFolder: SCIM-8 is only about scim/,
    ],
  ] as const)('%s -> %s', ([right, wrong, message]) => {
    const text = right.includes('FOLDER-5]')
      ? openapiText.replace('FOLDER-5,', 'FOLDER-55,')
      : openapiText.replace(right, wrong);
    expect(text).not.toBe(openapiText);
    expect(problemsOf(text)[0]).toMatch(message);
  });

  test.for([
    [
      'operations: writes',
      'operations: write',
      /statements\.yaml:\d+: AUTH-14: there is no operation or group write \(did you mean writes\?\)/,
    ],
    [
      'level: documented',
      'level: promised',
      /statements\.yaml:\d+: SVC-1: level: expected one of documented, standard, silent/,
    ],
    ['    source: guess\n', '', /statements\.yaml:\d+: SVC-7: source is missing/],
  ] as const)('%s -> %s', ([right, wrong, message]) => {
    const [first = '', ...others] = problemsOf(openapiText, statementsText.replace(right, wrong));
    expect(first).toMatch(message);
    expect(others).toEqual([]);
  });
});

function problemsOf(openapi: string, statements = statementsText): string[] {
  try {
    readContract(openapi, statements);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

/** The second validator's check of each schema that it has compiled. */
const compiled = new Map<Schema, ReturnType<typeof compile>>();
async function hyperjump(schema: Schema, value: unknown): Promise<boolean> {
  const check = compiled.get(schema) ?? compile(schema, compiled.size);
  compiled.set(schema, check);
  return (await check)(value as never).valid;
}

function compile(schema: Schema, number: number) {
  const id = `https://example.com/contract/${number}`;
  registerSchema(
    { ...standardOnly(schema), $id: id } as never,
    id,
    'https://json-schema.org/draft/2020-12/schema',
  );
  return validate(id);
}

/** A schema without our extension keywords, which a strict second validator does not know. */
function standardOnly(node: unknown): object {
  return JSON.parse(JSON.stringify(node), (key, value: unknown) =>
    key.startsWith('x-') || key === 'example' ? undefined : value,
  ) as object;
}
