/**
 * A service that becomes unreachable during a run: the run ends soon, says why, and reports no
 * broken promise.
 */

import { expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import { whyCouldNotRun } from '../../conformance/judge/assemble-report.ts';
import type { ProgressEvent } from '../../conformance/judge/progress-event.ts';
import type { RunOptions } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import {
  NetworkError,
  type Transport,
  type WireResponse,
} from '../../conformance/target/target.ts';
import { createProgress } from '../../reports/progress.ts';
import { bench, withLedger } from './measure.ts';

const suite = loadOwnSuite();
const page = '<html><h1>We will be back soon</h1></html>';

const ways: Readonly<Record<string, () => WireResponse>> = {
  'a page of maintenance': () => ({ status: 200, headers: {}, text: page }),
  'a redirect to a login': () => ({ status: 302, headers: { location: '/login' }, text: '' }),
  'a gateway that asks for patience': () => ({
    ...{ status: 503, headers: { 'retry-after': '60' }, text: page },
  }),
  'nothing at all': () => {
    throw new NetworkError('ECONNREFUSED');
  },
};

/**
 * A run on a tenant that gives this answer from a certain call on, for some calls or until the end.
 */
async function runAway(
  allow: RunOptions['allow'],
  away: () => WireResponse,
  from: number,
  most = Infinity,
) {
  const { target } = bench();
  let calls = 0;
  let since = 0;
  let skipped = 0;
  const now = (): number => Date.now() + skipped;
  const wait: typeof target.wait = async (milliseconds) => {
    skipped += milliseconds;
    await target.wait(milliseconds);
  };
  const transport: Transport = async (request, signal) => {
    calls++;
    if (calls < from || calls >= from + most) return await target.transport(request, signal);
    since ||= now();
    skipped += 50;
    return away();
  };
  const lines: string[] = [];
  const tell = createProgress({ write: (text) => lines.push(text) });
  const { report } = await withLedger((openLedger) =>
    runSuite({
      ...{ suite, safety: safetyFacts, version: '0', openLedger, confirm: true },
      target: { ...target, transport, now, wait },
      names: { id: 'outage', startedAt: new Date().toISOString() },
      onProgress: (event: ProgressEvent) => tell(event),
      options: {
        ...{ allow, convergenceMs: 20, jobs: 8, only: [], seed: 1 },
        ...{ standards: 'report', complete: false },
      },
    }),
  );
  return { report, beyondMs: now() - since, lines };
}

test.for([
  ['a page of maintenance', 'none'],
  ['a page of maintenance', 'reversible'],
  ['a page of maintenance', 'permanent'],
  ['a redirect to a login', 'reversible'],
  ['a gateway that asks for patience', 'none'],
  ['a gateway that asks for patience', 'reversible'],
  ['nothing at all', 'reversible'],
] as const)('%s, with --allow %s', async ([name, allow]) => {
  const { report, beyondMs, lines } = await runAway(allow, ways[name] as () => WireResponse, 200);
  expect(whyCouldNotRun(report)).toHaveLength(1);
  // Parallel waits add up on this clock.
  expect(beyondMs).toBeLessThan(40_000);
  const broken = report.statements.filter(({ verdict }) => verdict === 'violated');
  expect(broken.map(({ id }) => id)).toEqual([]);
  expect(report.exitCode).toBe(report.leftBehind.length > 0 ? 5 : 4);
  for (const [, done = 0, total = 0] of lines.join('').matchAll(/(\d+) of (\d+)/g))
    expect(Number(done)).toBeLessThanOrEqual(Number(total));
});

test('a short outage does not stop the run', async () => {
  const gateway = ways['a gateway that asks for patience'] as () => WireResponse;
  const moment = () => ({ ...gateway(), headers: { 'retry-after': '1' } });
  const { report } = await runAway('none', moment, 200, 12);
  expect([report.stopped, report.exitCode]).toEqual([undefined, 0]);
});
