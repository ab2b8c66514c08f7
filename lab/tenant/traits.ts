/** Everyday disturbances that break no promise. Each can be switched on. */

import { type Reply, reply } from './exchange.ts';
import type { State } from './state.ts';

/** At every n-th request, or with a seed at random requests with the same average. */
interface Rule {
  readonly every: number;
  readonly seed?: number;
}

export interface Traits {
  /** How long each answer takes, in milliseconds. */
  readonly latency?: number;
  /** How long a list still shows the state before a write, in milliseconds. */
  readonly lag?: number;
  /** Every n-th request exceeds a rate limit, and may be sent again after this many seconds. */
  readonly throttle?: { readonly every: number; readonly retryAfter: number };
  /** Other users change something before every n-th request. */
  readonly others?: Rule;
  /** A gateway answers every n-th request. */
  readonly gateway?: Rule;
  /** A deployment is created or deleted before every n-th request. */
  readonly moving?: Rule;
}

function due(rule: Rule | undefined, count: number): boolean {
  if (rule === undefined) return false;
  const { every, seed } = rule;
  return (seed === undefined ? count : mixed(count, seed)) % every === 0;
}

/** A pseudo-random number from two numbers. */
function mixed(count: number, seed: number): number {
  let bits = Math.imul(count ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The answer of a gateway in place of the service; undefined if it lets the request through. */
export function intercepted(traits: Traits, count: number): Reply | undefined {
  if (due(traits.gateway, count)) {
    return reply(502, '<html><h1>Bad gateway</h1></html>', 'text/html');
  }
  if (!due(traits.throttle, count)) return undefined;
  const { headers, ...told } = reply(429, { error: 'E-020 slow down' });
  const retryAfter = String(traits.throttle?.retryAfter ?? 1);
  return { ...told, headers: { ...headers, 'Retry-After': retryAfter } };
}

/** Makes the changes of other users. They do not touch objects of the tenant file. */
export function meanwhile(traits: Traits, state: State, count: number, now: number): void {
  if (due(traits.others, count)) meddle(state, count, now);
  if (!due(traits.moving, count)) return;
  if (count % 3 === 0) {
    const visitor = state.deployments.findLastIndex(({ id }) => id >= 8000);
    if (visitor >= 0) state.deployments.splice(visitor, 1);
  } else {
    const id = 8000 + count;
    state.deployments.push({ id, name: `Pier ${count}`, createdAt: now, version: '4.2.0' });
  }
}

function meddle(state: State, count: number, now: number): void {
  const email = state.users[count % 4]?.email ?? '';
  state.events.push({ at: now, name: 'auth:sign-in', email, about: `from port ${count}` });
  const yard = state.folders.find(({ id }) => id === 3420);
  if (yard !== undefined) yard.name = `Gate logs ${count}`;
  const cranes = state.branches.find(({ name }) => name === 'cranes');
  if (cranes !== undefined) cranes.enabled = !cranes.enabled;
  visit(state, count);
}

/** The most branches that other users have at a time. */
const mostVisits = 8;

/**
 * Creates a branch at each call until there are `mostVisits`, then deletes them, the oldest first.
 */
function visit(state: State, count: number): void {
  const visits = state.branches.filter(({ name }) => name.startsWith('visit-'));
  const [first] = visits;
  if (first !== undefined && visits.length >= mostVisits - (count % 2) * 3) {
    state.branches = state.branches.filter((one) => one !== first);
    return;
  }
  state.branches.push({
    id: 990_000 + count,
    deployment: 7001,
    name: `visit-${count}`,
    kind: 'personal',
    hash: 'ab12',
    enabled: false,
    switchedOn: 0,
  });
}

/** Keeps earlier states, for lists that lag. */
export class Past {
  readonly #lag: number;
  readonly #copies: { readonly until: number; readonly state: State }[] = [];

  constructor(lag: number) {
    this.#lag = lag;
  }

  /**
   * The state that a call sees. A read sees the oldest state that is still visible, a write the
   * present one.
   */
  seen(state: State, method: string, now: number): State {
    if (this.#lag === 0) return state;
    while ((this.#copies[0]?.until ?? Number.POSITIVE_INFINITY) <= now) this.#copies.shift();
    if (method === 'GET') return this.#copies[0]?.state ?? state;
    this.#copies.push({ until: now + this.#lag, state: structuredClone(state) });
    return state;
  }
}
