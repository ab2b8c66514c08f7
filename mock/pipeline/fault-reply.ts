/** What faults make of a request: an answer of their own, or none. */
import type { Strike } from '../world/faults.ts';
import { credentialName, type Decision, type Exchange, refuse } from './decision.ts';
import { refusal } from './exchange.ts';

const FAULT = 'fault';
const BODILESS = [204, 205, 304];

/** The fault that strikes a request; and its answer, where it keeps the request from being done. */
export function strikeEarly(exchange: Exchange): {
  readonly strike?: Strike | undefined;
  readonly decision?: Decision | undefined;
} {
  const { match, request, route: path, query, world } = exchange;
  if (match.kind !== 'operation' || !world.faults.any) return {};
  const { method, headers, body } = request;
  const credential = credentialName(exchange);
  const call = { operation: match.operation.id, credential, method, path, query, headers, body };
  const strike = world.faults.strike(call, world.clock.now());
  if (strike?.fault.phase !== 'before') return { strike };
  const decision = decisionOf(exchange, strike);
  if (decision !== undefined) strike.fault.onStrike?.(null);
  return { strike, decision };
}

/** What a fault answers instead of what the service had come to. */
export function lateReply(
  exchange: Exchange,
  decision: Decision,
  strike: Strike | undefined,
): Decision {
  if (strike?.status === undefined || strike.fault.phase === 'before') return decision;
  const late = decisionOf(exchange, strike);
  return late === undefined ? decision : { ...late, call: decision.call };
}

/** The answer that a fault orders; undefined where it only delays, or cuts a real answer. */
function decisionOf(exchange: Exchange, strike: Strike): Decision | undefined {
  const { fault, status, retryAfter, cut } = strike;
  const origin = 'injected';
  if (status === undefined) {
    if (cut === undefined) return undefined;
    // No answer at all: the request never got anywhere.
    const refused = refusal(0, FAULT, `Lost by the fault ${fault.id}`);
    return { reply: { status: 0, body: undefined }, refusal: refused, origin };
  }
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const refused = { ...refusal(status, FAULT, `Answered by the fault ${fault.id}`), headers };
  const decision = refuse(exchange, refused, { origin });
  if (!BODILESS.includes(status)) return decision;
  return { ...decision, reply: { ...decision.reply, body: undefined } };
}
