/** The types of the code that an area has for each of its operations. */
import { named, type OperationId } from '../../spec/contract.ts';
import type { DeploymentRow } from '../world/rows.ts';
import type { Basis } from './basis.ts';
import type { Call } from './call.ts';
import type { Handled, Refusal } from './exchange.ts';

/** The code that an area brings for one operation. */
export interface Handler<K extends OperationId, Found = undefined> {
  /** Query parameters that the operation reads although the description does not know them. */
  readonly alsoReads?: (basis: Basis) => readonly string[];
  /** Whether a silence gives a meaning to a field of the body that the description does not know. */
  readonly alsoTakes?: (basis: Basis, field: string, value: unknown) => boolean;
  /** True if the handler itself handles a query value that does not fit its schema. */
  readonly takesInvalid?: (call: Call<K>, name: string) => boolean;
  /** Refuses input that fits the contract's schema but is not valid for the operation. */
  readonly validate?: (call: Call<K>) => Refusal | undefined;
  /**
   * Finds the object of the call for `handle`, or refuses if it does not exist. Undefined while the
   * body that names it has not been read. The deployment is that of the path.
   */
  readonly find?: (
    call: Call<K>,
    deployment: DeploymentRow | undefined,
  ) => Found | Refusal | undefined;
  readonly handle: (call: Call<K>, found: Found) => Handled | Promise<Handled>;
}

/** The handler of each operation; a missing one does not compile. */
export type Handlers = {
  readonly [K in OperationId]: Omit<Handler<K, unknown>, 'handle'> & {
    readonly handle: (call: Call<K>, found: never) => Handled | Promise<Handled>;
  };
};

/** A handler whose operation is known only at run time, from its call. */
export type AnyHandler = Handler<OperationId, object | undefined>;

/** Finds the deployment of a call, and the object inside it that the operation names. */
export function find<K extends OperationId, Found>(
  handler: Handler<K, Found>,
  call: Call<K>,
): Found | Refusal | undefined {
  const { deployment: id } = call.requested;
  const deployment = id === undefined ? undefined : call.world.state.tables.deployments.get(id);
  if (id !== undefined && deployment === undefined) {
    return call.refuseAssumed(named.unknownDeployment, `Deployment ${id} does not exist`);
  }
  return handler.find?.(call, deployment);
}
