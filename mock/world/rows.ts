/** The rows of a world's state. A fixture file gives rows of the same shapes. Times are ISO 8601. */
import type { CredentialKind } from '../../spec/contract.ts';

export interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly admin: boolean;
  readonly auditLogManage: boolean;
  /** Folders that the user may edit. */
  readonly edits: 'all' | readonly number[];
  readonly createdAt: string;
}

export interface CredentialRow {
  /** The part of the credential after `<world id>-`. */
  readonly name: string;
  readonly kind: CredentialKind;
  /** The user whose rights it carries; a SCIM token has none. */
  readonly userId: number | null;
  /** The deployments in the scope of a key; null if it is not scoped. */
  readonly deployments: readonly string[] | null;
  readonly state: 'active' | 'expired' | 'revoked';
}

export interface DeploymentRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Key of the release that it runs. */
  readonly runs: string;
  /**
   * A switch that the list does not show yet: the release that the list still shows, and the time
   * of the switch (ms).
   */
  readonly before: { readonly runs: string; readonly since: number } | null;
  /** The settings from updates, apart from the name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An update channel and the version at its head. */
export interface ChannelRow {
  readonly name: string;
  readonly head: string;
}

/** A version of a channel that the account has run on some deployment. */
export interface ReleaseRow {
  readonly channel: string;
  readonly version: string;
}

/** Compares `<major>.<minor>.<patch>` by number. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

export interface BranchRow {
  readonly id: number;
  readonly deploymentId: string;
  readonly name: string;
  readonly kind: 'production' | 'shared' | 'personal';
  readonly parentBranch: string;
  readonly lastHash: string;
  readonly stagingEnabled: boolean;
  /** When the last switch was made (ms); null if there was none. */
  readonly switchedAt: number | null;
}

export interface EnvironmentRow {
  readonly id: string;
  readonly deploymentId: string;
  readonly name: string;
  readonly type: 'production' | 'staging' | 'development';
  /** The branch that a staging or development environment belongs to. */
  readonly branchId: number | null;
  readonly restUrl: string;
  readonly sqlHost: string;
  readonly sqlPort: number;
}

export interface FolderRow {
  readonly id: number;
  readonly deploymentId: string;
  readonly name: string;
  readonly position: number;
  readonly type: 'FOLDER' | 'WORKBOOK' | 'REPORT';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: number;
  readonly updatedBy: number;
  readonly parentId: number | null;
}

export interface NotificationRow {
  readonly id: number;
  readonly deploymentId: string;
}

export interface EmbedUserRow {
  readonly id: number;
  readonly embedTenantName: string;
  readonly externalId: string;
  readonly email: string | null;
}

/** Key of an embed user; no two pairs of names share one. */
export function embedUserKey(embedTenantName: string, externalId: string): string {
  return `${keyPart(embedTenantName)}/${keyPart(externalId)}`;
}

function keyPart(text: string): string {
  return /[%/]/.test(text) ? text.replaceAll('%', '%25').replaceAll('/', '%2F') : text;
}

export interface UserAttribute {
  readonly name: string;
  /** A text, or with some choices of RECIP-62 a number or a list. */
  readonly value: unknown;
}

export interface RecipientRow {
  readonly notificationId: number;
  readonly kind: 'USER' | 'EMBED_USER' | 'EMAIL';
  /** The user's or embed user's id; the address itself for the kind EMAIL. */
  readonly subject: number | string;
  readonly securityContext: unknown;
  readonly userAttributes: readonly UserAttribute[] | null;
  readonly groups: readonly string[] | null;
}

export interface DbtSyncRow {
  readonly id: string;
  readonly deploymentId: string;
  readonly state: 'running' | 'completed' | 'failed';
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly generatedFiles: readonly string[];
  readonly models: number;
  readonly sources: number;
  readonly macros: number;
  readonly unitCount: number;
}

/** One audit-log event; `at` in ms. */
export interface AuditEvent {
  readonly at: number;
  readonly name: string;
  readonly userEmail: string;
  readonly deploymentId: string;
  readonly ipAddress: string;
  readonly details: string;
  /** Whether the world itself has written the event (AUDIT-20). */
  readonly own?: true;
}

/** The tables of a state, each with a function for the key of a row. */
export const keys = {
  users: (row: UserRow) => row.id,
  credentials: (row: CredentialRow) => row.name,
  deployments: (row: DeploymentRow) => row.id,
  channels: (row: ChannelRow) => row.name,
  /** The releases that the account has run. */
  ran: (row: ReleaseRow) => `${row.channel}@${row.version}`,
  branches: (row: BranchRow) => row.id,
  environments: (row: EnvironmentRow) => row.id,
  folders: (row: FolderRow) => row.id,
  notifications: (row: NotificationRow) => row.id,
  recipients: (row: RecipientRow) => `${row.notificationId}/${row.kind}:${row.subject}`,
  embedUsers: (row: EmbedUserRow) => embedUserKey(row.embedTenantName, row.externalId),
  dbtSyncs: (row: DbtSyncRow) => `${row.deploymentId}/${row.id}`,
} as const;

export type TableName = keyof typeof keys;
export const tableNames = Object.keys(keys) as readonly TableName[];
export type RowOf<T extends TableName> = Parameters<(typeof keys)[T]>[0];
export type KeyOf<T extends TableName> = ReturnType<(typeof keys)[T]>;
