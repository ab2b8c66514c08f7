/**
 * One walk's way to the target: builds requests of scenario steps, passes them through the runner's
 * guard, protection and client, and keeps what was called as the steps of a scenario.
 */

import { isObject } from '../../spec/base/json.ts';
import { contract, operation } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import { evaluate, statusFits } from '../language/evaluate.ts';
import type { Conditions } from '../language/scenario.ts';
import { missingNames, type RunNames, ScenarioScope } from '../language/scope.ts';
import { resolve } from '../language/template.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Ledger } from '../safety/ledger.ts';
import { guardOf } from '../safety/plan.ts';
import { Protection } from '../safety/protect.ts';
import { actorOf } from '../target/actor.ts';
import { Call, type Outgoing, type TenantObject } from '../target/call.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { checkContract } from '../target/contract-check.ts';
import type { Guard } from '../target/guard.ts';
import { Settling } from '../target/pace.ts';
import type { Target } from '../target/target.ts';
import { boundOnly } from './bound.ts';
import type { Budget } from './budget.ts';
import { type CallData, Contradiction, type Entry } from './contradiction.ts';
import type { Coverage } from './coverage.ts';
import { Model } from './model.ts';
import { sendPlainly } from './send-plainly.ts';

export interface SessionContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly budget: Budget;
  readonly coverage: Coverage;
  readonly convergenceMs: number;
  readonly ledger: Ledger | undefined;
  readonly safety: SafetyFacts;
  readonly warn: (message: string) => void;
  /** The world is dropped after the walk: nothing needs putting back. */
  readonly disposable: boolean;
}

export class Session {
  readonly model = new Model();
  readonly coverage: Coverage;
  readonly entries: Entry[] = [];
  readonly target: Target;
  readonly names: RunNames;
  readonly convergenceMs: number;
  readonly #context: SessionContext;
  readonly #scope: ScenarioScope;
  readonly #guard: Guard;
  readonly #client: Client;
  readonly #protection: Protection | undefined;
  readonly #missing: ReturnType<typeof missingNames>;

  constructor(context: SessionContext) {
    const { names, convergenceMs, ledger, warn } = context;
    const target = countingWrites(context.target, context.budget);
    this.#context = context;
    this.target = target;
    this.names = names;
    this.coverage = context.coverage;
    this.convergenceMs = convergenceMs;
    this.#scope = new ScenarioScope(target, names);
    this.#missing = missingNames(names.id);
    this.#guard = guardOf(target, names);
    this.#client = new Client(target, this.#guard);
    const protection = {
      client: this.#client,
      ledger,
      facts: context.safety,
      settling: new Settling(convergenceMs),
      warn,
      known: new Map<string, unknown>(),
      leftBehind: new Map<string, unknown>(),
    };
    this.#protection = context.disposable
      ? undefined
      : new Protection(protection, 'explore', `walk ${names.id}`);
  }

  /** Makes a call and compares its answer with the contract. Throws Contradiction. */
  async call(data: CallData): Promise<Entry> {
    const answer = await this.#send(data, {});
    const entry: Entry = { id: `s${this.entries.length + 1}`, data, answer, verbs: {} };
    this.entries.push(entry);
    this.#scope.steps.set(entry.id, answer);
    this.#checkContract(entry);
    return entry;
  }

  /** A further call for the same step: a page, or another reading. */
  async again(entry: Entry, query: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const answer = await this.#send(entry.data, query);
    const first = entry.answer;
    entry.answer = answer;
    this.#checkContract(entry);
    entry.answer = first;
    return answer;
  }

  /** The answer that stands for a step, once all its calls are made. */
  settle(entry: Entry, answer: Answer): void {
    entry.answer = answer;
    this.#scope.steps.set(entry.id, answer);
  }

  /** Reads again until nothing is wrong or the convergence is over; then throws Contradiction. */
  async eventually(
    entry: Entry,
    wrong: () => Contradiction | undefined,
    read: () => Promise<void>,
  ): Promise<void> {
    let waited = 0;
    for (let pause = 1000; ; pause *= 2) {
      const found = wrong();
      if (found === undefined) return;
      if (waited >= this.convergenceMs) throw found;
      const next = Math.min(pause, this.convergenceMs - waited);
      await this.target.wait(next);
      waited += next;
      entry.verbs.eventually = true;
      await read();
    }
  }

  /** Lets what was switched show everywhere. */
  async rest(): Promise<void> {
    if (!this.model.unsettled) return;
    await this.target.wait(this.convergenceMs);
    this.model.unsettled = false;
  }

  /** The status that a statement promises; the status classes are those of scenarios. */
  expectStatus(entry: Entry, statement: string, wanted: unknown, because: string): void {
    if (statusFits(entry.answer.status, wanted)) return;
    throw this.contradiction(entry, statement, { status: wanted }, because);
  }

  /** A contradiction, once the check that will stand in the scenario is seen to fail as well. */
  contradiction(
    entry: Entry,
    statement: string,
    conditions: Conditions,
    because: string,
  ): Contradiction {
    const level = contract.statements.get(statement)?.level;
    if (level === undefined || level === 'silent') throw new Error(`${statement} is no promise`);
    this.#scope.own = entry.answer;
    const check = {
      statement,
      level,
      never: false,
      conditions,
      atLeast: {},
      only: [],
      collateral: [],
      because,
      location: { file: 'explore', line: 1, column: 1 },
    };
    const outcome = evaluate(check, entry.answer, this.#scope);
    this.#scope.own = undefined;
    if (outcome.kind !== 'fails') {
      throw new Error(
        `${statement}: ${because}: the check ${JSON.stringify(conditions)} ${outcome.kind} on ${entry.answer.wire.text.slice(0, 300)}`,
      );
    }
    return new Contradiction(statement, entry, conditions, because);
  }

  /** A value of the target, such as `{folder.id}`. */
  value(reference: unknown): unknown {
    return resolve(reference, this.#scope);
  }

  async restore(): Promise<void> {
    await this.#protection?.restore();
  }

  async #send(data: CallData, query: Readonly<Record<string, unknown>>): Promise<Answer> {
    const call = new Call(this.#outgoing(data, query));
    const { object } = call;
    const { budget } = this.#context;
    budget.step(object?.key);
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

  async #dispatch(call: Call): Promise<Answer> {
    if (this.#context.disposable) {
      const answer = await sendPlainly(this.target, call.request);
      if (answer !== undefined) return answer;
      if (call.object !== undefined) this.#permit(call.object);
    }
    return this.#client.call(call, 'explore', { scenario: 'explore', step: 'walk', kind: 'call' });
  }

  /** The plan of a walk: writes to what is bound, or to what is missing, and to nothing else. */
  #permit(object: TenantObject): void {
    boundOnly(object, this.target.bindings, this.#missing);
    this.#guard.permit(object);
  }

  #outgoing(data: CallData, change: Readonly<Record<string, unknown>>): Outgoing {
    const { method, path } = operation(data.call);
    const scope = this.#scope;
    const actor = actorOf(data.as, this.target.credentials, scope);
    const values = data.path === undefined ? {} : resolve(data.path, scope);
    const body = data.body === undefined ? undefined : resolve(data.body, scope);
    return {
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
        encodeURIComponent(String(isObject(values) ? values[name] : undefined)),
      ),
      query: Object.entries({ ...data.query, ...change }).map(([name, value]) => [
        name,
        String(resolve(value, scope)),
      ]),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      authorization: actor.authorization,
      text: body === undefined ? undefined : JSON.stringify(body),
      body,
      plain: false,
    };
  }

  #checkContract(entry: Entry): void {
    const { answer, data } = entry;
    if (fitsSchema(data, answer)) return;
    const [breach] = checkContract(operation(data.call), answer).breaches;
    if (breach === undefined) return;
    const { statement, pointer, expected, actual } = breach;
    const place = pointer.replace(/^\/body/, '');
    const wrong = { $not: { $equals: actual } };
    const body = place === '' ? wrong : { $at: { [place]: wrong } };
    const conditions =
      actual === undefined ? { status: { not: answer.status } } : { status: answer.status, body };
    const because = `${pointer} ${String(expected)}`;
    throw this.contradiction(entry, statement, conditions, because);
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

/** Whether an answer fits its schema for sure: the quick way past the whole comparison. */
function fitsSchema({ call }: CallData, answer: Answer): boolean {
  const declared = operation(call).responseFor(answer.status);
  if (declared === undefined || declared.schema === null || answer.body === undefined) return false;
  return declared.validate(answer.body).length === 0;
}
