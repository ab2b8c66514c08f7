/** Sends what a walk calls: within the budget, past the guard, and with what protects a tenant. */

import { Answer } from '../language/answer.ts';
import { noFile } from '../language/load-check.ts';
import { safeMethods } from '../language/scenario.ts';
import { missingNames, type RunNames } from '../language/scope.ts';
import { Protection, type ProtectionContext } from '../safety/protect.ts';
import type { TargetCall, TenantObject } from '../target/call.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { gatewayStatuses } from '../target/contract-check.ts';
import { Guard, Unsafe } from '../target/guard.ts';
import type { Target } from '../target/target.ts';

/** Path parameter, or field that names an object -> the bindings that it may name in a write. */
export type Holders = Readonly<Record<string, readonly string[]>>;

export interface SenderContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly budget: Budget;
  readonly holders: Holders;
  /** Undefined where the world is dropped after the walk: nothing needs putting back. */
  readonly protection: Omit<ProtectionContext, 'client'> | undefined;
}

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
  readonly #target: Target;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;

  constructor(context: SenderContext) {
    const { names, target, budget, protection } = context;
    this.#context = context;
    this.#target = countingWrites(target, budget);
    this.#guard = new Guard(target.bindings, names.id);
    this.#client = new Client(this.#target, this.#guard);
    const walk = { title: `walk ${names.id}`, location: noFile.at(undefined) };
    this.#protection =
      protection && new Protection({ ...protection, client: this.#client }, 'explore', walk);
  }

  /** Throws Spent, Unsafe and CouldNotRun. */
  async send(call: TargetCall): Promise<Answer> {
    const { object } = call;
    this.#context.budget.step(object?.key);
    if (this.#protection === undefined) {
      const answer = await this.#sendPlainly(call);
      if (answer !== undefined) return answer;
    } else if (object !== undefined) this.#refuseUnbound(object);
    if (object !== undefined) this.#guard.permit(object);
    const refused = await this.#protection?.before(call);
    if (refused !== undefined) throw new CouldNotRun(refused);
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

  /**
   * The short way to a mock's own world, which is dropped after the walk: nothing there needs a
   * guard, evidence or patience, and a walk of many thousand calls would feel them. Undefined where
   * the call was not served, so that the patient client has to make it.
   */
  async #sendPlainly({ request, place }: TargetCall): Promise<Answer | undefined> {
    const { method, headers, text, body } = request;
    const { baseUrl, aliases, transport } = this.#target;
    const sentAt = Date.now();
    const wire = await transport({
      method,
      url: `${baseUrl}${place}`,
      headers,
      body: text,
    });
    if (gatewayStatuses.includes(wire.status)) return undefined;
    const sent = { method, target: place, body };
    return new Answer({ durationMs: 0, throttled: 0, sentAt, ...wire }, sent, [], aliases);
  }

  /** A walk writes to what is bound, or to what is missing for sure. Throws Unsafe for all else. */
  #refuseUnbound({ parameters, fields }: TenantObject): void {
    const { holders, names, target } = this.#context;
    const missing = missingNames(names.id);
    for (const [parameter, value] of Object.entries({ ...parameters, ...fields })) {
      const bindings = (holders[parameter] ?? []).map((name) => target.bindings[name] ?? {});
      const known = [...bindings.flatMap(Object.values), missing.id, missing.name].map(String);
      if (known.includes(String(value))) continue;
      throw new Unsafe(`${parameter} ${value} is not bound, so nothing is written there`);
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
