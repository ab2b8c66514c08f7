/** What a night comes to: an exit code and one line. */

import type { Finding, Gate } from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes, type Report } from '../judge/report.ts';
import type { Health } from './outage.ts';

type Found = Omit<Gate, 'schemaVersion' | 'night' | 'putBack' | 'budget'>;

/** Why the target could not be tried, or not all of it: a line each. */
export function unable(report: Report, { outages }: Health): readonly string[] {
  const { interrupted, preflight, scenarios, totals } = report;
  const lost = scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  const { verified, violated, deviates, unstable, observed } = totals.checks;
  if (outages.length > 0) return outages;
  if (interrupted) return ['the run was interrupted'];
  if (preflight.length > 0) return preflight.map(({ name, message }) => `${name}: ${message}`);
  if (lost.length > 0) return [`${lost.length} of the scenarios could not run: ${lost[0]?.reason}`];
  const some = verified + violated + deviates + unstable + observed > 0;
  return some ? [] : ['nothing was evaluated'];
}

/** The order of what must not be overlooked: left changed, broken, stale, not tried. */
export function exitCodeOf(report: Report, found: Found, driftFails: boolean): ExitCode {
  const { news, stale, silences, outages } = found;
  if (report.leftBehind.length > 0) return exitCodes.unsafe;
  if (news.length > 0 || (driftFails && silences.length > 0)) return exitCodes.violation;
  if (stale.length > 0) return exitCodes.stale;
  return outages.length > 0 ? exitCodes.couldNotRun : exitCodes.ok;
}

const words = ['PASSED', 'FAILED', 'NOT RUN', 'STALE', 'COULD NOT RUN', 'UNSAFE'] as const;

/** The line that a night is known by. */
export function headline(exitCode: ExitCode, parts: readonly string[]): string {
  return `GATE ${words[exitCode]}  ${parts.join('; ')}`;
}

export function headlineOf(report: Report, found: Found, exitCode: ExitCode): string {
  const { leftBehind, scenarios, options } = report;
  const { leftOut } = options;
  const { news, known, stale, unconfirmed, late, silences, outages } = found;
  const bare = known.filter((entry) => !entry.reason).length;
  const ids = (list: readonly Pick<Finding, 'statement'>[]): string =>
    names(list.map(({ statement }) => statement));
  const broken = news.map(({ statement, verdict }) => `${statement} ${verdict.replace('-', ' ')}`);
  const parts = [
    leftBehind.length > 0 && `left changed: ${leftBehind.map(({ object }) => object).join(', ')}`,
    news.length > 0 && `${news.length} new: ${names(broken)}`,
    stale.length > 0 && `${stale.length} known to fail, and held: ${ids(stale)}`,
    outages[0],
    known.length > 0 && `${known.length} known${bare > 0 ? `, ${bare} of them unreviewed` : ''}`,
    unconfirmed.length > 0 && `${unconfirmed.length} failed meanwhile`,
    late.length > 0 && `${late.length} late: ${ids(late)}`,
    silences.length > 0 && `silences answered otherwise: ${ids(silences)}`,
  ].filter((part) => typeof part === 'string');
  if (parts.length === 0) parts.push('nothing new');
  const all = scenarios.length + (leftOut?.length ?? 0);
  return headline(exitCode, leftOut ? [...parts, `${scenarios.length} of ${all} ran`] : parts);
}

/** Each once, the first of them. */
function names(all: readonly string[]): string {
  const each = [...new Set(all)];
  return each.slice(0, 4).join(', ') + (each.length > 4 ? ` and ${each.length - 4} more` : '');
}
