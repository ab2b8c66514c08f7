/**
 * One walk's way to the target: makes calls, judges each answer, and keeps what was called as the
 * steps of a scenario.
 *
 * Every answer is judged by the contract, by the standing checks, by the table of authorisation, by
 * the model, and by what the call's area demands. All of it is written in the language of scenarios.
 */

import type { Answer } from '../../conformance/language/answer.ts';
import { evaluate } from '../../conformance/language/evaluate.ts';
import { stepFrom } from '../../conformance/language/load-step.ts';
import type { Check, Scenario, StepText } from '../../conformance/language/scenario.ts';
import { ScenarioScope } from '../../conformance/language/scope.ts';
import { checkContract } from '../../conformance/target/contract-check.ts';
import { answerOf } from '../../conformance/target/step-answer.ts';
import { brief } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import { Access, isServed } from './access.ts';
import type { Call, Explored, Sent } from './call.ts';
import { Contradiction, checksFrom, type Entry, type Rule } from './contradiction.ts';
import { Model } from './model.ts';
import { Sender, type SenderContext } from './sender.ts';

export interface SessionContext extends SenderContext {
  readonly convergenceMs: number;
  readonly areas: Explored;
  /** A scenario of each cell of the table of authorisation. */
  readonly table: readonly Scenario[];
}

export class Session {
  readonly entries: Entry[] = [];
  readonly scope: ScenarioScope;
  readonly context: SessionContext;
  readonly #sender: Sender;
  readonly #access: Access;
  readonly #model: Model;
  /** Areas in which something was changed that nobody has waited for to show. */
  readonly #unsettled = new Set<string>();

  constructor(context: SessionContext) {
    this.context = context;
    this.#sender = new Sender(context);
    this.#access = new Access(context.table, context.target);
    this.scope = new ScenarioScope(context.target, context.names);
    this.#model = new Model(context.areas, this.scope);
  }

  /** Makes a call and judges its answer; not where there is nothing to send. Throws Contradiction. */
  async make(call: Call): Promise<void> {
    const { operation } = call;
    const sent = call.body?.(this.#model, call);
    if (call.body !== undefined && sent === undefined) return;
    const late = await this.#rest(operation);
    const entry = await this.#call(this.#textOf(call, sent, late));
    const cell = this.#access.checksOf(entry.step, this.scope);
    // Whether 400 or 403 is decided first is open, and a value may be invalid that was made up.
    const isInvalid = [400, 422].includes(entry.answer.status);
    const judging = isInvalid && (sent?.broken || Object.keys(call.query).length > 0) ? [] : cell;
    const { standing } = entry.step;
    this.#judge(entry, [
      ...judging,
      ...standing,
      ...checksFrom(contradicted(operation, entry.answer)),
    ]);
    if (sent?.broken === true && entry.answer.ok) {
      this.#model.forget(call, sent.binding);
      return;
    }
    const sure = isServed(cell) || this.#model.wasServed(call);
    const area = this.context.areas[operation.id];
    this.#judge(entry, checksFrom(this.#model.take(entry, call, sent, sure)));
    const pages = call.pages === undefined ? [] : (area?.pages?.rules ?? []);
    const own = entry.answer.ok ? (area?.judge?.(entry, call, this.#model) ?? []) : [];
    this.#judge(entry, checksFrom([...(sure ? (sent?.rules ?? []) : []), ...pages, ...own]));
    if (entry.answer.ok && operation.lock?.writes !== undefined && sent?.sets !== undefined) {
      this.#unsettled.add(operation.lock.writes);
    }
  }

  /** Puts back what was written, where that is needed. */
  async restore(): Promise<void> {
    await this.#sender.restore();
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

  /** `late`: whoever replays it may have to wait. */
  #textOf(
    { operation, as, path, query, pages }: Call,
    sent: Sent | undefined,
    late: boolean,
  ): StepText {
    const { verb, size } = this.context.areas[operation.id]?.pages ?? {};
    // What is undefined is not written.
    return {
      id: `s${this.entries.length + 1}`,
      as,
      call: operation.id,
      ...(Object.keys(path).length > 0 && { path }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(pages !== undefined &&
        verb &&
        size && { [verb]: pages === null ? {} : { [size]: pages } }),
      ...(sent !== undefined && { body: sent.body }),
      ...(late && { eventually: true }),
    };
  }

  async #call({ eventually, ...text }: StepText): Promise<Entry> {
    const step = stepFrom(text);
    const read = (change: Readonly<Record<string, unknown>>): Promise<Answer> =>
      this.#sender.send(step, this.scope, change);
    const answer = await answerOf(step, this.scope, read, false);
    const written = eventually === undefined ? text : { ...text, eventually };
    const entry = { id: step.id, text: written, step, answer };
    this.entries.push(entry);
    this.scope.steps.set(entry.id, answer);
    return entry;
  }

  /** Throws Contradiction where a check fails. A check that finds nothing to judge says nothing. */
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

/** What an answer breaks of the contract, as a rule that says what it should not be. */
function contradicted(operation: Operation, answer: Answer): readonly Rule[] {
  const { response, status } = answer;
  // The quick way past the whole comparison.
  const fits = response?.schema != null && answer.body !== undefined;
  if (fits && response.validate(answer.body).length === 0) return [];
  const [breach] = checkContract(operation, answer).breaches;
  if (breach === undefined) return [];
  const { statement, pointer, expected, actual } = breach;
  const place = pointer.replace(/^\/body/, '');
  const value = `{body${place.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}}`;
  const that = { value, is: { $not: { $in: [actual] } } };
  const because = `${pointer} ${String(expected)}`;
  const shown = actual === undefined ? { status: { not: status } } : { status, that };
  return [[statement, { ...shown, because }]];
}
