/** What a red run looks like, and whose tests it reaches, in sentences of ours. */

import { reachIn, reachText } from '../conformance/compare/reliance.ts';
import type { Report, Suspects } from '../conformance/judge/report.ts';
import { atMost, count, list } from './text.ts';

/** By statement that is broken: `it reaches billing-sync (3 tests)`. */
export const reachWords = (report: Report): ReadonlyMap<string, string> =>
  new Map(reachIn(report).map((reach) => [reach.statement, reachText(reach)]));

/** None if nobody looked for known deviations. */
export function diagnosisLines({ diagnosis }: Pick<Report, 'diagnosis'>): string[] {
  if (diagnosis === undefined) return [];
  const { checks, known, played, causes } = diagnosis;
  const cut = played < known ? [`Of ${known} known deviations the time lasted for ${played}.`] : [];
  if (known === 0) return ['No known deviation breaks these statements.'];
  if (causes.length === 0)
    return [`None of ${count(played, 'known deviation')} makes the same checks fail.`, ...cut];
  const lines = causes.flatMap(([first, ...others], index) => {
    if (first === undefined) return [];
    const rest = others.length === 0 ? '' : ` Or else ${others.map(named).join('; or ')}.`;
    return `${index === 0 ? 'As if' : 'And as if'} ${sentence(first, checks)}${rest}`;
  });
  return [...lines, ...cut];
}

function sentence(suspects: Suspects, checks: number): string {
  const { deviations, agree, against } = suspects;
  const [first] = deviations;
  const told = deviations.length === 1 ? ` (${first?.text.replace(/\.$/, '')})` : '';
  const held = against === 0 ? '' : `, and ${count(against, 'check')} more should have failed`;
  const same = deviations.length === 1 ? '' : ' No check tells these apart.';
  const home = `Meet it at home: \`npx lockstep mock --deviate ${first?.id}\`.`;
  return `${named(suspects)}${told}: ${agree} of ${count(checks, 'failed check')} agree${held}.${same} ${home}`;
}

const named = ({ deviations }: Suspects): string =>
  list(
    atMost(
      3,
      deviations.map(({ id }) => `\`${id}\``),
      (left) => `${left} more`,
    ),
  );
