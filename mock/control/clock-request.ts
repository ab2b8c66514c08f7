/** What the control API says about time, and is told about it. */

import type { PastEvent, ScheduledEvent } from '../world/clock.ts';
import { type Duration, msOf } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { WorldClock } from '../world/world-clock.ts';
import { readClock } from '../world/world-request.ts';
import { type AdminCall, AdminError } from './route.ts';

/** `{ now, frozen }`, and what is scheduled or has happened by itself, where there is any. */
export function clockRecord(world: World): Record<string, unknown> {
  const clock = new WorldClock(world);
  return {
    now: iso(clock.now()),
    frozen: clock.frozen,
    ...eventsRecord('scheduled', clock.scheduled),
    ...eventsRecord('past', clock.past),
  };
}

/** `{ now?, frozen? }`: sets the time, and whether it stands still. */
export function setClock(world: World, body: AdminCall['body']): Record<string, unknown> {
  const { now, frozen } = body as { readonly now?: string; readonly frozen?: boolean };
  const clock = new WorldClock(world);
  const at = now === undefined ? clock.now() : readClock(now);
  return moved(world, (frozen ?? clock.frozen) ? clock.freeze(at) : clock.run(at));
}

/** `{ days?, hours?, minutes?, seconds? }`: moves the time on. */
export function advanceClock(world: World, body: AdminCall['body']): Record<string, unknown> {
  try {
    msOf(body as Duration);
    return moved(world, new WorldClock(world).advance(body as Duration));
  } catch (error) {
    throw error instanceof RangeError ? new AdminError(400, error.message) : error;
  }
}

function moved(world: World, happened: readonly PastEvent[]): Record<string, unknown> {
  const { now, frozen } = clockRecord(world);
  return { now, frozen, ...eventsRecord('happened', happened) };
}

function eventsRecord(name: string, events: readonly (ScheduledEvent | PastEvent)[]) {
  if (events.length === 0) return {};
  return { [name]: events.map((event) => ({ ...event, at: iso(event.at) })) };
}

/** ISO 8601 of milliseconds since 1970. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
