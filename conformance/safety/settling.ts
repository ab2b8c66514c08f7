/**
 * Decides how long a change may take to show; nothing else decides it.
 *
 * The description gives no limit, so the run has one (`--convergence`). An object shows a put-back at once, but
 * lists follow later. Only the readers of those lists wait, and readers at the same time share one wait.
 */

import { equal } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { Resting, Timing } from '../language/scenario.ts';
import type { TenantObject } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import type { Ask, Lag } from './areas.ts';

/** The default of `--convergence`: the longest time that a change may take to show. */
export const usualMs = 30_000;

/**
 * If a change does not show in time, the run goes on looking, for this multiple of its wait. That costs
 * five minutes with the usual wait, and happens once at most for each area.
 */
const patience = 10;

/** The run waits for one and a half times the longest delay that it has seen. */
const onTop = 1.5;

/** How long `undo` looks for a restored state. Its lists have already had time to follow. */
const laterMs = 10_000;

/** The lists that show a put-back late. */
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
  /** Undefined if no read can show that the change is over. */
  following: Following | undefined;
  /** The wait that all readers of the area share. */
  wait: Promise<void> | undefined;
}

/** Called before a wait, with the reason and the longest duration in ms. */
type Tell = (reason: string, milliseconds: number) => void;

type Eventually = Extract<Timing, { readonly kind: 'eventually' }>;
type Throughout = Extract<Timing, { readonly kind: 'throughout' }>;

export class Settling {
  /** The longest time that a change may take to show, by the run's options. */
  readonly convergenceMs: number;
  /** By area (`x-lock`), or by operation if it has none: the longest that the run has seen, ms. */
  readonly #longest = new Map<string, number>();
  /** The longest certain delay, in ms, of a change that came after the wait; gaps between reads do not count. */
  readonly #late = new Map<string, number>();
  /** Areas in which a change did not show in the longest wait, and no change was late since. */
  readonly #lost = new Set<string>();
  /** By area. */
  readonly #unrest = new Map<string, Unrest>();

  constructor(convergenceMs: number = usualMs) {
    this.convergenceMs = convergenceMs;
  }

  /** Notes a read that showed a change after `tookMs`; a read at `sinceMs` did not show it yet. */
  saw(operation: Operation, tookMs: number, sinceMs: number): void {
    const area = areaOf(operation);
    if (sinceMs >= this.convergenceMs) {
      this.#lost.delete(area);
      this.#late.set(area, Math.max(this.#late.get(area) ?? 0, sinceMs));
    }
    // An object shows its own change sooner than a list of the consequences.
    if (operation.items === undefined && sinceMs < this.convergenceMs) return;
    this.#longest.set(area, Math.max(this.#longest.get(area) ?? 0, tookMs));
  }

  /** Notes that no read showed a change, as long as the run looked. */
  sawNothing(operation: Operation): void {
    this.#lost.add(areaOf(operation));
  }

  /**
   * The longest time that a change to an operation's objects may take to show: the option's time, or the
   * longer time that the run has seen.
   */
  waitMs(operation: Operation | undefined): number {
    return this.#waitIn(areaOf(operation));
  }

  #waitIn(area: string): number {
    const seen = onTop * (this.#late.get(area) ?? 0);
    return Math.max(this.convergenceMs, Math.min(seen, patience * this.convergenceMs));
  }

  /** How long to wait for nothing to change: one and a half times the longest delay seen, if there is one. */
  quietMs(operation: Operation | undefined): number {
    const longest = this.#longest.get(areaOf(operation));
    const wait = this.waitMs(operation);
    return longest === undefined ? wait : Math.min(onTop * Math.max(longest, 1000), wait);
  }

  /** How long to wait for an expected change. */
  withinMs({ within = this.convergenceMs }: Eventually, operation: Operation | undefined): number {
    const wait = this.waitMs(operation);
    return wait > this.convergenceMs ? wait : Math.min(within, wait);
  }

  /** How long to look for a change that did not show in time; `fails`: a promise breaks if it never shows. */
  untilMs(within: number, operation: Operation | undefined, fails: boolean): number {
    const isWorthIt = fails && !this.#lost.has(areaOf(operation));
    return Math.max(2 * within, isWorthIt ? patience * this.convergenceMs : 0);
  }

  /** How long a state must hold. On a mock, whose time the run moves, a state at rest is watched too. */
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

  /** How long to look for a state that was put back; `later`: after the run. */
  arrivalMs(operation: Operation, later: boolean): number {
    return later ? laterMs : this.waitMs(operation);
  }

  /** Whether a write of that time (`performance.now()`) would be visible by now, if it took effect. */
  hasShown(operation: Operation | undefined, sentAt: number): boolean {
    return performance.now() - sentAt >= this.waitMs(operation);
  }

  /** Notes that a write of the run was accepted, or may have been. */
  moved(operation: Operation | undefined, following?: Following): void {
    const area = operation?.lock?.writes;
    if (area === undefined) return;
    // The first of several put-backs has the state from before all of them.
    const first = this.#unrest.get(area)?.following ?? following;
    this.#unrest.set(area, { movedAt: performance.now(), following: first, wait: undefined });
  }

  /** Notes that the last change of the run in an area was its put-back, and what shows it. */
  follow(operation: Operation | undefined, following: Following | undefined): void {
    const unrest = this.#unrest.get(operation?.lock?.writes ?? '');
    if (unrest !== undefined) unrest.following ??= following;
  }

  /** How long a change of the run may go on to show in an area, in ms. */
  left(area = ''): number {
    const unrest = this.#unrest.get(area);
    if (unrest === undefined) return 0;
    return Math.max(0, unrest.movedAt + this.#waitIn(area) - performance.now());
  }

  /** Waits until the put-backs in these areas show, if something can show them. */
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
        `lists may show the old state (${object.text}) late, up to that long`,
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
        // Somebody else may have switched something there. Then it must be enough that the list no longer
        // changes.
        const still = performance.now() - changedAt;
        if (still >= (equal(now, lag.expected(before)) ? quiet : 2 * quiet)) break;
        await target.wait(Math.min(500, this.left(area)), signal);
      }
    } catch (error) {
      // The next reader of the area meets the same error, and reports it.
      if (!(error instanceof CouldNotRun) && signal?.aborted !== true) throw error;
    }
    if (this.#unrest.get(area) === unrest) this.#unrest.delete(area);
  }
}

function areaOf(operation: Operation | undefined): string {
  const { reads, writes } = operation?.lock ?? {};
  return reads ?? writes ?? operation?.id ?? '';
}
