/**
 * One walk's way to the target: makes calls within the budget and past the guard, judges each answer,
 * and keeps what was called as the steps of a scenario.
 *
 * Every answer is judged by the contract, by the standing checks, by the table of authorisation, by
 * the model, and by what the call's area demands. All of it is written in the language of scenarios.
 */

import type { Answer } from '../../conformance/language/answer.ts';
import { evaluate } from '../../conformance/language/evaluate.ts';
import { noFile } from '../../conformance/language/load-check.ts';
import { stepFrom } from '../../conformance/language/load-step.ts';
import type { Check, Step, StepText } from '../../conformance/language/scenario.ts';
import { missingNames, type RunNames, ScenarioScope } from '../../conformance/language/scope.ts';
import { bindingsOf } from '../../conformance/language/vocabulary.ts';
import { Protection, type ProtectionContext } from '../../conformance/safety/protect.ts';
import type { TenantObject } from '../../conformance/target/call.ts';
import { Client, CouldNotRun } from '../../conformance/target/client.ts';
import { checkContract } from '../../conformance/target/contract-check.ts';
import { Guard, Unsafe } from '../../conformance/target/guard.ts';
import { actorOf, callOf, type QueryChange } from '../../conformance/target/request.ts';
import { answerOf } from '../../conformance/target/step-answer.ts';
import type { Target } from '../../conformance/target/target.ts';
import { brief } from '../../spec/base/json.ts';
import type { Operation, OperationId } from '../../spec/contract.ts';
import { type Access, isServed } from './access.ts';
import type { Budget } from './budget.ts';
import {
  type Call,
  Contradiction,
  checksFrom,
  type Entry,
  type Explored,
  type Sent,
} from './call.ts';
import { Model } from './model.ts';

export interface SessionContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly budget: Budget;
  /** Undefined if the world is dropped after the walk: nothing needs putting back. */
  readonly protection: Omit<ProtectionContext, 'client'> | undefined;
  readonly convergenceMs: number;
  readonly areas: Explored;
  readonly access: Access;
}

/** The call is left out, and nothing is wrong. */
export class LeftOut extends Error {}

/** A list of more pages is left out from then on, so that a walk has calls for all else. */
const mostPages = 25;

export class Session {
  readonly entries: Entry[] = [];
  readonly scope: ScenarioScope;
  readonly context: SessionContext;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;
  readonly #model: Model;
  /** Areas in which something was changed that nobody has waited for to show. */
  readonly #unsettled = new Set<string>();
  /** Lists that have more than the most pages. */
  readonly #long = new Set<OperationId>();

  constructor(context: SessionContext) {
    const { names, target, budget, protection } = context;
    this.context = context;
    this.scope = new ScenarioScope(target, names);
    this.#model = new Model(this.scope);
    this.#guard = new Guard(target.bindings, names.id);
    this.#client = new Client(budget.counting(target), this.#guard);
    const walk = { title: `walk ${names.id}`, location: noFile.at(undefined) };
    this.#protection =
      protection && new Protection({ ...protection, client: this.#client }, 'explore', walk);
  }

  /**
   * Makes a call and judges its answer; not if there is nothing to send. Throws Contradiction,
   * Unresolved, LeftOut, Spent, Unsafe and CouldNotRun.
   */
  async make(call: Call): Promise<void> {
    const { operation } = call;
    const sent = call.body?.(this.#model, call);
    if ((call.body !== undefined && sent === undefined) || this.#long.has(operation.id)) return;
    const late = await this.#rest(operation);
    const entry = await this.#call(this.#stepText(call, sent, late));
    const { step, answer } = entry;
    const cell = this.context.access.checksOf(step, this.scope);
    // Whether 400 or 403 is decided first is open, and a value may be invalid that was made up.
    const isInvalid = Object.keys(call.query).length > 0 && [400, 422].includes(answer.status);
    this.#judge(entry, [...(isInvalid ? [] : cell), ...step.standing]);
    this.#compareWithContract(entry, operation);
    const sure = isServed(cell);
    const { pages, judge } = this.context.areas[operation.id] ?? {};
    const rules = [
      ...this.#model.learn(entry, call, sent, sure),
      ...((sure && sent?.rules) || []),
      ...((call.pages !== undefined && pages?.rules) || []),
      ...((answer.ok && judge?.(entry, call, this.#model)) || []),
    ];
    this.#judge(entry, checksFrom(rules));
    const { writes } = operation.lock ?? {};
    if (answer.ok && writes !== undefined && sent?.sets !== undefined) this.#unsettled.add(writes);
  }

  /** Puts back what was written, if that is needed. */
  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  /**
   * Lets what a read depends on show everywhere, before it is made. A wrong answer that comes right
   * when it is asked for again would look like a change that is late.
   */
  async #rest({ lock }: Operation): Promise<boolean> {
    if (!this.#unsettled.has(lock?.reads ?? '')) return false;
    this.#unsettled.clear();
    const { target, convergenceMs } = this.context;
    await target.wait(convergenceMs);
    return target.kind === 'tenant';
  }

  /** `late`: a replay may have to wait. */
  #stepText(call: Call, sent: Sent | undefined, late: boolean): StepText {
    const { operation, as, path, query, pages: size } = call;
    const { pages } = this.context.areas[operation.id] ?? {};
    // Undefined fields are not written.
    return {
      id: `s${this.entries.length + 1}`,
      as,
      call: operation.id,
      ...(Object.keys(path).length > 0 && { path }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(pages &&
        size !== undefined && { [pages.verb]: size === null ? {} : { [pages.size]: size } }),
      ...(sent && { body: sent.body }),
      ...(late && { eventually: true }),
    };
  }

  async #call(text: StepText): Promise<Entry> {
    const { eventually: _replayed, ...once } = text;
    const step = stepFrom(once);
    let pages = 0;
    const read = (change: QueryChange): Promise<Answer> => {
      pages += 1;
      if (pages <= mostPages) return this.#send(step, change);
      this.#long.add(once.call as OperationId);
      throw new LeftOut(`${once.call} has more than ${mostPages} pages`);
    };
    const answer = await answerOf(step, this.scope, read, false);
    const entry = { id: step.id, text, step, answer };
    this.entries.push(entry);
    this.scope.steps.set(entry.id, answer);
    return entry;
  }

  /** Makes the call of a step once. */
  async #send(step: Step, change: QueryChange): Promise<Answer> {
    const actor = actorOf(step.as, this.#client.target.credentials, this.scope);
    const call = callOf(step, actor, this.scope, change);
    const { object } = call;
    this.context.budget.step(object?.key);
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

  /** A walk writes to what is bound, or to what is missing for sure. Throws Unsafe for all else. */
  #refuseUnbound({ operation, parameters, fields }: TenantObject): void {
    const { names, target } = this.context;
    const missing = missingNames(names.id);
    for (const [name, value] of Object.entries({ ...parameters, ...fields })) {
      const bound = bindingsOf(operation, name).map((binding) => target.bindings[binding] ?? {});
      const known = [...bound.flatMap(Object.values), missing.id, missing.name].map(String);
      if (known.includes(String(value))) continue;
      throw new Unsafe(`${name} ${value} is not bound, so nothing is written there`);
    }
  }

  /** Throws Contradiction if an answer breaks the contract. */
  #compareWithContract(entry: Entry, operation: Operation): void {
    const { response, body } = entry.answer;
    // The quick way past the whole comparison.
    const fits = response?.schema != null && body !== undefined;
    if (fits && response.validate(body).length === 0) return;
    const [breach] = checkContract(operation, entry.answer).breaches;
    if (breach === undefined) return;
    const { statement, pointer, expected, actual } = breach;
    const because = `${pointer} is ${brief(actual, 300)}: ${brief(expected, 300)}`;
    throw new Contradiction({ statement }, entry, because);
  }

  /** Throws Contradiction if a check fails. A check that finds nothing to judge says nothing. */
  #judge(entry: Entry, checks: readonly Check[]): void {
    for (const check of checks) {
      const outcome = this.scope.of(entry.answer, () => evaluate(check, this.scope));
      if (outcome.kind !== 'fails') continue;
      const { pointer, expected, actual } = outcome;
      const difference = `${pointer} is ${brief(actual, 300)}, not ${brief(expected, 300)}`;
      const because = check.because === undefined ? difference : `${check.because}: ${difference}`;
      throw new Contradiction(check, entry, because);
    }
  }
}
