/**
 * One walk's way to the target: makes calls, judges each answer, and keeps what was called as the
 * steps of a scenario.
 *
 * Every answer is judged by the contract and by the table of authorisation; whoever makes a call
 * adds the checks of its own statements.
 */

import type { Answer } from '../../conformance/language/answer.ts';
import { brief, evaluate, isExpected } from '../../conformance/language/evaluate.ts';
import { stepFrom } from '../../conformance/language/load-step.ts';
import type { Check, Step, StepText, Timing } from '../../conformance/language/scenario.ts';
import { ScenarioScope } from '../../conformance/language/scope.ts';
import { checkContract } from '../../conformance/target/contract-check.ts';
import type { ListMode } from '../../conformance/target/read-pages.ts';
import { answerOf } from '../../conformance/target/step-answer.ts';
import type { Target } from '../../conformance/target/target.ts';
import type { Operation } from '../../spec/contract.ts';
import { Access, isServed } from './access.ts';
import { type Checks, Contradiction, checksFrom, type Entry, type Note } from './contradiction.ts';
import { isRefusal, Recall } from './recall.ts';
import { Sender, type SenderContext } from './sender.ts';

/** What every walk over the pages of a list is judged by. */
export type PageChecks = Readonly<Partial<Record<ListMode['kind'], readonly Check[]>>>;

export interface SessionContext extends SenderContext {
  readonly convergenceMs: number;
  readonly walks: PageChecks;
}

/** What a step is read again for: until it shows, or as long as it must not change. */
interface Wait {
  readonly checks: readonly Check[];
  readonly timing: Timing;
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
   * Makes a call and judges its answer. As in a scenario, `as` and `path` may be left out. `inTime`:
   * of a read, what must hold once everything that was switched shows everywhere; at once, where that
   * was waited for. Throws Contradiction.
   */
  async call(text: StepText, inTime?: Checks): Promise<Entry> {
    // A wrong answer that comes right when it is asked for again looks like a switch that is late.
    if (inTime !== undefined && this.entries.length % 4 > 0) await this.rest();
    this.scope.set('run', this.scope.run);
    const step = stepFrom(text);
    const wait = inTime && { checks: checksFrom(inTime), timing: untilItShows };
    return this.#call(this.#noteOf(step, noNames), step.checks, wait);
  }

  /**
   * Plays a step of a scenario; undefined for one without a call, which compares earlier answers.
   * `names` are what its names stand for. Throws Contradiction.
   */
  async play(step: Step, names: Note['names']): Promise<Entry | undefined> {
    const note = this.#noteOf(step, names);
    const { checks, operation, timing } = step;
    // The checks of a step that waits need not hold at once.
    if (operation !== undefined && timing !== undefined)
      return this.#call(note, [], { checks, timing });
    if (operation !== undefined) return this.#call(note, checks);
    const found = this.#firstOf(note, checks, undefined);
    if (found === undefined) return undefined;
    this.entries.push(note);
    throw found;
  }

  async #call(note: Note, atOnce: readonly Check[], wait?: Wait): Promise<Entry> {
    const { step, names } = note;
    // Scenarios compare; a move needs no big page, which a fault of the next page would be spent on.
    const head = wait === undefined && names.size > 0;
    const entry = Object.assign(note, { answer: await this.#read(step, head) });
    this.entries.push(entry);
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
  async #readOn(entry: Entry, atOnce: readonly Check[], { checks, timing }: Wait): Promise<void> {
    const most = timing === untilItShows && !this.unsettled ? 0 : this.#longest(timing);
    const shows = timing.kind === 'eventually';
    let waited = 0;
    // What is to show is looked for at once; what is to stay need not be read that often.
    for (let pause = shows ? 1000 : timing.every; ; pause *= 2) {
      const found = this.#firstOf(entry, checks, entry.answer);
      const holds = found === undefined;
      const over = shows ? holds && isExpected(entry.step, entry.answer, this.scope) : !holds;
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
    this.#judge(entry, [
      ...this.#access.checksOf(step, this.scope),
      ...standing,
      ...(mode === undefined || mode.kind === 'repeat'
        ? []
        : (this.#context.walks[mode.kind] ?? [])),
      ...(operation === undefined ? [] : checksFrom(contradicted(operation, answer))),
      ...checks,
    ]);
  }

  /** The answer of a call, or of all that its verb makes. `head`: a walk reads one big page first. */
  #read(step: Step, head: boolean): Promise<Answer> {
    return answerOf(
      step,
      this.scope,
      (change) => this.#sender.send(step, this.scope, change),
      head,
    );
  }
}

/** What an answer breaks of the contract, as a check that says what it should not be. */
function contradicted(operation: Operation, answer: Answer): Checks {
  const { response, status } = answer;
  // The quick way past the whole comparison.
  const fits = response?.schema != null && answer.body !== undefined;
  if (fits && response.validate(answer.body).length === 0) return {};
  const [breach] = checkContract(operation, answer).breaches;
  if (breach === undefined) return {};
  const { statement, pointer, expected, actual } = breach;
  const place = pointer.replace(/^\/body/, '');
  const value = `{body${place.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}}`;
  const that = { value, is: { $not: { $in: [actual] } } };
  const because = `${pointer} ${String(expected)}`;
  return {
    [statement]: {
      ...(actual === undefined ? { status: { not: status } } : { status, that }),
      because,
    },
  };
}
