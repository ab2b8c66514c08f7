/** A night against a service: objects that a killed night left, a budget, and nights that cannot run. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { readHistory } from '../gate/history.ts';
import { loadSuite } from '../language/load.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { derived } from '../testing/derived.ts';
import { env, type FakeService, tenantYaml } from '../testing/fake-service.ts';
import { sealedLine } from '../testing/sealed-ledger.ts';
import { test as withService } from '../testing/service-test.ts';
import { failureOf, planOf } from './command.ts';
import { type GateOptions, gate, withSmoke } from './gate.ts';

const test = withService.extend<{ folder: string }>({
  folder: async ({ service }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-gate-'));
    writeFileSync(join(folder, 'tenant.yaml'), tenantYaml(service.baseUrl));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

const named = (title: string, name: string): string => `
scenario: ${title}
steps:
  - id: read
    as: admin
    call: listDeployments
    query: { limit: 1 }
    checks:
      DEPL-2: { body: { data: { deployments: { $contains: { name: "${name}" } } } } }
`;
const suite = loadSuite(
  ['First', 'Second', 'Third'].map((title, index) => ({
    name: `scenarios/test/${index}.yaml`,
    text: named(title, 'nobody'),
  })),
);

const nightIn = async (folder: string, more: Partial<GateOptions> = {}) => {
  const warnings: string[] = [];
  const {
    gate: found,
    certified,
    keep,
  } = await gate(
    {
      tenant: 'tenant.yaml',
      baseline: 'known.yaml',
      history: 'nights',
      ledger: 'ledger',
      suite,
      convergenceMs: 300,
      out: 'out',
      ...more,
    },
    {
      ...{ env, cwd: folder, safety: safetyFacts, version: '0', locks: join(folder, 'locks') },
      onWarning: (text) => void warnings.push(text),
    },
  );
  return { ...certified, gate: found, exitCode: keep(), warnings };
};

test.concurrent('a missing baseline knows nothing, and only an update writes it', async ({
  folder,
}) => {
  const first = await nightIn(folder);
  expect(first.exitCode).toBe(1);
  expect(first.gate.news).toMatchObject([
    { scenario: 'First' },
    { scenario: 'Second' },
    { scenario: 'Third' },
  ]);
  expect(existsSync(join(folder, 'known.yaml'))).toBe(false);
  expect((await nightIn(folder, { updateBaseline: true })).exitCode).toBe(0);
  expect((await nightIn(folder)).gate.night.headline).toBe(
    'GATE PASSED  3 known, 3 of them unreviewed',
  );
  expect(readHistory(join(folder, 'nights')).nights).toHaveLength(3);
});

test.concurrent('a failure counts only after a second run', async ({ folder }) => {
  const { report } = await nightIn(folder);
  expect(report?.scenarios.map(({ tries }) => tries)).toEqual([2, 2, 2]);
});

test.concurrent('a service that is down or in maintenance is not a regression', async ({
  service,
  folder,
}) => {
  service.intercept = () => ({ cut: true });
  expect((await nightIn(folder)).gate.night.headline).toMatch(
    /^GATE COULD NOT RUN {2}nothing was tested: no answer: /,
  );
  await service.close();
  const { exitCode, gate: found } = await nightIn(folder);
  expect([exitCode, found.outages.length]).toEqual([4, 1]);
  const nights = readHistory(join(folder, 'nights')).nights.map((item) => item.night.exitCode);
  expect(nights).toEqual([4, 4]);
});

test.concurrent('a failed write of the history is a warning; of the requested baseline, it ends with 2', async ({
  folder,
}) => {
  // A folder inside a file cannot exist, so nobody can write there.
  writeFileSync(join(folder, 'file'), '');
  const night = await nightIn(folder, { history: 'file/nights' });
  expect(night).toMatchObject({ exitCode: 1, gate: { news: [{}, {}, {}] } });
  expect(night.warnings).toEqual([expect.stringMatching(/^the history .* cannot be written: /)]);
  const asked = await nightIn(folder, { baseline: 'file/known.yaml', updateBaseline: true });
  expect(asked).toMatchObject({ exitCode: 2, gate: { known: [{}, {}, {}] } });
  expect(asked.warnings).toEqual([expect.stringMatching(/^the baseline .* cannot be written: /)]);
});

test.concurrent('a night that left something changed ends with 5, whatever cannot be written', async ({
  service,
  folder,
}) => {
  killed(service, folder);
  writeFileSync(join(folder, 'file'), '');
  const { exitCode, gate: found } = await nightIn(folder, { history: 'file/nights' });
  expect([exitCode, found.night.exitCode]).toEqual([5, 5]);
});

/** A run has renamed folder 11, and was killed. */
function killed(service: FakeService, folder: string): void {
  service.state.folder.name = 'Changed';
  const header = {
    kind: 'run',
    runId: 'r0',
    baseUrl: service.baseUrl,
    startedAt: '',
    pid: 2 ** 30,
  };
  const write = {
    ...{ kind: 'write', key: 'folder', object: 'folder 11 of deployment 1', effect: 'reversible' },
    ...{ operation: 'updateFolder', method: 'PUT', path: '/api/v1/deployments/1/folders/11' },
    ...{ before: { name: 'Finance', position: 2 }, sent: { name: 'Changed' } },
  };
  mkdirSync(join(folder, 'ledger'));
  const lines = [JSON.stringify(header), sealedLine(header, write)];
  writeFileSync(join(folder, 'ledger', 'a.jsonl'), lines.join('\n'));
}

test.concurrent('a night first puts back the changes of a killed night', async ({
  service,
  folder,
}) => {
  killed(service, folder);
  const kept = await nightIn(folder);
  expect([kept.exitCode, service.state.folder.name]).toEqual([5, 'Changed']);
  expect(kept.gate.night.headline).toContain('needs --allow reversible');
  const { gate: found } = await nightIn(folder, { allow: 'reversible' });
  expect(service.state.folder.name).toBe('Finance');
  expect(found.putBack).toEqual(['folder 11 of deployment 1 was put back after a killed run']);
});

test.concurrent('a night that cannot put them back ends with 5', async ({ service, folder }) => {
  killed(service, folder);
  service.state.folder.name = 'Changed by others';
  const { gate: found } = await nightIn(folder, { allow: 'reversible' });
  expect(found.night.headline).toBe(
    'GATE UNSAFE  folder 11 of deployment 1 has been changed by others since a killed run: lockstep undo says what it was',
  );
  expect(service.state.folder.name).toBe('Changed by others');
});

test.concurrent('a budget runs a part each night, says within how many nights all runs, and verifies', async ({
  folder,
}) => {
  await nightIn(folder, { updateBaseline: true });
  const seen = new Set<string>();
  for (let index = 0; index < 3; index += 1) {
    const { gate: found, report, evidence } = await nightIn(folder, { budgetMs: 0.001 });
    expect(found.budget).toMatchObject({ ran: 1, nights: 3 });
    for (const { scenario } of report?.scenarios ?? []) seen.add(scenario);
    const { differences, problems } = await derived({ report, evidence }, suite);
    expect([differences, problems]).toEqual([[], []]);
  }
  expect([...seen].sort()).toEqual(['First', 'Second', 'Third']);
});

test.concurrent('the report of a night with a budget has only the writes of scenarios that ran', async ({
  folder,
}) => {
  const own = loadOwnSuite();
  const { report, evidence } = await nightIn(folder, {
    ...{ suite: own, only: ['FOLDER-2', 'STAGE-3'], allow: 'reversible', budgetMs: 0.001 },
  });
  const { outOfTime = [] } = report?.options ?? {};
  expect(outOfTime.length).toBeGreaterThan(2);
  expect(report?.plan.filter(({ scenario }) => outOfTime.includes(scenario))).toEqual([]);
  const { differences, problems } = await derived({ report, evidence }, own);
  expect([differences, problems]).toEqual([[], []]);
});

test.concurrent('a smoke test announces its own writes, and every limit counts those', async ({
  service,
  folder,
}) => {
  const own = { suite: loadOwnSuite(), smoke: true, allow: 'reversible', maxWrites: 25 } as const;
  const { report, gate: night } = await nightIn(folder, own);
  const sent = service.requests.filter((one) => !one.startsWith('GET')).length;
  expect(report?.plan.length).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(report?.plan.length ?? 0);
  expect(service.requests.length).toBeLessThan(60);
  const left = report?.options.leftOut ?? [];
  expect(left.length + (report?.scenarios.length ?? 0)).toBe(own.suite.scenarios.length);
  expect(new Set(left).size).toBe(left.length);
  expect(night.lost).toEqual([]);
  const dry = withSmoke({ ...own, tenant: 'tenant.yaml', baseline: 'known.yaml' }, folder);
  const { plan } = await planOf(dry, { env, cwd: folder, safety: safetyFacts, version: '0' });
  expect(plan.writes).toHaveLength(report?.plan.length ?? 0);
  await expect(nightIn(folder, { ...own, maxWrites: 1 })).rejects.toThrow('--max-writes is 1');
});

test.concurrent('a baseline that is not YAML ends with 2, before anything is sent', async ({
  service,
  folder,
}) => {
  writeFileSync(join(folder, 'known.yaml'), 'problems: [');
  const failure = await nightIn(folder).catch(failureOf);
  expect(failure).toEqual({ exitCode: 2, message: expect.stringContaining('known.yaml:1:') });
  expect(service.requests).toEqual([]);
});
