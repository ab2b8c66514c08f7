/** If an answer does not say whether a caller is let in, the same request of another caller tells. */

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

/** The verdict of the check, if `statusOf` answers each caller by the number of its request. */
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

test.each([302, 404, 500])('a caller is not let in if it alone always gets %i', async (status) => {
  const check = await verdictIf((who) => (who === 'caller' ? status : 200));
  expect(check).toMatchObject({ verdict: 'deviates', actual: status });
  expect(check?.evidence.length).toBeGreaterThanOrEqual(4);
});

test('a caller that is answered 500 twice, and then served, is let in', async () => {
  const check = await verdictIf((_caller, request) => (request > 2 ? 200 : 500));
  expect(check).toMatchObject({ verdict: 'verified' });
});

test('a caller that is refused like an administrator fares no worse', async () => {
  // With this answer the preflight finds that the address is right.
  const check = await verdictIf((who, request) => (who === 'admin' && request === 1 ? 200 : 404));
  expect(check).toMatchObject({ verdict: 'verified' });
});

test('if an administrator fares no better with a 500, nothing is shown', async () => {
  const check = await verdictIf(() => 500);
  expect(check).toMatchObject({ verdict: 'not-testable' });
});
