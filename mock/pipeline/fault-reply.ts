/** The effect of faults on a request: their own answer, or no answer. */
import { BODILESS, type Fault } from '../world/fault.ts';
import type { Strike } from '../world/faults.ts';
import { fingerprintOf, heldText } from '../world/journal.ts';
import { credentialName, type Decision, type Exchange, refuse } from './decision.ts';
import { type Reply, refusal } from './exchange.ts';

const FAULT = 'fault';

/**
 * The fault that strikes a request, and its answer if the fault prevents the request from being
 * carried out.
 */
export function strikeEarly(exchange: Exchange): {
  readonly strike?: Strike | undefined;
  readonly decision?: Decision | undefined;
} {
  const { match, request, route: path, query, world } = exchange;
  if (match.kind !== 'operation' || !world.faults.any) return {};
  const { method, headers, body } = request;
  const credential = credentialName(exchange);
  const call = {
    ...{ operation: match.operation.id, credential, method, path, query, headers, body },
    get fingerprint() {
      return fingerprintOf({ method, path, query, requestBody: heldText(body) });
    },
  };
  const strike = world.faults.strike(call, world.clock.now());
  if (strike?.fault.phase !== 'before') return { strike };
  return { strike, decision: decisionOf(exchange, strike) };
}

/** The answer of a fault in place of the service's answer. */
export function lateReply(
  exchange: Exchange,
  decision: Decision,
  strike: Strike | undefined,
): Decision {
  if (strike?.status === undefined || strike.fault.phase === 'before') return decision;
  const late = decisionOf(exchange, strike);
  return late === undefined ? decision : { ...late, call: decision.call };
}

/** The answer that a fault defines; undefined if the fault only delays or cuts a real answer. */
function decisionOf(exchange: Exchange, strike: Strike): Decision | undefined {
  const { fault, status, retryAfter, cut } = strike;
  const origin = 'injected';
  if (status === undefined) {
    if (cut === undefined) return undefined;
    // No answer at all: the request never reached the service.
    const refused = refusal(0, FAULT, `Lost by the fault ${fault.id}`);
    return { reply: { status: 0, body: undefined }, refusal: refused, origin };
  }
  const wait = retryAfter === undefined ? {} : { 'Retry-After': waitText(exchange, strike) };
  const refused = { ...refusal(status, FAULT, `Answered by the fault ${fault.id}`), headers: wait };
  const decision = refuse(exchange, refused, { origin });
  return { ...decision, reply: ownReply(decision.reply, fault) };
}

/** Retry-After in seconds, or as the time at which the wait ends. */
function waitText({ world }: Exchange, { fault, retryAfter = 0 }: Strike): string {
  if (fault.retryAfterAs !== 'date') return String(retryAfter);
  return new Date(world.clock.now() + retryAfter * 1000).toUTCString();
}

/** Headers that every answer has, in our spelling. */
const USUAL_HEADERS = ['Content-Type', 'Retry-After', 'WWW-Authenticate'];

/** The service's error, or the body and headers of the fault. */
function ownReply(reply: Reply, { body, headers = {} }: Fault): Reply {
  const own = Object.entries(headers).map(([name, value]) => {
    const usual = USUAL_HEADERS.find((other) => other.toLowerCase() === name.toLowerCase());
    return [usual ?? name, value] as const;
  });
  const isText = typeof body === 'string';
  const type = isText ? { 'Content-Type': 'text/plain; charset=utf-8' } : {};
  const sent = {
    status: reply.status,
    headers: { ...type, ...reply.headers, ...Object.fromEntries(own) },
  };
  if (BODILESS.includes(reply.status)) return { ...sent, body: undefined };
  return isText ? { ...sent, body: undefined, text: body } : { ...sent, body: body ?? reply.body };
}
