/** What is going to happen in a world by itself: events in the order in which they fall due. */
import type { ServiceEvent } from './service-event.ts';

export interface ScheduledEvent {
  readonly id: string;
  /** World time at which it happens, ms. */
  readonly at: number;
  readonly event: ServiceEvent;
}

/** A scheduled event that has had its time; `error` says why it could not happen then. */
export interface PastEvent extends ScheduledEvent {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

/** How many past events a world remembers. */
const REMEMBERED = 100;

/** Kept with a clock: it is cloned with it, and a new clock has an empty one. */
export class Schedule {
  #made = 0;
  #pending: ScheduledEvent[] = [];
  #past: PastEvent[] = [];

  get any(): boolean {
    return this.#pending.length > 0;
  }

  add(at: number, event: ServiceEvent): ScheduledEvent {
    this.#made += 1;
    const made = { id: `scheduled-${this.#made}`, at, event };
    const later = this.#pending.findIndex((other) => other.at > at);
    this.#pending.splice(later < 0 ? this.#pending.length : later, 0, made);
    return made;
  }

  /** The first event that is due at a time. It is taken out. */
  take(now: number): ScheduledEvent | undefined {
    const [first] = this.#pending;
    return first !== undefined && first.at <= now ? this.#pending.shift() : undefined;
  }

  remember(event: PastEvent): void {
    this.#past.push(event);
    if (this.#past.length > REMEMBERED) this.#past.shift();
  }

  /** What is to come, next first; of the same time, in the order in which it was scheduled. */
  pending(): readonly ScheduledEvent[] {
    return [...this.#pending];
  }

  /** The last hundred that had their time, oldest first. */
  past(): readonly PastEvent[] {
    return [...this.#past];
  }

  clone(): Schedule {
    const copy = new Schedule();
    copy.#made = this.#made;
    copy.#pending = [...this.#pending];
    copy.#past = [...this.#past];
    return copy;
  }
}
