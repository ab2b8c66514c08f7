/**
 * Events on the service's side, outside its API: a version is published, a sync ends, a key is
 * revoked. Each area defines its own events; a world gets all of them.
 */

import { Refused } from '../../spec/base/refused.ts';
import type { State } from './state.ts';

/** An event in the caller's form. */
export interface ServiceEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An event that cannot happen: the message says why. */
export class EventError extends Refused {
  override readonly name = 'EventError';
}

/** Reads the fields of an event, or reports the problem with a field. */
export class EventFields {
  readonly #state: State;
  readonly #event: ServiceEvent;

  constructor(state: State, event: ServiceEvent) {
    this.#state = state;
    this.#event = event;
  }

  /** The raw value of a field. */
  get(name: string): unknown {
    return this.#event[name];
  }

  text(name: string): string {
    const value = this.#event[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new EventError(`${this.#event.type} needs ${name}, a string`);
  }

  /** False if it is left out. */
  flag(name: string): boolean {
    const value = this.#event[name] ?? false;
    if (typeof value === 'boolean') return value;
    throw new EventError(`${name} must be true or false`);
  }

  /** Undefined if it is left out. */
  count(name: string): number | undefined {
    const value = this.#event[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    throw new EventError(`${name} must be a whole number of at least 0`);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.#event[name] ?? fallback;
    const found = values.find((item) => item === value);
    if (found === undefined) throw new EventError(`${name} must be one of ${values.join(', ')}`);
    return found;
  }

  /** `deployment` or `deploymentId`; deployment 1 if neither is given. */
  deployment(): string {
    const id = String(this.#event.deployment ?? this.#event.deploymentId ?? '1');
    if (!this.#state.tables.deployments.has(id)) {
      throw new EventError(`there is no deployment ${id}`);
    }
    return id;
  }
}
