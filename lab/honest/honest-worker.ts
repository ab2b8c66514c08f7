/** One core's share of the leniency exam: certifies the tenants that it is sent, one at a time. */
import { parentPort } from 'node:worker_threads';
import { answerAll } from '../exam/share-out.ts';
import { type Answer, examineTenant, type Tenant } from './honest.ts';
import type { BaseName } from './variant.ts';
import { variants } from './variants.ts';

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

if (parentPort !== null) {
  answerAll<Answer>(parentPort, (text) => examineTenant(tenantOf(JSON.parse(text) as Named)));
}
