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

/** The same without its sentence. */
type Needed = Omit<Privilege, 'text'>;

/** What the accepted calls of a credential need. Alike calls are counted, and summed when asked for. */
export class Needs {
  readonly #calls = new Map<string, { readonly needed: Needed; times: number }>();

  add(
    operation: OperationId,
    requires: Requires,
    parameters: Readonly<Record<string, string>>,
    unscoped: boolean,
  ): void {
    const { deployment = '', folder = '' } = requestedBy(requires, parameters);
    const key = `${operation} ${unscoped} ${deployment} ${folder}`;
    const alike = this.#calls.get(key);
    if (alike !== undefined) {
      alike.times += 1;
      return;
    }
    const needed = {
      operations: { [operation]: 1 },
      kinds: requires.credentials,
      deployments: deployment === '' ? [] : [deployment],
      unscoped,
      admin: requires.role === 'admin',
      permissions: [requires.permission ?? []].flat(),
      edits: folder === '' ? [] : [folder],
    };
    this.#calls.set(key, { needed, times: 1 });
  }

  /** Adds what others needed. */
  merge(other: Needed): void {
    const known = this.#calls.get('others')?.needed;
    const needed = known === undefined ? other : neededForBoth(known, other);
    this.#calls.set('others', { needed, times: 1 });
  }

  toPrivilege(): Privilege {
    const least = [...this.#calls.values()].map(times).reduce(neededForBoth);
    return { ...least, text: sentence(least) };
  }
}

function times({ needed, times }: { readonly needed: Needed; readonly times: number }): Needed {
  const counted = Object.entries(needed.operations).map(([id, count]) => [id, count * times]);
  return { ...needed, operations: Object.fromEntries(counted) };
}

/** What is needed for both. */
function neededForBoth(one: Needed, other: Needed): Needed {
  const operations: Record<string, number> = { ...one.operations };
  for (const [id, times] of Object.entries(other.operations)) {
    operations[id] = (operations[id] ?? 0) + times;
  }
  return {
    operations,
    kinds: one.kinds.filter((kind) => other.kinds.includes(kind)),
    deployments: union(one.deployments, other.deployments),
    unscoped: one.unscoped || other.unscoped,
    admin: one.admin || other.admin,
    permissions: union(one.permissions, other.permissions),
    edits: union(one.edits, other.edits),
  };
}

let numbers: Intl.Collator | undefined;
/** Made when it is needed: the first one loads what Node knows of languages, 5 ms. */
function byNumber(one: string, other: string): number {
  numbers ??= new Intl.Collator('en', { numeric: true });
  return numbers.compare(one, other);
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  const added = other.filter((id) => !one.includes(id));
  return added.length === 0 ? one : [...one, ...added].sort(byNumber);
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

function sentence(least: Needed): string {
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
