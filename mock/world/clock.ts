import { isObject } from '../../spec/base/json.ts';
import type { ServiceEvent } from './service-event.ts';

/**
 * A world's clock: the wall time plus an offset while it runs, a fixed time while it is frozen.
 * The only place in the mock that reads the wall clock.
 *
 * The clock keeps the scheduled events with the time, so a snapshot or a fork carries both. A new
 * clock has no events.
 */
export class Clock {
  #frozenAt: number | undefined;
  #offset = 0;
  /**
   * The time of the event that is happening. An event sees its own time, not the time to which the
   * clock moves.
   */
  #moment: number | undefined;
  #scheduled = 0;
  /** The events to come, next first. Events of the same time are in the order in which they were scheduled. */
  pending: readonly ScheduledEvent[] = [];
  /** The last scheduled events that have happened or failed, oldest first. */
  past: readonly PastEvent[] = [];

  /** With a time the clock is frozen at it; without one it starts at wall time and runs. */
  constructor(frozenAt?: number) {
    this.#frozenAt = frozenAt;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#moment ?? this.#frozenAt ?? Date.now() + this.#offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Sets the time. A frozen clock stays at it; a running clock runs on from it. */
  set(at: number, frozen: boolean = this.frozen): void {
    this.#frozenAt = frozen ? at : undefined;
    this.#offset = at - Date.now();
  }

  /** Runs an action with the clock at a given time. */
  during<Result>(at: number, action: () => Result): Result {
    this.#moment = at;
    try {
      return action();
    } finally {
      this.#moment = undefined;
    }
  }

  schedule(at: number, event: ServiceEvent): ScheduledEvent {
    this.#scheduled += 1;
    const made = { id: `scheduled-${this.#scheduled}`, at, event };
    this.pending = [...this.pending, made].sort((one, other) => one.at - other.at);
    return made;
  }

  /** Removes and returns the first event that is due. */
  takeDue(now: number): ScheduledEvent | undefined {
    const [first] = this.pending;
    if (first === undefined || first.at > now) return undefined;
    this.pending = this.pending.slice(1);
    return first;
  }

  remember(event: PastEvent): void {
    this.past = [...this.past, event].slice(-REMEMBERED);
  }

  clone(): Clock {
    const copy = new Clock(this.#frozenAt);
    copy.#offset = this.#offset;
    copy.#scheduled = this.#scheduled;
    copy.pending = this.pending;
    copy.past = this.past;
    return copy;
  }
}

/** The number of past events that a world remembers. */
const REMEMBERED = 100;

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a time (ms) can be written as a timestamp of four-digit year. */
export function fitsTimestamp(at: number): boolean {
  return at >= EARLIEST && at <= LATEST;
}

/** A point in time: ms since 1970, ISO 8601 with its zone, or a Date. */
export type Time = number | string | Date;

/** A point in time as ms. Throws a RangeError. */
export function timeOf(time: Time): number {
  const at = typeof time === 'string' ? parsed(time) : time instanceof Date ? +time : time;
  if (typeof at !== 'number' || Number.isNaN(at) || !fitsTimestamp(at)) {
    const shown = JSON.stringify(time) ?? String(time);
    throw new RangeError(`${shown} is not an ISO 8601 time, such as 2026-01-31T09:30:00Z`);
  }
  return at;
}

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time without a zone is a different time on another machine. */
function parsed(text: string): number {
  const read = readTime(text);
  if (read?.isDay === false && !read.hasZone) {
    throw new RangeError(`${JSON.stringify(text)} names no time zone; end it with Z: ${text}Z`);
  }
  return read?.at ?? Number.NaN;
}

/** Reads an ISO 8601 time, in UTC if it names no zone; undefined if there is no such time. */
export function readTime(text: string) {
  const [, day, time, zone] = ISO_8601.exec(text) ?? [];
  if (day === undefined) return undefined;
  const isDay = time === undefined;
  const at = Date.parse(isDay || zone !== undefined ? text : `${text}Z`);
  // Date.parse moves 2026-02-31 into March.
  const exists = !Number.isNaN(at) && new Date(Date.parse(day)).toISOString().startsWith(day);
  return exists ? { at, isDay, hasZone: zone !== undefined } : undefined;
}

/** A length of time; the units add up. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const;
const unitNames = Object.keys(UNITS).join(', ');

/** A length of time as ms. Throws a RangeError that says which part of it is wrong. */
export function msOf(duration: number | Duration): number {
  if (typeof duration === 'number') {
    if (duration >= 0 && Number.isFinite(duration)) return duration;
    throw new RangeError('A duration must be a number of milliseconds of at least 0');
  }
  // A caller in JavaScript may pass anything.
  const given: unknown = duration;
  if (!isObject(given)) {
    const shown = JSON.stringify(given) ?? String(given);
    throw new RangeError(`A duration is written as { minutes: 5 } or in ms, not as ${shown}`);
  }
  let ms = 0;
  for (const [unit, amount] of Object.entries(given)) {
    if (!Object.hasOwn(UNITS, unit)) {
      throw new RangeError(`A duration has ${unitNames}, not ${unit}`);
    }
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) {
      throw new RangeError(`${unit} must be a number of at least 0`);
    }
    ms += amount * UNITS[unit as keyof typeof UNITS];
  }
  if (ms === 0) throw new RangeError(`Say how far: ${unitNames}`);
  return ms;
}

export interface ScheduledEvent {
  readonly id: string;
  /** The world time at which it happens, ms. */
  readonly at: number;
  readonly event: ServiceEvent;
}

/** A scheduled event whose time has passed; `error` says why it could not happen. */
export interface PastEvent extends ScheduledEvent {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}
