/**
 * The core of the mock: a request to a world becomes an answer, in stages.
 *
 *   match         finds the operation of the request line
 *   authenticate  finds the caller
 *   limit         refuses callers that call too often
 *   serve         decides the outcome of the call:
 *                   authorise, validate, find and edit may refuse it; handle carries it out
 *   write out     the answer, or the error of a refusal, is checked, graded and journalled
 *
 * In a world that deviates, a deviation wraps everything between match and write out.
 *
 * Everything here is a value; sockets, files and clocks are elsewhere.
 */

import { named } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import { settle } from '../world/world-clock.ts';
import { authenticate } from './authenticate.ts';
import { Basis } from './basis.ts';
import { Call } from './call.ts';
import { check } from './checks.ts';
import { readCredential, sendsSeveral } from './credential.ts';
import {
  type Decision,
  type Exchange,
  type PipelineOptions,
  type Routed,
  refuse,
} from './decision.ts';
import { deviate } from './deviate.ts';
import {
  type ExchangeResponse,
  type Handled,
  isRefusal,
  type Refusal,
  refusal,
} from './exchange.ts';
import { lateReply, strikeEarly } from './fault-reply.ts';
import { type AnyHandler, find } from './handler.ts';
import { type Match, match, readPath } from './request-line.ts';
import {
  answerUnknownMethod,
  answerUnknownPath,
  asksForSimulation,
  plainHttp,
  refuseHead,
  simulate,
  surfaceOf,
  trailingSlash,
} from './unmodelled.ts';
import { writeOut } from './write-out.ts';

/** Answers one request. Synchronous unless the answer needs simulation, or the world deviates. */
export function answer(
  routed: Routed,
  options: PipelineOptions,
): ExchangeResponse | Promise<ExchangeResponse> {
  const { world } = routed;
  if (world.clock.pending.length > 0) settle(world);
  const exchange = matchOperation(routed, options);
  if (exchange.writes) world.state.begin();
  const { strike, decision: early } = strikeEarly(exchange);
  const finish = (decision: Decision, served: number | null) =>
    writeOut(exchange, decision, strike, served);
  if (early !== undefined) return finish(early, null);
  const settled = (decision: Decision) =>
    finish(lateReply(exchange, decision, strike), decision.reply.status);
  const decision = world.deviations.any ? decideDeviating(exchange) : decide(exchange);
  return decision instanceof Promise ? decision.then(settled) : settled(decision);
}

/** The decision of a world that deviates. It says nothing about the service, so it is not graded. */
async function decideDeviating(exchange: Exchange): Promise<Decision> {
  const { options, path, query, request, route, world } = exchange;
  const found = match(request.method, route);
  if (found.kind !== 'operation') return { ...(await decide(exchange)), origin: 'injected' };
  const asked = { ...request, target: query === '' ? path : `${path}?${query}` };
  const decision = await deviate(world, found.operation.id, asked, async (other) => {
    if (other === asked) return reread(await decide(exchange));
    const [ownPath = '', ownQuery = ''] = other.target.split('?');
    const credential = readCredential(other.headers.authorization);
    const routed = { ...exchange, request: other, credential, path: ownPath, query: ownQuery };
    return reread(await decide(matchOperation(routed, options)));
  });
  return { ...decision, origin: 'injected' };
}

/** The decision, with a stream that can be read several times. */
function reread(decision: Decision): Decision {
  const { reply } = decision;
  if (reply.stream === undefined) return decision;
  return { ...decision, reply: { ...reply, stream: [...reply.stream] } };
}

function matchOperation(routed: Routed, options: PipelineOptions): Exchange {
  const { path, request, world } = routed;
  const writes = !['GET', 'HEAD'].includes(request.method);
  const route = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const found: Match = request.plain === true ? { kind: 'path' } : match(request.method, route);
  const operation = found.kind === 'operation' ? found.operation : undefined;
  return {
    ...routed,
    options,
    route,
    match: found,
    surface: found.kind === 'path' ? surfaceOf(route) : found.operation.requires.surface,
    basis: new Basis(world, operation),
    writes,
  };
}

/** From the request line to a decision. */
function decide(exchange: Exchange): Decision | Promise<Decision> {
  const { basis, match: found, path, request, route } = exchange;
  if (request.plain === true) return refuse(exchange, plainHttp(basis, request));
  if (path !== route && basis.assume(named.trailingSlash) !== 'served')
    return refuse(exchange, trailingSlash(basis, path, request));
  switch (found.kind) {
    case 'path':
      return answerUnknownPath(exchange);
    case 'method':
      return answerUnknownMethod(exchange, found.allowed);
    case 'operation':
      if (found.head && basis.assume(named.headRequest) === 'method-not-allowed') {
        return refuse(exchange, refuseHead(exchange, found.operation.method));
      }
      return answerOperation(exchange, found);
  }
}

function answerOperation(
  exchange: Exchange,
  { operation, params }: Match & { readonly kind: 'operation' },
): Decision | Promise<Decision> {
  const { basis, credential, options, prefixed, query, request, world } = exchange;
  if (prefixed && 'world' in credential && credential.world !== world.id) {
    basis.assume(named.unknownCredential);
    // The sent token may be a real key, so no part of it is shown.
    const own = world.credentials[credential.name] ?? world.credentials.admin;
    const instead = own === undefined ? '' : `; this world's is ${own}`;
    const message = `The address names the world ${world.id}, and the credential is not of that world${instead}`;
    const refused = refusal(401, named.unknownCredential, message);
    return refuse(exchange, { ...refused, rule: 'credentials' });
  }
  if (sendsSeveral(request.headers.authorization)) {
    if (basis.assume(named.severalCredentials) === 'refused') {
      const message = 'The request has more than one Authorization header';
      return refuse(exchange, basis.refuse(named.severalCredentials, message));
    }
  }
  const caller = authenticate(operation.requires, credential, basis);
  if (isRefusal(caller)) return refuse(exchange, caller);
  const limited = rateLimit(world, caller.credential, basis);
  if (limited !== undefined) return refuse(exchange, limited);
  if (asksForSimulation(request)) return simulate(exchange, operation);
  const handler = options.handlers[operation.id] as unknown as AnyHandler;
  const { path, bad: badPath } = readPath(operation.parameters, params);
  const alsoReads = query === '' ? [] : handler.alsoReads?.(basis);
  const call = new Call({ operation, caller, path, badPath, rawQuery: query, alsoReads, basis });
  const done = serve(exchange, call, handler);
  const decided = (result: Handled): Decision =>
    isRefusal(result)
      ? refuse(exchange, result, { call })
      : { reply: result, refusal: null, origin: 'service', call };
  return done instanceof Promise ? done.then(decided) : decided(done);
}

/** Runs after authentication: the checks that may refuse the call, then its handler. */
function serve({ request }: Exchange, call: Call, handler: AnyHandler): Handled | Promise<Handled> {
  const checked = check(call, handler, request);
  if (isRefusal(checked)) return checked;
  const found = checked.found ?? find(handler, call);
  return isRefusal(found) ? found : handler.handle(call, found);
}

const CALLS = 60;
const WINDOW_MS = 60_000;

/**
 * Refuses a call if a rate limit is chosen: a credential may make sixty calls within a minute of the world's
 * clock.
 */
function rateLimit(world: World, credential: string, basis: Basis): Refusal | undefined {
  if (basis.assume(named.rateLimit) === 'unlimited') return undefined;
  const now = world.clock.now();
  const recent = (world.calls.get(credential) ?? []).filter((at) => at > now - WINDOW_MS);
  const [oldest] = recent;
  if (recent.length >= CALLS && oldest !== undefined) {
    const seconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    return {
      ...refusal(429, named.rateLimit, `More than ${CALLS} calls within a minute`),
      headers: { 'Retry-After': String(seconds) },
    };
  }
  recent.push(now);
  world.calls.set(credential, recent);
  return undefined;
}
