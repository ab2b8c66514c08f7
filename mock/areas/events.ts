/** The events on the service's side, outside its API, by type. */
import type { EventTypes, EventTypesOf } from '../world/world.ts';
import { type Fields as Audit, events as audit } from './audit/events.ts';
import { type Fields as Credentials, events as credentials } from './credentials/events.ts';
import { type Fields as Dbt, events as dbt } from './dbt/events.ts';
import { type Fields as Deployments, events as deployments } from './deployments/events.ts';
import { type Fields as Versions, events as versions } from './versions/events.ts';

export const events = {
  ...versions,
  ...dbt,
  ...deployments,
  ...credentials,
  ...audit,
} satisfies EventTypes & EventTypesOf<EventFieldsByType>;

export type EventName = keyof EventFieldsByType;

/** The fields of each type of event, apart from the fields of every event. */
export interface EventFieldsByType extends Audit, Credentials, Dbt, Deployments, Versions {}
