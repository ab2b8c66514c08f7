/** Renders the part of the exam's table about deviations that are limited to some calls. */
import type { SomeAnswer, SomeOutcome } from './ask-for-some.ts';
import type { Combination } from './spread.ts';

/** The heading of the part that `exam --for-some` writes. */
export const FOR_SOME = '\n## Broken for some only\n';

export interface SomeTable {
  readonly tried: readonly Combination[];
  /** In the order of `tried`. */
  readonly answers: readonly SomeAnswer[];
  readonly of: number;
  readonly isSpread: boolean;
}

/** The part as text, and the share of the noticeable combinations that were noticed. */
export function forSomeMd({ tried, answers, of, isSpread }: SomeTable) {
  const kinds = new Map(tried.map(({ id, condition }) => [id, condition.kind]));
  const kindOf = ({ id }: SomeAnswer): string => kinds.get(id) ?? '';
  const noticed = answers.filter(({ outcome }) => outcome === 'killed').length;
  const surviving = answers.filter(
    ({ outcome }) => outcome === 'missed' || outcome === 'untried',
  ).length;
  const share = noticed / Math.max(1, noticed + surviving);
  const rows = [...Map.groupBy(answers, kindOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, own]) => `| ${[kind, ...countsOf(own)].join(' | ')} |`);
  const which = isSpread
    ? `a spread of ${of} in which each statement meets each kind of condition that can apply to it`
    : `of ${of}`;
  const lines = [
    'Each deviation, in calls for which a condition holds: `ID@CONDITION` names it for `--deviate` and for',
    '`npm run exam -- --for-some --only`. It is put to the scenarios that notice it if it takes effect for',
    'everybody. If none notices, the same scenarios are made differently: each call is changed so that the condition',
    'holds. Written by `npm run exam -- --for-some`.',
    '',
    `${noticed} of ${noticed + surviving} are noticed (${(100 * share).toFixed(1)} %), ${which}.`,
    '',
    '| kind of condition | noticed | missed | untried | unseen | unfit | without effect |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    `| all | ${countsOf(answers).join(' | ')} |`,
    '',
    'Without effect: no call exists for which both hold, such as a filter that is broken only if it is not sent.',
    'Another one was tried in its place.',
    ...listOf('missed', MISSED, answers, kindOf),
    ...listOf('untried', UNTRIED, answers, kindOf),
    ...listOf('unseen', UNSEEN, answers, kindOf),
    ...listOf('unfit', UNFIT, answers, kindOf),
  ];
  return { text: `${FOR_SOME}\n${lines.join('\n')}\n`, share };
}

const MISSED =
  'Missed: these took effect in a scenario, and no check failed. One fails if the scenario is made differently:';
const UNTRIED =
  'Untried: these took no effect, since no scenario makes such a call. If one is made differently, a check fails:';
const UNSEEN =
  'Unseen: these take effect if a scenario is made differently, and no check notices. Either the call before was right, or only a scenario looks that cannot be made differently:';
const UNFIT =
  'Unfit: these take effect if a scenario is made differently, and an honest target then fails the same check, so that nothing is proven. The scenario needs something that the other deployment, caller or spelling does not have, or it checks the changed value:';

const outcomes: readonly SomeOutcome[] = ['killed', 'missed', 'untried', 'unseen', 'unfit', 'idle'];

function countsOf(answers: readonly SomeAnswer[]): readonly number[] {
  return outcomes.map((name) => answers.filter(({ outcome }) => outcome === name).length);
}

function named({ id, blamed }: SomeAnswer): string {
  return blamed.length === 0 ? `\`${id}\`` : `\`${id}\` (blames ${blamed.join(', ')})`;
}

/** The combinations with an outcome, by kind of condition. */
function listOf(
  name: SomeOutcome,
  why: string,
  answers: readonly SomeAnswer[],
  kindOf: (answer: SomeAnswer) => string,
): readonly string[] {
  const own = answers.filter(({ outcome }) => outcome === name);
  if (own.length === 0) return [];
  const kinds = [...Map.groupBy(own, kindOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = kinds.flatMap(([kind, some]) => {
    const ids = some.map(named).toSorted();
    return [`- ${kind} (${ids.length}): ${ids.join(', ')}`];
  });
  return ['', why, '', ...lines];
}
