/** Tests the explorer on a mock in this process, and on a small fake in place of a tenant. */

import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { safetyFacts as safety } from '../../conformance/areas/safety.ts';
import { loadSuite } from '../../conformance/language/load.ts';
import { Ledger, sealingWith } from '../../conformance/safety/ledger.ts';
import type { Target } from '../../conformance/target/target.ts';
import { readTenantFile, tenantTarget } from '../../conformance/target/tenant.ts';
import { httpTransport } from '../../conformance/target/transport.ts';
import { env, startFake, tenantYaml } from '../../conformance/testing/fake-service.ts';
import { createService } from '../../mock/kits/index.ts';
import { contract, type Effect, type OperationId, operation } from '../../spec/contract.ts';
import { deviationsOf } from '../areas/catalogue.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { reportOf } from '../exam/suite-run.ts';
import { Access } from './access.ts';
import { exploredAreas } from './areas/explored.ts';
import { callsIn } from './calls.ts';
import { type Exploration, type ExploreOptions, explore, type Finding } from './explore.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const service = await createService();
const { send, close } = httpTransport({ connections: 8, env: {} });

afterAll(close);

/** A new world of the mock with these deviations. */
function freshTarget(ids: readonly string[] = []): Promise<Target> {
  const deviations = deviationsOf(ids);
  return inProcessTarget(service, { prepare: (world) => world.deviations.set(deviations) });
}

async function exploreWith(
  options: Partial<ExploreOptions>,
  deviations: readonly string[] = [],
): Promise<Exploration> {
  const target = await freshTarget(deviations);
  const about = { areas: exploredAreas, names: { id: 'rtest', startedAt }, safety };
  const io = { ...about, target, fresh: () => freshTarget(deviations) };
  try {
    return await explore({ seed: 1, allow: 'permanent', ...options }, io);
  } finally {
    await target.close();
  }
}

/** The verdict of each failing check if `certify` plays the written scenario. */
async function replay({ scenario }: Finding, deviations: readonly string[]): Promise<string[]> {
  const suite = loadSuite([
    { name: `conformance/scenarios/${scenario.name}`, text: scenario.text },
  ]);
  const target = await freshTarget(deviations);
  try {
    const report = await reportOf(suite, target);
    expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(['ran']);
    return report.statements
      .filter(({ verdict }) => verdict === 'violated' || verdict === 'deviates')
      .map(({ id }) => id);
  } finally {
    await target.close();
  }
}

test('nothing is found on the plain mock', async () => {
  const runs = await Promise.all([11, 12].map((seed) => exploreWith({ seed, steps: 1500 })));
  for (const { finding, unconfirmed, steps, exitCode, warnings } of runs) {
    expect(finding, finding?.scenario.text).toBeUndefined();
    expect(unconfirmed).toEqual([]);
    expect(warnings).toEqual([]);
    expect(steps).toBe(1500);
    expect(exitCode).toBe(0);
  }
  // The explorer calls every read by its contract alone.
  const called = new Set(runs.flatMap((run) => [...run.called]));
  expect([...contract.operations.keys()].filter((id) => !called.has(id))).toEqual([]);
});

describe.each([
  ['staging:second-switch-ignored', /^STAGE-/],
  ['versions:forgotten-when-left', /^(VER-6|UPD-[1-4])$/],
  ['dbt:every-fourth-not-found', /^DBT-1$/],
])('%s', (deviation, statements) => {
  test('is found, shrunk and written as a scenario that passes on the plain mock', async () => {
    const { finding, exitCode, seed } = await exploreWith({ steps: 2000 }, [deviation]);
    if (finding === undefined) throw new Error('nothing was found');
    expect(exitCode).toBe(1);
    expect(finding.statement).toMatch(statements);
    expect(finding.calls.length).toBeLessThanOrEqual(12);
    expect(await replay(finding, [deviation])).toContain(finding.statement);
    expect(await replay(finding, [])).toEqual([]);
    // The finding's path plays the shrunk walk again.
    const again = await exploreWith({ seed, path: finding.path }, [deviation]);
    expect(again.finding?.statement).toBe(finding.statement);
    expect(again.steps).toBeLessThan(20);
  });
});

test('the written scenario compares a step with an earlier one, and replays', async () => {
  const deviations = ['audit:search-of-two-before'];
  const { finding } = await exploreWith({ steps: 10_000, seed: 4 }, deviations);
  if (finding === undefined) throw new Error('nothing was found');
  expect(finding.scenario.text).toMatch(/(since|same set|steps)[.:] ?s\d+/);
  expect(await replay(finding, deviations)).toContain(finding.statement);
  expect(await replay(finding, [])).toEqual([]);
});

test('the same seed makes the same walk, and another seed another', async () => {
  const walk = async (seed: number): Promise<string> => {
    const sent: string[] = [];
    const target = await freshTarget();
    const fresh = async (): Promise<Target> => ({
      ...target,
      transport: (request) => {
        sent.push(`${request.method} ${request.url} ${request.body}`);
        return target.transport(request);
      },
      close: async () => undefined,
    });
    const about = { target, areas: exploredAreas, names: { id: 'rtest', startedAt }, safety };
    await explore({ seed, allow: 'permanent', steps: 60 }, { ...about, fresh });
    await target.close();
    // Each world has its own name in its credentials.
    return sent.map((line) => line.replaceAll(target.world ?? '', 'world')).join('\n');
  };
  const one = await walk(7);
  expect(await walk(7)).toBe(one);
  expect(await walk(8)).not.toBe(one);
});

test('an operation that is not permitted, or has no bound object, is not called', async () => {
  const target = await freshTarget();
  const called = (some: Target, allow: Effect): string[] => {
    const access = new Access(some);
    return [...callsIn({ target: some, access, areas: exploredAreas, allow }).keys()].map(
      ({ id }) => id,
    );
  };
  expect(called(target, 'permanent').sort()).toEqual([...contract.operations.keys()].sort());
  const effects = called(target, 'none').map((id) => operation(id as OperationId).effect);
  expect(new Set(effects)).toEqual(new Set(['none']));
  const bare: Target = { ...target, bindings: {} };
  expect(called(bare, 'permanent').sort()).toEqual([
    'exportAuditLogs',
    'listDeployments',
    'listScimUsers',
  ]);
  expect(called({ ...bare, credentials: new Map() }, 'permanent')).toEqual([]);
  await target.close();
});

test('a run stops at its write budget', async () => {
  const { writes, stopped } = await exploreWith({ writeBudget: 25, steps: 2000 });
  expect(writes).toBe(25);
  expect(stopped).toBe('writes');
});

test('a tenant is restored within the write budget, and only bound objects are written', async () => {
  const fake = await startFake();
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-explore-'));
  const before = structuredClone(fake.state);
  const sent: string[] = [];
  fake.intercept = ({ method, url }) => {
    if (method !== 'GET') sent.push(`${method} ${url}`);
    return undefined;
  };
  try {
    const file = readTenantFile('tenant.yaml', tenantYaml(fake.baseUrl));
    const { target } = tenantTarget(fake.baseUrl, file, env, send, async () => undefined);
    const run = (options: Partial<ExploreOptions>): Promise<Exploration> =>
      explore(
        {
          seed: 3,
          allow: 'disruptive',
          convergenceMs: 20,
          shrink: false,
          ...options,
        },
        {
          ...{ target, areas: exploredAreas, names: { id: 'rtenant', startedAt }, safety },
          openLedger: () =>
            Ledger.open(
              folder,
              { runId: 'rtenant', baseUrl: target.baseUrl, startedAt },
              sealingWith('a secret'),
            ),
        },
      );
    // The small service breaks many promises, so walks end early, and the test needs many.
    let made = 0;
    for (let seed = 3; seed < 100 && made <= 20; seed++) {
      sent.length = 0;
      const { writes } = await run({ seed, writeBudget: 40, runs: 3 });
      expect(sent.length).toBe(writes);
      expect(writes).toBeLessThanOrEqual(40);
      made += writes;
      const { folder: now, branch, version } = fake.state;
      expect({ now, branch, version }).toEqual({
        now: before.folder,
        branch: before.branch,
        version: before.version,
      });
      expect(readdirSync(folder)).toEqual([]);
      const places = new Set(sent.map((line) => line.replace(/\d{10}/, 'missing')));
      for (const place of places) {
        expect(place).toMatch(
          /\/deployments\/1$|folders\/(11|missing)$|staging-environment$|environments\/201\/tokens/,
        );
      }
    }
    expect(made).toBeGreaterThan(20);
    sent.length = 0;
    await run({ allow: 'none', runs: 2 });
    expect(sent).toEqual([]);
  } finally {
    await fake.close();
  }
});
