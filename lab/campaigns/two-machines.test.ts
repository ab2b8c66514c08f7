/** Two machines on one tenant: they do not share a lock, and must not lose original values. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { failureOf, newRunId } from '../../conformance/commands/command.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import { exitCodes, type Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { Ledger, ledgerFiles, readLedger, sealingWith } from '../../conformance/safety/ledger.ts';
import type { Target } from '../../conformance/target/target.ts';
import { type Bench, bench } from '../tenant/measure.ts';

/** The suite without variations, which would take long. */
const { whole: _whole, ...own } = loadOwnSuite();
const files =
  /\/(folders\/(rename|position|fields|parent)|staging\/(answer|listed)|versions\/switch)\.yaml$/;
const suite = {
  ...own,
  scenarios: own.scenarios.filter(({ location }) => files.test(location.file)),
};
const seal = sealingWith('harbour');

interface Machine {
  readonly runId: string;
  readonly report?: Report;
  readonly exitCode: number;
  readonly message?: string;
  /** The changes that the machine's ledger can still put back. */
  readonly open: readonly string[];
}

/** Plays a run on a separate machine, which shares only the tenant with the others. */
async function machine(target: Target, runId: string = newRunId()): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const startedAt = new Date().toISOString();
  const header = { runId, startedAt, baseUrl: target.baseUrl };
  const ended = await runSuite({
    ...{ suite, target, safety: safetyFacts, version: '0', names: { id: runId, startedAt } },
    evidence: false,
    openLedger: () => Ledger.open(folder, header, seal),
    options: {
      ...{ allow: 'disruptive', convergenceMs: 20, standards: 'report', complete: false },
      ...{ jobs: 8, only: [], seed: 1 },
    },
  }).then(({ report }) => ({ report, exitCode: report.exitCode }), failureOf);
  const left = ledgerFiles(folder).flatMap((file) => readLedger(file, seal).open);
  return { ...ended, runId, open: left.map(({ first }) => first.object) };
}

/** Everything that a run puts back: switches, versions, and the names and order of folders. */
function originalsOf({ tenant }: Bench): string {
  const { deployments, branches } = tenant.state();
  const siblings = Map.groupBy(
    tenant.state().folders,
    ({ deployment, parent }) => `${deployment}/${parent}`,
  );
  const told = [...siblings].map(([place, all]) => [place, ...all.map(({ name }) => name)]);
  const versions = deployments.map(({ version }) => version);
  const switches = branches.map(({ enabled }) => enabled);
  return JSON.stringify([versions, switches, told.sort()]);
}

/** The tenant over a network: while one machine waits, the other continues. */
const overNetwork = ({ target }: Bench): Target => ({
  ...target,
  transport: async (request, signal) => {
    await new Promise((done) => setImmediate(done));
    return target.transport(request, signal);
  },
});

test('two runs at once lose no original value, and one of them stops and names the other', async () => {
  let met = 0;
  for (const pauseMs of [0, 5, 60]) {
    const here = bench({ habits: [] });
    const before = originalsOf(here);
    const first = machine(overNetwork(here));
    await new Promise((done) => setTimeout(done, pauseMs));
    const both = await Promise.all([first, machine(overNetwork(here))]);
    for (const { runId, exitCode, message, report } of both) {
      if (exitCode !== exitCodes.unsafe) continue;
      met++;
      const other = both.find((one) => one.runId !== runId);
      const said = message ?? JSON.stringify(report?.leftBehind);
      expect(said).toContain(`the mark of another run (${other?.runId}`);
    }
    expect(originalsOf(here), `${pauseMs} ms later`).toBe(before);
  }
  expect(met).toBeGreaterThan(1);
});

test('a run that begins during another run writes nothing', async () => {
  const here = bench({ habits: [] });
  const folder = here.tenant.state().folders.find(({ id }) => id === 3310);
  if (folder === undefined) throw new Error('the tenant has no such folder');
  folder.name = `lockstep ${newRunId()} A`;
  const before = originalsOf(here);
  const second = await machine(overNetwork(here));
  expect(second).toMatchObject({ exitCode: 5, open: [] });
  expect(second.message).toContain(
    'folder 3310 of deployment 7001 carries the mark of another run',
  );
  expect(originalsOf(here)).toBe(before);
});
