/** Sends what a walk calls: within the budget, past the guard, and with what protects a tenant. */

import type { LeftBehind } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import { missingNames, type RunNames } from '../language/scope.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Ledger } from '../safety/ledger.ts';
import { guardOf } from '../safety/plan.ts';
import { Protection } from '../safety/protect.ts';
import { type CallRequest, TargetCall, type TenantObject } from '../target/call.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import type { Guard } from '../target/guard.ts';
import { Settling } from '../target/pace.ts';
import type { Target } from '../target/target.ts';
import { boundOnly, type Holders } from './bound.ts';
import type { Budget } from './budget.ts';
import { sendPlainly } from './send-plainly.ts';

export interface SenderContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly budget: Budget;
  readonly holders: Holders;
  readonly convergenceMs: number;
  readonly ledger: Ledger | undefined;
  readonly safety: SafetyFacts;
  readonly warn: (message: string) => void;
  readonly leftBehind: Map<string, LeftBehind>;
  /** The world is dropped after the walk: nothing needs putting back. */
  readonly disposable: boolean;
}

export class Sender {
  readonly #context: SenderContext;
  readonly #target: Target;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;
  readonly #missing: ReturnType<typeof missingNames>;

  constructor(context: SenderContext) {
    const { names, target, budget } = context;
    this.#context = context;
    this.#target = countingWrites(target, budget);
    this.#missing = missingNames(names.id);
    this.#guard = guardOf(target, names);
    this.#client = new Client(this.#target, this.#guard);
    this.#protection = context.disposable ? undefined : this.#protect();
  }

  /** Throws Spent, Unsafe and CouldNotRun. */
  async send(request: CallRequest): Promise<Answer> {
    const call = new TargetCall(request);
    const { object } = call;
    this.#context.budget.step(object?.key);
    if (object === undefined) return this.#dispatch(call);
    if (!this.#context.disposable) this.#permit(object);
    const refused = await this.#protection?.before(call);
    if (refused !== undefined) throw new CouldNotRun(refused);
    const answer = await this.#dispatch(call).catch((error: unknown) => {
      if (error instanceof CouldNotRun) this.#protection?.lost(call);
      throw error;
    });
    this.#protection?.after(call, answer);
    return answer;
  }

  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  async #dispatch(call: TargetCall): Promise<Answer> {
    if (this.#context.disposable) {
      const answer = await sendPlainly(this.#target, call.request);
      if (answer !== undefined) return answer;
      if (call.object !== undefined) this.#guard.permit(call.object);
    }
    return this.#client.call(call, 'explore', { scenario: 'explore', step: 'walk', kind: 'call' });
  }

  /** The plan of a walk: writes to what is bound, or to what is missing, and to nothing else. */
  #permit(object: TenantObject): void {
    const { holders, target } = this.#context;
    boundOnly(object, holders, target.bindings, this.#missing);
    this.#guard.permit(object);
  }

  #protect(): Protection {
    const { ledger, safety, convergenceMs, warn, leftBehind, names } = this.#context;
    const protection = {
      client: this.#client,
      ledger,
      facts: safety,
      settling: new Settling(convergenceMs),
      warn,
      known: new Map<string, unknown>(),
      leftBehind,
    };
    return new Protection(protection, 'explore', `walk ${names.id}`);
  }
}

/** Counts every write that is sent, whoever sends it. */
function countingWrites(target: Target, budget: Budget): Target {
  const { transport } = target;
  return {
    ...target,
    transport: (request, signal) => {
      if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) budget.writes += 1;
      return transport(request, signal);
    },
  };
}
