/** Run by coverage.test.ts: a test that calls one operation. */
import { expect, test } from '../vitest.ts';

test('deployments are listed', async ({ world }) => {
  expect((await world.fetch('/api/v1/deployments')).status).toBe(200);
});
