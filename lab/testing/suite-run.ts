/** The whole suite against a world in this process: what the sweep and the exam repeat. */
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Service } from '../../mock/service/service.ts';
import { version } from '../../spec/base/version.ts';
import { type InProcessOptions, inProcessTarget } from '../exam/in-process.ts';

const options = {
  allow: 'permanent',
  convergenceMs: 30_000,
  standards: 'report',
  complete: true,
  only: [],
} as const;

/** The report of one run; a world is made for it and dropped afterwards. */
export async function runOn(
  service: Service,
  suite: Suite,
  world: InProcessOptions = {},
  /** Scenarios side by side; one gives the same order each time. */
  jobs = 1,
): Promise<Report> {
  const target = await inProcessTarget(service, world);
  try {
    const names = { id: 'inprocess', startedAt: new Date().toISOString() };
    const { report } = await runSuite({
      suite,
      target,
      options: { ...options, jobs },
      names,
      safety: safetyFacts,
      version,
      evidence: false,
    });
    return report;
  } finally {
    await target.close();
  }
}

/** What a run noted about each silence, as text to compare. */
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

/** Promises that a run found broken, with the place of the first failing check. */
export function brokenIn(report: Report): string[] {
  return report.statements
    .filter(({ verdict }) => isFailure(verdict))
    .map(({ id, verdict, checks }) => {
      const failing = checks.find((check) => check.verdict === verdict);
      return `${id} ${verdict}: ${failing?.scenario} / ${failing?.step}`;
    });
}
