/** A newcomer's client makes every mistake; these are the texts of its failed tests. */
import { expect, test } from 'vitest';
import { describeFailures } from './describe.ts';
import { createMock, type Fetch, type World } from './index.ts';

const FOLDER = '/api/v1/deployments/1/folders/13';

/** The client. */
const rename = (fetch: Fetch, path = FOLDER, body: object = { name: 'Q1' }) =>
  fetch(path, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function said(test: (world: World) => Promise<unknown>): Promise<string> {
  await using mock = await createMock();
  const world = await mock.createWorld({ id: 'mine' });
  await test(world).catch(() => {});
  const text = describeFailures(world.requests, mock.world.requests.list());
  return text.replaceAll(/yaml:\d+/g, 'yaml:...');
}

test('nothing is wrong, and nothing is printed', async () => {
  expect(await said((world) => rename(world.fetch))).toBe('');
});

test('a wrong body', async () => {
  const text = await said((world) => rename(world.fetch, FOLDER, { name: ['Q1'], position: '2' }));
  expect(text).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployments/1/folders/13 -> 400 (updateFolder, admin)
         refused: name must be a string, not a list; position must be an integer, not "2"
           ERR-6: With which status a body that is not JSON, or does not fit the operation, is refused. (spec/openapi.yaml:...)
           at /name: name must be a string, not a list
           at /position: position must be an integer, not "2""
  `);
});

test('a field that is ignored', async () => {
  const text = await said((world) => rename(world.fetch, FOLDER, { title: 'Q1' }));
  expect(text).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployments/1/folders/13 -> 200 (updateFolder, admin)
         ignored: The field title is not known; known are name, position"
  `);
});

test('no credential', async () => {
  expect(await said((world) => rename(world.fetchAs(null)))).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployments/1/folders/13 -> 401 (updateFolder, no credential)
         refused: The Authorization header is missing
           AUTH-1: A request without a credential is answered 401. (spec/openapi.yaml:...)
           needs an API key or an OAuth access token; was sent no Authorization header
           credentials that would do: admin, member, scoped, oauth, memberOauth"
  `);
});

test('the wrong role', async () => {
  const text = await said((world) =>
    rename(world.fetchAs('member'), '/api/v1/deployments/1/folders/12'),
  );
  expect(text).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployments/1/folders/12 -> 403 (updateFolder, member)
         refused: updateFolder needs edit access to folder 12, which ben@example.com does not have
           FOLDER-8: A folder update without edit access to the folder is refused with 403. (spec/openapi.yaml:...)
           needs edit access to folder 12; was sent member, an API key of ben@example.com (no administrator)
           credentials that would do: admin, scoped, oauth"
  `);
});

test('a wrong path', async () => {
  const text = await said((world) => rename(world.fetch, '/api/v1/deployment/1/folder/13'));
  expect(text).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployment/1/folder/13 -> 501 (no operation, admin)
         refused: Lockstep does not model /api/v1/deployment/1/folder/13: the contract does not know it; the nearest is updateFolder, PUT /api/v1/deployments/{deploymentId}/folders/{folderId}. This is not the service's answer; load the service's own description with --description to have one made from it
           SVC-6: Which endpoints the service has beyond the twelve operations, and how such endpoints answer.
           nearest is updateFolder, PUT /api/v1/deployments/{deploymentId}/folders/{folderId}:
             path: has deployments where "deployment" is
             path: has folders where "folder" is"
  `);
});

test('a fault', async () => {
  const text = await said((world) => {
    world.faults.add({ operation: 'updateFolder', phase: 'after-commit', times: 1 });
    return rename(world.fetch);
  });
  expect(text).toMatchInlineSnapshot(`
    "the world refused, injected a fault, or ignored something:
      #1 PUT /api/v1/deployments/1/folders/13 -> no answer (updateFolder, admin)
         struck by fault-1 (after-commit): the service did its work and answered 200; the connection was reset"
  `);
});

test('the credential of a world that is gone', async () => {
  await using mock = await createMock();
  const world = await mock.createWorld();
  await mock.fetch(FOLDER, { headers: { Authorization: 'Bearer gone-admin' } });
  const text = describeFailures(world.requests, mock.world.requests.list());
  expect(text).toMatch(
    /^requests that named no existing world, and reached the default one:\n {2}#1 GET/,
  );
  expect(text).toContain('a token that is not a credential of the world acme');
});

test('the last ten of many', async () => {
  const text = await said(async (world) => {
    for (let sent = 0; sent < 12; sent += 1) await rename(world.fetchAs(null));
  });
  expect(text).toContain('  2 before these\n  #3 PUT');
});
