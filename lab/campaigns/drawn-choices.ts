/** Choices at all silences at once, so that few runs meet every alternative. */
import { silences } from '../../mock/world/assumptions.ts';
import { Random } from '../../spec/base/random.ts';
import type { Choice, Statement } from '../../spec/contract.ts';

/** The choices to which a mock can be switched. */
export function liveAlternatives({ alternatives: choices = [] }: Statement): Choice[] {
  return choices.filter(({ inert }) => inert === undefined);
}

/**
 * So many draws; half of the choices at a silence are its alternatives, in equal parts. Each alternative
 * comes twice at least.
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
