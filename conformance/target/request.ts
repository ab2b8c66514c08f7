/** Builds the request of a step. */

import { isObject } from '../../spec/base/json.ts';
import type { Step } from '../language/scenario.ts';
import { resolve, type Scope } from '../language/template.ts';
import type { CallRequest } from './call.ts';

/** What a verb or a wait changes about the step's own query. */
export type QueryChange = Readonly<Record<string, unknown>>;

/** Throws Unresolved. The path keeps its parameters encoded. */
export function buildRequest(
  step: Step,
  authorization: string | undefined,
  scope: Scope,
  change: QueryChange = {},
): CallRequest {
  const query = { ...(resolve(step.query, scope) as object), ...change };
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
  return {
    method: (step.method ?? step.operation?.method ?? step.request?.method ?? 'GET').toUpperCase(),
    path: pathOf(step, scope) + step.suffix,
    query: Object.entries(query).flatMap(([name, value]) =>
      [value]
        .flat()
        .filter((item) => item != null)
        .map((item) => [name, asText(item)] as const),
    ),
    headers,
    authorization,
    text,
    body,
    plain: step.plain,
  };
}

function pathOf(step: Step, scope: Scope): string {
  if (step.operation === undefined) return String(resolve(step.request?.path ?? '/', scope));
  const values = resolve(step.path, scope);
  return step.operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(asText(isObject(values) ? values[name] : undefined)),
  );
}

function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
