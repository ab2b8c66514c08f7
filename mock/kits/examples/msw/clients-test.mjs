/**
 * Clients with a hard-coded host, on axios, got and node:http: MSW catches their requests, and a world
 * answers them. Run it with `node --test`.
 */
import assert from 'node:assert/strict';
import https from 'node:https';
import { after, test } from 'node:test';
import axios from 'axios';
import got from 'got';
import { createMock } from 'lockstep/mock';
import { handlersOf } from 'lockstep/msw';
import { setupServer } from 'msw/node';

const HOST = 'https://acme.example.com';
const LIST = `${HOST}/api/v1/deployments/1/environments?type=staging`;

const mock = await createMock();
after(() => mock.close());

/** Ids of the staging environments that a client sees; rejects if its request fails. */
const clients = {
  axios: async (headers) => idsOf((await axios.get(LIST, { headers })).data),
  got: async (headers) => idsOf(await got(LIST, { headers, retry: { limit: 0 } }).json()),
  'node:http': (headers) =>
    new Promise((resolve, reject) => {
      const request = https.get(LIST, { headers }, async (response) => {
        const pieces = await response.toArray();
        resolve(idsOf(JSON.parse(Buffer.concat(pieces).toString())));
      });
      request.on('error', reject);
    }),
};

function idsOf({ data }) {
  return data.environments.map(({ id }) => id);
}

for (const [name, list] of Object.entries(clients)) {
  test(
    name,
    mock.inWorld(async (world) => {
      const server = setupServer(...handlersOf(world, { origins: [HOST] }));
      server.listen({ onUnhandledRequest: 'error' });
      try {
        const headers = { Authorization: `Bearer ${world.credentials.admin}` };
        const body = { branchName: 'feature-orders', enabled: true };
        const staging = `${HOST}/build/api/v1/deployments/1/branches/staging-environment`;
        await axios.put(staging, body, { headers });
        assert.deepEqual(await list(headers), ['202', '203']);
        // A lost answer is a network error to each of them.
        world.faults.add({ operation: 'listEnvironments', phase: 'socket', times: 1 });
        await assert.rejects(list(headers), /network error/i);
      } finally {
        server.close();
      }
    }),
  );
}
