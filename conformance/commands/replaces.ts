/** What of an earlier report a run may replace: nothing that says more, or speaks of another target. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../spec/base/json.ts';
import { ifThere, Refused } from '../../spec/base/refused.ts';
import type { Report } from '../judge/report.ts';
import { effects } from '../language/vocabulary.ts';

type Covered = Pick<Report, 'options'> & {
  readonly target: Pick<Report['target'], 'baseUrl' | 'kind'>;
};

/** Throws Refused where the report in a folder must stay, unless `force` replaces any. */
export function mayReplace(folder: string, next: Covered, force = false): void {
  const earlier = force ? undefined : reportIn(folder);
  const reason = earlier && lost(earlier, next);
  if (reason === undefined) return;
  throw new Refused(
    `${folder} holds a report that ${reason}: choose another --out, or give --force`,
  );
}

/** What would be lost with an earlier report. */
function lost(earlier: Covered, { options, target }: Covered): string | undefined {
  const { baseUrl, kind } = earlier.target;
  // A mock listens elsewhere each time, and has a new world for each run.
  const alike = kind === 'mock' && target.kind === 'mock';
  if (!alike && baseUrl !== target.baseUrl) return `is of another target, ${baseUrl}`;
  const { only, shard, allow } = earlier.options;
  const narrowed = options.only.length > 0;
  if (narrowed && (only.length === 0 || only.some((id) => !options.only.includes(id)))) {
    return `covers ${only.length === 0 ? 'all statements' : only.join(', ')}`;
  }
  if (shard === undefined && options.shard !== undefined) return 'covers the whole suite';
  if (effects.indexOf(allow) > effects.indexOf(options.allow)) {
    return `was allowed more writes (--allow ${allow})`;
  }
  return undefined;
}

/** The report that a folder holds, as far as it is one. */
function reportIn(folder: string): Covered | undefined {
  const report = parseJson(ifThere(() => readFileSync(join(folder, 'report.json'), 'utf8')));
  const whole = isObject(report) && isObject(report.options) && isObject(report.target);
  return whole ? (report as unknown as Covered) : undefined;
}
