/** Which tenants are made of the variants: one for each, packs, and tenants drawn at random. */
import { Random } from '../../spec/base/random.ts';
import type { Tenant } from './honest.ts';
import type { BaseName, Variant } from './variant.ts';
import { variants, variantsOn } from './variants.ts';

/** A tenant in words that can be sent to another thread. */
export interface Named extends Pick<Tenant, 'seed'> {
  readonly base: BaseName;
  readonly ids: readonly string[];
}

const byId = new Map(variants.map((variant) => [variant.id, variant]));

/** Throws an Error for a variant that there is not. */
export function tenantOf({ base, ids, seed }: Named): Tenant {
  const chosen = ids.map((id) => {
    const variant = byId.get(id);
    if (variant === undefined) throw new Error(`there is no honest variant ${id}`);
    return variant;
  });
  // In the order of the catalogue: the first is the nearest to the service.
  const order = new Map(variants.map((variant, at) => [variant, at]));
  const sorted = chosen.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return { base, variants: sorted, seed };
}

/** Each variant alone. */
export const singles = (base: BaseName): Named[] =>
  variantsOn(base).map(({ id }) => ({ base, ids: [id], seed: 1 }));

/**
 * Each variant once, together with others of its rule that decide something else: as many tenants as
 * the slot with the most variants has.
 */
export function packs(base: BaseName, seed = 1): Named[] {
  const rules = Map.groupBy(variantsOn(base), ruleOf);
  return [...rules.values()].flatMap((ofRule) => {
    const slots = [...Map.groupBy(ofRule, ({ slot }) => slot).values()];
    const most = Math.max(...slots.map(({ length }) => length));
    return Array.from({ length: most }, (_, at) => ({
      ...{ base, seed: seed + at },
      ids: slots.flatMap((slot) => slot.slice(at, at + 1).map(({ id }) => id)),
    }));
  });
}

/** Tenants with from two to a dozen variants, drawn at random. */
export function drawn(
  base: BaseName,
  count: number,
  seed: number,
  isOut: (id: string) => boolean = () => false,
): Named[] {
  const random = new Random(seed);
  const usable = variantsOn(base).filter(({ id }) => !isOut(id));
  const slots = [...Map.groupBy(usable, ({ slot }) => slot).values()];
  return Array.from({ length: count }, () => {
    const size = 2 + random.below(11);
    const chosen = random.shuffled(slots).slice(0, size);
    const ids = chosen.map((slot) => slot[random.below(slot.length)]?.id ?? '');
    return { base, ids, seed: random.next() };
  });
}

/** The fewest variants with which a tenant is still refused. */
export async function shrunk(
  tenant: Named,
  isRefused: (tenant: Named) => Promise<boolean>,
): Promise<Named> {
  for (const id of tenant.ids) {
    const fewer = { ...tenant, ids: tenant.ids.filter((other) => other !== id) };
    if (fewer.ids.length > 0 && (await isRefused(fewer))) return shrunk(fewer, isRefused);
  }
  return tenant;
}

/** The first word of its id: what kind of choice it is. */
export const ruleOf = ({ id }: Pick<Variant, 'id'>): string => id.split(':')[0] ?? '';
