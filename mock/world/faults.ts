import type { OperationId } from '../../spec/contract.ts';

export type FaultPhase = 'before' | 'after-commit' | 'mid-body' | 'socket';

/** An order to answer wrongly. */
export interface Fault {
  readonly id: string;
  /** Undefined for any operation. */
  readonly operation?: OperationId;
  /** Name of a credential; undefined for any. */
  readonly credential?: string;
  /** Status to answer with. Not needed for `mid-body`, `socket` or a mere delay. */
  readonly status?: number;
  /** When it strikes; `before` where it is not given. */
  readonly phase: FaultPhase;
  readonly delayMs?: number;
  /** Seconds for Retry-After. */
  readonly retryAfter?: number;
  /** How many requests it strikes; undefined for all. */
  readonly times?: number;
}

/** The faults of a world that still strike. */
export class Faults {
  #active: { fault: Fault; left: number }[] = [];
  #made = 0;

  get any(): boolean {
    return this.#active.length > 0;
  }

  add(fault: Omit<Fault, 'id'>): Fault {
    this.#made += 1;
    const made = { ...fault, id: `fault-${this.#made}` };
    this.#active.push({ fault: made, left: fault.times ?? Number.POSITIVE_INFINITY });
    return made;
  }

  list(): (Fault & { readonly left: number | null })[] {
    return this.#active.map(({ fault, left }) => ({
      ...fault,
      left: Number.isFinite(left) ? left : null,
    }));
  }

  clear(): void {
    this.#active = [];
  }

  /** As at the start: none is left, and ids count from 1 again. */
  reset(): void {
    this.clear();
    this.#made = 0;
  }

  /** The first fault that fits, used up by one. */
  strike(operation: OperationId, credential: string | null): Fault | undefined {
    const index = this.#active.findIndex(
      ({ fault }) =>
        (fault.operation ?? operation) === operation &&
        (fault.credential ?? credential) === credential,
    );
    const found = this.#active[index];
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#active.splice(index, 1);
    return found.fault;
  }
}
