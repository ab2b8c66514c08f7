/** Combines variants to tenants: each variant alone, packs of a dozen, and random draws. */
import { Random } from '../../spec/base/random.ts';
import type { Tenant } from './honest.ts';
import type { BaseName, Variant } from './variant.ts';
import { variants, variantsOn } from './variants.ts';

/** A description of a tenant that can be sent to another thread. */
export interface Named extends Pick<Tenant, 'seed'> {
  readonly base: BaseName;
  readonly ids: readonly string[];
}

const byId = new Map(variants.map((variant) => [variant.id, variant]));

/** Throws an Error for an unknown variant. */
export function tenantOf({ base, ids, seed }: Named): Tenant {
  const chosen = ids.map((id) => {
    const variant = byId.get(id);
    if (variant === undefined) throw new Error(`there is no honest variant ${id}`);
    return variant;
  });
  // The order of the catalogue: the first variant is applied nearest to the service.
  const order = new Map(variants.map((variant, at) => [variant, at]));
  const sorted = chosen.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return { base, variants: sorted, seed };
}

export const singles = (base: BaseName): Named[] =>
  variantsOn(base).map(({ id }) => ({ base, ids: [id], seed: 1 }));

type IsOut = (id: string) => boolean;

/** The most variants in one tenant. */
const MOST = 12;

/** The variants of each slot; `isOut` excludes some. */
const slotsOf = (base: BaseName, isOut: IsOut): Variant[][] => [
  ...Map.groupBy(
    variantsOn(base).filter(({ id }) => !isOut(id)),
    ({ slot }) => slot,
  ).values(),
];

/**
 * As few tenants as possible that have each variant once. No two variants of a tenant share a slot.
 */
export function packs(base: BaseName, isOut: IsOut = () => false): Named[] {
  const slots = slotsOf(base, isOut);
  const packed: Named[] = [];
  while (slots.some(({ length }) => length > 0)) {
    slots.sort((a, b) => b.length - a.length);
    const ids = slots.slice(0, MOST).flatMap((slot) => slot.pop()?.id ?? []);
    packed.push({ base, ids, seed: packed.length });
  }
  return packed;
}

/** Random tenants, each with two to twelve variants. */
export function drawn(
  base: BaseName,
  count: number,
  seed: number,
  isOut: IsOut = () => false,
): Named[] {
  const random = new Random(seed);
  const slots = slotsOf(base, isOut);
  return Array.from({ length: count }, () => {
    const chosen = random.shuffled(slots).slice(0, 2 + random.below(MOST - 1));
    const ids = chosen.map((slot) => slot[random.below(slot.length)]?.id ?? '');
    return { base, ids, seed: random.next() };
  });
}

/** Shrinks a refused tenant to the fewest variants that are still refused. */
export async function shrunk(
  tenant: Named,
  isRefused: (tenant: Named) => Promise<boolean>,
): Promise<Named> {
  let { ids } = tenant;
  // It drops halves first, because most variants do not matter.
  for (let size = Math.ceil(ids.length / 2); ; size = Math.max(1, Math.floor(size / 2))) {
    const before = ids.length;
    for (let at = 0; at < ids.length; ) {
      const fewer = ids.toSpliced(at, size);
      if (fewer.length > 0 && (await isRefused({ ...tenant, ids: fewer }))) ids = fewer;
      else at += size;
    }
    if (size === 1 && ids.length === before) return { ...tenant, ids };
  }
}

/** The rule of a variant, which is the part of its id before the colon. */
export const ruleOf = ({ id }: Pick<Variant, 'id'>): string => id.split(':')[0] ?? '';
