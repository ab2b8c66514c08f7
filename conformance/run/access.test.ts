/**
 * If an answer does not show whether a caller has access, the same request by another caller
 * decides.
 */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeService, startFake } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFake();
});
afterEach(() => service.close());

const scenario = `
scenario: The case of the scheme does not count
steps:
  - { id: list, as: { header: "BEARER {credentials.admin}" }, call: listDeployments, checks: { HTTP-2: allowed } }
`;

/**
 * The verdict of the check. `statusOf` gives the status for each caller and the number of its
 * request.
 */
async function verdictIf(statusOf: (caller: string, request: number) => number) {
  const requests = new Map<string, number>();
  service.intercept = ({ headers: { authorization: caller = '' } }) => {
    const request = (requests.get(caller) ?? 0) + 1;
    requests.set(caller, request);
    const status = statusOf(caller.startsWith('BEARER') ? 'caller' : 'admin', request);
    return { status, body: {} };
  };
  const { report } = await runYaml(service, [scenario]);
  const { checks = [] } = report?.statements.find(({ id }) => id === 'HTTP-2') ?? {};
  return checks[0];
}

test.each([302, 404, 500])(
  'a caller has no access if only this caller always gets %i',
  async (status) => {
    const check = await verdictIf((who) => (who === 'caller' ? status : 200));
    expect(check).toMatchObject({ verdict: 'deviates', actual: status });
    expect(check?.evidence.length).toBeGreaterThanOrEqual(4);
  },
);

test('a caller with two 500 and then a success has access', async () => {
  const check = await verdictIf((_caller, request) => (request > 2 ? 200 : 500));
  expect(check).toMatchObject({ verdict: 'verified' });
});

test('a caller that is refused like an administrator shows no breach', async () => {
  // The preflight needs this answer to accept the address.
  const check = await verdictIf((who, request) => (who === 'admin' && request === 1 ? 200 : 404));
  expect(check).toMatchObject({ verdict: 'verified' });
});

test('if an administrator also gets 500, the check is not-testable', async () => {
  const check = await verdictIf(() => 500);
  expect(check).toMatchObject({ verdict: 'not-testable' });
});
