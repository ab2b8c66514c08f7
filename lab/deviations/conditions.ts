/** Conditions on the caller, the place, the values sent, and the number of calls before. */

import type { JsonObject } from '../../spec/base/json.ts';
import type { Asked, When } from './does.ts';
import { count, setIn } from './memory.ts';
import { same } from './places.ts';
import { type Call, callerOf, deploymentOf } from './wire.ts';

/** Holds from the second call on. `of` says which calls count as the same; by default all do. */
export function again(of: (call: Call) => string = () => 'calls'): When {
  return ({ call, target }) => count(target.memory, `times of ${of(call)}`) >= 2;
}

/** Holds in a call that fits, and in all later calls about the same object. */
export const since =
  (fits: When, of: (call: Call) => string = subjectOf): When =>
  async (asked) => {
    const marked = setIn(asked.target.memory, 'marked');
    if (await fits(asked)) marked.add(of(asked.call));
    return marked.has(of(asked.call));
  };

export function every(times: number): When {
  return ({ target }) => count(target.memory, 'every') % times === 0;
}

/** The object that a call is about, as a text that can be compared. */
export const subjectOf = ({ operation, path, body }: Call): string =>
  JSON.stringify([path, (operation.object?.fields ?? []).map((name) => body[name])]);
export const sameHeader = ({ headers }: Call): string => headers.authorization ?? '';

/** Holds if the caller's credential has one of these names. */
export function by(...names: readonly string[]): When {
  return ({ call, target }) => names.includes(callerOf(call, target)?.name ?? '');
}

export const isScoped: When = ({ call, target }) => callerOf(call, target)?.scope !== undefined;

/**
 * Holds if the call names another deployment than that of the scoped credential. Every target has
 * such a credential.
 */
export const isElsewhere: When = ({ call, target }) =>
  deploymentOf(call) !== '' && deploymentOf(call) !== homeOf(target);
export const isWithinScope: When = ({ call, target }) =>
  callerOf(call, target)?.scope?.includes(deploymentOf(call)) === true;

export function homeOf({ callers }: Asked['target']): string | undefined {
  return callers.find(({ scope }) => scope !== undefined)?.scope?.[0];
}

export function isOf(...ids: readonly string[]): When {
  return ({ call }) => ids.includes(call.operation.id);
}

// ── what is sent ────────────────────────────────────────────────────────────────

/** The query or the body of a call. */
export const sentIn = ({ operation, query, body }: Call): JsonObject =>
  operation.method === 'GET' ? query : body;

export function sends(...names: readonly string[]): When {
  return ({ call }) => names.every((name) => sentIn(call)[name] !== undefined);
}

export function sendsNo(...names: readonly string[]): When {
  return ({ call }) => names.every((name) => sentIn(call)[name] === undefined);
}

export function sendsOnly(...names: readonly string[]): When {
  return ({ call }) => same(Object.keys(sentIn(call)).sort(), [...names].sort());
}

/** Holds if the call sends the field, and its value fits. */
export function sendsValue(name: string, fits: (value: unknown) => boolean): When {
  return ({ call }) => fits(sentIn(call)[name]);
}
