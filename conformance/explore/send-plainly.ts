/**
 * The short way to a mock's own world, which is dropped after the walk: nothing there needs a
 * guard, evidence or patience, and a walk of many thousand calls would feel them.
 */

import { Answer } from '../language/answer.ts';
import type { CallRequest } from '../target/call.ts';
import { gatewayStatuses } from '../target/contract-check.ts';
import type { Target } from '../target/target.ts';

/** Undefined where the call was not served, so that the patient client has to make it. */
export async function sendPlainly(
  target: Target,
  { method, path, query, headers, authorization, text, body }: CallRequest,
): Promise<Answer | undefined> {
  const parameters = query.map(([name, value]): [string, string] => [name, value]);
  const search = query.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
  const sentAt = Date.now();
  const wire = await target.transport({
    method,
    url: `${target.baseUrl}${path}${search}`,
    headers: authorization === undefined ? headers : { ...headers, authorization },
    body: text,
  });
  if (gatewayStatuses.includes(wire.status)) return undefined;
  const sent = { method, target: `${path}${search}`, body };
  return new Answer({ durationMs: 0, throttled: 0, sentAt, ...wire }, sent, [], target.aliases);
}
