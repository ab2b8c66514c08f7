/** What can happen on the service's side, outside its API, by type of event. */
import type { EventTypes } from '../world/world.ts';
import { events as audit } from './audit/events.ts';
import { events as credentials } from './credentials/events.ts';
import { events as dbt } from './dbt/events.ts';
import { events as deployments } from './deployments/events.ts';
import { events as versions } from './versions/events.ts';

export const events = {
  ...versions,
  ...dbt,
  ...deployments,
  ...credentials,
  ...audit,
} satisfies EventTypes;

/** Every type of event. */
export type EventName = keyof typeof events;
