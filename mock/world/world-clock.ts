/** Changes the time of a world. All events up to the new time happen, in order. */

import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { Duration, PastEvent, ScheduledEvent, Time } from './clock.ts';
import { fitsTimestamp, msOf, timeOf } from './clock.ts';
import { EventError, EventFields, type ServiceEvent } from './service-event.ts';
import type { World } from './world.ts';

/** Makes all due events happen, each at its own time. */
export function settle(world: World): readonly PastEvent[] {
  const { clock } = world;
  if (clock.pending.length === 0) return [];
  const now = clock.now();
  const happened: PastEvent[] = [];
  for (let due = clock.takeDue(now); due !== undefined; due = clock.takeDue(now)) {
    const { at, event } = due;
    const past = { ...due, ...clock.during(at, () => happen(world, event)) };
    clock.remember(past);
    happened.push(past);
  }
  return happened;
}

function happen(world: World, event: ServiceEvent): Pick<PastEvent, 'result' | 'error'> {
  try {
    return { result: emit(world, event) };
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    world.journal.note(`${JSON.stringify(event)} could not happen: ${error.message}`);
    return { error: error.message };
  }
}

/** An event in the caller's form. It happens now, `at` a world time, or `in` a duration. */
export interface TimedEvent extends ServiceEvent {
  readonly at?: Time;
  readonly in?: Duration;
}

/**
 * Makes an event happen. If it has `at` or `in`, schedules it and returns `{ id, type, at }`. If it
 * throws an EventError, nothing has changed. The fields of a scheduled event are checked when its
 * time comes: the rows that it names need not exist earlier.
 */
export function emitTimed(world: World, timed: TimedEvent): Record<string, unknown> {
  settle(world);
  const { at, in: delay, ...event } = timed;
  const isNow = at === undefined && delay === undefined;
  if (isNow || !Object.hasOwn(world.events, event.type)) return emit(world, event);
  const now = world.clock.now();
  const due = readDue(now, at, delay);
  if (due < now) {
    throw new EventError(`at lies before the world's time, ${new Date(now).toISOString()}`);
  }
  const { id } = world.clock.schedule(due, event);
  settle(world);
  return { id, type: event.type, at: new Date(due).toISOString() };
}

function readDue(now: number, at: Time | undefined, delay: Duration | undefined): number {
  if (at !== undefined && delay !== undefined) {
    throw new EventError('an event has at or in, not both');
  }
  try {
    if (at !== undefined) return timeOf(at);
    if (!isObject(delay)) {
      throw new RangeError('in must be a duration, such as { "minutes": 5 }');
    }
    const due = now + msOf(delay);
    if (fitsTimestamp(due)) return due;
    throw new RangeError('in reaches beyond what a timestamp can hold');
  } catch (error) {
    throw error instanceof RangeError ? new EventError(error.message) : error;
  }
}

/** The clock of a world, as its users see it. */
export class WorldClock {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#world.clock.now();
  }

  get frozen(): boolean {
    return this.#world.clock.frozen;
  }

  /** The scheduled events, next first. */
  get scheduled(): readonly ScheduledEvent[] {
    settle(this.#world);
    return this.#world.clock.pending;
  }

  /** The last scheduled events whose time has passed, oldest first. */
  get past(): readonly PastEvent[] {
    settle(this.#world);
    return this.#world.clock.past;
  }

  /** Stops the clock, at the given time or at the present one. */
  freeze(at?: Time): readonly PastEvent[] {
    return this.#move(at, true);
  }

  /** Lets the clock run on, from the given time or from the present one. */
  run(from?: Time): readonly PastEvent[] {
    return this.#move(from, false);
  }

  /** Sets the time. A frozen clock stays frozen, a running one runs on from there. */
  set(time: Time): readonly PastEvent[] {
    return this.#move(time, this.frozen);
  }

  /** Moves the time on, by ms or by a duration such as `{ hours: 48 }`; returns the events that happened. */
  advance(by: number | Duration): readonly PastEvent[] {
    const to = this.now() + msOf(by);
    if (fitsTimestamp(to)) return this.#move(to, this.frozen);
    throw new RangeError('The time would lie beyond what a timestamp can hold');
  }

  #move(to: Time | undefined, frozen: boolean): readonly PastEvent[] {
    const { clock, journal } = this.#world;
    const now = this.now();
    const time = to === undefined ? now : timeOf(to);
    clock.set(time, frozen);
    if (time !== now) {
      const [from, until] = [now, time].map((at) => new Date(at).toISOString());
      journal.note(`the clock moved from ${from} to ${until}`);
    }
    return settle(this.#world);
  }
}

/** The fields that every event may have, apart from those of its type. */
const ownFields = ['type', 'at', 'in', 'deployment', 'deploymentId'];

/**
 * Makes an event happen, and returns the ids and rows that it made. If it throws an EventError,
 * nothing has changed.
 */
export function emit(world: World, event: ServiceEvent): Record<string, unknown> {
  const { events } = world;
  const type = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  if (type === undefined) {
    const types = Object.keys(events);
    const near = hint(String(event.type), types);
    throw new EventError(
      `there is no event type ${JSON.stringify(event.type)}${near}; there are ${types.join(', ')}`,
    );
  }
  const known = [...ownFields, ...type.fields];
  const unknown = Object.keys(event).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new EventError(
      `${event.type} has no field ${unknown}${hint(unknown, known)}; it has ${known.join(', ')}`,
    );
  }
  const made = { type: event.type, ...type.happen(world, new EventFields(world.state, event)) };
  world.journal.note(JSON.stringify(event));
  return made;
}
