/** With every runner, a failed test prints the refusals of its world. Jest does the same as node:test. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../testing/program.ts';
import { createMock, paginationAdversary, type World } from './index.ts';

const folder = fileURLToPath(new URL('./testing', import.meta.url));
const playwright = fileURLToPath(
  new URL('../../node_modules/@playwright/test/cli.js', import.meta.url),
);

const runners: readonly [name: string, args: readonly string[]][] = [
  ['node:test', ['--test', '--test-reporter=spec', 'fails.node.ts']],
  [
    'Playwright',
    [playwright, 'test', 'fails.spec.ts', '--reporter=line', `--output=${join(tmpdir(), 'out')}`],
  ],
];

test.for(runners)('%s prints the refusal under the failure', async ([, args]) => {
  // A runner that is started by another one would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { code, stdout } = await run(process.execPath, args, { cwd: folder, env }).ended;
  expect(code, stdout).toBe(1);
  // Between the message and the place in the test.
  expect(stdout).toMatch(
    /Error[\s\S]*#1 PUT \S+ -> 400[\s\S]*refused: name must be a string, not 7[\s\S]* at .*fails\.(node|spec)\.ts/,
  );
});

/** The error of a failed test. */
async function failure(body: (world: World) => unknown): Promise<Error> {
  await using mock = await createMock();
  const test = mock.inWorld(async (world) => {
    await body(world);
    throw new Error('wrong');
  });
  return await test().then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
}

test('the text names an event and an adversary, and the request before each', async () => {
  const { message, stack } = await failure(async (world) => {
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    using _adversary = paginationAdversary(world, { insert: 'listScimUsers' });
    await world.fetchAs('scim')('/api/scim/v2/Users?count=2');
  });
  expect(message).toMatchInlineSnapshot(`
    "wrong

    events on the service's side:
      before the first request: {"type":"publishVersion","channel":"preview","version":"1.8.0"}
      after #1: the adversary of listScimUsers inserted 43"
  `);
  expect(stack).toContain(message);
});

test('the text says why a scheduled event could not happen', async () => {
  const { message } = await failure((world) => {
    world.emit({ type: 'expireCredential', credential: 'nobody', in: { hours: 1 } });
    world.clock.advance({ hours: 2 });
  });
  expect(message).toContain('"credential":"nobody"} could not happen: ');
});

test('explain leaves a value that is not an error, or has nothing to explain', async () => {
  await using mock = await createMock();
  const { world } = mock;
  const error = new Error('wrong');
  expect(world.explain(error).message).toBe('wrong');
  await world.fetchAs(null)('/api/v1/deployments');
  expect(world.explain('wrong')).toBe('wrong');
  expect(world.explain(undefined)).toBeUndefined();
  expect(world.explain(error).message).toMatch(/^wrong\n\nthe world refused/);
});

test('each test has a world of its own, made as asked and gone afterwards', async () => {
  await using mock = await createMock();
  const ids: string[] = [];
  const body = mock.inWorld((world, name: string) => ids.push(name, world.id), { id: 'mine' });
  await body('first');
  await body('second');
  expect(ids).toEqual(['first', 'mine', 'second', 'mine']);
  expect([...mock.service.worlds.keys()]).toEqual(['acme']);
});
