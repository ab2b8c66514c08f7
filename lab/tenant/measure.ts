/**
 * Runs the suite and the explorer against a tenant in this process. There are no sockets and almost
 * no waiting, because a wait moves the tenant's clock. `npm run explorer` uses it to measure
 * faults, `lockstep exam --honest` to measure habits.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { Ledger, sealingWith } from '../../conformance/safety/ledger.ts';
import type { Target } from '../../conformance/target/target.ts';
import { readTenantFile, tenantTarget } from '../../conformance/target/tenant.ts';
import { reportOf } from '../exam/suite-run.ts';
import { exploredAreas } from '../explorer/areas/explored.ts';
import { type Exploration, explore } from '../explorer/explore.ts';
import { breaking } from './breaking.ts';
import { makeTenant, type Tenant, type TenantOptions, textOf } from './tenant.ts';

const baseUrl = 'https://harbour.example';
const suite = loadOwnSuite();
const convergenceMs = 20;

export interface BenchOptions extends TenantOptions {
  /** The id of a fault. */
  readonly broken?: string | undefined;
}

export interface Bench {
  readonly tenant: Tenant;
  readonly target: Target;
  /** How often the fault or the habits took effect. */
  readonly fired: () => number;
}

/** A tenant, with a target for the runner. */
export function bench({ broken, ...options }: BenchOptions = {}): Bench {
  let skipped = 0;
  const now = (): number => Date.now() + skipped;
  const wait = async (ms: number): Promise<void> => {
    // The runner measures some waits by the real clock, so a little real time must pass.
    const real = Math.min(ms, 3);
    skipped += ms - real;
    await new Promise((done) => setTimeout(done, real));
  };
  const fault = broken === undefined ? undefined : breaking(broken);
  const tenant = makeTenant({ now, wait, before: fault?.before, ...options });
  const shown = (): number =>
    Object.values(tenant.state().habits).reduce((sum, times) => sum + times, 0);
  const text = JSON.stringify(tenant.tenantFile(baseUrl));
  const { target } = tenantTarget(
    baseUrl,
    readTenantFile('tenant.yaml', text),
    tenant.env,
    async ({ method, url, headers, body }) => {
      const { pathname, search, protocol } = new URL(url);
      const reply = await tenant.answer({
        method,
        target: `${pathname}${search}`,
        headers: inSmallLetters(headers),
        text: body ?? '',
        secure: protocol === 'https:',
      });
      return { ...reply, headers: inSmallLetters(reply.headers), text: textOf(reply) };
    },
    async () => {},
  );
  return { tenant, target: { ...target, wait }, fired: fault?.fired ?? shown };
}

const inSmallLetters = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );

const names = () => ({ id: `m${Date.now().toString(36)}`, startedAt: new Date().toISOString() });

/** Runs `work` with a new ledger. */
export async function withLedger<T>(work: (open: () => Ledger) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'harbour-'));
  try {
    const header = { runId: 'measure', baseUrl, startedAt: names().startedAt };
    return await work(() => Ledger.open(folder, header, sealingWith('harbour')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function certified(
  options: BenchOptions = {},
  only: readonly string[] = [],
  jobs = 1,
): Promise<Report & { fired: number }> {
  const { target, fired } = bench(options);
  return withLedger(async (openLedger) => {
    const report = await reportOf(suite, target, { convergenceMs, jobs, only }, { openLedger });
    return { ...report, fired: fired() };
  });
}

export function explored(
  options: BenchOptions,
  seed: number,
  steps: number,
): Promise<Exploration & { fired: number }> {
  const { target, fired } = bench(options);
  return withLedger(async (openLedger) => {
    const done = await explore(
      {
        ...{ seed, allow: 'permanent', steps, convergenceMs },
        writeBudget: 1_000_000,
        shrink: false,
      },
      { target, areas: exploredAreas, names: names(), safety: safetyFacts, openLedger },
    );
    return { ...done, fired: fired() };
  });
}
