/**
 * The core of the mock: a request to a world becomes an answer, in stages.
 *
 *   match         finds the operation of the request line
 *   authenticate  finds the caller
 *   limit         refuses who calls too often
 *   serve         what the call comes to:
 *                   authorise, validate, find and edit may refuse it, handle does it
 *   answer        the answer, or the error of a refusal, as it leaves the service
 *   write out     checks, grades and journals it
 *
 * Everything here is a value; sockets, files and clocks are elsewhere.
 */

import { named } from '../../spec/contract.ts';
import { requestedBy } from '../world/requested.ts';
import type { World } from '../world/world.ts';
import { settle } from '../world/world-clock.ts';
import { authenticate, explainRefusal } from './authenticate.ts';
import { Basis } from './basis.ts';
import { type AnyBinding, bindingOf, findAndHandle } from './binding.ts';
import { Call } from './call.ts';
import { check } from './checks.ts';
import {
  type Decision,
  type Exchange,
  type PipelineOptions,
  type Routed,
  refuse,
} from './decision.ts';
import {
  type ExchangeResponse,
  type Handled,
  isRefusal,
  type Refusal,
  refusal,
} from './exchange.ts';
import { lateReply, strikeEarly } from './fault-reply.ts';
import { type Match, match, readPath } from './request-line.ts';
import { runStage } from './stages.ts';
import {
  answerUnknownPath,
  asksForSimulation,
  plainHttp,
  simulate,
  surfaceOf,
  unknownMethod,
} from './unmodelled.ts';
import { writeOut } from './write-out.ts';

/** Answers one request. Synchronous unless the answer needs signing or simulation. */
export function answer(
  routed: Routed,
  options: PipelineOptions,
): ExchangeResponse | Promise<ExchangeResponse> {
  if (routed.world.clock.schedule.any) settle(routed.world);
  const exchange = matchOperation(admitted(routed), options);
  const { strike, decision: early } = strikeEarly(exchange);
  const finish = (decision: Decision, served: number | null) =>
    writeOut(exchange, finalReply(exchange, decision), strike, served);
  if (early !== undefined) return finish(early, null);
  const settled = (decision: Decision) => {
    const served = decision.reply.status;
    strike?.fault.onStrike?.(served);
    return finish(lateReply(exchange, decision, strike), served);
  };
  const decision = decide(exchange);
  return decision instanceof Promise ? decision.then(settled) : settled(decision);
}

/** The request; one over plain HTTP that a deviation lets in counts as one over HTTPS. */
function admitted(routed: Routed): Routed {
  const { path, request, world } = routed;
  if (request.plain !== true || !world.deviations.any) return routed;
  const found = match(request.method, path);
  const isServed =
    found.kind === 'operation' &&
    runStage('admit', { operation: found.operation, world, request }, () => false);
  return isServed ? { ...routed, request: { ...request, plain: false } } : routed;
}

function matchOperation(routed: Routed, options: PipelineOptions): Exchange {
  const { path, request, world } = routed;
  const writes = !['GET', 'HEAD'].includes(request.method);
  if (writes) world.state.begin();
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
  if (path !== route && basis.assume(named.trailingSlash) === 'not-found') {
    const message = `There is nothing at ${path}`;
    return refuse(exchange, refusal(404, named.trailingSlash, message));
  }
  switch (found.kind) {
    case 'path':
      return answerUnknownPath(exchange);
    case 'method':
      return refuse(exchange, unknownMethod(basis, found.allowed, request.method));
    case 'operation':
      if (found.head && basis.assume(named.headRequest) === 'method-not-allowed') {
        return refuse(exchange, unknownMethod(basis, [found.operation.method], 'HEAD'));
      }
      return answerOperation(exchange, found);
  }
}

function answerOperation(
  exchange: Exchange,
  { operation, params }: Match & { readonly kind: 'operation' },
): Decision | Promise<Decision> {
  const { basis, credential, options, prefixed, query, request, world } = exchange;
  const refuseCredential = (refused: Refusal) => {
    const requested = requestedBy(operation.requires, params);
    return refuse(exchange, explainRefusal(refused, requested, credential, world));
  };
  if (prefixed && 'world' in credential && credential.world !== world.id) {
    basis.assume(named.unknownCredential);
    // What was sent may be somebody's real key, so no part of it is shown.
    const own = world.credentials[credential.name] ?? world.credentials.admin;
    const instead = own === undefined ? '' : `; this world's is ${own}`;
    const message = `The address names the world ${world.id}, and the credential is not of that world${instead}`;
    return refuseCredential(refusal(401, named.unknownCredential, message));
  }
  const caller = runStage('authenticate', { operation, world, request }, () =>
    authenticate(operation.requires, credential, world, basis),
  );
  if (isRefusal(caller)) return refuseCredential(caller);
  const limited = rateLimit(world, caller.credential, basis);
  if (limited !== undefined) return refuse(exchange, limited);
  if (asksForSimulation(request) && basis.assume(named.simulatedAnswer) === 'simulated') {
    return simulate(exchange, operation);
  }
  const binding: AnyBinding = bindingOf(options.bindings, operation.id);
  const { path, bad: badPath } = readPath(operation.parameters, params);
  const alsoReads = query === '' ? [] : binding.alsoReads?.(basis);
  const call = new Call({ operation, caller, path, badPath, rawQuery: query, alsoReads, basis });
  const done = serve(exchange, call, binding);
  const decided = (result: Handled): Decision =>
    isRefusal(result)
      ? refuse(exchange, result, { call })
      : { reply: result, refusal: null, origin: 'service', call };
  return done instanceof Promise ? done.then(decided) : decided(done);
}

/** Past authentication: what may refuse the call, then its handler. */
function serve(
  { request, world }: Exchange,
  call: Call,
  binding: AnyBinding,
): Handled | Promise<Handled> {
  const context = { operation: call.operation, world, request, call };
  return runStage('serve', context, () => {
    const checked = check(call, binding, request);
    if (isRefusal(checked)) return checked;
    const { found } = checked;
    return runStage('handle', context, () =>
      // A deviation around the handler may have changed what is there to be found.
      found === undefined || world.deviations.any
        ? findAndHandle(binding, call)
        : binding.handle(call, found),
    );
  });
}

/** The reply as it leaves the service, which a deviation may still change. */
function finalReply(exchange: Exchange, decision: Decision): Decision {
  const { match: found, request, world } = exchange;
  if (!world.deviations.any) return decision;
  const { call, refusal: refused, reply } = decision;
  const origin = 'injected';
  if (found.kind !== 'operation') return { ...decision, origin };
  const context = { operation: found.operation, world, request, call, refusal: refused };
  return { ...decision, reply: runStage('answer', context, () => reply), origin };
}

const CALLS = 60;
const WINDOW_MS = 60_000;

/** The alternative to no rate limit: sixty calls of a credential within a minute of the world's clock. */
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
