/** Random choices for all silences at once, so that few runs cover every alternative. */
import { silences } from '../../mock/world/assumptions.ts';
import { Random } from '../../spec/base/random.ts';
import type { Choice, Statement } from '../../spec/contract.ts';

/** The alternatives that change the mock's behaviour. */
export function liveAlternatives({ alternatives: choices = [] }: Statement): Choice[] {
  return choices.filter(({ inert }) => inert === undefined);
}

/**
 * `count` draws. At each silence, half of the draws choose an alternative, in equal parts. Each
 * alternative comes at least twice.
 */
export function drawnChoices(count: number): Record<string, string>[] {
  const draws = Array.from({ length: count }, (): Record<string, string> => ({}));
  for (const [seed, silence] of silences.entries()) {
    const alternatives = liveAlternatives(silence);
    const each = Math.max(2, Math.floor(count / (2 * alternatives.length)));
    const dealt = new Random(seed).shuffled(draws);
    for (const [index, { id }] of alternatives.entries()) {
      const own = dealt.slice(index * each, (index + 1) * each);
      if (own.length < 2) throw new Error(`${silence.id}: ${id} is in fewer than two draws`);
      for (const draw of own) draw[silence.id] = id;
    }
  }
  return draws;
}
