/** The state of the tenant. It is plain data, so that it can be copied. */

import type { Fields } from './exchange.ts';
import type { Shown } from './habits.ts';

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
  /** How often it was switched on. */
  switchedOn: number;
}

export interface Channel {
  readonly name: string;
  readonly repository: string;
  /** The head is the first. */
  readonly versions: readonly string[];
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
  /** The security context, attributes and groups that were last sent. */
  properties: Fields;
}

export interface State {
  readonly habits: Shown;
  deployments: Deployment[];
  branches: Branch[];
  channels: Channel[];
  /** Versions that the account has run. */
  ran: string[];
  /** Siblings are in the order of their positions. */
  folders: Folder[];
  users: User[];
  embedUsers: EmbedUser[];
  notifications: { readonly id: number; readonly deployment: number }[];
  /** Each `user:4`, `embed:9` or `mail:a@b`. */
  subscriptions: { readonly notification: number; readonly who: string }[];
  syncs: {
    readonly id: string;
    readonly deployment: number;
    readonly state: 'done' | 'running' | 'failed';
  }[];
  events: {
    readonly at: number;
    readonly name: string;
    readonly email: string;
    readonly about: string;
  }[];
  /** Metadata tokens, by the request that made them. */
  tokens: Record<string, { readonly at: number; readonly data: Fields }>;
  /** The number of calls so far. Ids of requests and exports are made from it. */
  calls: number;
}
