/** Tests `lockstep mcp` with the client of the protocol's SDK, over stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { startMock } from '../kits/index.ts';
import { lockstep, program } from '../testing/program.ts';
import { callOf, tools } from './mcp-tools.ts';

async function connect(...args: string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const command = process.execPath;
  await client.connect(new StdioClientTransport({ command, args: [program, 'mcp', ...args] }));
  /** Calls a tool; gives its answer as text, and as JSON if it is JSON. */
  const use = async (name: string, given: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: given });
    const [content] = answer.content as { readonly text: string }[];
    const text = content?.text ?? '';
    return { isError: answer.isError === true, text, json: /^[[{]/.test(text) && JSON.parse(text) };
  };
  return { client, use };
}

describe('with a mock that runs already', () => {
  let mock: Awaited<ReturnType<typeof startMock>>;
  let connected: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    mock = await startMock();
    connected = await connect('--base-url', mock.baseUrl);
  });
  afterAll(async () => {
    await connected.client.close();
    await mock.close();
  });

  test('an agent learns the reason of a refusal and the promises of the service', async () => {
    const { use } = connected;
    const made = await use('make_world', { id: 'agent', fixture: 'acme' });
    const { member } = made.json.credentials;
    const folder = `${mock.baseUrl}/api/v1/deployments/1/folders/12`;
    const headers = { Authorization: `Bearer ${member}`, 'Content-Type': 'application/json' };
    const refused = await fetch(folder, { method: 'PUT', headers, body: '{"name":"Money"}' });
    expect(refused.status).toBe(403);
    const { json } = await use('requests', { world: 'agent', limit: 1 });
    const [{ id }] = json.requests;
    const explained = await use('explain', { world: 'agent', request: id });
    expect(explained.json).toMatchObject({
      refusal: { statement: 'FOLDER-8' },
      repairs: [{ status: 200, steps: [{ what: 'credential', credential: 'admin' }] }],
    });
    const found = await use('statements', { find: 'FOLDER-8' });
    expect(found.json.statements).toMatchObject([{ id: 'FOLDER-8', level: 'documented' }]);
  });

  test('it injects a fault, moves the clock, switches a silence, and causes an event', async () => {
    const { use } = connected;
    const { json } = await use('make_world', { clock: '2026-03-01T12:00:00.000Z' });
    const world: string = json.id;
    const fault = { operation: 'listDeployments', status: 503, times: 1 };
    expect((await use('inject_fault', { world, ...fault })).json).toMatchObject({ id: 'fault-1' });
    const list = () =>
      fetch(`${mock.baseUrl}/api/v1/deployments`, {
        headers: { Authorization: `Bearer ${json.credentials.admin}` },
      });
    expect([(await list()).status, (await list()).status]).toEqual([503, 200]);
    expect((await use('remove_faults', { world })).isError).toBe(false);
    expect((await use('faults', { world })).json).toEqual({ faults: [] });
    await use('assume', { world, choices: { 'STAGE-9': 'conflict' } });
    const event = { type: 'expireCredential', credential: 'admin', in: { hours: 1 } };
    await use('emit_event', { world, event });
    await use('advance_clock', { world, hours: 2 });
    expect((await list()).status).toBe(401);
    await use('reset_world', { world });
    expect((await list()).status).toBe(200);
    expect((await use('worlds')).json.worlds.length).toBeGreaterThan(1);
    expect((await use('world')).json).toMatchObject({
      id: 'acme',
      credentials: { admin: 'acme-admin' },
    });
  });

  test.for([
    ['a world that is not there', 'requests', { world: 'nobody' }, /no world/i],
    [
      'a slip in a parameter',
      'inject_fault',
      { stauts: 503 },
      /no parameter stauts; it has world, /,
    ],
    ['a missing parameter', 'explain', {}, /explain needs request/],
    ['a slip that the mock finds', 'assume', { choices: { 'STAGE-9': 'no' } }, /STAGE-9/],
    ['a tool that is not there', 'nothing', {}, /there is no tool nothing/],
  ] as const)('%s is reported, and the session continues', async ([, name, given, problem]) => {
    const answer = await connected.use(name, given);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(problem) });
  });

  test('its tools describe their parameters, and the manuals are resources', async () => {
    const { client } = connected;
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { description, inputSchema } of listed.tools) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(inputSchema.type).toBe('object');
    }
    const schemas = new Map(listed.tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expect(schemas.get('requests')?.properties).toMatchObject({
      world: { type: 'string', description: 'Id of the world.', default: 'acme' },
      limit: { type: 'integer', minimum: 1, default: 20 },
    });
    expect(schemas.get('inject_fault')?.properties?.phase).toMatchObject({
      enum: ['before', 'after-commit', 'mid-body', 'socket'],
    });
    expect(schemas.get('emit_event')?.required).toEqual(['event']);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ name: 'conformance/LANGUAGE.md', title: 'The scenario language' }),
    );
    const { contents } = await client.readResource({ uri: 'lockstep:///llms.txt' });
    const index = (contents[0] as { readonly text: string }).text;
    expect(index).toContain('# Lockstep');
    // An agent that follows the index meets no dead link; a folder is its files.
    const uris = resources.map(({ uri }) => uri);
    for (const [, path] of index.matchAll(/\]\(([^()]+)\)/g))
      expect(
        uris.some((uri) => `${uri}/`.startsWith(`lockstep:///${path}/`)),
        path,
      ).toBe(true);
    for (const uri of uris) {
      const read = await client.readResource({ uri });
      expect(read.contents[0], uri).toMatchObject({ uri, text: expect.stringMatching(/./) });
    }
    const elsewhere = client.readResource({ uri: 'lockstep:///../package.json' });
    await expect(elsewhere).rejects.toThrow('there is no manual');
    expect(client.getInstructions()).toContain(mock.baseUrl);
  });
});

test('without a mock it starts one, and ends with its client', async () => {
  const { client, use } = await connect();
  const [baseUrl = ''] = /http:\/\/127[^ ;]+/.exec(client.getInstructions() ?? '') ?? [];
  expect((await fetch(`${baseUrl}/__admin/health`)).status).toBe(200);
  expect(
    (await use('statements', { find: 'staging', level: 'silent' })).json.statements,
  ).not.toEqual([]);
  await client.close();
  await expect(fetch(`${baseUrl}/__admin/health`)).rejects.toThrow();
});

test.for([
  ['http://127.0.0.1:9', 4, /No mock can be reached at http:\/\/127\.0\.0\.1:9/],
  ['nobody', 2, /^lockstep: "nobody" is not the address of a mock, such as \S+$/m],
] as const)('it ends with a line if there is no mock at %s', async ([address, exitCode, line]) => {
  const { code, stderr } = await lockstep(['mcp', '--base-url', address]);
  expect(stderr).toMatch(line);
  expect(code).toBe(exitCode);
});

test('a name cannot lead to another path, and every operation can be named', () => {
  const tool = tools.find(({ name }) => name === 'requests');
  if (tool === undefined) throw new Error('there is no such tool');
  const operation = [...contract.operations.keys()][0];
  const call = callOf(tool, { world: '../../reset', operation });
  expect(call).toEqual({
    method: 'GET',
    path: `worlds/..%2F..%2Freset/requests?operation=${operation}&limit=20`,
    body: undefined,
  });
  // `POST worlds/../reset` would reset every world, and `requests/..` would show credentials.
  for (const name of ['.', '..', ''])
    expect(() => callOf(tool, { world: name })).toThrow('requests: world cannot be');
});
