/** undici: code with a hard-coded host reaches a world without a socket. */

import { dispatcherOf } from 'lockstep/mock';
import { expect, test } from 'lockstep/vitest';
import { Agent, fetch, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { afterEach } from 'vitest';

const HOST = 'https://acme.example.com';
const before = getGlobalDispatcher();
afterEach(() => setGlobalDispatcher(before));

test('everything that asks this host is answered by the world', async ({ world }) => {
  setGlobalDispatcher(dispatcherOf(world, { origins: [HOST], elsewhere: new Agent() }));
  const headers = { authorization: `Bearer ${world.credentials.member}` };
  const fetched = await fetch(`${HOST}/api/v1/deployments?limit=1`, { headers });
  expect(fetched.status).toBe(200);
  const { statusCode, body } = await request(`${HOST}/api/v1/deployments?limit=1`, { headers });
  expect(statusCode).toBe(200);
  expect(await body.json()).toEqual(await fetched.json());
  // Node's own fetch goes the same way.
  expect((await globalThis.fetch(`${HOST}/api/v1/deployments`)).status).toBe(401);
  expect(world).toHaveReceived({ operation: 'listDeployments', credential: 'member', times: 2 });
});
