import { expect, test } from 'vitest';
import { createMock } from '../../kits/index.ts';

test('a count of 0 gives the total, and an empty list that client libraries can read', async () => {
  await using mock = await createMock();
  const answered = await mock.world.fetchAs('scim')('/api/scim/v2/Users?count=0');
  expect(await answered.json()).toMatchObject({ totalResults: 42, itemsPerPage: 0, Resources: [] });
});
