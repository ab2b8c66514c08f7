/**
 * Everything that may refuse a call before it is handled: authorisation, validation, existence and
 * edit access, in the order that AUTH-23 chooses.
 */
import { authorise, authoriseEdit, deploymentOf } from './authorise.ts';
import type { AnyBinding, Call } from './call.ts';
import type { ExchangeRequest } from './exchange.ts';
import { runStage } from './run-stage.ts';
import type { Refused } from './stages.ts';
import { passOver, validate, validateUnknown } from './validate.ts';

/** A stage that may refuse a call. */
type Check = 'authorise' | 'validate' | 'find' | 'edit';

const orders: Readonly<Record<string, readonly Check[]>> = {
  'authorise-validate-find': ['authorise', 'validate', 'find', 'edit'],
  'validate-first': ['validate', 'authorise', 'find', 'edit'],
  'find-first': ['find', 'authorise', 'edit', 'validate'],
};

/** What the checks look at. */
interface Checked {
  readonly call: Call;
  readonly binding: AnyBinding;
  readonly request: ExchangeRequest;
  /** Names of path parameters that are not of their type. */
  readonly bad: readonly string[];
}

const checks: Readonly<Record<Check, (checked: Checked) => Refused>> = {
  authorise: ({ call }) => authorise(call),
  edit: ({ call }) => authoriseEdit(call),
  find: ({ call, binding, bad }) => (bad.length > 0 ? undefined : find(call, binding)),
  validate({ call, binding, request, bad }) {
    const unfit = validate(call, request, bad);
    if (unfit !== undefined) return unfit;
    const refused = binding.validate?.(call);
    if (refused === undefined) return validateUnknown(call);
    passOver(call);
    return refused;
  },
};

/**
 * AUTH-23 counts as assumed only where another order would have answered another status, so a
 * refusal asks the other checks as well.
 */
export function gate(checked: Checked): Refused {
  const { call, request } = checked;
  const { basis: own, operation, world } = call;
  const ask = (check: Check): Refused =>
    runStage(check, { operation, world, request, call }, () => checks[check](checked));
  for (const check of orders[call.peek('AUTH-23')] ?? []) {
    const refused = ask(check);
    if (refused === undefined) continue;
    const results = new Map<Check, Refused>([[check, refused]]);
    // Asked on trial: what another order would have answered is no part of this answer's basis.
    call.basis = own.trial();
    const resultOf = (other: Check) => {
      if (!results.has(other)) results.set(other, ask(other));
      return results.get(other);
    };
    const differs = Object.values(orders).some((other) => {
      const first = other.map(resultOf).find((result) => result !== undefined);
      return first?.status !== refused.status;
    });
    call.basis = own;
    if (differs) call.assume('AUTH-23');
    return refused;
  }
  return undefined;
}

/** Refuses a deployment, or what the operation names inside it, that does not exist. */
function find(call: Call, binding: AnyBinding): Refused {
  const deployment = deploymentOf(call);
  if (deployment !== undefined && !call.world.state.tables.deployments.has(deployment)) {
    return call.refuseAssumed('ERR-9', `Deployment ${deployment} does not exist`);
  }
  return binding.find?.(call);
}
