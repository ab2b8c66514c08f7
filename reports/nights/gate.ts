/** A night of the gate, in words: new findings first, then known ones. */

import { reachText } from '../../conformance/compare/reliance.ts';
import type { Finding, Gate } from '../../conformance/judge/gate.generated.ts';
import { type Report, writtenStep } from '../../conformance/judge/report.ts';
import { curlLines } from '../curl.ts';
import type { Comparison, Line, Section } from '../diff/comparison.ts';
import type { Exchanges } from '../exchanges.ts';
import { failureSentence } from '../failure-words.ts';
import { diagnosisLines } from '../findings.ts';
import { count, present, ranges, words } from '../text.ts';

/**
 * The gate's result, in which each failure has the sentence of the certificate, if the report has
 * one.
 */
export function toldGate(gate: Gate, report: Report, exchanges: Exchanges): Gate {
  const { statements } = report;
  const told = (finding: Finding): Finding => {
    const { checks = [] } = statements.find(({ id }) => id === finding.statement) ?? {};
    const check = checks.find(
      ({ scenario, step, verdict, kind }) =>
        scenario === finding.scenario &&
        (kind === 'contract') === (finding.check === 'contract') &&
        writtenStep(step) === finding.step &&
        verdict === finding.verdict,
    );
    if (check === undefined) return finding;
    const curl = curlLines(check, report, exchanges, 400).join('\n');
    const detail = failureSentence(check, exchanges);
    return { ...finding, detail, ...(curl !== '' && !curl.includes('`') && { curl }) };
  };
  const diagnosis = diagnosisLines(report);
  return {
    ...{ ...gate, news: gate.news.map(told), known: gate.known.map(told) },
    ...(diagnosis.length > 0 && { diagnosis }),
  };
}

export function gateComparison(gate: Gate): Comparison {
  const { news, lost, known, stale, unknown, unconfirmed, late, silences, outages, putBack } = gate;
  const { reach = [], diagnosis = [] } = gate;
  const played = {
    name: 'known deviations',
    text: 'the same checks fail with one',
    details: diagnosis,
  };
  const looksLike = diagnosis.length === 0 ? [] : [played];
  const reached = reach.map((one): Line => ({ name: one.statement, text: reachText(one) }));
  const { startedAt, target, exitCode, headline } = gate.night;
  const age = ({ since }: Finding): string => {
    const days = Math.round((Date.parse(startedAt.slice(0, 10)) - Date.parse(since)) / 86_400_000);
    return days < 1 ? ', first seen tonight' : `, for ${count(days, 'day')}`;
  };
  const excuse = ({ tonight = 'failed', until, reason }: Finding): string =>
    `${tonights[tonight]}: ${reason || 'UNREVIEWED'}${until ? `, accepted until ${until}` : ''}`;
  const section = (heading: string, lines: readonly Line[], note?: string): Section => {
    return { heading, lines, note };
  };
  const plain = (heading: string, name: string, texts: readonly string[]): Section => {
    return { heading, uncounted: true, lines: texts.map((text) => ({ name, text })) };
  };
  const answered = silences.map(
    ({ statement, was, now, last }) => `${statement} ${was} -> ${now}, since ${last}`,
  );
  const update = '--update-baseline takes it out';
  const changed = silences.length > 0 ? 'changed' : 'same';
  return {
    ...{ title: 'Lockstep gate', headline, warnings: [] },
    tone: exitCode === 0 ? changed : 'worse',
    about: { target, night: startedAt },
    sections: [
      section('New', grouped(news, age), 'mend it, or accept it with --update-baseline'),
      { heading: 'Looks like', uncounted: true, lines: looksLike },
      section('Whose tests it reaches', reached, 'by --reliance'),
      section(
        'No longer tried',
        lost.map(({ statement: name, detail = '' }) => ({ name, text: detail })),
        'an earlier night tried it: give back what it needs, or accept it with --update-baseline',
      ),
      section('Stale', grouped(stale), `known to fail, and it held: ${update}`),
      plain('Could not run', 'target', outages),
      section(
        'Failed meanwhile',
        grouped(unconfirmed),
        'the target was out of order meanwhile, so these do not count',
      ),
      section(
        'Known',
        grouped(known, (one) => age(one) + excuse(one)),
      ),
      section('Late', grouped(late), 'it showed after --convergence was over'),
      plain('Silences answered differently', 'silence', answered),
      section('Not in the suite', grouped(unknown), `it names no scenario of it: ${update}`),
      plain('A killed run had left', 'object', putBack),
      plain('Left out', 'budget', budgetLines(gate)),
    ],
  };
}

const tonights = { failed: '', held: ', held tonight', untried: ', not tried tonight' } as const;

/** One line for all checks of a statement that share the same words. */
function grouped(findings: readonly Finding[], more = (_item: Finding) => ''): Line[] {
  const groups = Map.groupBy(findings, (item) =>
    [item.statement, item.verdict, more(item), item.note].join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { statement: name, verdict, scenario, step, check, note, detail, curl } = first;
    const which = typeof check === 'number' ? `, check ${check}` : check ? `, ${check}` : '';
    const where = scenario === undefined ? '' : `: ${scenario}, step ${step}${which}`;
    const alike = others.length === 0 ? '' : `; ${count(others.length, 'more check')} of it`;
    const text = words(verdict) + where + more(first) + alike;
    const curls = curl?.split('\n').map((line) => `\`${line}\``) ?? [];
    return { name, text, details: present(note, detail, ...curls) };
  });
}

function budgetLines({ budget }: Gate): string[] {
  if (budget === undefined) return [];
  const { ran, leftOut, statements, nights } = budget;
  const all = count(ran + leftOut.length, 'scenario');
  const rotation = `all of them run within ${count(nights, 'night')} like this one`;
  const untried = statements.length === 0 ? '' : `. Nothing of ${ranges(statements)}`;
  return [`${leftOut.length} of ${all}; ${rotation}${untried}`];
}
