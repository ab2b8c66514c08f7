/** A test with its own fake service, so that the tests of a file can wait in parallel. */

import { test as plain } from 'vitest';
import { type FakeService, startFake } from './fake-service.ts';

export const test = plain.extend<{ service: FakeService }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures this one needs
  service: async ({}, use) => {
    const service = await startFake();
    await use(service);
    await service.close();
  },
});
