/** The options for running the failures of an earlier run again. */

import { resolve } from 'node:path';
import { Refused } from '../../spec/base/refused.ts';
import { isTraffic, type Report } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { worse, worst } from '../language/vocabulary.ts';
import { readCertificate } from './certificate-files.ts';
import type { CertifyOptions } from './options.ts';

/**
 * The options of the earlier run, limited to scenarios that failed or could not run. Permission to
 * write (`--allow`) is never taken from a file. Throws Refused.
 */
export function withAgain(options: CertifyOptions, cwd: string): CertifyOptions {
  const { again, allow = 'none' } = options;
  if (again === undefined) return options;
  const { report } = readCertificate(resolve(cwd, again), `--again ${again}: `);
  if (isTraffic(report))
    throw new Refused(`--again ${again}: it is a report of traffic, which no run can repeat`);
  const { target } = report;
  const { convergenceMs, standards, inferred, complete, tries, seed, files } = report.options;
  const failed = failedScenarios(report);
  if (failed.length === 0) throw new Refused(`--again ${again}: nothing failed in that run`);
  const effect = worst(failed.map((scenario) => scenario.effect));
  if (target.kind === 'tenant' && worse(effect, allow))
    throw new Refused(`--again ${again}: its failed scenarios write, and need --allow ${effect}`);
  const named = [...(report.suite.custom ?? []).map(({ file }) => file), ...(files ?? [])];
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    ...{ convergenceMs, standards, inferred, complete, tries, seed },
    ...(options.tenant === undefined && { baseUrl: target.baseUrl }),
    ...(options.scenarios === undefined && { scenarios: named, alone: files !== undefined }),
    ...Object.fromEntries(given),
    titles: failed.map(({ scenario }) => scenario),
  };
}

function failedScenarios({ statements, scenarios }: Report) {
  const failures = statements
    .filter(({ level }) => level !== 'silent')
    .flatMap(({ checks }) => checks.filter(({ verdict }) => isFailure(verdict)));
  const titles = new Set(failures.map(({ scenario }) => scenario));
  return scenarios.filter(
    ({ scenario, outcome }) => titles.has(scenario) || outcome === 'could-not-run',
  );
}
