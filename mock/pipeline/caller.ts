import type { CredentialKind } from '../../spec/contract.ts';
import type { UserRow } from '../world/rows.ts';

/** An authenticated principal. */
export interface Caller {
  readonly credential: string;
  readonly kind: CredentialKind;
  readonly user: UserRow | null;
  /** Deployments of the key's scope; null where it has none. */
  readonly scope: readonly string[] | null;
}
