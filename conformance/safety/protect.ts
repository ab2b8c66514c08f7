/**
 * Leaves every object as it was found: reads it before a scenario's first write to it, notes it in
 * the ledger, and puts it back afterwards.
 *
 * On a mock the world belongs to the run, so values are read once, nothing is written to disk, and
 * only what was really changed is put back.
 */

import { equal, isObject } from '../../spec/base/json.ts';
import type { Answer } from '../language/answer.ts';
import { type Client, CouldNotRun } from '../target/client.ts';
import type { Occasion } from '../target/evidence.ts';
import type { WriteTarget } from '../target/guard.ts';
import { settledMs } from '../target/pace.ts';
import type { Ledger } from './ledger.ts';
import { describe, effectOf } from './plan.ts';
import { pathOf, put, type Restorer, restorerOf, type Send, stagingIds } from './restore.ts';

/** The previous value cannot be read, so the object is not written. */
export class Unprotectable extends Error {}

export interface ProtectionContext {
  readonly client: Client;
  readonly ledger: Ledger | undefined;
  /** Authorization of somebody who may read and restore. */
  readonly authorization: string | undefined;
  readonly convergenceMs: number;
  /** Values that the run has read on a mock, by object. */
  readonly known: Map<string, unknown>;
  /** Objects that could not be put back yet, and what they were. */
  readonly owed: Map<string, unknown>;
  /** How long toggles took to show so far; it tells how long to let things settle. */
  readonly settling: { longestMs: number };
  readonly warn: (message: string) => void;
  /** A replay writes nothing, so there is nothing to protect. */
  readonly unprotected?: true;
}

interface Guarded {
  readonly object: WriteTarget;
  readonly restorer: Restorer;
  readonly before: unknown;
  /** Every body that was sent, and what the answers showed: what nobody else can have made of it. */
  readonly sent: unknown[];
  readonly seen: unknown[];
  written: boolean;
  /** A write was sent and its outcome is not known: it may still come. */
  unsure: boolean;
}

/** The objects that one scenario writes. */
export class Protection {
  readonly #context: ProtectionContext;
  readonly #file: string;
  readonly #scenario: string;
  readonly #objects = new Map<string, Guarded>();

  constructor(context: ProtectionContext, file: string, scenario: string) {
    this.#context = context;
    this.#file = file;
    this.#scenario = scenario;
  }

  /** Call before each write. Throws Unprotectable. */
  async before(object: WriteTarget, method: string, path: string, body: unknown): Promise<void> {
    if (this.#context.unprotected === true) return;
    const restorer = restorerOf(object);
    let guarded = this.#objects.get(object.key);
    if (restorer !== undefined && guarded === undefined) {
      const { owed } = this.#context;
      const before = owed.has(object.key)
        ? owed.get(object.key)
        : await this.#read(object, restorer);
      guarded = { object, restorer, before, sent: [], seen: [], written: false, unsure: false };
      this.#objects.set(object.key, guarded);
    }
    // Asked at each write: one that only reads, as an empty update of a folder, may come first.
    if (guarded?.before === undefined && restorer !== undefined && this.#mustKnow(object, body)) {
      throw new Unprotectable(`${describe(object)} cannot be read, so it is not written`);
    }
    guarded?.sent.push(body ?? null);
    const effect = effectOf(object);
    if (restorer === undefined && effect !== 'permanent') return;
    this.#context.ledger?.write({
      key: object.key,
      object: describe(object),
      operation: object.operation?.id ?? object.key,
      method,
      path,
      branch: object.branch,
      before: guarded?.before ?? null,
      sent: body ?? null,
      effect,
    });
  }

  /** Call after each write: a success has changed the object, whatever was expected. */
  after(object: WriteTarget, answer: Answer, body: unknown): void {
    const guarded = this.#objects.get(object.key);
    if (guarded === undefined || !(answer.ok || answer.status === 0)) return;
    if (!isReading(object, body)) guarded.written = true;
    const shown = guarded.restorer.shown(object, answer);
    if (shown === undefined) return;
    guarded.seen.push(shown);
    this.#context.ledger?.seen(object.key, shown);
  }

  /** Call where a write was sent and no answer of the service came: it may have been done, or may be yet. */
  lost(object: WriteTarget): void {
    const guarded = this.#objects.get(object.key);
    if (guarded === undefined) return;
    guarded.written = true;
    guarded.unsure = true;
  }

  /** Puts everything back, the last first. Failures become warnings; the ledger keeps them. */
  async restore(): Promise<void> {
    for (const guarded of [...this.#objects.values()].reverse()) {
      try {
        await this.#restoreOne(guarded);
      } catch (error) {
        if (!(error instanceof CouldNotRun)) throw error;
        this.#owe(guarded, error.message);
      }
    }
  }

  #mustKnow(object: WriteTarget, body: unknown): boolean {
    return this.#context.client.target.kind !== 'mock' && !isReading(object, body);
  }

  /** Notes that an object is not as it was found. */
  #owe({ object, before }: Guarded, why: string): void {
    this.#context.owed.set(object.key, before);
    const was = JSON.stringify(before) ?? 'unknown';
    const next = 'put it back by hand, or with `lockstep undo`';
    this.#context.warn(
      `${describe(object)} could not be put back (${why}); it was ${was}: ${next}`,
    );
  }

  async #read(object: WriteTarget, restorer: Restorer): Promise<unknown> {
    const { client, known } = this.#context;
    if (client.target.kind === 'mock' && known.has(object.key)) return known.get(object.key);
    const value = await restorer.read(object, this.#send('protect'));
    if (client.target.kind === 'mock') known.set(object.key, value);
    return value;
  }

  async #restoreOne(guarded: Guarded): Promise<void> {
    const { object, restorer, before } = guarded;
    const { client, ledger, warn, convergenceMs } = this.#context;
    const mock = client.target.kind === 'mock';
    if (before === undefined || before === null || (mock && !guarded.written)) {
      ledger?.restored(object.key);
      return;
    }
    const send = this.#send('restore');
    // What was sent and not answered may come as late as any change may show.
    if (guarded.unsure) await client.target.wait(convergenceMs);
    if (guarded.written) await this.#settle(object, undefined);
    let now = mock ? undefined : await restorer.read(object, send);
    if (!mock && this.#isSomebodyElses(guarded, now)) {
      ledger?.restored(object.key);
      const was = JSON.stringify(before);
      warn(
        `${describe(object)} was changed by somebody else meanwhile and is left so; it was ${was}`,
      );
      return;
    }
    // What reads as before may only read so still: after a write it is put back whatever is read.
    if (mock || guarded.written || !restorer.same(before, now)) {
      const bodies = restorer.bodies(object, before, mock ? before : (now ?? before));
      for (const body of bodies) await send(put(pathOf(object), body));
      if (guarded.written) await this.#settle(object, before);
      if (mock) return;
      now = await this.#arrival(object, restorer, before, send);
    }
    if (restorer.same(before, now)) {
      ledger?.restored(object.key);
      this.#context.owed.delete(object.key);
      return;
    }
    this.#owe(guarded, 'it still reads otherwise');
  }

  /** Only of a folder: its answers show what our writes made of it, whatever the service did. */
  #isSomebodyElses({ object, restorer, before, sent, seen }: Guarded, now: unknown): boolean {
    if (object.operation?.id !== 'updateFolder' || now === undefined || now === null) return false;
    return (
      !restorer.same(before, now) &&
      !seen.some((value) => restorer.same(value, now)) &&
      !restorer.ours(now, before, sent)
    );
  }

  /** Reads until the value is back, for as long as a change may take to show. */
  async #arrival(
    object: WriteTarget,
    restorer: Restorer,
    before: unknown,
    send: Send,
  ): Promise<unknown> {
    const { client, convergenceMs } = this.#context;
    const start = Date.now();
    for (;;) {
      const now = await restorer.read(object, send);
      if (restorer.same(before, now) || Date.now() - start >= convergenceMs) return now;
      await client.target.wait(1000);
    }
  }

  /**
   * Lets a toggle show everywhere before the next scenario reads. Without a value to wait for, it
   * only waits where the switch itself cannot be read.
   */
  async #settle(object: WriteTarget, before: unknown): Promise<void> {
    const { client, convergenceMs } = this.#context;
    const id = object.operation?.id;
    if (id !== 'setStagingEnvironment') return;
    if (client.target.kind === 'mock') {
      if (before !== undefined) await client.target.wait(convergenceMs);
      return;
    }
    const state = (before ?? this.#objects.get(object.key)?.before) as {
      enabled?: boolean;
      staging?: readonly string[];
    };
    if (before === undefined) {
      if (state.enabled === undefined) await client.target.wait(convergenceMs);
      return;
    }
    const quiet = settledMs(this.#context);
    const deployment = encodeURIComponent(object.parameters.deployment_id ?? '');
    const start = Date.now();
    let last: unknown;
    let changedAt = start;
    while (Date.now() - start < convergenceMs) {
      const ids = await stagingIds(deployment, this.#send('restore'));
      if (ids === undefined) return;
      if (!equal(ids, last)) changedAt = Date.now();
      last = ids;
      // Somebody else may have switched another branch: then standing still must do.
      const still = Date.now() - changedAt;
      if (still >= (equal(ids, state.staging) ? quiet : 2 * quiet)) return;
      await client.target.wait(500);
    }
  }

  #send(kind: Occasion['kind']): Send {
    const { client, authorization } = this.#context;
    const occasion = { scenario: this.#scenario, step: kind, kind };
    return (request) => {
      const headers: Record<string, string> =
        request.text === undefined ? {} : { 'content-type': 'application/json' };
      return client.call(
        { ...request, headers, authorization, plain: false },
        this.#file,
        occasion,
      );
    };
  }
}

/** An empty update of a folder is how one is read: it changes nothing that would be put back. */
function isReading(object: WriteTarget, body: unknown): boolean {
  const empty = isObject(body) && Object.keys(body).length === 0;
  return empty && object.operation?.id === 'updateFolder';
}
