/** The report on traffic. It has operations in place of scenarios. */

import type { Redactor } from '../../spec/base/redactor.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import { judgeCheck } from '../judge/check.ts';
import { judge } from '../judge/judge.ts';
import type { RunRecord } from '../judge/record.ts';
import { exitCodes, type Judged, type Report } from '../judge/report.ts';
import { aboutTarget, type Target } from '../target/target.ts';
import type { Tally } from './tally.ts';

/** The facts of a run that do not depend on its traffic. */
export interface Watched {
  readonly target: Target;
  readonly redactor: Redactor;
  readonly runId: string;
  readonly version: string;
  readonly suiteSha256: string;
}

export const scenarioOf = (id: Operation['id']): string => `Traffic: ${id}`;

/** The source that compares a promise over several calls. */
export const followedIn = (area: string) => ({
  ...{ file: `conformance/areas/${area}/watch.ts`, line: 1, column: 1 },
});

export function trafficReport(
  tally: Tally,
  { target, runId, version, suiteSha256, redactor }: Watched,
  about: Pick<RunRecord, 'startedAt' | 'durationMs' | 'latency'>,
  warnings: readonly string[],
): Report {
  const { openapi: contractSha256, statements: statementsSha256 } = contract.sha256;
  const skipped = tally.skipped().map(({ operation = 'other paths', why, count }) => {
    return `${operation}: ${count} not judged, or in part: ${why}`;
  });
  const report = judge({
    ...{ runId, target: aboutTarget(target), requests: tally.requests, ...about },
    suite: {
      ...{ version, contractVersion: contract.version, contractSha256, statementsSha256 },
      scenariosSha256: suiteSha256,
    },
    options: {
      allow: 'none',
      convergenceMs: 0,
      standards: 'report',
      complete: false,
      jobs: 1,
      only: [],
    },
    ...{ plan: [], preflight: [], leftBehind: [], stays: [], evidence: [], interrupted: false },
    warnings: [...skipped, ...warnings],
    scenarios: scenariosOf(tally),
  });
  const observations = [...report.observations, ...tally.observations()];
  return redactor.value({ ...report, observations, exitCode: exitCodeOf(report) });
}

/** Judges the counts, because a list of all answers would grow without limit. */
function scenariosOf(tally: Tally): RunRecord['scenarios'] {
  return tally.operations().map(({ id, requests, checks, open }) => {
    const { effect = 'none', area = '' } = contract.operations.get(id) ?? {};
    const about = { scenario: scenarioOf(id), file: 'traffic', effect } as const;
    const judged = checks.map(({ record, held, failed }): Judged => {
      const isMixed = failed > 0 && held > 0;
      const reason = isMixed ? { reason: `in ${failed} of ${held + failed} answers` } : {};
      return { ...judgeCheck(record), ...reason, tries: { held, failed } };
    });
    const untried = open.map(({ statement, why, count }): Judged => {
      const { level = 'documented' } = contract.statements.get(statement) ?? {};
      const result = { kind: 'untestable', reason: `${why} (${count} times)` } as const;
      return judgeCheck({
        ...{ statement, level, scenario: about.scenario, step: 'several calls', kind: 'check' },
        location: followedIn(area),
        readings: [{ result, evidence: [], circumstances: [] }],
      });
    });
    const result = { ...about, outcome: 'ran', durationMs: 0, requests } as const;
    const told = { result, judged: [...judged, ...untried] };
    return { ...about, extra: false, turns: [], told };
  });
}

/**
 * The exit code is 1 after a violation. Without one it is 0 if anything was judged, because traffic
 * cannot be complete.
 */
function exitCodeOf({ exitCode, totals }: Report): Report['exitCode'] {
  const { verified, violated, deviates, observed } = totals.checks;
  if (exitCode === exitCodes.violation) return exitCode;
  return verified + violated + deviates + observed > 0 ? exitCodes.ok : exitCodes.couldNotRun;
}
