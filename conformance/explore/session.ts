/**
 * One walk's way to the target: makes calls, judges each answer, and keeps what was called as the
 * steps of a scenario.
 *
 * Every answer is judged by the contract and by the table of authorisation; whoever makes a call
 * adds the checks of its own statements.
 */

import type { Operation } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import { brief, evaluate } from '../language/evaluate.ts';
import { stepFrom } from '../language/load-step.ts';
import type { Check, Step, StepText, Timing } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { resolve } from '../language/template.ts';
import { actorOf } from '../target/actor.ts';
import { checkContract } from '../target/contract-check.ts';
import { type ListMode, type PageReader, readHead, readPages } from '../target/read-pages.ts';
import { callOf, type QueryChange } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import { Access, isServed } from './access.ts';
import { type Checks, Contradiction, checksFrom, type Entry, type Note } from './contradiction.ts';
import { isRefusal, Recall } from './recall.ts';
import { Sender, type SenderContext } from './sender.ts';

export interface SessionContext extends SenderContext {
  readonly convergenceMs: number;
  /** What every walk over the pages of a list is judged by. */
  readonly walks: Readonly<Record<ListMode['kind'], readonly Check[]>>;
}

/** What a step is read again for: until it shows, or as long as it must not change. */
interface Wait {
  readonly checks: readonly Check[];
  readonly timing: Timing;
  /** Whether the answer is one that the rest of the scenario can use. */
  readonly expected: (answer: Answer) => boolean;
}

const untilItShows: Timing = { kind: 'eventually', within: undefined, every: 1000 };
const noNames: Note['names'] = new Map();

export class Session {
  readonly entries: Note[] = [];
  readonly target: Target;
  readonly scope: ScenarioScope;
  readonly recall = new Recall();
  /** Something was switched, and nobody has waited for it to show since. */
  unsettled = false;
  /** How many scenarios were played: each has names of its own, so that what it makes is new. */
  played = 0;
  readonly #context: SessionContext;
  readonly #sender: Sender;
  readonly #access: Access;
  readonly #beliefs = new Map<unknown, unknown>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.#sender = new Sender(context);
    this.#access = new Access(context.target);
    this.target = context.target;
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

  /**
   * Makes a call and judges its answer. `inTime`: of a read, what must hold once everything that was
   * switched shows everywhere; at once, where that was waited for. Throws Contradiction.
   */
  async call(text: StepText, inTime?: Checks): Promise<Entry> {
    // A wrong answer that comes right when it is asked for again looks like a switch that is late.
    if (inTime !== undefined && this.entries.length % 4 > 0) await this.rest();
    this.scope.set('run', this.scope.run);
    const step = stepFrom(text);
    const checks = inTime && checksFrom(inTime);
    const wait = checks && { checks, timing: untilItShows, expected: () => true };
    return this.#call(this.#noteOf(step, noNames), wait);
  }

  /**
   * Plays a step of a scenario; undefined for one without a call, which compares earlier answers.
   * `names` are what its names stand for. Throws Contradiction.
   */
  async play(
    step: Step,
    names: Note['names'],
    expected: Wait['expected'],
  ): Promise<Entry | undefined> {
    const note = this.#noteOf(step, names);
    const { checks, operation, timing } = step;
    if (operation !== undefined) return this.#call(note, timing && { checks, timing, expected });
    const found = this.#firstOf(note, checks, undefined);
    if (found === undefined) return undefined;
    this.entries.push(note);
    throw found;
  }

  async #call(note: Note, wait: Wait | undefined): Promise<Entry> {
    const { step, names } = note;
    // Scenarios compare; a move needs no big page, which a fault of the next page would be spent on.
    const head = wait === undefined && names.size > 0;
    const entry = Object.assign(note, { answer: await this.#read(step, head) });
    this.entries.push(entry);
    // The checks of a step that waits need not hold at once.
    const atOnce = wait?.checks === step.checks ? [] : step.checks;
    this.#judgeAtOnce(entry, atOnce);
    if (wait !== undefined) await this.#readOn(entry, atOnce, wait);
    if (!this.unsettled) this.#judge(entry, this.recall.checksOf(entry));
    this.recall.learn(entry, [...atOnce, ...(wait?.checks ?? [])]);
    return entry;
  }

  /** Throws Contradiction where a check fails. A check that finds nothing to judge says nothing. */
  judge(entry: Entry, checks: Checks): void {
    this.#judge(entry, checksFrom(checks));
  }

  /** What a read is judged by when somebody else makes it who may: it shows an object to all alike. */
  checksFor(step: Step, as: string): readonly Check[] {
    const cell = this.#access.checksOf({ ...step, as }, this.scope);
    const ofAnObject = Object.keys(step.path).length > 0;
    return ofAnObject && isServed(cell) && !isRefusal(step.checks) ? step.checks : [];
  }

  /** Lets what was switched show everywhere. */
  async rest(): Promise<void> {
    if (!this.unsettled) return;
    await this.target.wait(this.#context.convergenceMs);
    this.unsettled = false;
  }

  /** Puts back what was written, where that is needed. */
  async restore(): Promise<void> {
    await this.#sender.restore();
  }

  #noteOf(step: Step, names: Note['names']): Note {
    return { id: `s${this.entries.length + 1}`, step, waited: undefined, names };
  }

  #judge(entry: Entry, checks: readonly Check[]): void {
    const found = this.#firstOf(entry, checks, entry.answer);
    if (found !== undefined) throw found;
  }

  /** The first check that fails. */
  #firstOf(
    note: Note,
    checks: readonly Check[],
    answer: Answer | undefined,
  ): Contradiction | undefined {
    for (const check of checks) {
      const outcome = this.scope.of(answer, () => evaluate(check, this.scope));
      if (outcome.kind !== 'fails') continue;
      const { pointer, expected, actual } = outcome;
      const difference = `${pointer} is ${brief(actual, 300)}, not ${brief(expected, 300)}`;
      const because = check.because === undefined ? difference : `${check.because}: ${difference}`;
      return new Contradiction(check, note, because);
    }
    return undefined;
  }

  /** Reads again for as long as the timing says, and judges each answer. Throws Contradiction. */
  async #readOn(
    entry: Entry,
    atOnce: readonly Check[],
    { checks, timing, expected }: Wait,
  ): Promise<void> {
    const most = timing === untilItShows && !this.unsettled ? 0 : this.#longest(timing);
    const shows = timing.kind === 'eventually';
    let waited = 0;
    // What is to show is looked for at once; what is to stay need not be read that often.
    for (let pause = shows ? 1000 : timing.every; ; pause *= 2) {
      const found = this.#firstOf(entry, checks, entry.answer);
      const over = shows ? found === undefined && expected(entry.answer) : found !== undefined;
      if (over || waited >= most) {
        if (found !== undefined) throw found;
        return;
      }
      const next = Math.min(pause, most - waited);
      waited += next;
      await this.target.wait(next);
      entry.waited = timing.kind;
      entry.answer = await this.#read(entry.step, false);
      this.#judgeAtOnce(entry, atOnce);
    }
  }

  #longest(timing: Timing): number {
    const { convergenceMs } = this.#context;
    const most = (wanted = convergenceMs): number => Math.min(wanted, convergenceMs);
    if (timing.kind === 'eventually') return most(timing.within);
    return Math.max(timing.atLeast, most(typeof timing.for === 'string' ? undefined : timing.for));
  }

  /** By what every answer is judged by, whatever the call, and by these checks. */
  #judgeAtOnce(entry: Entry, checks: readonly Check[]): void {
    const { step, answer } = entry;
    const { mode, operation, standing } = step;
    this.scope.steps.set(entry.id, answer);
    if (operation === undefined) return;
    answer.response = operation.responseFor(answer.status);
    answer.list = this.scope.of(answer, () => listIn(step, answer, this.scope));
    this.#judge(entry, this.#access.checksOf(step, this.scope));
    this.#judge(entry, standing);
    if (mode !== undefined && mode.kind !== 'repeat')
      this.#judge(entry, this.#context.walks[mode.kind]);
    this.#judgeContract(entry, operation);
    this.#judge(entry, checks);
  }

  #judgeContract(entry: Entry, operation: Operation): void {
    const { answer } = entry;
    const declared = answer.response;
    // The quick way past the whole comparison.
    const fits = declared?.schema != null && answer.body !== undefined;
    if (fits && declared.validate(answer.body).length === 0) return;
    const [breach] = checkContract(operation, answer).breaches;
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

  /** The answer of a call, or of all that its verb makes. `head`: a walk reads one big page first. */
  async #read(step: Step, head: boolean): Promise<Answer> {
    const { mode } = step;
    if (mode?.kind === 'repeat') return this.#repeat(step, mode.times);
    if (mode === undefined) return this.#send(step);
    const { scope } = this;
    const size = mode.size === undefined ? undefined : Number(resolve(mode.size, scope));
    const reader: PageReader = { mode, size, scope, read: (change) => this.#send(step, change) };
    return readPages(reader, head ? await readHead(reader) : undefined);
  }

  async #repeat(step: Step, times: number): Promise<Answer> {
    const first = await this.#send(step);
    const answers = [first];
    while (answers.length < times) answers.push(await this.#send(step));
    const last = answers.at(-1) ?? first;
    last.answers = answers;
    return last;
  }

  async #send(step: Step, change?: QueryChange): Promise<Answer> {
    const actor = actorOf(step.as, this.target.credentials, this.scope);
    return this.#sender.send(callOf(step, actor, this.scope, change));
  }
}
