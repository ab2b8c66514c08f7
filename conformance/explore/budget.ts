/** How much a run may do: calls and, of these, writes. */

/** The budget is spent: the walk ends here, and nothing is wrong. */
export class Spent extends Error {}

export class Budget {
  steps = 0;
  writes = 0;
  readonly #steps: number;
  readonly #writes: number;

  constructor(steps = Number.POSITIVE_INFINITY, writes = Number.POSITIVE_INFINITY) {
    this.#steps = steps;
    this.#writes = writes;
  }

  /** Counts a call that is about to be made. Throws Spent instead of letting it through. */
  step(write: boolean): void {
    if (this.steps >= this.#steps) throw new Spent('steps');
    if (write && this.writes >= this.#writes) throw new Spent('writes');
    this.steps += 1;
    if (write) this.writes += 1;
  }

  get spent(): 'steps' | 'writes' | undefined {
    if (this.steps >= this.#steps) return 'steps';
    return this.writes >= this.#writes ? 'writes' : undefined;
  }
}
