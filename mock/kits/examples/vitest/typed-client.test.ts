/** openapi-fetch with the contract's types: paths, parameters, bodies and answers are checked. */

import type { paths } from 'lockstep/types';
import { expect, test } from 'lockstep/vitest';
import createClient from 'openapi-fetch';

test('a typed client against a world', async ({ world }) => {
  const client = createClient<paths>({ baseUrl: world.baseUrl, fetch: world.fetch });
  const { data, error } = await client.PUT(
    '/api/v1/deployments/{deploymentId}/folders/{folderId}',
    {
      params: { path: { deploymentId: 1, folderId: 13 } },
      body: { name: 'Q1' },
    },
  );
  expect(error).toBeUndefined();
  expect(data?.name).toBe('Q1');
  expect(world).toHaveReceived({ credential: 'admin', body: { name: 'Q1' } });
});
