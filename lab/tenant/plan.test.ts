/** The announced plan is close to the writes in the evidence. */

import { expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import type { RunOptions } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Ledger } from '../../conformance/safety/ledger.ts';
import { entriesOf } from '../../conformance/target/evidence.ts';
import type { Target } from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { type HabitId, odd } from './habits.ts';
import { bench, withLedger } from './measure.ts';

const suite = loadOwnSuite();
const reads = ['GET', 'HEAD', 'OPTIONS'];

/** The writes that a run announces, and those that it sends. */
async function runOn(target: Target, allow: RunOptions['allow'], openLedger?: () => Ledger) {
  const { report, evidence } = await runSuite({
    ...{ suite, target, safety: safetyFacts, version: '0', openLedger },
    names: { id: 'plan', startedAt: new Date().toISOString() },
    options: {
      ...{ allow, convergenceMs: target.kind === 'mock' ? 30_000 : 20, jobs: 8, only: [], seed: 1 },
      ...{ standards: 'report', complete: false },
    },
  });
  const entries = evidence.flatMap(({ text }) => entriesOf(text));
  const sent = entries.filter(({ request }) => !reads.includes(request.method));
  return { report, announced: report.plan.length, sent: sent.length };
}

const onTenant = (allow: RunOptions['allow'], habits: readonly HabitId[]) =>
  withLedger((openLedger) => runOn(bench({ habits }).target, allow, openLedger));

const onMock = async (allow: RunOptions['allow']) => {
  const target = await inProcessTarget(await createService());
  return await runOn(target, allow).finally(() => target.close());
};

const levels = ['none', 'reversible', 'disruptive', 'permanent'] as const;
/** One run for each level of `--allow`. */
const usualRuns = new Map<RunOptions['allow'], ReturnType<typeof onTenant>>();
function usual(allow: RunOptions['allow']) {
  const ran = usualRuns.get(allow) ?? onTenant(allow, []);
  usualRuns.set(allow, ran);
  return ran;
}
const strange = (allow: RunOptions['allow']) => onTenant(allow, odd);

test.for([
  ...levels.map((allow) => ['a usual tenant', allow, usual] as const),
  ['an odd tenant', 'permanent', strange] as const,
  ...levels.map((allow) => ['a mock', allow, onMock] as const),
])('on %s, with --allow %s', async ([, allow, run]) => {
  const { announced, sent } = await run(allow);
  expect(sent).toBeLessThanOrEqual(announced);
  expect(announced).toBeLessThanOrEqual(1.1 * sent);
  expect(sent > 0).toBe(allow !== 'none');
});

test('each recipient that will remain is listed, before and after the run', async () => {
  const { report } = await usual('permanent');
  const planned = new Set(report.plan.flatMap(({ leaves = [] }) => leaves));
  const stays = report.stays ?? [];
  expect(stays.map(({ name }) => name).filter((name) => !planned.has(name))).toEqual([
    'oskar.dover3@harbour.example',
  ]);
  expect(stays.length).toBeLessThan(40);
  expect(stays).toContainEqual(expect.objectContaining({ name: 'until it expires' }));
});
