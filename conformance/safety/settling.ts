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

/**
 * So many times as long as a run waits, it looks if something shows after all. That costs five minutes
 * at the usual wait, and no more than once for an area in which nothing shows.
 */
const patience = 10;

/** A change is waited for half as long again as the longest that was seen. */
const onTop = 1.5;

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
  /** The longest that a change may take to show, as the run was told. */
  readonly convergenceMs: number;
  /** By area (`x-lock`), or by operation if it has none: the longest that the run has seen, ms. */
  readonly #longest = new Map<string, number>();
  /** The longest that a change surely took which came after the wait, ms: looks lie apart, and must not add up. */
  readonly #late = new Map<string, number>();
  /** Those in which a change did not show, however long the run looked, and none has come late since. */
  readonly #lost = new Set<string>();
  /** By area. */
  readonly #unrest = new Map<string, Unrest>();

  constructor(convergenceMs: number = usualMs) {
    this.convergenceMs = convergenceMs;
  }

  /** Takes note of a read that showed a change after so long; at `sinceMs` another did not show it yet. */
  saw(operation: Operation, tookMs: number, sinceMs: number): void {
    const area = areaOf(operation);
    if (sinceMs >= this.convergenceMs) {
      this.#lost.delete(area);
      this.#late.set(area, Math.max(this.#late.get(area) ?? 0, sinceMs));
    }
    // An object that shows its own change does so sooner than the list of what came of it.
    if (operation.items === undefined && sinceMs < this.convergenceMs) return;
    this.#longest.set(area, Math.max(this.#longest.get(area) ?? 0, tookMs));
  }

  /** Takes note of a read that did not show a change, as long as the run looked. */
  sawNothing(operation: Operation): void {
    this.#lost.add(areaOf(operation));
  }

  /**
   * The longest that a change may take to show in what an operation reads or writes: as the run was
   * told, or longer once it has seen that.
   */
  waitMs(operation: Operation | undefined): number {
    return this.#waitIn(areaOf(operation));
  }

  #waitIn(area: string): number {
    const seen = onTop * (this.#late.get(area) ?? 0);
    return Math.max(this.convergenceMs, Math.min(seen, patience * this.convergenceMs));
  }

  /** How long to wait for nothing to change: half of what was seen on top of it, once it was. */
  quietMs(operation: Operation | undefined): number {
    const longest = this.#longest.get(areaOf(operation));
    const wait = this.waitMs(operation);
    return longest === undefined ? wait : Math.min(onTop * Math.max(longest, 1000), wait);
  }

  /** How long something is waited for. */
  withinMs({ within = this.convergenceMs }: Eventually, operation: Operation | undefined): number {
    const wait = this.waitMs(operation);
    return wait > this.convergenceMs ? wait : Math.min(within, wait);
  }

  /** Until when it is looked if what did not show in time shows after all; `fails`: else a promise is broken. */
  untilMs(within: number, operation: Operation | undefined, fails: boolean): number {
    const isWorthIt = fails && !this.#lost.has(areaOf(operation));
    return Math.max(2 * within, isWorthIt ? patience * this.convergenceMs : 0);
  }

  /** How long something must hold. On a mock, where time is moved, what rests is watched as well. */
  spanMs(timing: Throughout, operation: Operation | undefined, { kind }: Target): number {
    const wanted = this.#wantedMs(timing.for, operation, kind === 'mock');
    return Math.max(timing.atLeast, Math.min(wanted, this.waitMs(operation)));
  }

  #wantedMs(
    wanted: number | Resting | undefined,
    operation: Operation | undefined,
    moved: boolean,
  ): number {
    if (wanted === 'settled') return this.quietMs(operation);
    if (wanted === 'rested' && !moved) return this.left(operation?.lock?.reads);
    return typeof wanted === 'number' ? wanted : this.waitMs(operation);
  }

  /** How long a state that was put back is looked for; `later`: after the run. */
  arrivalMs(operation: Operation, later: boolean): number {
    return later ? laterMs : this.waitMs(operation);
  }

  /** Whether what was sent then, as `performance.now()` says, shows by now if it was done. */
  hasShown(operation: Operation | undefined, sentAt: number): boolean {
    return performance.now() - sentAt >= this.waitMs(operation);
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
  left(area = ''): number {
    const unrest = this.#unrest.get(area);
    if (unrest === undefined) return 0;
    return Math.max(0, unrest.movedAt + this.#waitIn(area) - performance.now());
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

function areaOf(operation: Operation | undefined): string {
  const { reads, writes } = operation?.lock ?? {};
  return reads ?? writes ?? operation?.id ?? '';
}
