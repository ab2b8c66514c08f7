/** The call of a step. */

import type { Step } from '../language/scenario.ts';
import { resolve, type Scope } from '../language/template.ts';
import type { Actor } from './actor.ts';
import { pathTo, TargetCall } from './call.ts';

/** What a verb or a wait changes about the step's own query. */
export type QueryChange = Readonly<Record<string, unknown>>;

/** Throws Unresolved. The path keeps its parameters encoded. */
export function callOf(
  step: Step,
  actor: Pick<Actor, 'headers'>,
  scope: Scope,
  change: QueryChange = {},
): TargetCall {
  const { operation, request } = step;
  const headers = Object.fromEntries(
    Object.entries(resolve(step.headers, scope) as object).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]),
  );
  const body = step.body === undefined ? undefined : resolve(step.body, scope);
  let text: string | undefined;
  if (step.rawBody !== undefined) text = String(resolve(step.rawBody, scope));
  else if (step.body !== undefined) text = JSON.stringify(body);
  if (text !== undefined && headers['content-type'] === undefined) {
    headers['content-type'] = 'application/json';
  }
  // An empty value takes the header away, so that a body can come without a media type.
  if (headers['content-type'] === '') delete headers['content-type'];
  const path =
    operation === undefined
      ? String(resolve(request?.path ?? '/', scope))
      : pathTo(operation.path, resolve(step.path, scope));
  return new TargetCall({
    method: (step.method ?? operation?.method ?? request?.method ?? 'GET').toUpperCase(),
    path,
    query: { ...(resolve(step.query, scope) as object), ...change },
    headers: { ...headers, ...actor.headers },
    text,
    body,
    plain: step.plain,
  });
}
