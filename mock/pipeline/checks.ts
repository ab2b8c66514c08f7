/**
 * Everything that may refuse a call before it is handled: authorisation, validation, existence and
 * edit access, in the order that AUTH-23 chooses.
 */
import { named } from '../../spec/contract.ts';
import type { Call } from './call.ts';
import { type ExchangeRequest, isRefusal, type Refusal } from './exchange.ts';
import { type AnyHandler, find } from './handler.ts';
import { authorise, authoriseEdit } from './rights.ts';
import { validate } from './validate.ts';

/** A stage that may refuse a call. */
type Check = 'authorise' | 'validate' | 'find' | 'edit';
/** Why a check refuses a call; undefined if it does not. */
type Refused = Refusal | undefined;

const orders: Readonly<Record<string, readonly Check[]>> = {
  'authorise-validate-find': ['authorise', 'validate', 'find', 'edit'],
  'validate-first': ['validate', 'authorise', 'find', 'edit'],
  'authorise-find-validate': ['authorise', 'find', 'edit', 'validate'],
  'find-first': ['find', 'authorise', 'edit', 'validate'],
};

/**
 * Returns the refusal of a call, or the object that it is about. The order of the checks counts as
 * assumed only if another order would give another status. So after a refusal the other checks run
 * as well.
 */
export function check(
  call: Call,
  handler: AnyHandler,
  request: ExchangeRequest,
): Refusal | { readonly found: object | undefined } {
  const { basis: own } = call;
  let found: object | undefined;
  const checks: Readonly<Record<Check, () => Refused>> = {
    authorise: () => authorise(call),
    validate: () => validate(call, handler, request),
    find() {
      if (call.badPath.length > 0) return undefined;
      const result = find(handler, call);
      if (isRefusal(result)) return result;
      found = result;
      return undefined;
    },
    edit: () => authoriseEdit(call),
  };
  const results = new Map<Check, Refused>();
  const ask = (name: Check): Refused => {
    if (!results.has(name)) results.set(name, checks[name]());
    return results.get(name);
  };
  const firstOf = (order: readonly Check[]): Refused => {
    for (const name of order) {
      const refused = ask(name);
      if (refused !== undefined) return refused;
    }
    return undefined;
  };
  const refused = firstOf(orders[call.choice(named.orderOfChecks)] ?? []);
  if (refused === undefined) return { found };
  // A trial, because the other order is not part of this answer's basis.
  call.basis = own.trial();
  const differs = Object.values(orders).some((other) => firstOf(other)?.status !== refused.status);
  call.basis = own;
  if (differs) call.assume(named.orderOfChecks);
  return refused;
}
