/** Everything that the tenant remembers. Plain data, so that it can be copied. */

import type { Fields } from './exchange.ts';

export interface Deployment {
  readonly id: number;
  name: string;
  readonly createdAt: number;
  version: string;
}

export interface Branch {
  readonly id: number;
  readonly deployment: number;
  readonly name: string;
  readonly kind: 'production' | 'shared' | 'personal';
  readonly hash: string;
  enabled: boolean;
}

export interface Environment {
  readonly id: string;
  readonly deployment: number;
  readonly name: string;
  readonly branch: number;
}

export interface Channel {
  readonly name: string;
  readonly repository: string;
  /** The head first. */
  readonly versions: string[];
}

export interface Folder {
  readonly id: number;
  readonly deployment: number;
  readonly parent: number | undefined;
  readonly type: 'FOLDER' | 'WORKBOOK' | 'REPORT';
  readonly createdAt: number;
  name: string;
  updatedAt: number;
}

export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

export interface EmbedUser {
  readonly id: number;
  readonly tenant: string;
  readonly externalId: string;
  email: string;
  /** Security context, attributes and groups, as they were sent last. */
  properties: Fields;
}

export interface Subscription {
  readonly notification: number;
  /** `user:4`, `embed:9` or `mail:a@b`. */
  readonly who: string;
}

export interface Sync {
  readonly id: string;
  readonly deployment: number;
  readonly state: 'done' | 'running' | 'failed';
}

export interface AuditEvent {
  readonly at: number;
  readonly name: string;
  readonly email: string;
  readonly about: string;
}

/**
 * How the tenant fills silences. `odd` is as far from the usual as a promise allows. `mild` is usual
 * where something odd would keep a runner from looking at all.
 */
export type Habits = 'odd' | 'mild';

export interface State {
  readonly habits: Habits;
  deployments: Deployment[];
  branches: Branch[];
  environments: Environment[];
  channels: Channel[];
  /** Versions that the account has run. */
  ran: string[];
  /** Siblings stand in their order. */
  folders: Folder[];
  users: User[];
  embedUsers: EmbedUser[];
  notifications: { readonly id: number; readonly deployment: number }[];
  subscriptions: Subscription[];
  syncs: Sync[];
  events: AuditEvent[];
  /** Calls so far; ids of requests and exports are made of it. */
  calls: number;
}
