/** The right that a request needs: the operation's rule, and the ids that the rule uses. */
import { named, type Requires } from '../../spec/contract.ts';

export interface Requested {
  readonly requires: Requires;
  readonly deployment?: string | undefined;
  readonly folder?: string | undefined;
}

/** Reads the ids from the parameters of a path. */
export function requestedBy(
  requires: Requires,
  parameters: Readonly<Record<string, string | number | undefined>>,
): Requested {
  const idOf = (name: string | undefined) => {
    const value = name === undefined ? undefined : parameters[name];
    return value === undefined ? undefined : String(value);
  };
  return { requires, deployment: idOf(requires.deployment), folder: idOf(requires.edit) };
}

/**
 * Whether an operation on the whole account is assumed to refuse a scoped key. `choice` is called
 * only if it makes a difference.
 */
export function refusesScopedKeys(
  { deployment }: Requires,
  choice: (statement: string) => string,
): boolean {
  return deployment === undefined && choice(named.scopedKeyForWholeAccount) === 'forbidden';
}

/** `deployment 1`, or `deployments 1, 2`. */
export function deploymentList(ids: readonly string[]): string {
  return `deployment${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}
