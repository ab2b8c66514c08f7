/** The least rights that a credential needs for its accepted calls. */
import { type CredentialKind, contract, type OperationId } from '../../spec/contract.ts';
import { deploymentList, type Requested } from './requested.ts';

export interface Privilege {
  /** How many calls of each operation were accepted. */
  readonly operations: Readonly<Record<string, number>>;
  /** The kinds of credential that all these operations accept. */
  readonly kinds: readonly CredentialKind[];
  /** Ids of the deployments that a key could have been scoped to. */
  readonly deployments: readonly string[];
  /** Whether one of the operations is assumed to refuse a scoped key (AUTH-21). */
  readonly unscoped: boolean;
  readonly admin: boolean;
  readonly permissions: readonly string[];
  /** Ids of the folders that the user had to be able to edit. */
  readonly edits: readonly string[];
  /** All of it as a sentence. */
  readonly text: string;
}

/** The rights that the accepted calls of a credential need, without those that follow from the operations. */
export class Needs {
  readonly #operations = new Map<string, number>();
  readonly #deployments = new Set<string>();
  readonly #edits = new Set<string>();
  #unscoped = false;

  add(operation: OperationId, { deployment, folder }: Requested, unscoped: boolean): void {
    this.#count(operation, 1);
    if (deployment !== undefined) this.#deployments.add(deployment);
    if (folder !== undefined) this.#edits.add(folder);
    this.#unscoped ||= unscoped;
  }

  /** Adds the needs of another credential. */
  merge({ operations, deployments, edits, unscoped }: Privilege): void {
    for (const [id, times] of Object.entries(operations)) this.#count(id, times);
    for (const id of deployments) this.#deployments.add(id);
    for (const id of edits) this.#edits.add(id);
    this.#unscoped ||= unscoped;
  }

  toPrivilege(): Privilege {
    const called = [...contract.operations.values()].filter(({ id }) => this.#operations.has(id));
    const rules = called.map(({ requires }) => requires);
    const kinds = rules[0]?.credentials ?? [];
    const least = {
      operations: Object.fromEntries(this.#operations),
      kinds: kinds.filter((kind) => rules.every(({ credentials }) => credentials.includes(kind))),
      deployments: [...this.#deployments].sort(byNumber),
      unscoped: this.#unscoped,
      admin: rules.some(({ role }) => role === 'admin'),
      permissions: [...new Set(rules.flatMap(({ permission }) => permission ?? []))].sort(byNumber),
      edits: [...this.#edits].sort(byNumber),
    };
    return { ...least, text: sentence(least) };
  }

  #count(operation: string, times: number): void {
    this.#operations.set(operation, (this.#operations.get(operation) ?? 0) + times);
  }
}

let numbers: Intl.Collator | undefined;
/** The collator is made on first use, because Node takes 5 ms to load its locale data. */
function byNumber(one: string, other: string): number {
  numbers ??= new Intl.Collator('en', { numeric: true });
  return numbers.compare(one, other);
}

/** The most ids in a sentence. */
const MOST = 8;

function some(ids: readonly string[]): string[] {
  return ids.length <= MOST ? [...ids] : [...ids.slice(0, MOST), `${ids.length - MOST} more`];
}

/** The operations without a deployment that accept a scoped key. They return fewer items for it. */
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
  const scoped = deployments.length === 0 ? '' : ` scoped to ${deploymentList(some(deployments))}`;
  const scope = unscoped ? ' for all deployments' : scoped;
  const folders = `edit access to folder${edits.length === 1 ? '' : 's'} ${some(edits).join(', ')}`;
  const rights = permissions.map((name) => `the ${name} permission`);
  if (edits.length > 0) rights.push(folders);
  const role = admin ? 'with the admin role' : 'without the admin role';
  const more = rights.length === 0 ? '' : ` ${admin ? 'and' : 'but with'} ${rights.join(' and ')}`;
  const narrowed = narrowing
    .filter((id) => !unscoped && id in operations)
    .map((id) => `; ${id} shows a scoped key its own deployments only`);
  const whose = `of a user ${role}${more}`;
  const key = scope === '' ? `A key ${whose}` : `A key${scope}, ${whose},`;
  return `${key} would have done${narrowed.join('')}.`;
}
