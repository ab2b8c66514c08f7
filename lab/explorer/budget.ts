/** How many calls and writes a walk may make. */

import { safeMethods } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';

/** The budget is spent: the walk ends here, and nothing is wrong. */
export class Spent extends Error {}

/** Reading an object before it is written, and putting it back, may take as many writes. */
const perObject = 4;

export class Budget {
  steps = 0;
  /** Writes that were sent, those that put things back included. */
  writes = 0;
  readonly #steps: number;
  readonly #writes: number;
  readonly #putBack: boolean;
  readonly #objects = new Set<string>();

  /** `putBack`: writes have to be undone, and the writes for that are kept back. */
  constructor(steps: number, writes: number, putBack: boolean) {
    this.#steps = steps;
    this.#writes = writes;
    this.#putBack = putBack;
  }

  /** Counts a call that is about to be made. Throws Spent instead of letting it through. */
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

  /** The same target, of which every write is counted, whoever sends it. */
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
