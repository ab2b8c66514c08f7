/**
 * The core of the mock: a request to a world becomes an answer.
 *
 *   match -> authenticate -> gate (authorise, validate, find, edit) -> handle -> write out
 *
 * Everything here is a value; sockets, files and clocks are elsewhere.
 */
import type { Operation, Requires, Surface } from '../../spec/contract.ts';
import { bindings } from '../areas/bindings.ts';
import type { FaultCall, Strike } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import { settle } from '../world/world-clock.ts';
import { authenticate, explainRefusal, readCredential } from './authenticate.ts';
import { Basis, Call, refusal } from './call.ts';
import { errorAnswer } from './errors.ts';
import {
  type Answer,
  type ExchangeRequest,
  type ExchangeResponse,
  isRefusal,
  type Refusal,
} from './exchange.ts';
import { gate } from './gate.ts';
import { type Match, match } from './match.ts';
import { rateLimit } from './rate-limit.ts';
import { type Asked, asked } from './rights.ts';
import { isModelled, outside, plainHttp, unknownMethod, unknownPath } from './unmodelled.ts';
import { readPath } from './validate.ts';
import { type Origin, type WriteOptions, writeOut } from './write-out.ts';

/** What a service offers to the pipeline beside its worlds. */
export interface PipelineOptions extends WriteOptions {
  /** Answers what the contract does not model, or what a Prefer header asks for. */
  readonly simulate?: (request: SimulationRequest) => Promise<Answer | Refusal | undefined>;
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

/** One request on its way through the pipeline. */
interface Passage {
  readonly routed: Routed;
  readonly options: PipelineOptions;
  readonly basis: Basis;
  readonly found: Match;
  readonly surface: Surface;
  /** Path without a slash at its end. */
  readonly path: string;
  readonly credential: ReturnType<typeof readCredential>;
}

/** What came of it. `call` is there once the credential was accepted. */
interface Outcome {
  readonly answer: Answer;
  readonly refusal: Refusal | null;
  readonly call?: Call;
  /** Where it is not the service's. */
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
  const passage: Passage = {
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
      ? world.faults.strike(faultCall(passage, operation), world.clock.now())
      : undefined;
  const early = strike?.fault.phase === 'before' ? faultOutcome(passage, strike) : undefined;
  if (early !== undefined) {
    strike?.fault.onStrike?.(null);
    return finish(passage, early, strike, null);
  }
  const settled = (outcome: Outcome) => {
    strike?.fault.onStrike?.(outcome.answer.status);
    return finish(passage, outcome, strike, outcome.answer.status);
  };
  const outcome = decide(passage);
  return outcome instanceof Promise ? outcome.then(settled) : settled(outcome);
}

/** From the request line to an outcome. */
function decide(passage: Passage): Outcome | Promise<Outcome> {
  const { basis, options, routed, found, path, credential } = passage;
  const { request, world } = routed;
  if (request.plain === true) return refuse(passage, plainHttp(basis, request));
  if (routed.path !== path && basis.assume('REQ-1') === 'not-found') {
    return refuse(passage, refusal(404, 'REQ-1', `There is nothing at ${path}/`));
  }
  if (found.kind === 'path') {
    if (!isModelled(path))
      return { ...refuse(passage, outside(request.method, path)), origin: 'outside' };
    if (options.describes?.(request.method, path) !== true) {
      const described = options.describes !== undefined;
      return refuse(passage, unknownPath(basis, { method: request.method, path, described }));
    }
    basis.assume('SVC-6');
    const asker = authenticate(
      { requires: anyOf(passage.surface) },
      request.headers.authorization,
      world,
      basis,
    );
    if (!isRefusal(asker)) return simulate(passage, undefined);
    return refuseCredential(passage, asker, { requires: anyOf(passage.surface) });
  }
  if (found.kind === 'method') {
    return refuse(passage, unknownMethod(basis, found.allowed, request.method));
  }
  if (found.head && basis.assume('REQ-8') === 'method-not-allowed') {
    return refuse(passage, unknownMethod(basis, [found.operation.method], 'HEAD'));
  }
  if (routed.prefixed && credential !== undefined && credential.world !== world.id) {
    basis.assume('AUTH-7');
    const message = `The credential does not belong to the world ${world.id}, which the address names`;
    const refused = refusal(401, 'AUTH-7', message);
    return refuseCredential(passage, refused, asked(found.operation.requires, found.params));
  }
  let caller = authenticate(found.operation, request.headers.authorization, world, basis);
  if (world.deviations.any) {
    caller = world.deviations.authenticate(caller, found.operation, request, world);
  }
  if (isRefusal(caller)) {
    return refuseCredential(passage, caller, asked(found.operation.requires, found.params));
  }
  const limited = rateLimit(world, caller.credential, basis);
  if (limited !== undefined) return refuse(passage, limited);
  if (asksForSimulation(request) && basis.assume('REQ-7') === 'simulated') {
    return simulate(passage, found.operation);
  }
  const { path: params, bad } = readPath(found.operation.parameters, found.params);
  const call = new Call({
    operation: found.operation,
    caller,
    path: params,
    rawQuery: routed.query,
    basis,
  });
  return handle(passage, call, bad);
}

/** Past authentication: what may refuse the call, then its handler. */
function handle(passage: Passage, call: Call, bad: readonly string[]): Outcome | Promise<Outcome> {
  const { request, world } = passage.routed;
  const { deviations } = world;
  const refused = gate(call, request, bad, deviations);
  const handler = () => bindings[call.operation.id].handle(call as never);
  const settle = (result: Answer | Refusal): Outcome => {
    if (!isRefusal(result)) return { answer: result, refusal: null, call };
    if (deviations.any) deviations.refused(result, call, request);
    return { ...refuse(passage, result), call };
  };
  if (refused !== undefined) return settle(refused);
  const done = deviations.any ? deviations.handle(handler, call, request) : handler();
  return done instanceof Promise ? done.then(settle) : settle(done);
}

function refuse(passage: Passage, refused: Refusal): Outcome {
  return { answer: errorAnswer(passage.surface, refused, passage.basis), refusal: refused };
}

function refuseCredential(passage: Passage, refused: Refusal, request: Asked): Outcome {
  const { world, request: sent } = passage.routed;
  return refuse(passage, explainRefusal(refused, request, sent.headers.authorization, world));
}

function asksForSimulation({ headers }: ExchangeRequest): boolean {
  return headers.prefer !== undefined && /(?:^|[\s,;])(code|example|dynamic)=/.test(headers.prefer);
}

async function simulate(passage: Passage, operation: Operation | undefined): Promise<Outcome> {
  const { options, path, routed } = passage;
  const { request, query } = routed;
  const result = await options.simulate?.({ request, path, query, operation });
  const origin = 'simulated';
  if (result !== undefined && !isRefusal(result)) return { answer: result, refusal: null, origin };
  const missing = 'Answers made from a description alone are not switched on';
  return { ...refuse(passage, result ?? refusal(501, 'SVC-6', missing)), origin };
}

/** Puts faults and deviations into effect, and writes the answer out. */
function finish(
  passage: Passage,
  outcome: Outcome,
  strike: Strike | undefined,
  served: number | null,
): ExchangeResponse {
  const { routed, options, surface, basis, found } = passage;
  const { world, request } = routed;
  const operation = found.kind === 'operation' ? found.operation : undefined;
  const late =
    strike === undefined || strike.fault.phase === 'before' || strike.status === undefined
      ? undefined
      : faultOutcome(passage, strike);
  let { answer: produced, refusal: refused } = late ?? outcome;
  if (world.deviations.any && operation !== undefined) {
    const { call } = outcome;
    produced = world.deviations.answer(produced, {
      operation,
      world,
      request,
      call,
      refusal: refused,
    });
  }
  const injected = world.deviations.any || refused?.statement === FAULT;
  const outgoing = {
    answer: produced,
    refusal: refused,
    surface,
    operation,
    world,
    request,
    path: routed.path,
    query: routed.query,
    credential: credentialName(passage),
    passedOver: outcome.call?.passedOver ?? [],
    basis,
    strike,
    served,
    origin: injected ? ('injected' as const) : (outcome.origin ?? 'service'),
  };
  return writeOut(outgoing, options);
}

/** Name of the credential that a request has sent; null where it is none of this world's. */
function credentialName({ credential, routed }: Passage): string | null {
  return credential?.world === routed.world.id ? credential.name : null;
}

const FAULT = 'fault';

function faultCall(passage: Passage, operation: Operation): FaultCall {
  const { routed, path } = passage;
  const { method, headers, body } = routed.request;
  const credential = credentialName(passage);
  return { operation: operation.id, credential, method, path, query: routed.query, headers, body };
}

/** The answer that a fault orders; undefined where it only delays, or cuts a real answer. */
function faultOutcome(passage: Passage, strike: Strike): Outcome | undefined {
  const { fault, status, retryAfter, cut } = strike;
  if (status === undefined) {
    if (cut === undefined) return undefined;
    // No answer at all: the request never got anywhere.
    const refused = refusal(0, FAULT, `Lost by the fault ${fault.id}`);
    return { answer: { status: 0, body: undefined }, refusal: refused };
  }
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const outcome = refuse(passage, {
    ...refusal(status, FAULT, `Answered by the fault ${fault.id}`),
    headers,
  });
  const bodiless = [204, 205, 304].includes(status);
  return bodiless ? { ...outcome, answer: { ...outcome.answer, body: undefined } } : outcome;
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
