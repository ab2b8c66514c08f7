import type {
  AuditEvent,
  BranchRow,
  ChannelRow,
  CredentialRow,
  DbtSyncRow,
  DeploymentRow,
  EmbedUserRow,
  EnvironmentRow,
  FolderRow,
  NotificationRow,
  RecipientRow,
  ReleaseRow,
  UserRow,
} from './rows.ts';
import { Table } from './table.ts';

/** The tables of a state and the type of their keys and rows. */
export interface Rows {
  users: [number, UserRow];
  credentials: [string, CredentialRow];
  deployments: [string, DeploymentRow];
  channels: [string, ChannelRow];
  /** By `<channel>@<version>`: what the account has run. */
  ran: [string, ReleaseRow];
  branches: [number, BranchRow];
  environments: [string, EnvironmentRow];
  folders: [number, FolderRow];
  notifications: [number, NotificationRow];
  /** By `<notification>/<kind>:<subject>`. */
  recipients: [string, RecipientRow];
  /** By `embedUserKey`. */
  embedUsers: [string, EmbedUserRow];
  /** By `<deployment>/<job>`. */
  dbtSyncs: [string, DbtSyncRow];
}

export type TableName = keyof Rows;

/** What a world starts from: frozen, shared by every world that was made from it. */
export interface Base {
  readonly tables: { readonly [T in TableName]: ReadonlyMap<Rows[T][0], Rows[T][1]> };
  readonly features: { readonly auditLog: boolean };
  /** Repository of the container image that versions are shown with. */
  readonly imageRepository: string;
  /** Audit events before the world's start, oldest first; `at` counts from the start (so below 0). */
  readonly audit: readonly AuditEvent[];
}

type Tables = { readonly [T in TableName]: Table<Rows[T][0], Rows[T][1]> };

export const tableNames = [
  'users',
  'credentials',
  'deployments',
  'channels',
  'ran',
  'branches',
  'environments',
  'folders',
  'notifications',
  'recipients',
  'embedUsers',
  'dbtSyncs',
] as const satisfies readonly TableName[];

/** The state of one world: the fixture's tables under an overlay, and the events since the start. */
export class State {
  readonly base: Base;
  readonly tables: Tables;
  /** Events since the start, oldest first. Append only; a clone shares the events, not the array. */
  readonly audit: AuditEvent[];
  /** Embed users and deployments get ids from here; an id is never given twice. */
  nextEmbedUserId: number;
  nextDeploymentId: number;

  constructor(base: Base, from?: State) {
    this.base = base;
    this.tables = Object.fromEntries(
      tableNames.map((name) => [
        name,
        from === undefined
          ? new Table(base.tables[name] as ReadonlyMap<string, unknown>)
          : from.tables[name].clone(),
      ]),
    ) as unknown as Tables;
    this.audit = from === undefined ? [] : [...from.audit];
    this.nextEmbedUserId =
      from?.nextEmbedUserId ??
      1 + Math.max(500, ...[...base.tables.embedUsers.values()].map((user) => user.id));
    this.nextDeploymentId =
      from?.nextDeploymentId ??
      1 + Math.max(0, ...[...base.tables.deployments.keys()].map((id) => Number(id) || 0));
  }

  clone(): State {
    return new State(this.base, this);
  }
}
