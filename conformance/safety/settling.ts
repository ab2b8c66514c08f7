/**
 * How long a change may take to show: all that decides it stands here.
 *
 * The description gives no bound, so the run has one (`--convergence`). A switch that was put back says
 * so at once, and lists follow. Only the readers of those lists have to wait, and all who read at the same
 * time wait for the same reading.
 */

import { equal } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { Resting, Timing } from '../language/scenario.ts';
import type { TenantObject } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import type { Ask, Lag } from './areas.ts';

/** The longest that a change may take to show, unless the run is told otherwise. */
export const usualMs = 30_000;

/** How long a state that was put back after a run is looked for: its lists had time to follow. */
const laterMs = 10_000;

/** The lists that show a put-back in time. */
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

type Eventually = Extract<Timing, { readonly kind: 'eventually' }>;
type Throughout = Extract<Timing, { readonly kind: 'throughout' }>;

export class Settling {
  /** The longest that a change may take to show. */
  readonly convergenceMs: number;
  /** By area (`x-lock`): the longest that the run has seen. */
  readonly #longest = new Map<string, number>();
  /** By area. */
  readonly #unrest = new Map<string, Unrest>();

  constructor(convergenceMs: number = usualMs) {
    this.convergenceMs = convergenceMs;
  }

  /** Takes note of a list that showed a change after so long. */
  saw({ lock, items }: Operation, tookMs: number): void {
    // An object that shows its own change does so sooner than the list of what came of it.
    if (lock?.reads === undefined || items === undefined) return;
    const longest = this.#longest.get(lock.reads) ?? 0;
    this.#longest.set(lock.reads, Math.max(longest, tookMs, 1000));
  }

  /** How long to wait for nothing to change: half of what was seen on top of it, once it was. */
  quietMs(operation: Operation | undefined): number {
    const { reads, writes } = operation?.lock ?? {};
    const longest = this.#longest.get(reads ?? writes ?? '') ?? 0;
    return longest > 0 ? Math.min(longest * 1.5, this.convergenceMs) : this.convergenceMs;
  }

  /** How long something is waited for. */
  withinMs({ within }: Eventually): number {
    return Math.min(within ?? this.convergenceMs, this.convergenceMs);
  }

  /** Until when it is looked if what did not show in time shows after all. */
  untilMs(within: number): number {
    return 2 * within;
  }

  /** How long something must hold. On a mock, where time is moved, what rests is watched as well. */
  spanMs(timing: Throughout, operation: Operation | undefined, { kind }: Target): number {
    const wanted = this.#wantedMs(timing.for, operation, kind === 'mock');
    return Math.max(timing.atLeast, Math.min(wanted, this.convergenceMs));
  }

  #wantedMs(
    wanted: number | Resting | undefined,
    operation: Operation | undefined,
    moved: boolean,
  ): number {
    if (wanted === 'settled') return this.quietMs(operation);
    if (wanted === 'rested' && !moved) return this.left(operation?.lock?.reads);
    return typeof wanted === 'number' ? wanted : this.convergenceMs;
  }

  /** How long a state that was put back is looked for; `later`: after the run. */
  arrivalMs(later: boolean): number {
    return later ? laterMs : this.convergenceMs;
  }

  /** Whether what was sent then, as `performance.now()` says, shows by now if it was done. */
  hasShown(sentAt: number): boolean {
    return performance.now() - sentAt >= this.convergenceMs;
  }

  /** A write of the run was accepted, or may have been. */
  moved(operation: Operation | undefined, following?: Following): void {
    const area = operation?.lock?.writes;
    if (area === undefined) return;
    // The first of several shows what there was before all of them.
    const first = this.#unrest.get(area)?.following ?? following;
    this.#unrest.set(area, { movedAt: performance.now(), following: first, wait: undefined });
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
    return Math.max(0, unrest.movedAt + this.convergenceMs - performance.now());
  }

  /** Waits until what was put back shows in these areas, as far as something shows it. */
  async settle(
    target: Pick<Target, 'wait'>,
    areas: Iterable<string>,
    tell?: Tell,
    signal?: AbortSignal,
  ): Promise<void> {
    for (const area of areas) {
      const unrest = this.#unrest.get(area);
      if (unrest?.following === undefined) continue;
      unrest.wait ??= this.#follow(target, area, unrest, unrest.following, tell, signal);
      await unrest.wait;
    }
  }

  async #follow(
    target: Pick<Target, 'wait'>,
    area: string,
    unrest: Unrest,
    { object, lag, before, ask }: Following,
    tell: Tell | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const quiet = this.quietMs(object.operation);
    if (this.left(area) > 0)
      tell?.(
        `lists are to show what was put back (${object.text}), up to that long`,
        this.left(area),
      );
    let last: unknown;
    let changedAt = performance.now();
    try {
      while (this.left(area) > 0 && signal?.aborted !== true) {
        const now = await lag.read(object, ask);
        if (now === undefined) break;
        if (!equal(now, last)) changedAt = performance.now();
        last = now;
        // Somebody else may have switched something there: then standing still must do.
        const still = performance.now() - changedAt;
        if (still >= (equal(now, lag.expected(before)) ? quiet : 2 * quiet)) break;
        await target.wait(Math.min(500, this.left(area)), signal);
      }
    } catch (error) {
      // The next reader of the area meets the same, and says so.
      if (!(error instanceof CouldNotRun) && signal?.aborted !== true) throw error;
    }
    if (this.#unrest.get(area) === unrest) this.#unrest.delete(area);
  }
}
