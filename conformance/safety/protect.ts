/**
 * Leaves every object as the run found it. It reads an object before a scenario's first write to it, notes
 * the state in the ledger, and puts the object back after the scenario.
 *
 * On a mock nobody else uses the world. So it reads an object once in a run, writes nothing to disk, and puts
 * back only objects that were really changed.
 */

import { equal, isObject, type JsonObject } from '../../spec/base/json.ts';
import { inWords } from '../../spec/base/refused.ts';
import type { LeftBehind, Stay } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { Scenario } from '../language/scenario.ts';
import type { TargetCall, TenantObject } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { Ask, Restorer, SafetyFacts } from './areas.ts';
import { askWith, restoringAuthorization } from './ask.ts';
import type { Ledger, LedgerNote } from './ledger.ts';
import { isMarkedBy, otherRunIn, refuseOtherRun, runText } from './marks.ts';
import { type Changed, type PutBack, putBack } from './put-back.ts';
import { isKnown, isReading, restorerOf, stateIn } from './restorer.ts';
import type { Settling } from './settling.ts';
import { staying } from './staying.ts';

/** The facts that the scenarios of a run share to protect the target. */
export interface ProtectionContext {
  readonly client: Client;
  readonly runId: string;
  readonly ledger: Ledger | undefined;
  readonly facts: SafetyFacts;
  readonly settling: Settling;
  readonly warn: (message: string) => void;
  /** The first state that the run read of each object, by key. On a mock the run reads no later state. */
  readonly known: Map<string, { readonly was?: unknown }>;
  /** The objects that scenarios write now. If several share one, the last of them puts it back. */
  readonly inUse: Map<string, { readonly item: Promise<Protected>; users: number }>;
  /** The objects that could not be put back yet, by key. */
  readonly leftBehind: Map<string, LeftBehind>;
  /** Lasting changes, by name. */
  readonly stays: Map<string, Stay>;
  /** The mark of the run on its tenant (`run-mark.ts`). */
  readonly mark?:
    | {
        readonly ready: (writer: Writer) => Promise<void>;
        readonly stateOf: (key: string) => unknown;
      }
    | undefined;
}

/** A scenario that writes, and the file of its evidence. */
export interface Writer {
  readonly file: string;
  readonly scenario: Pick<Scenario, 'title' | 'location'>;
}

export interface Protected extends Changed {
  readonly sent: unknown[];
  readonly seen: unknown[];
  written: boolean;
  back: boolean;
  /** When the last write was sent, by `performance.now()`. */
  sentAt: number;
  /** A write asked for a state that differs from the earlier one. */
  moved: boolean;
  /** A write was sent and its outcome is unknown: it may still take effect. */
  unsure: boolean;
}

/** The objects that one scenario writes. */
export class Protection {
  readonly #context: ProtectionContext;
  readonly #file: string;
  readonly #scenario: Writer['scenario'];
  readonly #mock: boolean;
  readonly #objects = new Map<string, Protected>();

  constructor(context: ProtectionContext, file: string, scenario: Writer['scenario']) {
    this.#context = context;
    this.#file = file;
    this.#scenario = scenario;
    this.#mock = context.client.target.kind === 'mock';
  }

  /** Call before each write. Returns a reason if the write must not be sent. */
  async before({ object, request, sent }: TargetCall): Promise<string | undefined> {
    if (object === undefined) return undefined;
    const { ledger, mark } = this.#context;
    // The mark must be there before a scenario reads the name of a folder, so that the name does not
    // change meanwhile.
    await mark?.ready({ file: this.#file, scenario: this.#scenario });
    // After a write that only reads, such as an empty update of a folder, nothing is to be put back.
    if (isReading(object, sent)) return undefined;
    const item = await this.#find(object);
    const free = item === undefined || this.#mock;
    if (!free && !isKnown(object, item.before, sent)) {
      return `${object.text} cannot be read, so it is not written`;
    }
    item?.sent.push(sent ?? null);
    // Even a refused write may take effect.
    if (item !== undefined) Object.assign(item, { back: false, sentAt: performance.now() });
    if (item === undefined && object.effect !== 'permanent') return undefined;
    const line: LedgerNote = {
      kind: 'write',
      key: object.key,
      object: object.text,
      operation: object.operation?.id ?? object.key,
      method: request.method,
      path: request.path,
      before: item?.before ?? null,
      sent: sent ?? null,
      effect: object.effect,
    };
    if (ledger !== undefined && this.#holdsSecret(line))
      return `the known state of ${object.text} holds a secret, so it is not written`;
    try {
      ledger?.note(line);
    } catch (error) {
      return `nothing is written without a ledger: ${inWords(error)}`;
    }
    return undefined;
  }

  /** Call after each write: a success has changed the object, even if a refusal was expected. */
  after(call: TargetCall, answer: Answer): void {
    const item = this.#objects.get(call.object?.key ?? '');
    if (!(answer.ok || answer.status === 0)) return;
    this.#noteStays(call);
    if (item === undefined) return;
    // The answer to a write that only reads may show a change by somebody else.
    if (isReading(item.object, call.sent)) return;
    this.#wrote(item, call.sent);
    const { object, restorer } = item;
    const shown = restorer.answersShow ? stateIn(answer, object, restorer) : undefined;
    if (shown === undefined || !isOurWork(item, shown)) return;
    item.seen.push(shown);
    this.#keep({ kind: 'seen', key: object.key, value: shown });
  }

  /** Call if a write was sent and the service did not answer. The write may still take effect. */
  lost(call: TargetCall): void {
    const { object } = call;
    this.#noteStays(call);
    const item = this.#objects.get(object?.key ?? '');
    if (item === undefined) return;
    item.unsure = true;
    this.#wrote(item, undefined);
  }

  #wrote(item: Protected, sent: unknown): void {
    item.written = true;
    const asked = asksForBefore(item, sent);
    item.moved ||= !asked;
    // After a change, the object counts as back only if its own state shows a change at once.
    const shows = () => !item.moved || item.restorer.lag?.atOnce(item.before) === true;
    item.back = !item.unsure && asked && shows();
    if (item.moved) this.#context.settling.moved(item.object.operation);
  }

  /** Notes the lasting changes of a write that was accepted, or may have been. */
  #noteStays({ object, sent }: TargetCall): void {
    if (object === undefined || this.#mock) return;
    const { stays } = this.#context;
    for (const name of staying(object, sent)) {
      const place = `${object.text} ${name}`;
      const { times, scenario } = stays.get(place) ?? { times: 0, scenario: this.#scenario.title };
      stays.set(place, { object: object.text, name, times: times + 1, scenario });
    }
  }

  /** Whether the scenario's own last writes left every object in its earlier state. */
  get isBack(): boolean {
    return [...this.#objects.values()].every(({ written, back }) => !written || back);
  }

  /** Puts everything back, the last object first. If an object cannot be put back, it stays in the ledger. */
  async restore(): Promise<void> {
    const { inUse } = this.#context;
    for (const [key, item] of [...this.#objects].reverse()) {
      const use = inUse.get(key);
      // The last scenario that shares it puts it back for all.
      if (use !== undefined && use.users-- > 1) continue;
      try {
        const outcome = this.#mock ? await this.#restoreMock(item) : await this.#restore(item);
        // If another scenario has begun to use the object, that scenario puts it back again and reports
        // it.
        if ((use?.users ?? 0) === 0) await this.#note(item, outcome);
      } catch (error) {
        // A failure must not keep the other objects from being put back.
        this.#leave(item, (error as Error).message);
      }
      if (use?.users === 0) inUse.delete(key);
      this.#context.client.unrestored.delete(key);
    }
  }

  /** Adds a line after a write, which helps `undo`. If that fails, the run goes on. */
  #keep(line: LedgerNote): void {
    const { ledger, warn } = this.#context;
    // Without the line, `undo` still knows the bodies that were sent.
    if (this.#holdsSecret(line)) return;
    try {
      ledger?.note(line);
    } catch (error) {
      warn(`the ledger ${ledger?.file} cannot be written: ${inWords(error)}`);
    }
  }

  /** A tenant may echo a key in a name, and a ledger must not hold a key. */
  #holdsSecret(line: LedgerNote): boolean {
    const text = JSON.stringify(line);
    return this.#context.client.redactor.text(text) !== text;
  }

  /** The object with its state before the first write; undefined if nothing needs a put-back. */
  async #find(object: TenantObject): Promise<Protected | undefined> {
    const { facts, inUse } = this.#context;
    const { key } = object;
    const restorer = restorerOf(object, facts.restore);
    const found = this.#objects.get(key);
    if (found !== undefined || restorer === undefined) return found;
    const use = inUse.get(key) ?? { item: this.#read(object, restorer), users: 0 };
    inUse.set(key, use);
    use.users++;
    try {
      const item = await use.item;
      this.#objects.set(key, item);
      return item;
    } catch (error) {
      if (inUse.get(key) === use) inUse.delete(key);
      throw error;
    }
  }

  async #read(object: TenantObject, restorer: Restorer): Promise<Protected> {
    const { client, known, leftBehind } = this.#context;
    const { key } = object;
    client.unrestored.add(key);
    // If an earlier scenario left the object changed, it must go back to its state before that change.
    const state = leftBehind.get(key) ?? (this.#mock ? known.get(key) : undefined);
    const was = state === undefined ? await this.#readFirst(object, restorer) : state.was;
    const nothing = { sent: [], seen: [], written: false, back: false, moved: false, sentAt: 0 };
    return { object, restorer, before: was, ...nothing, unsure: false };
  }

  /** The state before the run. Throws Unsafe if it carries the mark of another run. */
  async #readFirst(object: TenantObject, restorer: Restorer): Promise<unknown> {
    const { known, runId, mark } = this.#context;
    const { key, text } = object;
    const now = await restorer.read(object, this.#ask('protect'));
    if (!this.#mock) refuseOtherRun(text, now, runId);
    // If the mark that the run keeps there is missing, an earlier put-back had no effect.
    if (isMarkedBy(runId, now)) return mark?.stateOf(key) ?? known.get(key)?.was;
    if (!known.has(key)) known.set(key, { was: now });
    return now;
  }

  async #restore(item: Protected): Promise<PutBack> {
    const { client, settling, runId } = this.#context;
    const { object, before, restorer, unsure, written } = item;
    const { operation } = object;
    const wait = (milliseconds: number): Promise<void> => client.target.wait(milliseconds);
    // A write without an answer may still take effect, so wait as long as a change may take.
    if (unsure && hasValue(before)) await wait(settling.waitMs(operation));
    const ask = this.#ask('restore');
    const onMarked = (now: unknown): void => this.#tellMarked(item, now);
    const way = { ask, wait, settling, runId, onMarked, later: false };
    const { lag } = restorer;
    const following = lag && hasValue(before) ? { object, lag, before, ask } : undefined;
    if (lag === undefined || !written || !hasValue(before) || lag.atOnce(before)) {
      // After this time, the effect of a write would be visible, even if the write was refused.
      const back = item.back || settling.hasShown(operation, item.sentAt);
      const outcome = await putBack({ ...item, back }, way);
      if (item.moved && back && outcome === 'untouched') settling.follow(operation, following);
      else if (item.moved) settling.moved(operation, following);
      return outcome;
    }
    // Only the lists that show the change late can tell if the object is back.
    const settle = (): Promise<void> => {
      settling.moved(operation, following);
      return settling.settle(client.target, [operation?.lock?.writes ?? '']);
    };
    return putBack(item, { ...way, settle });
  }

  /** Puts back without reading: nobody else uses the world, and the scenarios check the values. */
  async #restoreMock({ object, restorer, before, written }: Protected): Promise<PutBack> {
    const { operation } = object;
    if (!written || !hasValue(before) || operation === undefined) return 'untouched';
    for (const body of restorer.bodies(object, before, before)) {
      await this.#ask('restore')(operation.id, object.parameters, { body });
    }
    const { client, settling } = this.#context;
    if (restorer.lag !== undefined) await client.target.wait(settling.waitMs(operation));
    return 'restored';
  }

  /** Warns of fields that the run did not send: somebody else, or the service itself, changed them. */
  #tellMarked({ object, before, sent }: Protected, now: unknown): void {
    if (!isObject(before) || !isObject(now)) return;
    const unsent = Object.keys(now).filter(
      (name) => !equal(now[name], before[name]) && !isSent(sent, name),
    );
    const part = (of: JsonObject): string =>
      JSON.stringify(Object.fromEntries(unsent.map((name) => [name, of[name]])));
    this.#context.warn(
      `${object.text} had a name of this run and ${part(now)}, which the run did not send; it was put back to ${part(before)} as well`,
    );
  }

  async #note(item: Protected, outcome: PutBack): Promise<void> {
    const { warn, leftBehind, runId, mark } = this.#context;
    const { key, text } = item.object;
    if (outcome === 'different' || outcome === 'unreadable') {
      const now = await item.restorer.read(item.object, this.#ask('restore'));
      this.#leave(item, 'its state still differs', now);
      return;
    }
    if (outcome === 'others' && !this.#mock) {
      const now = await item.restorer.read(item.object, this.#ask('restore'));
      const other = otherRunIn(now, runId);
      // The ledger of the other run may have the mark of this run as the earlier state.
      if (other !== undefined) {
        this.#leave(item, `it carries the mark of another run (${runText(other)})`);
        return;
      }
    }
    // An object with the mark of the run is put back at the end.
    if (mark?.stateOf(key) === undefined) this.#keep({ kind: 'restored', key });
    if (outcome === 'others') {
      const was = JSON.stringify(item.before);
      warn(
        `${text} was changed by somebody else meanwhile, so the run leaves it. Before the run it was ${was}`,
      );
    } else if (!this.#mock && hasValue(item.before)) leftBehind.delete(key);
  }

  /** Notes that an object is left changed; every report begins with that. */
  #leave({ object, before }: Protected, reason: string, now?: unknown): void {
    const { key, text } = object;
    const { title: scenario, location } = this.#scenario;
    const operation = object.operation?.id ?? '';
    const left = { object: text, operation, was: before, now, reason, scenario, location };
    this.#context.leftBehind.set(key, left);
  }

  #ask(kind: 'protect' | 'restore'): Ask {
    const { client } = this.#context;
    return askWith(
      client,
      restoringAuthorization(client.target),
      this.#file,
      kind,
      this.#scenario.title,
    );
  }
}

function hasValue(state: unknown): boolean {
  return state !== undefined && state !== null;
}

/**
 * Whether the state in the answer to a write comes from the run's writes alone. If a field differs from before,
 * and no write of the run sent it, somebody else changed it.
 */
function isOurWork({ before, sent }: Changed, shown: unknown): boolean {
  if (!isObject(before) || !isObject(shown)) return true;
  return Object.keys(shown).every((name) => equal(shown[name], before[name]) || isSent(sent, name));
}

const isSent = (sent: readonly unknown[], name: string): boolean =>
  sent.some((body) => isObject(body) && name in body);

/** Whether a write asks for the object's earlier state, in any spelling. */
function asksForBefore({ object, restorer, before }: Changed, sent: unknown): boolean {
  if (!isObject(before) || !isObject(sent)) return false;
  const known = { ...object.operation?.restore?.put, ...object.fields };
  const names = Object.keys(sent);
  const told = names.length > 0 && names.every((name) => name in known);
  return told && restorer.same(before, { ...before, ...sent });
}
