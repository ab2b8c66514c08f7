/**
 * One walk's way to the target: makes calls, judges each answer, and keeps what was called as the
 * steps of a scenario.
 *
 * Every answer is judged by the contract and by the table of authorisation; whoever makes a call
 * adds the checks of its own statements.
 */

import { contract, type OperationId, operation } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import { evaluate } from '../language/evaluate.ts';
import type { Check } from '../language/scenario.ts';
import { type RunNames, ScenarioScope } from '../language/scope.ts';
import { standingChecks } from '../language/standing.ts';
import { resolve } from '../language/template.ts';
import { actorOf } from '../target/actor.ts';
import { checkContract } from '../target/contract-check.ts';
import { type PageReader, readHead, readPages } from '../target/read-pages.ts';
import { buildRequest, type QueryChange, type RequestStep } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import type { Access } from './access.ts';
import {
  type CallData,
  type Checks,
  Contradiction,
  checksFrom,
  type Entry,
  type Note,
} from './contradiction.ts';
import type { Coverage } from './coverage.ts';
import type { Sender } from './sender.ts';

export interface SessionContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly access: Access;
  readonly sender: Sender;
  readonly coverage: Coverage;
  readonly convergenceMs: number;
  /** What every walk over the pages of a list is judged by. */
  readonly walks: Readonly<Record<ListVerb, readonly Check[]>>;
}

export type ListVerb = 'walkPages' | 'scimList';

export interface CallOptions {
  /** What must hold at once. */
  readonly checks?: Checks | readonly Check[];
  /** What must hold once everything that was switched shows everywhere; of reads. */
  readonly inTime?: Checks;
  /** Whether a walk over pages reads one big page first. */
  readonly head?: boolean;
  /** What names stand for in the data and the checks. */
  readonly names?: ReadonlyMap<string, unknown>;
}

const noNames: ReadonlyMap<string, unknown> = new Map();

export class Session {
  readonly entries: Note[] = [];
  readonly target: Target;
  readonly names: RunNames;
  readonly coverage: Coverage;
  readonly scope: ScenarioScope;
  /** Something was switched, and nobody has waited for it to show since. */
  unsettled = false;
  readonly #context: SessionContext;
  readonly #beliefs = new Map<unknown, unknown>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.target = context.target;
    this.names = context.names;
    this.coverage = context.coverage;
    this.scope = new ScenarioScope(context.target, context.names);
  }

  /** What an area believes of the target in this walk; made at the first use. */
  beliefs<Beliefs>(make: new () => Beliefs): Beliefs {
    const found = this.#beliefs.get(make);
    if (found instanceof make) return found;
    const made = new make();
    this.#beliefs.set(make, made);
    return made;
  }

  /** Makes a call and judges its answer. Throws Contradiction. */
  async call(data: CallData, options: CallOptions = {}): Promise<Entry> {
    const { checks = {}, inTime = {}, head = false, names = noNames } = options;
    const atOnce = Array.isArray(checks) ? checks : checksFrom(checks as Checks);
    const entry: Entry = {
      id: this.#nextId(),
      data,
      answer: await this.#read(data, head),
      waited: false,
      names,
    };
    this.entries.push(entry);
    this.scope.steps.set(entry.id, entry.answer);
    this.#judgeAlways(entry);
    this.judge(entry, atOnce);
    await this.#eventually(entry, checksFrom(inTime), () => this.judge(entry, atOnce));
    return entry;
  }

  /** Throws Contradiction where a check fails. A check that finds nothing to judge says nothing. */
  judge(entry: Entry, checks: Checks | readonly Check[]): void {
    const list = Array.isArray(checks) ? checks : checksFrom(checks as Checks);
    const found = this.#firstOf(entry, list);
    if (found !== undefined) throw found;
  }

  /** Compares what earlier calls showed. Throws Contradiction. */
  compare(checks: readonly Check[], names: ReadonlyMap<string, unknown>): void {
    const note: Note = { id: this.#nextId(), data: undefined, waited: false, names };
    for (const check of checks) {
      const found = this.#contradiction(note, check, undefined);
      if (found === undefined) continue;
      this.entries.push(note);
      throw found;
    }
  }

  /** Lets what was switched show everywhere. */
  async rest(): Promise<void> {
    if (!this.unsettled) return;
    await this.target.wait(this.#context.convergenceMs);
    this.unsettled = false;
  }

  /** A value of the target, such as `{folder.id}`. */
  value(reference: unknown): unknown {
    return resolve(reference, this.scope);
  }

  #nextId(): string {
    return `s${this.entries.length + 1}`;
  }

  #firstOf(entry: Entry, checks: readonly Check[]): Contradiction | undefined {
    for (const check of checks) {
      const found = this.#contradiction(entry, check, entry.answer);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #contradiction(entry: Note, check: Check, answer: Answer | undefined): Contradiction | undefined {
    this.scope.own = answer;
    const outcome = evaluate(check, answer, this.scope);
    this.scope.own = undefined;
    if (outcome.kind !== 'fails') return undefined;
    const { pointer, expected, actual } = outcome;
    const difference = `${pointer} is ${shown(actual)}, not ${shown(expected)}`;
    const because = check.because === undefined ? difference : `${check.because}: ${difference}`;
    return new Contradiction(check, entry, because);
  }

  /** Reads again until no check fails or the convergence is over; then throws Contradiction. */
  async #eventually(entry: Entry, checks: readonly Check[], judge: () => void): Promise<void> {
    const { convergenceMs } = this.#context;
    let waited = 0;
    for (let pause = 1000; ; pause *= 2) {
      const found = this.#firstOf(entry, checks);
      if (found === undefined) return;
      if (waited >= convergenceMs) throw found;
      const next = Math.min(pause, convergenceMs - waited);
      await this.target.wait(next);
      waited += next;
      entry.waited = true;
      entry.answer = await this.#read(entry.data, false);
      this.scope.steps.set(entry.id, entry.answer);
      this.#judgeAlways(entry);
      judge();
    }
  }

  /** What every answer is judged by, whatever the call. */
  #judgeAlways(entry: Entry): void {
    const { data, answer } = entry;
    this.#complete(data, answer);
    this.judge(entry, this.#context.access.checksOf(data, this.scope));
    this.judge(entry, standingChecks(operation(data.call)));
    if (data.pages !== undefined) this.judge(entry, this.#context.walks[listVerb(data.call)]);
    const declared = operation(data.call).responseFor(answer.status);
    // The quick way past the whole comparison.
    const fits = declared?.schema != null && answer.body !== undefined;
    if (fits && declared.validate(answer.body).length === 0) return;
    const [breach] = checkContract(operation(data.call), answer).breaches;
    if (breach === undefined) return;
    const { statement, pointer, expected, actual } = breach;
    const place = pointer.replace(/^\/body/, '');
    const wrong = { $not: { $equals: actual } };
    const body = place === '' ? wrong : { $at: { [place]: wrong } };
    const because = `${pointer} ${String(expected)}`;
    const shows =
      actual === undefined ? { status: { not: answer.status } } : { status: answer.status, body };
    this.judge(entry, { [statement]: { ...shows, because } });
  }

  /** What checks ask an answer for, beside what came. */
  #complete(data: CallData, answer: Answer): void {
    const about = operation(data.call);
    answer.response = about.responseFor(answer.status);
    this.scope.own = answer;
    answer.list = listIn({ operation: about, list: data.list }, answer, this.scope);
    this.scope.own = undefined;
  }

  /** The answer of a call, or of a walk over its pages. */
  async #read(data: CallData, head: boolean): Promise<Answer> {
    const { items } = operation(data.call);
    if (data.pages === undefined || items === undefined) return this.#send(data, {});
    const { size } = data.pages;
    const reader: PageReader = {
      mode: {
        kind: listVerb(data.call),
        size,
        key: items.key,
        items: `body${items.at.replaceAll('/', '.')}`,
      },
      size,
      scope: this.scope,
      read: (change) => this.#send(data, change),
    };
    const first = head ? await readHead(reader) : undefined;
    return readPages(reader, first?.ids ?? []);
  }

  async #send(data: CallData, change: QueryChange): Promise<Answer> {
    const { target, sender } = this.#context;
    const actor = actorOf(data.as, target.credentials, this.scope);
    const { path = {}, query = {} } = data;
    const step = { ...plainStep, operation: contract.operations.get(data.call), path, query };
    const call = { ...step, body: data.body };
    const request = buildRequest(call, actor.authorization, this.scope, change);
    return sender.send(request);
  }
}

/** What a step of a walk never has. */
const plainStep: Omit<RequestStep, 'operation' | 'path' | 'query' | 'body'> = {
  headers: {},
  suffix: '',
  plain: false,
};

/** How the pages of a list are asked for. */
export function listVerb(call: OperationId): ListVerb {
  return operation(call).requires.surface === 'scim' ? 'scimList' : 'walkPages';
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
}
