/** A night of the gate, put into words: what is new first, then what is known. */

import type { Finding, Gate } from '../../conformance/judge/gate.generated.ts';
import type { Digest, DigestLine, DigestSection } from '../diff/digest.ts';
import { count, present, ranges, words } from '../text.ts';

export function gateDigest(gate: Gate): Digest {
  const { news, known, stale, unknown, unconfirmed, late, silences, outages, putBack } = gate;
  const { startedAt, target, exitCode, headline } = gate.night;
  const age = ({ since }: Finding): string => {
    const days = Math.round((Date.parse(startedAt.slice(0, 10)) - Date.parse(since)) / 86_400_000);
    return days < 1 ? 'first seen tonight' : `for ${count(days, 'day')}`;
  };
  const excuse = ({ tonight = 'failed', until, reason }: Finding): string =>
    `${tonights[tonight]}: ${reason || 'UNREVIEWED'}${until ? `, accepted until ${until}` : ''}`;
  const section = (
    heading: string,
    note: string | undefined,
    findings: readonly Finding[],
    words = (_item: Finding) => '',
  ): DigestSection => ({ heading, note, lines: grouped(findings, words) });
  const plain = (heading: string, name: string, texts: readonly string[]): DigestSection => ({
    ...{ heading, uncounted: true, lines: texts.map((text) => ({ name, text })) },
  });
  const update = '--update-baseline takes it out';
  const accept = 'mend it, or accept it with --update-baseline';
  const answered = silences.map(
    ({ statement, was, now, last }) => `${statement} ${was} -> ${now}, since ${last}`,
  );
  return {
    ...{ title: 'Lockstep gate', headline, warnings: [] },
    tone: exitCode === 0 ? (silences.length > 0 ? 'changed' : 'same') : 'worse',
    about: { target, night: startedAt },
    sections: [
      section('New', accept, news, (one) => `, ${age(one)}`),
      section('Stale', `known to fail, and it held: ${update}`, stale),
      plain('Could not run', 'target', outages),
      section('Failed meanwhile', 'while the target was out of order: no news', unconfirmed),
      section('Known', undefined, known, (one) => `, ${age(one)}${excuse(one)}`),
      section('Late', 'it showed after --convergence was over', late),
      plain('Silences answered otherwise', 'silence', answered),
      section('Not in the suite', `entries that name no scenario of it: ${update}`, unknown),
      plain('A killed run had left', 'object', putBack),
      plain('Left out', 'budget', budgetLines(gate)),
    ],
  };
}

const tonights = { failed: '', held: ', held tonight', untried: ', not tried tonight' } as const;

/** One line for the checks of a statement of which the same is to be said. */
function grouped(findings: readonly Finding[], words: (item: Finding) => string): DigestLine[] {
  const groups = Map.groupBy(findings, (item) =>
    [item.statement, item.verdict, words(item), item.note].join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : `; ${count(others.length, 'more check')} of it`;
    const { statement: name, note, detail } = first;
    return { name, text: `${line(first)}${words(first)}${more}`, details: present(note, detail) };
  });
}

function line({ verdict, scenario, step, check }: Finding): string {
  const which = typeof check === 'number' ? `, check ${check}` : check ? `, ${check}` : '';
  const where = scenario === undefined ? '' : `: ${scenario}, step ${step}${which}`;
  return `${words(verdict)}${where}`;
}

function budgetLines({ budget }: Gate): string[] {
  if (budget === undefined) return [];
  const { ran, leftOut, statements, nights } = budget;
  const all = count(ran + leftOut.length, 'scenario');
  const rotation = `all of them run within ${count(nights, 'night')} like this one`;
  const untried = statements.length === 0 ? '' : `. Nothing of ${ranges(statements)}`;
  return [`${leftOut.length} of ${all}; ${rotation}${untried}`];
}
