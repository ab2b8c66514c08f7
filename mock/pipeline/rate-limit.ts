/** The alternative to no rate limit: sixty calls of a credential within a minute of the world's clock. */

import { named } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import type { Basis } from './basis.ts';
import { type Refusal, refusal } from './exchange.ts';

const CALLS = 60;
const WINDOW_MS = 60_000;

export function rateLimit(world: World, credential: string, basis: Basis): Refusal | undefined {
  if (basis.assume(named.rateLimit) === 'unlimited') return undefined;
  const now = world.clock.now();
  const recent = (world.calls.get(credential) ?? []).filter((at) => at > now - WINDOW_MS);
  const [oldest] = recent;
  if (recent.length >= CALLS && oldest !== undefined) {
    const seconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    return {
      ...refusal(429, named.rateLimit, `More than ${CALLS} calls within a minute`),
      headers: { 'Retry-After': String(seconds) },
    };
  }
  recent.push(now);
  world.calls.set(credential, recent);
  return undefined;
}
