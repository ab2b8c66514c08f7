/**
 * Everything that may refuse a call before it is handled: authorisation, validation, existence and
 * edit access, in the order that AUTH-23 chooses.
 */

import { bindings } from '../areas/bindings.ts';
import type { ActiveDeviations, Stage } from '../deviations/deviation.ts';
import { authorise, authoriseEdit, deploymentOf } from './authorise.ts';
import type { Binding, Call } from './call.ts';
import type { ExchangeRequest, Refusal } from './exchange.ts';
import { passOver, validate, validateUnknown } from './validate.ts';

const orders: Readonly<Record<string, readonly Stage[]>> = {
  'authorise-validate-find': ['authorise', 'validate', 'find', 'edit'],
  'validate-first': ['validate', 'authorise', 'find', 'edit'],
  'find-first': ['find', 'authorise', 'edit', 'validate'],
};

/**
 * AUTH-23 counts as assumed only where another order would have answered another status, so a
 * refusal asks the other stages as well.
 */
export function gate(
  call: Call,
  request: ExchangeRequest,
  bad: readonly string[],
  deviations: ActiveDeviations,
): Refusal | undefined {
  const binding = bindings[call.operation.id] as Binding<never>;
  const own = call.basis;
  const ask = (stage: Stage): Refusal | undefined => {
    const refused = askPlainly(stage, call, binding, request, bad);
    return deviations.any ? deviations.stage(stage, refused, call, request) : refused;
  };
  for (const stage of orders[call.peek('AUTH-23')] ?? []) {
    const refused = ask(stage);
    if (refused === undefined) continue;
    const results = new Map<Stage, Refusal | undefined>([[stage, refused]]);
    // Asked on trial: what another order would have answered is no part of this answer's basis.
    call.basis = own.trial();
    const resultOf = (other: Stage) => {
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

function askPlainly(
  stage: Stage,
  call: Call,
  binding: Binding<never>,
  request: ExchangeRequest,
  bad: readonly string[],
): Refusal | undefined {
  switch (stage) {
    case 'authorise':
      return authorise(call);
    case 'edit':
      return authoriseEdit(call);
    case 'find':
      return bad.length > 0 ? undefined : find(call, binding);
    case 'validate': {
      const misfit = validate(call, request, bad);
      if (misfit !== undefined) return misfit;
      const refused = binding.validate?.(call as never);
      if (refused === undefined) return validateUnknown(call);
      passOver(call);
      return refused;
    }
  }
}

/** Refuses a deployment, or what the operation names inside it, that does not exist. */
function find(call: Call, binding: Binding<never>): Refusal | undefined {
  const deployment = deploymentOf(call);
  if (deployment !== undefined && !call.world.state.tables.deployments.has(deployment)) {
    return call.refuseAssumed('ERR-9', `Deployment ${deployment} does not exist`);
  }
  return binding.find?.(call as never);
}
