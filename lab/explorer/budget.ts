/** Limits the calls and the writes of a walk. */

import { safeMethods } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';

/** The budget is spent. The walk ends here without a finding. */
export class Spent extends Error {}

/** The writes that it may take to read an object before the first write, and to put it back. */
const perObject = 4;

export class Budget {
  steps = 0;
  /** The writes that were sent, including those that put objects back. */
  writes = 0;
  readonly #steps: number;
  readonly #writes: number;
  readonly #putBack: boolean;
  readonly #objects = new Set<string>();

  /** `putBack`: a part of the budget is reserved for putting objects back. */
  constructor(steps: number, writes: number, putBack: boolean) {
    this.#steps = steps;
    this.#writes = writes;
    this.#putBack = putBack;
  }

  /** Counts a call before it is made. Throws Spent if the budget does not allow it. */
  step(written: string | undefined): void {
    if (this.steps >= this.#steps) throw new Spent('steps');
    if (written !== undefined) {
      const objects = new Set([...this.#objects, written]);
      const reserve = this.#putBack ? perObject * objects.size : 0;
      if (this.writes + reserve + 1 > this.#writes) throw new Spent('writes');
      this.#objects.add(written);
    }
    this.steps += 1;
  }

  /** The same target, with every write counted. */
  counting(target: Target): Target {
    return {
      ...target,
      transport: (request, signal) => {
        if (!safeMethods.includes(request.method)) this.writes += 1;
        return target.transport(request, signal);
      },
    };
  }
}
