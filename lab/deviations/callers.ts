/** Operators on who asks: who is let in without right, and who is turned away. */

import { type Caller, callerOf } from '../../mock/pipeline/credential.ts';
import { isRefusal, refusal } from '../../mock/pipeline/exchange.ts';
import type { BaseScene } from '../../mock/pipeline/stages.ts';
import type { CredentialKind, Operation } from '../../spec/contract.ts';
import { type Does, onAuthentication } from './does.ts';

export const headerOf = ({ request }: BaseScene) => request.headers.authorization ?? '';

/** Lets in whom a statement refuses, as the caller that is given; undefined refuses as before. */
export const admits = (
  statement: string,
  caller: (scene: BaseScene) => Caller | undefined,
  when: (scene: BaseScene) => boolean = () => true,
): Does =>
  onAuthentication((result, scene) =>
    isRefusal(result) && result.statement === statement && when(scene)
      ? (caller(scene) ?? result)
      : result,
  );

/** Turns a caller away, with 401, who should be let in. */
export const turnsAway = (
  statement: string,
  message: string,
  when: (caller: Caller, scene: BaseScene) => boolean,
): Does =>
  onAuthentication((result, scene) =>
    !isRefusal(result) && when(result, scene) ? refusal(401, statement, message) : result,
  );

/** Whether an operation takes credentials of a kind. */
export function takes({ requires }: Operation, kind: CredentialKind): boolean {
  return requires.credentials.includes(kind);
}

/** The first credential that the operation takes, of an administrator where it is a user's. */
export function anyCaller({ operation, world }: BaseScene): Caller | undefined {
  const row = world.state.tables.credentials
    .rows()
    .find(({ kind, state }) => state === 'active' && takes(operation, kind));
  return row && callerOf(row, world);
}
