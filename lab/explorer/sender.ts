/** Sends what a walk calls: within the budget, past the guard, and with what protects a tenant. */

import type { Answer } from '../../conformance/language/answer.ts';
import { noFile } from '../../conformance/language/load-check.ts';
import { type Step, safeMethods } from '../../conformance/language/scenario.ts';
import { missingNames, type RunNames } from '../../conformance/language/scope.ts';
import type { Scope } from '../../conformance/language/template.ts';
import { bindingsOf } from '../../conformance/language/vocabulary.ts';
import { Protection, type ProtectionContext } from '../../conformance/safety/protect.ts';
import type { TenantObject } from '../../conformance/target/call.ts';
import { Client, CouldNotRun } from '../../conformance/target/client.ts';
import { Guard, Unsafe } from '../../conformance/target/guard.ts';
import { actorOf, callOf, type QueryChange } from '../../conformance/target/request.ts';
import type { Target } from '../../conformance/target/target.ts';

export interface SenderContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly budget: Budget;
  /** Undefined where the world is dropped after the walk: nothing needs putting back. */
  readonly protection: Omit<ProtectionContext, 'client'> | undefined;
}

/** What it writes could not be put back: the call is left out, and nothing is wrong. */
export class LeftOut extends Error {}

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

  /** `putBack`: what is written has to be restored, and the writes for that are kept back. */
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
}

export class Sender {
  readonly #context: SenderContext;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;

  constructor(context: SenderContext) {
    const { names, target, budget, protection } = context;
    this.#context = context;
    this.#guard = new Guard(target.bindings, names.id);
    this.#client = new Client(countingWrites(target, budget), this.#guard);
    const walk = { title: `walk ${names.id}`, location: noFile.at(undefined) };
    this.#protection =
      protection && new Protection({ ...protection, client: this.#client }, 'explore', walk);
  }

  /** Makes the call of a step once. Throws Unresolved, LeftOut, Spent, Unsafe and CouldNotRun. */
  async send(step: Step, scope: Scope, change: QueryChange): Promise<Answer> {
    const actor = actorOf(step.as, this.#client.target.credentials, scope);
    const call = callOf(step, actor, scope, change);
    const { object } = call;
    this.#context.budget.step(object?.key);
    if (object !== undefined) {
      if (this.#protection !== undefined) this.#refuseUnbound(object);
      this.#guard.permit(object);
    }
    const refused = await this.#protection?.before(call);
    if (refused !== undefined) throw new LeftOut(refused);
    const occasion = { scenario: 'explore', step: 'walk', kind: 'call' } as const;
    const answer = await this.#client.call(call, 'explore', occasion).catch((error: unknown) => {
      if (error instanceof CouldNotRun) this.#protection?.lost(call);
      throw error;
    });
    this.#protection?.after(call, answer);
    return answer;
  }

  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  /** A walk writes to what is bound, or to what is missing for sure. Throws Unsafe for all else. */
  #refuseUnbound({ operation, parameters, fields }: TenantObject): void {
    const { names, target } = this.#context;
    const missing = missingNames(names.id);
    for (const [name, value] of Object.entries({ ...parameters, ...fields })) {
      const bound = bindingsOf(operation, name).map((binding) => target.bindings[binding] ?? {});
      const known = [...bound.flatMap(Object.values), missing.id, missing.name].map(String);
      if (known.includes(String(value))) continue;
      throw new Unsafe(`${name} ${value} is not bound, so nothing is written there`);
    }
  }
}

/** Counts every write that is sent, whoever sends it. */
function countingWrites(target: Target, budget: Budget): Target {
  const { transport } = target;
  return {
    ...target,
    transport: (request, signal) => {
      if (!safeMethods.includes(request.method)) budget.writes += 1;
      return transport(request, signal);
    },
  };
}
