/**
 * The mark of a run on its tenant. From the run's first write to its last, a bound object carries the mark
 * as its name: a run on another machine reads it there and stops. Most values, such as a switch, cannot
 * carry a mark themselves.
 */

import { inWords } from '../../spec/base/refused.ts';
import { markOfRun } from '../judge/report.ts';
import { callTo, pathTo, type TenantObject } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import { Unsafe } from '../target/guard.ts';
import type { Ask } from './areas.ts';
import { askWith, restoringAuthorization } from './ask.ts';
import { isMarkedBy, markBody, refuseOtherRun } from './marks.ts';
import { Protection, type ProtectionContext, type Writer } from './protect.ts';
import { restorerOf } from './restorer.ts';

export class RunMark {
  readonly #context: ProtectionContext;
  readonly #object: TenantObject;
  readonly #signal: AbortSignal | undefined;
  #protection: Protection | undefined;
  #set: Promise<void> | undefined;
  /** The state of the object with the mark. Scenarios find and leave the object in this state. */
  #state: unknown;

  constructor(context: ProtectionContext, object: TenantObject, signal?: AbortSignal) {
    this.#context = context;
    this.#object = object;
    this.#signal = signal;
  }

  /** The state of an object that carries the mark; undefined for all other objects. */
  stateOf(key: string): unknown {
    return key === this.#object.key ? this.#state : undefined;
  }

  /**
   * Call before each write. Resolves when the mark is on the tenant and no other run's mark has taken its
   * place. Rejects with Unsafe if another run works there.
   */
  async ready(writer: Writer): Promise<void> {
    this.#set ??= this.#mark(writer).catch((error: unknown) => {
      // Without the mark the run goes on, as it would on a tenant that binds no such object.
      if (!(error instanceof CouldNotRun)) throw error;
      this.#warn(inWords(error));
    });
    await this.#set;
  }

  /** Puts the object back after the last write. Rejects with Unsafe if another run works on the tenant. */
  async remove(): Promise<void> {
    if (this.#set === undefined) return;
    const [ended] = await Promise.allSettled([this.#set]);
    this.#state = undefined;
    this.#context.client.unrestored.delete(markOfRun);
    await this.#protection?.restore();
    if (ended.status === 'rejected' && ended.reason instanceof Unsafe) throw ended.reason;
  }

  async #mark({ file, scenario }: Writer): Promise<void> {
    const { client, facts, runId, settling } = this.#context;
    const object = this.#object;
    const own = { ...this.#context, inUse: new Map(), mark: undefined };
    this.#protection = new Protection(own, file, scenario);
    // The client reserves writes for the put-back of each object in this set. Scenarios that put back the
    // same object free its writes, but the run needs these for the end.
    client.unrestored.add(markOfRun);
    const authorization = restoringAuthorization(client.target);
    const ask = askWith(client, authorization, file, 'protect', scenario.title);
    const failed = await this.#write(this.#protection, ask);
    if (failed !== undefined) return this.#warn(failed);
    await client.target.wait(settling.waitMs(object.operation), this.#signal);
    const now = await restorerOf(object, facts.restore)?.read(object, ask);
    refuseOtherRun(object.text, now, runId);
    if (isMarkedBy(runId, now)) this.#state = now;
    else this.#warn(`it reads ${JSON.stringify(now) ?? 'nothing'}`);
  }

  /** Returns the reason if the mark is not there. Rejects with CouldNotRun if nobody answers. */
  async #write(protection: Protection, ask: Ask): Promise<string | undefined> {
    const { operation, parameters } = this.#object;
    if (operation === undefined) return 'the contract has no such operation';
    const body = markBody(this.#object, this.#context.runId);
    const call = callTo(operation.method.toUpperCase(), pathTo(operation.path, parameters), body);
    const refused = await protection.before(call);
    if (refused !== undefined) return refused;
    try {
      const answer = await ask(operation.id, parameters, { body });
      protection.after(call, answer);
      return answer.ok ? undefined : `the service answered ${answer.status}`;
    } catch (error) {
      protection.lost(call);
      throw error;
    }
  }

  #warn(reason: string): void {
    this.#context.warn(
      `${this.#object.text} does not carry the mark of this run: ${reason}. So a run on another machine would not be noticed before both have written`,
    );
  }
}
