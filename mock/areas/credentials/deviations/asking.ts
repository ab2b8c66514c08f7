/** Who asks, and who a deviation takes them for. */
import type { CredentialKind, Operation } from '../../../../spec/contract.ts';
import type { Deviation, Memory } from '../../../deviations/deviation.ts';
import type { Caller } from '../../../pipeline/caller.ts';
import { type ExchangeRequest, isRefusal } from '../../../pipeline/exchange.ts';
import type { CredentialRow } from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';

/** What the authenticate hook is told. */
export interface Asking {
  readonly operation: Operation;
  readonly request: ExchangeRequest;
  readonly world: World;
  readonly memory: Memory;
}

export function callerOf({ name, kind, userId, deployments }: CredentialRow, world: World): Caller {
  const user = userId === null ? null : (world.state.tables.users.get(userId) ?? null);
  return { credential: name, kind, user, scope: deployments };
}

/** The credential of this world whose secret stands anywhere in the header. */
export function rowIn(header: string, world: World): CredentialRow | undefined {
  const name = new RegExp(`(?<![a-z0-9])${world.id}-([A-Za-z][A-Za-z0-9]*)`).exec(header)?.[1];
  return name === undefined ? undefined : world.state.tables.credentials.get(name);
}

export function fits({ requires }: Operation, kind: CredentialKind): boolean {
  return requires.credentials.includes(kind);
}

/** The first credential that the operation takes, of an administrator where it is a user's. */
export function anyCaller({ operation, world }: Asking): Caller | undefined {
  const row = world.state.tables.credentials
    .rows()
    .find(({ kind, state }) => state === 'active' && fits(operation, kind));
  return row === undefined ? undefined : callerOf(row, world);
}

/** Lets in what was refused by a statement. */
export function admits(
  statement: string,
  caller: (asking: Asking) => Caller | undefined,
): NonNullable<Deviation['authenticate']> {
  return (result, asking) =>
    isRefusal(result) && result.statement === statement ? (caller(asking) ?? result) : result;
}

/** The owner of an expired credential. */
export function expired({ operation, request, world }: Asking): Caller | undefined {
  const row = rowIn(request.headers.authorization ?? '', world);
  return row !== undefined && fits(operation, row.kind) ? callerOf(row, world) : undefined;
}
