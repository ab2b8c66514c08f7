/**
 * The session of one walk: it makes calls within the budget and through the guard, judges each
 * answer, and keeps the calls as steps of a scenario.
 *
 * The contract, the standing checks, the authorisation table, the model and the call's area judge
 * every answer. All of these are written in the scenario language.
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
  /** Undefined if the world is dropped after the walk, because then nothing has to be put back. */
  readonly protection: Omit<ProtectionContext, 'client'> | undefined;
  readonly convergenceMs: number;
  readonly areas: Explored;
  readonly access: Access;
}

/** The call was left out. That is not an error. */
export class LeftOut extends Error {}

/** A list with more pages is not read again, so that a walk has calls left for the rest. */
const mostPages = 25;

export class Session {
  readonly entries: Entry[] = [];
  readonly scope: ScenarioScope;
  readonly context: SessionContext;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;
  readonly #model: Model;
  /** Areas with a change that no wait has covered yet. */
  readonly #unsettled = new Set<string>();
  /** Lists with more than `mostPages` pages. */
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
   * Makes a call and judges its answer. It does nothing if there is nothing to send. Throws
   * Contradiction, Unresolved, LeftOut, Spent, Unsafe and CouldNotRun.
   */
  async make(call: Call): Promise<void> {
    const { operation } = call;
    const sent = call.body?.(this.#model, call);
    if ((call.body !== undefined && sent === undefined) || this.#long.has(operation.id)) return;
    const late = await this.#rest(operation);
    const entry = await this.#call(this.#stepText(call, sent, late));
    const { step, answer } = entry;
    const cell = this.context.access.checksOf(step, this.scope);
    // A generated value may be invalid, and the order of 400 and 403 is a silence.
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

  /** Puts back the written objects, if that is needed. */
  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  /**
   * Before a read, waits until the changes that it depends on show everywhere. Otherwise a wrong
   * answer that later becomes right would look like a late change.
   */
  async #rest({ lock }: Operation): Promise<boolean> {
    if (!this.#unsettled.has(lock?.reads ?? '')) return false;
    this.#unsettled.clear();
    const { target, convergenceMs } = this.context;
    await target.wait(convergenceMs);
    return target.kind === 'tenant';
  }

  /** `late` says that a replay may have to wait for a change. */
  #stepText(call: Call, sent: Sent | undefined, late: boolean): StepText {
    const { operation, as, path, query, pages: size } = call;
    const { pages } = this.context.areas[operation.id] ?? {};
    // Fields that are undefined are left out of the file.
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

  /** Sends the call of a step once. */
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

  /**
   * A walk writes only to bound objects, and to objects that surely do not exist. Throws Unsafe for
   * all others.
   */
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
    // A fast check that avoids the full comparison in most cases.
    const fits = response?.schema != null && body !== undefined;
    if (fits && response.validate(body).length === 0) return;
    const [breach] = checkContract(operation, entry.answer).breaches;
    if (breach === undefined) return;
    const { statement, pointer, expected, actual } = breach;
    const because = `${pointer} is ${brief(actual, 300)}: ${brief(expected, 300)}`;
    throw new Contradiction({ statement }, entry, because);
  }

  /** Throws Contradiction if a check fails. A check that cannot be tested counts as passed. */
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
