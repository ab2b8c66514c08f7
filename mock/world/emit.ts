/** Lets something happen on the service's side of a world. */
import { EventError, EventFields, type ServiceEvent } from './service-event.ts';
import type { World } from './world.ts';

const FIELDS = [
  'type',
  'at',
  'in',
  'deployment',
  'deploymentId',
  'channel',
  'version',
  'newChannel',
  'syncJobId',
  'generatedFiles',
  'models',
  'sources',
  'macros',
  'unitCount',
  'name',
  'kind',
  'credential',
  'userEmail',
];

/** Lets an event happen; answers with what it made. Throws an EventError, and changes nothing. */
export function emit(world: World, event: ServiceEvent): Record<string, unknown> {
  const { events } = world;
  const handler = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  const unknown = Object.keys(event).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new EventError(`an event has no field ${unknown}; there are ${FIELDS.join(', ')}`);
  }
  if (handler === undefined) {
    throw new EventError(
      `there is no event type ${JSON.stringify(event.type)}; there are ${Object.keys(events).join(', ')}`,
    );
  }
  return { type: event.type, ...handler(world, new EventFields(world.state, event)) };
}
