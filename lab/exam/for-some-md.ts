/** The part of the exam's table about promises that are broken for some only. */
import type { SomeAnswer, SomeOutcome } from './ask-for-some.ts';
import type { Combination } from './spread.ts';

/** Begins the part of the table that `exam --for-some` writes. */
export const FOR_SOME = '\n## Broken for some only\n';

export interface SomeTable {
  readonly tried: readonly Combination[];
  /** In the order of those. */
  readonly answers: readonly SomeAnswer[];
  /** How many there are in all. */
  readonly of: number;
  readonly isSpread: boolean;
}

/** The part as text, and the share of those that can be noticed which are. */
export function forSomeMd({ tried, answers, of, isSpread }: SomeTable) {
  const kinds = Map.groupBy(answers, (_answer, index) => tried[index]?.condition.kind ?? '');
  const noticed = answers.filter(({ outcome }) => outcome === 'killed').length;
  const surviving = answers.filter(({ outcome }) => outcome === 'surviving').length;
  const share = noticed / Math.max(1, noticed + surviving);
  const rows = [...kinds]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, own]) => `| ${[kind, ...countsOf(own)].join(' | ')} |`);
  const lines = [
    'Each deviation, in calls for which a condition holds: `ID@CONDITION` names it for `--deviate` and for',
    '`npm run exam -- --only`. It is put to the scenarios that notice it if it takes effect for everybody. If none',
    'notices, the same scenarios are made otherwise: each call is changed so that the condition holds. Written by',
    '`npm run exam -- --for-some`.',
    '',
    `${noticed} of ${noticed + surviving} are noticed (${(100 * share).toFixed(1)} %), ${isSpread ? `a spread of ${of} in which each statement meets each kind of condition` : `of ${of}`}.`,
    '',
    '| kind of condition | noticed | surviving | unproven | without effect |',
    '|---|---|---|---|---|',
    ...rows,
    `| all | ${countsOf(answers).join(' | ')} |`,
    '',
    '- surviving: no scenario notices, and one does if it is made otherwise.',
    '- unproven: it takes effect if a scenario is made otherwise, and no check can be shown to notice. Often the',
    '  changed call is refused, or what is checked is what was changed.',
    '- without effect: even so it changes no answer. No call exists for which both hold, such as a filter that is',
    '  broken only if it is not sent. Another one was tried in its place.',
    ...listOf('surviving', answers),
    ...listOf('unproven', answers),
  ];
  return { text: `${FOR_SOME}\n${lines.join('\n')}\n`, share };
}

const outcomes: readonly SomeOutcome[] = ['killed', 'surviving', 'unproven', 'idle'];

function countsOf(answers: readonly SomeAnswer[]): readonly number[] {
  return outcomes.map((name) => answers.filter(({ outcome }) => outcome === name).length);
}

function listOf(name: SomeOutcome, answers: readonly SomeAnswer[]): readonly string[] {
  const ids = answers.filter(({ outcome }) => outcome === name).map(({ id }) => `- \`${id}\``);
  const title = `### ${name[0]?.toUpperCase()}${name.slice(1)}`;
  return ids.length === 0 ? [] : ['', title, '', ...ids.toSorted()];
}
