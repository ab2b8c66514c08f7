/** Sends what a walk calls: within the budget, past the guard, and with what protects a tenant. */

import type { Answer } from '../language/answer.ts';
import { missingNames, type RunNames } from '../language/scope.ts';
import type { Ledger } from '../safety/ledger.ts';
import { Protection } from '../safety/protect.ts';
import { Client, CouldNotRun, type Outgoing } from '../target/client.ts';
import { Evidence } from '../target/evidence.ts';
import { Guard, type WriteTarget, writeTarget } from '../target/guard.ts';
import { Redactor } from '../target/redact.ts';
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
  readonly warn: (message: string) => void;
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
    const { name, email, id } = this.#missing;
    const recipients = target.bindings.recipients ?? {};
    this.#guard = new Guard({
      agreed: [recipients.users ?? [], recipients.embedUsers ?? []].flat(),
      marks: [names.id, name, email, String(id)],
    });
    this.#client = clientOf(this.#target, this.#guard);
    this.#protection = context.disposable ? undefined : this.#protect();
  }

  /** Throws Spent, Unsafe and CouldNotRun. */
  async send(request: Outgoing): Promise<Answer> {
    const object = writeTarget(request.method, request.path, request.body);
    this.#context.budget.step(object?.key);
    if (object === undefined) return this.#dispatch(request, undefined);
    if (!this.#context.disposable) this.#permit(object);
    await this.#protection?.before(object, request.method, request.path, request.body);
    const answer = await this.#dispatch(request, object).catch((error: unknown) => {
      if (error instanceof CouldNotRun) this.#protection?.lost(object);
      throw error;
    });
    this.#protection?.after(object, answer, request.body);
    return answer;
  }

  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  async #dispatch(request: Outgoing, object: WriteTarget | undefined): Promise<Answer> {
    if (this.#context.disposable) {
      const answer = await sendPlainly(this.#target, request);
      if (answer !== undefined) return answer;
      if (object !== undefined) this.#guard.permit(object);
    }
    const occasion = { scenario: 'explore', step: 'walk', kind: 'call' } as const;
    return this.#client.call(request, 'explore', occasion);
  }

  /** The plan of a walk: writes to what is bound, or to what is missing, and to nothing else. */
  #permit(object: WriteTarget): void {
    const { holders, target } = this.#context;
    boundOnly(object, holders, target.bindings, this.#missing);
    this.#guard.permit(object);
  }

  #protect(): Protection {
    const { ledger, convergenceMs, warn, names, target } = this.#context;
    const keeper = ['admin', 'oauth'].find((item) => target.credentials.has(item));
    const secret = target.credentials.get(keeper ?? '')?.secret;
    const protection = {
      client: this.#client,
      ledger,
      authorization: secret === undefined ? undefined : `Bearer ${secret}`,
      convergenceMs,
      known: new Map<string, unknown>(),
      owed: new Map(),
      settling: { longestMs: 0 },
      warn,
    };
    return new Protection(protection, 'explore', `walk ${names.id}`);
  }
}

/** A client that keeps no evidence. */
export function clientOf(target: Target, guard: Guard): Client {
  const redactor = new Redactor();
  for (const { name, secret } of target.credentials.values()) redactor.add(secret, `{${name}}`);
  return new Client(target, guard, redactor, new Evidence(redactor, false), {
    patienceMs: 120_000,
  });
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
