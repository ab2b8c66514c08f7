/**
 * Runs the suite and the explorer against a tenant in this process, without sockets and almost
 * without waiting: what waits moves the tenant's clock.
 *
 *     node lab/tenant/measure.ts certify [break,...]      the scenarios of its statements
 *     node lab/tenant/measure.ts quirks [quirk,...]       nothing should be found
 *
 * `npm run explorer` measures what only a history of calls shows.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { Ledger } from '../../conformance/safety/ledger.ts';
import type { Target } from '../../conformance/target/target.ts';
import { readTenantFile, tenantTarget } from '../../conformance/target/tenant.ts';
import { exploredAreas } from '../explorer/areas/explored.ts';
import { type Exploration, explore } from '../explorer/explore.ts';
import { type BreakId, breaks } from './breaks/table.ts';
import { quirks } from './quirks.ts';
import { makeTenant, type Tenant, type TenantOptions, wire } from './tenant.ts';

const baseUrl = 'https://harbour.example';
const suite = loadOwnSuite();
const convergenceMs = 20;

export interface Bench {
  readonly tenant: Tenant;
  readonly target: Target;
}

/** A tenant and the runner's way to it. */
export function bench(options: TenantOptions = {}): Bench {
  let skipped = 0;
  const now = (): number => Date.now() + skipped;
  const wait = async (ms: number): Promise<void> => {
    // The runner counts some of its waiting by the wall's clock, so a little of it must pass.
    const real = Math.min(ms, 3);
    skipped += ms - real;
    await new Promise((done) => setTimeout(done, real));
  };
  const tenant = makeTenant({ now, wait, ...options });
  const text = JSON.stringify(tenant.tenantFile(baseUrl));
  const { target } = tenantTarget(
    baseUrl,
    readTenantFile('tenant.yaml', text),
    tenant.env,
    async ({ method, url, headers, body }) => {
      const { pathname: path, searchParams: query, protocol } = new URL(url);
      return wire(
        await tenant.answer({
          method,
          path,
          query,
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
          ),
          text: body ?? '',
          secure: protocol === 'https:',
        }),
      );
    },
    async () => {},
  );
  return { tenant, target: { ...target, wait } };
}

const names = () => ({ id: `m${Date.now().toString(36)}`, startedAt: new Date().toISOString() });

/** Does something with a ledger of its own. */
async function withLedger<T>(work: (open: () => Ledger) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'harbour-'));
  try {
    const header = {
      runId: 'measure',
      baseUrl,
      startedAt: names().startedAt,
    };
    return await work(() => Ledger.open(folder, header));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function certified(
  options: TenantOptions = {},
  only: readonly string[] = [],
  jobs = 1,
): Promise<Report & { fired: number }> {
  const { tenant, target } = bench(options);
  return withLedger(async (openLedger) => {
    const { report } = await runSuite({
      suite,
      target,
      options: {
        allow: 'permanent',
        convergenceMs,
        standards: 'report',
        complete: false,
        jobs,
        only,
      },
      names: names(),
      safety: safetyFacts,
      version: '0',
      evidence: false,
      openLedger,
    });
    return { ...report, fired: tenant.fired() };
  });
}

export function explored(
  options: TenantOptions,
  seed: number,
  steps: number,
): Promise<Exploration & { fired: number }> {
  const { tenant, target } = bench(options);
  return withLedger(async (openLedger) => {
    const done = await explore(
      {
        target,
        areas: exploredAreas,
        seed,
        allow: 'permanent',
        steps,
        convergenceMs,
        writeBudget: 1_000_000,
        shrink: false,
      },
      { names: names(), safety: safetyFacts, openLedger },
    );
    return { ...done, fired: tenant.fired() };
  });
}

/** Statements that a run found broken. */
export const brokenIn = ({ statements }: Report): string[] =>
  statements
    .filter(({ verdict }) => isFailure(verdict))
    .map(({ id, verdict }) => `${id} ${verdict}`);

/** What the description allows should break nothing. */
async function allow(only: readonly string[] | undefined): Promise<void> {
  for (const { id } of quirks.filter((one) => only?.includes(one.id) ?? true)) {
    const report = await certified({ quirk: id, habits: 'mild' });
    const { documented, standard } = report.totals.statements;
    const gaps = documented['not-testable'] + standard['not-testable'];
    console.log([id, `fired ${report.fired}`, `gaps ${gaps}`, ...brokenIn(report)].join('\t'));
    for (const { id: statement, checks } of report.statements) {
      const [worst] = checks.filter(
        ({ verdict }) => verdict === 'violated' || verdict === 'deviates',
      );
      if (worst === undefined) continue;
      const { scenario, step, expected, actual } = worst;
      console.log(
        `\t${statement}: ${scenario} / ${step}: ${JSON.stringify({ expected, actual })}`.slice(
          0,
          400,
        ),
      );
    }
  }
}

async function main([what, chosen]: readonly string[]): Promise<void> {
  const only = chosen?.split(',');
  if (what === 'quirks') return allow(only);
  for (const { id, statements } of breaks.filter((one) => only?.includes(one.id) ?? true)) {
    const start = performance.now();
    const report = await certified({ broken: id as BreakId, habits: 'mild' }, statements);
    const told = [`fired ${report.fired}`, ...brokenIn(report)];
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log([id, statements.join(' '), seconds, ...told].join('\t'));
  }
}

if (import.meta.main) await main(process.argv.slice(2));
