/** Renders the committed table of the leniency exam. */
import { contract, statement } from '../../spec/contract.ts';
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
  /**
   * Tenants with a dozen variants each, so that every variant was also tried together with others.
   */
  readonly packs: readonly Named[];
  readonly refusals: readonly Refusal[];
}

/** A variant that leaves more statements untested than this is listed. */
const FEW = 3;

/**
 * CI compares the table with a fresh one, so it has no times and nothing random. Random tenants
 * appear only if they are refused.
 */
export function honestMd({ alone, answers, packs, refusals }: HonestTable): string {
  const rules = Map.groupBy(variants, ruleOf);
  const never = neverMet(alone, answers);
  const services = alone.length - never.length + packs.length;
  return [
    '# The leniency exam',
    '',
    'Honest tenants, which keep every promise and choose differently at each silence of the description. The suite must pass each. Written by `npm run exam -- --honest`; do not edit.',
    '',
    `${services} honest services: ${refusals.length} refused.`,
    '',
    `${variants.length} variants. ${alone.length - never.length} tenants of the mock have one each, ${packs.length} of an independent service have up to a dozen. Tenants that are drawn at random are asked as well, and not counted.`,
    '',
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
    ...listed(unspoken()),
    '',
    '## Variants that were never met',
    '',
    'The suite asks for nothing that shows them, so they were neither tried nor passed.',
    '',
    ...listed(never),
    '',
    `## Variants that leave more than ${FEW} statements untested`,
    '',
    ...listed(gaps(alone, answers)),
    '',
  ].join('\n');
}

const listed = (items: readonly string[]): readonly string[] =>
  items.length === 0 ? ['None.'] : items.map((item) => `- ${item}`);

function silencesOf(own: readonly { readonly ground: string }[]): string {
  const named = own.flatMap(({ ground }) => ground.match(/\b[A-Z]+-\d+\b/g) ?? []);
  const silences = new Set(named.filter((id) => contract.statements.has(id)));
  return silences.size > 8 ? `${silences.size}` : [...silences].join(', ');
}

/** Silent statements that no variant rests on. */
export function silencesWithout(): string[] {
  const grounds = variants.map(({ ground }) => ground).join(' ');
  return [...contract.statements.values()]
    .filter(({ level, unobservable }) => level === 'silent' && unobservable === undefined)
    .filter(({ id }) => !new RegExp(`\\b${id}\\b`).test(grounds))
    .map(({ id }) => id);
}

/**
 * The names of variants that took no effect. A variant that changes the tenant itself is left out,
 * because its effect cannot be counted.
 */
function neverMet(alone: readonly Named[], answers: readonly Answer[]): string[] {
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  return alone.flatMap(({ ids }, at) => {
    const [id = ''] = ids;
    const { does, writes, assumptions = {} } = byId.get(id) ?? {};
    // The mock's answers do not name ungraded silences.
    const told = Object.keys(assumptions).filter((one) => statement(one).ungraded === undefined);
    const isSeen = (does ?? writes ?? told[0]) !== undefined;
    return isSeen && answers[at]?.effects === 0 ? [`\`${id}\``] : [];
  });
}

/**
 * The statements that variants leave untested. A gateway variant leaves statements untested by
 * chance, so it is not a gap of the suite.
 */
function gaps(alone: readonly Named[], answers: readonly Answer[]): string[] {
  return alone.flatMap(({ ids }, at) => {
    const own = answers[at]?.gaps ?? [];
    const isChance = ids.some((id) => ruleOf({ id }).startsWith('gateway'));
    if (isChance || own.length <= FEW) return [];
    const [first] = own;
    return [`\`${ids.join(' + ')}\`: ${own.map(({ id }) => id).join(', ')} (${first?.reason})`];
  });
}
