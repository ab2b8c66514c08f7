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
import type { Check, Timing } from '../language/scenario.ts';
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
import type { Sender } from './sender.ts';

export interface SessionContext {
  readonly target: Target;
  readonly names: RunNames;
  readonly access: Access;
  readonly sender: Sender;
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
  /** How a step of a scenario waits; undefined where its checks must hold at once. */
  readonly wait?: StepWait | undefined;
  /** Whether a walk over pages reads one big page first. */
  readonly head?: boolean;
  /** What names stand for in the data and the checks. */
  readonly names?: ReadonlyMap<string, unknown>;
}

/** A step that is read again, until it shows what it should or for as long as it must not change. */
export interface StepWait {
  readonly timing: Timing;
  /** Whether the answer is one that the rest of the scenario can use. */
  readonly expected: (answer: Answer) => boolean;
}

const noNames: ReadonlyMap<string, unknown> = new Map();

export class Session {
  readonly entries: Note[] = [];
  readonly target: Target;
  readonly names: RunNames;
  readonly scope: ScenarioScope;
  /** Something was switched, and nobody has waited for it to show since. */
  unsettled = false;
  readonly #context: SessionContext;
  readonly #beliefs = new Map<unknown, unknown>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.target = context.target;
    this.names = context.names;
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
    const { checks = {}, inTime = {}, head = false, names = noNames, wait } = options;
    const atOnce = Array.isArray(checks) ? checks : checksFrom(checks as Checks);
    const entry: Entry = {
      id: this.#nextId(),
      data,
      answer: await this.#read(data, head),
      waited: undefined,
      names,
    };
    this.entries.push(entry);
    this.scope.steps.set(entry.id, entry.answer);
    this.#judgeAlways(entry);
    if (wait?.timing.kind === 'throughout') {
      await this.#throughout(entry, atOnce, wait.timing);
    } else if (wait?.timing.kind === 'eventually') {
      await this.#eventually(entry, atOnce, () => {}, { ...wait.timing, expected: wait.expected });
    } else {
      this.judge(entry, atOnce);
      await this.#eventually(entry, checksFrom(inTime), () => this.judge(entry, atOnce));
    }
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
    const note: Note = { id: this.#nextId(), data: undefined, waited: undefined, names };
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
  async #eventually(
    entry: Entry,
    checks: readonly Check[],
    judge: () => void,
    { within, stableFor, expected }: Patience = untilItShows,
  ): Promise<void> {
    const { convergenceMs } = this.#context;
    const most = Math.min(within ?? convergenceMs, convergenceMs) + stableFor;
    let since: number | undefined;
    let waited = 0;
    for (let pause = 1000; ; pause *= 2) {
      const found = this.#firstOf(entry, checks);
      const shows = found === undefined && expected(entry.answer);
      since = shows ? (since ?? waited) : undefined;
      if (since !== undefined && waited - since >= stableFor) return;
      if (waited >= most) {
        if (found !== undefined) throw found;
        return;
      }
      const next = Math.min(pause, most - waited);
      waited += next;
      await this.#readAgain(entry, next, 'eventually');
      judge();
    }
  }

  /** Reads again, over the time in which nothing must change. Throws Contradiction. */
  async #throughout(
    entry: Entry,
    checks: readonly Check[],
    timing: Extract<Timing, { kind: 'throughout' }>,
  ): Promise<void> {
    const { convergenceMs } = this.#context;
    const wanted = typeof timing.for === 'number' ? timing.for : convergenceMs;
    const span = Math.max(timing.atLeast, Math.min(wanted, convergenceMs));
    let waited = 0;
    for (let pause = timing.every; ; pause *= 2) {
      this.judge(entry, checks);
      if (waited >= span) return;
      const next = Math.min(pause, span - waited);
      waited += next;
      await this.#readAgain(entry, next, 'throughout');
    }
  }

  async #readAgain(entry: Entry, pause: number, how: Timing['kind']): Promise<void> {
    await this.target.wait(pause);
    entry.waited = how;
    entry.answer = await this.#read(entry.data, false);
    this.scope.steps.set(entry.id, entry.answer);
    this.#judgeAlways(entry);
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
    if (data.times !== undefined) return this.#repeat(data, data.times);
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

  async #repeat(data: CallData, times: number): Promise<Answer> {
    const first = await this.#send(data, {});
    const answers = [first];
    while (answers.length < times) answers.push(await this.#send(data, {}));
    const last = answers.at(-1) ?? first;
    last.answers = answers;
    return last;
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

interface Patience {
  readonly within: number | undefined;
  /** How long it has to go on showing. */
  readonly stableFor: number;
  readonly expected: StepWait['expected'];
}

const untilItShows: Patience = { within: undefined, stableFor: 0, expected: () => true };

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
