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
import type { Operation, Requires, Surface } from '../../spec/contract.ts';
import type { FaultCall } from '../world/fault.ts';
import type { Strike } from '../world/faults.ts';
import { type Requested, requestedBy } from '../world/requested.ts';
import type { World } from '../world/world.ts';
import { settle } from '../world/world-clock.ts';
import { authenticate, explainRefusal, readCredential } from './authenticate.ts';
import { Basis } from './basis.ts';
import { type AnyBinding, type Bindings, Call } from './call.ts';
import { errorAnswer } from './errors.ts';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  isRefusal,
  type Refusal,
  type Reply,
  refusal,
} from './exchange.ts';
import { gate } from './gate.ts';
import { type Match, match } from './match.ts';
import { rateLimit } from './rate-limit.ts';
import { runStage } from './run-stage.ts';
import { isModelled, outside, plainHttp, unknownMethod, unknownPath } from './unmodelled.ts';
import { readPath } from './validate.ts';
import { type Origin, type WriteOptions, writeOut } from './write-out.ts';

/** What a service offers to the pipeline beside its worlds. */
export interface PipelineOptions extends WriteOptions {
  readonly bindings: Bindings;
  /** Answers what the contract does not model, or what a Prefer header asks for. */
  readonly simulate?: (request: SimulationRequest) => Promise<Reply | Refusal | undefined>;
  /** Whether a `--description` knows a path. */
  readonly describes?: (method: string, path: string) => boolean;
}

export interface SimulationRequest {
  readonly request: ExchangeRequest;
  readonly path: string;
  readonly query: string;
  readonly operation: Operation | undefined;
}

/** A request that has found its world. */
export interface Routed {
  readonly world: World;
  readonly request: ExchangeRequest;
  /** Path without a world prefix. */
  readonly path: string;
  readonly query: string;
  /** The prefix named the world, so a credential of another one is refused. */
  readonly prefixed: boolean;
}

/** One request, and what has been found out about it. */
interface Exchange {
  readonly routed: Routed;
  readonly options: PipelineOptions;
  readonly basis: Basis;
  readonly found: Match;
  readonly surface: Surface;
  /** Path without a slash at its end. */
  readonly path: string;
  readonly credential: ReturnType<typeof readCredential>;
}

/** What the mock decided to answer. */
interface Decision {
  readonly answer: Reply;
  readonly refusal: Refusal | null;
  /** Once the credential was accepted. */
  readonly call?: Call;
  /** Where the answer is not the service's. */
  readonly origin?: Origin;
}

/** Answers one request. Synchronous unless the answer needs signing or simulation. */
export function answer(
  routed: Routed,
  options: PipelineOptions,
): ExchangeResponse | Promise<ExchangeResponse> {
  const { world, request } = routed;
  if (world.clock.schedule.any) settle(world);
  const slash = routed.path.length > 1 && routed.path.endsWith('/');
  const path = slash ? routed.path.slice(0, -1) : routed.path;
  const found: Match = request.plain === true ? { kind: 'path' } : match(request.method, path);
  const operation = found.kind === 'operation' ? found.operation : undefined;
  const exchange: Exchange = {
    routed,
    options,
    basis: new Basis(world, operation),
    found,
    surface: found.kind === 'path' ? surfaceOf(path) : found.operation.requires.surface,
    path,
    credential: readCredential(request.headers.authorization),
  };
  const strike =
    operation !== undefined && world.faults.any
      ? world.faults.strike(faultCall(exchange, operation), world.clock.now())
      : undefined;
  const early = strike?.fault.phase === 'before' ? faultDecision(exchange, strike) : undefined;
  if (early !== undefined) {
    strike?.fault.onStrike?.(null);
    return finish(exchange, early, strike, null);
  }
  const settled = (decision: Decision) => {
    strike?.fault.onStrike?.(decision.answer.status);
    return finish(exchange, decision, strike, decision.answer.status);
  };
  const decision = decide(exchange);
  return decision instanceof Promise ? decision.then(settled) : settled(decision);
}

/** From the request line to a decision. */
function decide(exchange: Exchange): Decision | Promise<Decision> {
  const { basis, routed, found, path } = exchange;
  const { request } = routed;
  if (request.plain === true) return refuse(exchange, plainHttp(basis, request));
  if (routed.path !== path && basis.assume('REQ-1') === 'not-found') {
    return refuse(exchange, refusal(404, 'REQ-1', `There is nothing at ${path}/`));
  }
  switch (found.kind) {
    case 'path':
      return answerUnknownPath(exchange);
    case 'method':
      return refuse(exchange, unknownMethod(basis, found.allowed, request.method));
    case 'operation':
      if (found.head && basis.assume('REQ-8') === 'method-not-allowed') {
        return refuse(exchange, unknownMethod(basis, [found.operation.method], 'HEAD'));
      }
      return answerOperation(exchange, found);
  }
}

/** A path that the contract does not know: answered from a description, or refused. */
function answerUnknownPath(exchange: Exchange): Decision | Promise<Decision> {
  const { basis, options, path } = exchange;
  const { request, world } = exchange.routed;
  const { method } = request;
  if (!isModelled(path)) {
    return { ...refuse(exchange, outside(method, path)), origin: 'outside' };
  }
  if (options.describes?.(method, path) !== true) {
    const described = options.describes !== undefined;
    return refuse(exchange, unknownPath(basis, { method, path, described }));
  }
  basis.assume('SVC-6');
  const requires = anyOf(exchange.surface);
  const caller = authenticate({ requires }, request.headers.authorization, world, basis);
  if (isRefusal(caller)) return refuseCredential(exchange, caller, { requires });
  return simulate(exchange, undefined);
}

function answerOperation(
  exchange: Exchange,
  { operation, params }: Match & { readonly kind: 'operation' },
): Decision | Promise<Decision> {
  const { basis, credential, routed } = exchange;
  const { request, world } = routed;
  if (routed.prefixed && credential !== undefined && credential.world !== world.id) {
    basis.assume('AUTH-7');
    const message = `The credential does not belong to the world ${world.id}, which the address names`;
    const refused = refusal(401, 'AUTH-7', message);
    return refuseCredential(exchange, refused, requestedBy(operation.requires, params));
  }
  const caller = runStage('authenticate', { operation, world, request }, () =>
    authenticate(operation, request.headers.authorization, world, basis),
  );
  if (isRefusal(caller)) {
    return refuseCredential(exchange, caller, requestedBy(operation.requires, params));
  }
  const limited = rateLimit(world, caller.credential, basis);
  if (limited !== undefined) return refuse(exchange, limited);
  if (asksForSimulation(request) && basis.assume('REQ-7') === 'simulated') {
    return simulate(exchange, operation);
  }
  const { path, bad } = readPath(operation.parameters, params);
  return serve(exchange, new Call({ operation, caller, path, rawQuery: routed.query, basis }), bad);
}

/** Past authentication: what may refuse the call, then its handler. */
function serve(
  exchange: Exchange,
  call: Call,
  bad: readonly string[],
): Decision | Promise<Decision> {
  const { request, world } = exchange.routed;
  const { operation } = call;
  const context = { operation, world, request, call };
  const binding = exchange.options.bindings[operation.id] as AnyBinding;
  const done = runStage(
    'serve',
    context,
    () =>
      gate({ call, binding, request, bad }) ??
      runStage('handle', context, () => binding.handle(call)),
  );
  const decided = (result: Reply | Refusal): Decision =>
    isRefusal(result)
      ? { ...refuse(exchange, result), call }
      : { answer: result, refusal: null, call };
  return done instanceof Promise ? done.then(decided) : decided(done);
}

function refuse(exchange: Exchange, refused: Refusal): Decision {
  return { answer: errorAnswer(exchange.surface, refused, exchange.basis), refusal: refused };
}

function refuseCredential(exchange: Exchange, refused: Refusal, request: Requested): Decision {
  const { world, request: sent } = exchange.routed;
  return refuse(exchange, explainRefusal(refused, request, sent.headers.authorization, world));
}

function asksForSimulation({ headers }: ExchangeRequest): boolean {
  return headers.prefer !== undefined && /(?:^|[\s,;])(code|example|dynamic)=/.test(headers.prefer);
}

async function simulate(exchange: Exchange, operation: Operation | undefined): Promise<Decision> {
  const { options, path, routed } = exchange;
  const { request, query } = routed;
  const result = await options.simulate?.({ request, path, query, operation });
  const origin = 'simulated';
  if (result !== undefined && !isRefusal(result)) return { answer: result, refusal: null, origin };
  const missing = 'Answers made from a description alone are not switched on';
  return { ...refuse(exchange, result ?? refusal(501, 'SVC-6', missing)), origin };
}

/** Puts faults and deviations into effect, and writes the answer out. */
function finish(
  exchange: Exchange,
  decision: Decision,
  strike: Strike | undefined,
  served: number | null,
): ExchangeResponse {
  const { routed, options, surface, basis, found } = exchange;
  const { world, request } = routed;
  const operation = found.kind === 'operation' ? found.operation : undefined;
  const late =
    strike === undefined || strike.fault.phase === 'before' || strike.status === undefined
      ? undefined
      : faultDecision(exchange, strike);
  let { answer: produced, refusal: refused } = late ?? decision;
  if (operation !== undefined) {
    const plain = produced;
    const scene = { operation, world, request, call: decision.call, refusal: refused };
    produced = runStage('answer', scene, () => plain);
  }
  const injected = world.deviations.any || refused?.statement === FAULT;
  const outgoing = {
    answer: produced,
    refusal: refused,
    surface,
    operation,
    parameters: found.kind === 'operation' ? found.params : {},
    world,
    request,
    path: routed.path,
    query: routed.query,
    credential: credentialName(exchange),
    passedOver: decision.call?.passedOver ?? [],
    basis,
    strike,
    served,
    origin: injected ? ('injected' as const) : (decision.origin ?? 'service'),
  };
  return writeOut(outgoing, options);
}

/** Name of the credential that a request has sent; null where it is none of this world's. */
function credentialName({ credential, routed }: Exchange): string | null {
  return credential?.world === routed.world.id ? credential.name : null;
}

const FAULT = 'fault';

function faultCall(exchange: Exchange, operation: Operation): FaultCall {
  const { routed, path } = exchange;
  const { method, headers, body } = routed.request;
  const credential = credentialName(exchange);
  return { operation: operation.id, credential, method, path, query: routed.query, headers, body };
}

/** The answer that a fault orders; undefined where it only delays, or cuts a real answer. */
function faultDecision(exchange: Exchange, strike: Strike): Decision | undefined {
  const { fault, status, retryAfter, cut } = strike;
  if (status === undefined) {
    if (cut === undefined) return undefined;
    // No answer at all: the request never got anywhere.
    const refused = refusal(0, FAULT, `Lost by the fault ${fault.id}`);
    return { answer: { status: 0, body: undefined }, refusal: refused };
  }
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const decision = refuse(exchange, {
    ...refusal(status, FAULT, `Answered by the fault ${fault.id}`),
    headers,
  });
  const bodiless = [204, 205, 304].includes(status);
  return bodiless ? { ...decision, answer: { ...decision.answer, body: undefined } } : decision;
}

/** What a path of a surface asks for whose operation the contract does not know. */
function anyOf(surface: Surface): Requires {
  return surface === 'scim'
    ? { surface, schemes: ['Bearer', 'Api-Key'], credentials: ['scim'] }
    : { surface, schemes: ['Bearer'], credentials: ['apiKey', 'oauth'] };
}

function surfaceOf(path: string): Surface {
  if (path.startsWith('/build/')) return 'build';
  return path.startsWith('/api/scim/') ? 'scim' : 'management';
}
