/**
 * What the explorer believes of the target, from the promises of the description alone. What the
 * description leaves open is unknown here (`undefined`) until an answer shows it.
 */

/** Ids of type staging, and the entry that read them. */
export interface StagingSet {
  readonly ids: readonly string[];
  readonly entry: string;
}

/** The switch of the shared branch, and the environments of type staging. */
export interface StagingBelief {
  enabled: boolean | undefined;
  /** Ids of type staging as read before any switch told which state they belong to. */
  unknown: StagingSet | undefined;
  off: StagingSet | undefined;
  on: StagingSet | undefined;
  /** Statement that a changed set would contradict: that of the last event. */
  since: string | undefined;
}

export interface VersionItem {
  readonly full: string;
  readonly channel: string;
}

/** Versions of the account: what was listed once stays listed, as it is a head or was run. */
export interface VersionsBelief {
  readonly listed: Map<string, VersionItem>;
  readonly heads: Map<string, string>;
  /** By binding name of the deployment. */
  readonly current: Map<string, string>;
  readonly since: Map<string, string>;
  /** The entry that showed what runs; a switch takes it away. */
  readonly source: Map<string, string>;
}

export type FolderField =
  | 'name'
  | 'position'
  | 'parentId'
  | 'type'
  | 'createdAt'
  | 'createdBy'
  | 'folderPath';

export interface FolderBelief {
  readonly fields: Partial<Record<FolderField, unknown>>;
  /** Statement that a difference of the field would contradict. */
  readonly since: Partial<Record<FolderField, string>>;
  /** The entry that showed the field. */
  readonly source: Partial<Record<FolderField, string>>;
  /** Positions that it or a sibling was seen at: these are there for sure (FOLDER-15). */
  readonly positions: Set<number>;
}

/** undefined: nobody knows; null: it has none. */
export interface Properties {
  securityContext: unknown;
  userAttributes: unknown;
  groups: unknown;
}

export interface RecipientBelief {
  /** undefined: nobody knows whether it is subscribed. */
  subscribed: boolean | undefined;
  properties: Properties;
  /** Whether the embed user is there and has an email; undefined where nobody knows. */
  resolves: boolean | undefined;
  embedUserId: number | undefined;
  /** The email that the embed user was made with; undefined where nobody knows. */
  email: string | undefined;
  /** The last event that must not have written it. */
  refused: string | undefined;
}

export interface MintedToken {
  /** Id of the entry that minted it. */
  readonly entry: string;
}

export class Model {
  readonly staging: StagingBelief = {
    enabled: undefined,
    unknown: undefined,
    off: undefined,
    on: undefined,
    since: undefined,
  };
  readonly versions: VersionsBelief = {
    listed: new Map(),
    heads: new Map(),
    current: new Map(),
    since: new Map(),
    source: new Map(),
  };
  readonly folders = new Map<string, FolderBelief>();
  readonly recipients = new Map<string, RecipientBelief>();
  /** Whose an embedUserId is. */
  readonly embedUserIds = new Map<number, string>();
  /** The picks of the last call that was served, to be sent again. */
  lastAdded: readonly unknown[] = [];
  /** How else a console user can be named: a reference to an answer that showed it. */
  readonly otherNames = new Map<string, Readonly<Record<string, string>>>();
  readonly tokens: MintedToken[] = [];
  /** Number of items of lists that nothing in a walk changes, by list and actor. */
  readonly totals = new Map<string, number>();
  /** Deployments that were served to an actor. */
  readonly reached = new Map<string, Set<string>>();
  /** Users on the SCIM list in their order, once a walk has read them all. */
  scimUsers: readonly string[] | undefined;
  /** First pages of the SCIM list, by their size, for the one page that follows. */
  readonly scimFirst = new Map<
    number,
    { readonly entry: string; readonly ids: readonly string[] }
  >();
  /** A switch was made, and nobody has waited for it to show since. */
  unsettled = false;

  folder(name: string): FolderBelief {
    let found = this.folders.get(name);
    if (found === undefined) {
      found = { fields: {}, since: {}, source: {}, positions: new Set() };
      this.folders.set(name, found);
    }
    return found;
  }

  recipient(key: string, fresh: boolean): RecipientBelief {
    let found = this.recipients.get(key);
    if (found === undefined) {
      const none = fresh ? null : undefined;
      found = {
        subscribed: fresh ? false : undefined,
        properties: { securityContext: none, userAttributes: none, groups: none },
        resolves: fresh ? false : undefined,
        embedUserId: undefined,
        email: undefined,
        refused: undefined,
      };
      this.recipients.set(key, found);
    }
    return found;
  }
}
