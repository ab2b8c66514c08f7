import { describe, expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Transport, WireResponse } from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import type { World } from '../../mock/world/world.ts';
import { emit } from '../../mock/world/world-clock.ts';
import { brokenIn, runOn } from '../exam/suite-run.ts';

/** What real tenants do beside keeping their promises must fail nobody. */
const service = await createService();
const suite = loadOwnSuite();

test('answers that come up to two seconds late', async () => {
  const late = everyNth(60, async (send, request) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return send(request);
  });
  const report = await runOn(service, suite, { around: late }, 8);
  expect(brokenIn(report)).toEqual([]);
});

describe('429 in bursts', () => {
  test.for([
    ['with Retry-After', { 'retry-after': '1' }],
    ['without', {}],
  ] as const)('%s', async ([, headers]) => {
    const tooMany: WireResponse = { status: 429, headers, text: '<h1>Too many requests</h1>' };
    let burst = 0;
    const report = await runOn(service, suite, {
      around: everyNth(
        150,
        async (send, request) => {
          burst = 3;
          return burst > 0 ? tooMany : send(request);
        },
        async (send, request) => {
          if (burst === 0) return send(request);
          burst -= 1;
          return tooMany;
        },
      ),
    });
    expect(report.requests.throttled).toBeGreaterThan(5);
    expect(brokenIn(report)).toEqual([]);
  });
});

test('gateways that fail now and then on reads', async () => {
  const report = await runOn(service, suite, {
    around: everyNth(50, async (send, request) =>
      request.method === 'GET' ? { status: 502, headers: {}, text: 'Bad gateway' } : send(request),
    ),
  });
  expect(brokenIn(report)).toEqual([]);
});

test('other people who add and remove things while it runs', async () => {
  let world: World | undefined;
  let made = 0;
  const meddle = () => {
    if (world === undefined) return;
    made += 1;
    const { id } = emit(world, { type: 'createDeployment', name: `Visitor ${made}` });
    if (made % 2 === 0) emit(world, { type: 'deleteDeployment', deployment: id });
    emit(world, {
      type: 'createBranch',
      deployment: '1',
      name: `visitor-${made}`,
      kind: made % 3 === 0 ? 'shared' : 'personal',
    });
    emit(world, { type: 'login', userEmail: 'ben@example.com' });
  };
  const report = await runOn(service, suite, {
    prepare: (it) => {
      world = it;
    },
    around: everyNth(25, async (send, request) => {
      meddle();
      return send(request);
    }),
  });
  expect(made).toBeGreaterThan(10);
  expect(brokenIn(report)).toEqual([]);
});

test('twice the objects of acme', async () => {
  const report = await runOn(service, suite, {
    world: {
      fixture: 'large',
      parameters: {
        deployments: 90,
        environmentsPerDeployment: 6,
        branchesPerDeployment: 8,
        foldersPerDeployment: 8,
        users: 84,
        auditEvents: 1000,
      },
    },
  });
  expect(brokenIn(report)).toEqual([]);
  const gaps = report.statements.filter(({ verdict }) => verdict === 'not-testable');
  expect(gaps.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});

type Around = (send: Transport) => Transport;
type Step = (send: Transport, request: Parameters<Transport>[0]) => Promise<WireResponse>;

/** Does something else at every n-th request of the service; the control API is left alone. */
function everyNth(
  n: number,
  special: Step,
  otherwise: Step = (send, request) => send(request),
): Around {
  let count = 0;
  return (send) => (request) => {
    if (request.url.includes('/__admin/')) return send(request);
    count += 1;
    return count % n === 0 ? special(send, request) : otherwise(send, request);
  };
}
