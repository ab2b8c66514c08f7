/** The leniency exam as a table that is committed. */
import { contract } from '../../spec/contract.ts';
import { type Named, ruleOf } from './draw.ts';
import type { Answer } from './honest.ts';
import { unspoken } from './nodes.ts';
import { variants } from './variants.ts';

export interface Refusal extends Named {
  /** Statements that failed, each with its first place. */
  readonly refused: readonly string[];
}

export interface HonestTable {
  /** Tenants of the mock with one variant each. */
  readonly alone: readonly Named[];

  readonly answers: readonly Answer[];
  /** How many tenants had several. */
  readonly together: number;
  readonly refusals: readonly Refusal[];
}

/** How many statements a variant may leave untested before it is listed. */
const FEW = 3;

/** Free of times and of whatever chance decides: CI compares it with a fresh one. */
export function honestMd({ alone, answers, together, refusals }: HonestTable): string {
  const rules = Map.groupBy(variants, ruleOf);
  return [
    '# The leniency exam',
    '',
    'Honest tenants, which keep every promise and choose otherwise where the description is silent. The suite must pass each. Written by `npm run exam -- --honest`; do not edit.',
    '',
    `${variants.length} honest variants, ${alone.length + together} tenants: ${refusals.length} refused.`,
    ...refusals.map(
      ({ base, ids, refused }) =>
        `- on the ${base}: \`${ids.join(' + ')}\`: ${refused.map((text) => text.split(':')[0]).join(', ')}`,
    ),
    '',
    '## Variants',
    '',
    '| rule | variants | silences |',
    '|---|---|---|',
    ...[...rules].map(([rule, own]) => `| ${rule} | ${own.length} | ${silencesOf(own)} |`),
    '',
    '## Silences without a variant',
    '',
    silencesWithout().join(', ') || 'None.',
    '',
    '## Open nodes without a silence',
    '',
    ...unspoken().map((node) => `- ${node}`),
    '',
    '## Variants that never took effect',
    '',
    ...dead(alone, answers),
    '',
    `## Variants that leave more than ${FEW} statements untested`,
    '',
    ...gaps(alone, answers),
    '',
  ].join('\n');
}

function silencesOf(own: readonly { readonly ground: string }[]): string {
  const named = own.flatMap(({ ground }) => ground.match(/\b[A-Z]+-\d+\b/g) ?? []);
  const silences = new Set(named.filter((id) => contract.statements.has(id)));
  return silences.size > 8 ? `${silences.size}` : [...silences].join(', ');
}

/** Silent statements that no variant rests on. */
export function silencesWithout(): string[] {
  const grounds = variants.map(({ ground }) => ground).join(' ');
  return [...contract.statements.values()]
    .filter(({ id, level }) => level === 'silent' && !new RegExp(`\\b${id}\\b`).test(grounds))
    .map(({ id }) => id);
}

/** Of a choice that the base makes itself, nobody sees whether it did. */
function dead(alone: readonly Named[], answers: readonly Answer[]): string[] {
  const lines = alone.flatMap(({ ids }, at) => {
    const [id = ''] = ids;
    const isSeen =
      ids.length === 1 && variants.some((one) => one.id === id && (one.does ?? one.writes));
    return isSeen && answers[at]?.effects === 0 ? [`- \`${id}\``] : [];
  });
  return lines.length === 0 ? ['None.'] : lines;
}

/** What a gateway keeps from being tested is chance, and no gap of the suite. */
function gaps(alone: readonly Named[], answers: readonly Answer[]): string[] {
  const lines = alone.flatMap(({ ids }, at) => {
    const own = answers[at]?.gaps ?? [];
    const isChance = ids.some((id) => ruleOf({ id }).startsWith('gateway'));
    if (isChance || own.length <= FEW) return [];
    const [first] = own;
    return [`- \`${ids.join(' + ')}\`: ${own.map(({ id }) => id).join(', ')} (${first?.reason})`];
  });
  return lines.length === 0 ? ['None.'] : lines;
}
