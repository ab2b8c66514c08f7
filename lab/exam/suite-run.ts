/** Runs the suite against a target in this process, for the sweep, the exam and the tenant. */
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { type RunInput, runSuite } from '../../conformance/commands/run-suite.ts';
import type { CheckResult, Report, RunOptions } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';
import type { Service } from '../../mock/service/service.ts';
import { version } from '../../spec/base/version.ts';
import { type InProcessOptions, inProcessTarget } from './in-process.ts';

const everything: RunOptions = {
  ...{ allow: 'permanent', convergenceMs: 30_000, standards: 'report', complete: false },
  // One scenario at a time, so that the order is always the same.
  ...{ jobs: 1, only: [] },
};

/** The report of one run, without evidence. By default everything is permitted. */
export async function reportOf(
  suite: Suite,
  target: Target,
  options: Partial<RunOptions> = {},
  more: Pick<Partial<RunInput>, 'enough' | 'names' | 'openLedger' | 'onProgress'> = {},
): Promise<Report> {
  const { report } = await runSuite({
    ...{ suite, target, safety: safetyFacts, version, evidence: false },
    options: { ...everything, ...options },
    names: { id: 'lab', startedAt: new Date().toISOString() },
    ...more,
  });
  return report;
}

/**
 * The report of one run, limited to some statements if they are given. The world is dropped
 * afterwards.
 */
export async function runOn(
  service: Service,
  suite: Suite,
  world: InProcessOptions = {},
  only: readonly string[] = [],
): Promise<Report> {
  const target = await inProcessTarget(service, world);
  try {
    return await reportOf(suite, target, { complete: true, only });
  } finally {
    await target.close();
  }
}

/** The observations of a run for each silence, as a text that can be compared. */
export function observationsOf(report: Report): Map<string, string> {
  const noted = new Map<string, string[]>();
  for (const statement of report.statements) {
    if (statement.level !== 'silent') continue;
    const seen = statement.checks.map(({ scenario, step, verdict, actual }) =>
      JSON.stringify([scenario, step, verdict, actual ?? null]),
    );
    noted.set(statement.id, seen.sort());
  }
  return new Map([...noted].map(([id, seen]) => [id, seen.join('\n')]));
}

/**
 * The promises that a run found broken, with the place of the first failing check; `more` adds
 * details.
 */
export function brokenIn(
  report: Pick<Report, 'statements'>,
  more: (failing: Partial<CheckResult>) => string = () => '',
): string[] {
  return report.statements
    .filter(({ verdict }) => isFailure(verdict))
    .map(({ id, verdict, checks }) => {
      const failing: Partial<CheckResult> = checks.find((check) => check.verdict === verdict) ?? {};
      const { scenario, step } = failing;
      return `${id} ${verdict}: ${scenario} / ${step}${more(failing)}`;
    });
}
