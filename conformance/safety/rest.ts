/**
 * When an area is at rest: nothing that the run did there goes on to show.
 *
 * A switch that was put back says so at once, and lists follow. Only who reads those lists has to wait,
 * and whoever reads them at the same time waits for the same reading.
 */

import { equal } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { TenantObject } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import type { Settling } from '../target/pace.ts';
import type { Target } from '../target/target.ts';
import type { Ask, Lag } from './areas.ts';

/** What shows a put-back in time. */
export interface Following {
  readonly object: TenantObject;
  readonly lag: Lag;
  /** The state that was put back. */
  readonly before: unknown;
  readonly ask: Ask;
}

interface Unrest {
  /** When the run last changed something there. */
  movedAt: number;
  /** Undefined where nothing shows that it is over, but the time. */
  following: Following | undefined;
  /** The wait that everybody shares who reads the area. */
  wait: Promise<void> | undefined;
}

/** Told before a wait: what for, and how long at most, ms. */
type Tell = (reason: string, milliseconds: number) => void;

export class Rest {
  readonly #target: Target;
  readonly #settling: Settling;
  /** By area (`x-lock`). */
  readonly #unrest = new Map<string, Unrest>();

  constructor(target: Target, settling: Settling) {
    this.#target = target;
    this.#settling = settling;
  }

  /** A write of the run was accepted, or may have been. */
  moved(operation: Operation | undefined, following?: Following): void {
    const area = operation?.lock?.writes;
    if (area === undefined) return;
    // The first of several shows what there was before all of them.
    const first = this.#unrest.get(area)?.following ?? following;
    this.#unrest.set(area, { movedAt: Date.now(), following: first, wait: undefined });
  }

  /** The last change of the run in an area was its put-back: what shows it. */
  follow(operation: Operation | undefined, following: Following | undefined): void {
    const unrest = this.#unrest.get(operation?.lock?.writes ?? '');
    if (unrest !== undefined) unrest.following ??= following;
  }

  /** How long a change of the run may go on to show in an area, ms. */
  left(area: string | undefined): number {
    const unrest = this.#unrest.get(area ?? '');
    if (unrest === undefined) return 0;
    return Math.max(0, unrest.movedAt + this.#settling.convergenceMs - Date.now());
  }

  /** Waits until what was put back shows in these areas, as far as something shows it. */
  async settle(areas: Iterable<string>, tell?: Tell, signal?: AbortSignal): Promise<void> {
    for (const area of areas) {
      const unrest = this.#unrest.get(area);
      if (unrest?.following === undefined) continue;
      unrest.wait ??= this.#follow(area, unrest, unrest.following, tell, signal);
      await unrest.wait;
    }
  }

  async #follow(
    area: string,
    unrest: Unrest,
    { object, lag, before, ask }: Following,
    tell: Tell | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const quiet = this.#settling.quietMs(object.operation);
    if (this.left(area) > 0)
      tell?.(
        `lists are to show what was put back (${object.text}), up to that long`,
        this.left(area),
      );
    let last: unknown;
    let changedAt = Date.now();
    try {
      while (this.left(area) > 0 && signal?.aborted !== true) {
        const now = await lag.read(object, ask);
        if (now === undefined) break;
        if (!equal(now, last)) changedAt = Date.now();
        last = now;
        // Somebody else may have switched something there: then standing still must do.
        const still = Date.now() - changedAt;
        if (still >= (equal(now, lag.expected(before)) ? quiet : 2 * quiet)) break;
        await this.#target.wait(Math.min(500, this.left(area)), signal);
      }
    } catch (error) {
      // Who reads the area next is not answered either, or is interrupted as well, and says so.
      if (!(error instanceof CouldNotRun) && signal?.aborted !== true) throw error;
    }
    if (this.#unrest.get(area) === unrest) this.#unrest.delete(area);
  }
}
