/** The least that a credential must be allowed for the calls that were accepted from it. */
import {
  type CredentialKind,
  contract,
  type OperationId,
  type Requires,
} from '../../spec/contract.ts';
import { deploymentList, requestedBy } from './requested.ts';

export interface Privilege {
  /** How many calls of each operation were accepted. */
  readonly operations: Readonly<Record<string, number>>;
  /** Kinds of credential that every one of them takes. */
  readonly kinds: readonly CredentialKind[];
  /** Ids of the deployments that a key could have been scoped to. */
  readonly deployments: readonly string[];
  /** Whether one of them is assumed to refuse a key that is scoped (AUTH-21). */
  readonly unscoped: boolean;
  readonly admin: boolean;
  readonly permissions: readonly string[];
  /** Ids of the folders that the user had to be able to edit. */
  readonly edits: readonly string[];
  /** All of it in a sentence. */
  readonly text: string;
}

/** Gathers what the calls of one credential needed. */
export class PrivilegeCount {
  readonly #operations = new Map<string, number>();
  #kinds: ReadonlySet<CredentialKind> | undefined;
  readonly #deployments = new Set<string>();
  readonly #permissions = new Set<string>();
  readonly #edits = new Set<string>();
  #unscoped = false;
  #admin = false;

  add(
    operation: OperationId,
    requires: Requires,
    parameters: Readonly<Record<string, string>>,
    unscoped: boolean,
  ): void {
    const { deployment, folder } = requestedBy(requires, parameters);
    this.merge({
      operations: { [operation]: 1 },
      kinds: requires.credentials,
      deployments: [deployment ?? []].flat(),
      edits: [folder ?? []].flat(),
      permissions: [requires.permission ?? []].flat(),
      unscoped,
      admin: requires.role === 'admin',
    });
  }

  merge(other: Omit<Privilege, 'text'>): void {
    for (const [operation, times] of Object.entries(other.operations)) {
      this.#operations.set(operation, (this.#operations.get(operation) ?? 0) + times);
    }
    const known = this.#kinds;
    this.#kinds = new Set(other.kinds.filter((kind) => known?.has(kind) ?? true));
    for (const id of other.deployments) this.#deployments.add(id);
    for (const id of other.edits) this.#edits.add(id);
    for (const name of other.permissions) this.#permissions.add(name);
    this.#unscoped ||= other.unscoped;
    this.#admin ||= other.admin;
  }

  toPrivilege(): Privilege {
    const least = {
      operations: Object.fromEntries(this.#operations),
      kinds: [...(this.#kinds ?? [])],
      deployments: inOrder(this.#deployments),
      unscoped: this.#unscoped,
      admin: this.#admin,
      permissions: inOrder(this.#permissions),
      edits: inOrder(this.#edits),
    };
    return { ...least, text: sentence(least) };
  }
}

function inOrder(ids: Iterable<string>): string[] {
  return [...ids].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** As many ids as a sentence bears. */
const MOST = 8;

function some(ids: readonly string[]): string[] {
  return ids.length <= MOST ? [...ids] : [...ids.slice(0, MOST), `${ids.length - MOST} more`];
}

/** The operations that take a scoped key and no deployment: they answer with less. */
const narrowing = [...contract.operations.values()]
  .filter(({ requires: { credentials, deployment, permission } }) => {
    const isOfAll = deployment === undefined && permission === undefined;
    return isOfAll && credentials.includes('apiKey');
  })
  .map(({ id }) => id);

function sentence(least: Omit<Privilege, 'text'>): string {
  const { kinds, deployments, unscoped, admin, permissions, edits, operations } = least;
  if (kinds.length === 0) return 'No one kind of credential would have done.';
  if (kinds.every((kind) => kind === 'scim')) return 'A SCIM token would have done.';
  const scoped = !unscoped && deployments.length > 0;
  const scope = unscoped
    ? ' for all deployments'
    : scoped
      ? ` scoped to ${deploymentList(some(deployments))}`
      : '';
  const rights = [
    ...permissions.map((name) => `the ${name} permission`),
    ...(edits.length === 0
      ? []
      : [`edit access to folder${edits.length === 1 ? '' : 's'} ${some(edits).join(', ')}`]),
  ];
  const role = admin ? 'with the admin role' : 'without the admin role';
  const more = rights.length === 0 ? '' : ` ${admin ? 'and' : 'but with'} ${rights.join(' and ')}`;
  const narrowed = unscoped
    ? []
    : narrowing
        .filter((id) => id in operations)
        .map((id) => `; ${id} shows a scoped key its own deployments only`);
  const whose = `of a user ${role}${more}`;
  const key = scope === '' ? `A key ${whose}` : `A key${scope}, ${whose},`;
  return `${key} would have done${narrowed.join('')}.`;
}
