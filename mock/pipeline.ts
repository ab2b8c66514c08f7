/**
 * The core of the mock: a request to a world becomes an answer.
 *
 *   match -> authenticate -> authorise, validate, find (in the order of AUTH-23) -> edit access
 *   -> handle -> check own answer -> write out
 *
 * Everything here is a value; sockets, files and clocks are elsewhere.
 */
import type { Operation, Surface } from '../spec/contract.ts';
import { assumedStatus, assumedStatuses } from './assumed-statuses.ts';
import { authenticate, readCredential } from './authenticate.ts';
import { authorise, authoriseEdit, deploymentOf } from './authorise.ts';
import { Basis, type Binding, Call, refusal } from './call.ts';
import { errorAnswer, mediaTypeOf } from './errors.ts';
import {
  type Answer,
  type ExchangeRequest,
  type ExchangeResponse,
  isRefusal,
  type Refusal,
} from './exchange.ts';
import { type Match, match } from './match.ts';
import { bindings } from './operations/bindings.ts';
import { rateLimit } from './rate-limit.ts';
import { readPath, validate, validateUnknown } from './validate.ts';
import type { Fault } from './world/faults.ts';
import type { World } from './world/world.ts';

/** What a service offers to the pipeline beside its worlds. */
export interface PipelineOptions {
  /** Answers what the contract does not model, or what a Prefer header asks for. */
  readonly simulate?: (request: SimulationRequest) => Promise<Answer | Refusal | undefined>;
  /** Whether a `--description` knows a path. */
  readonly describes?: (method: string, path: string) => boolean;
  /** Sends Lockstep-Basis and Lockstep-World. */
  readonly gradeHeaders: boolean;
  /** The service's real name for the field that the description writes `unitCount`. */
  readonly unitCountAlias?: string;
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

type Outcome = { readonly answer: Answer; readonly refusal: Refusal | null };

/** Answers one request. Synchronous unless the answer needs signing or simulation. */
export function answer(
  routed: Routed,
  options: PipelineOptions,
): ExchangeResponse | Promise<ExchangeResponse> {
  const { world, request } = routed;
  if (request.plain === true) return turnAway(routed, options);
  const slash = routed.path.length > 1 && routed.path.endsWith('/');
  const path = slash ? routed.path.slice(0, -1) : routed.path;
  const found = match(request.method, path);
  const operation = found.kind === 'operation' ? found.operation : undefined;
  const basis = new Basis(world, operation);
  const credential = readCredential(request.headers.authorization);
  const name = credential?.world === world.id ? credential.name : null;
  const context: Context = { routed, options, basis, operation, credential: name };
  const fault =
    operation !== undefined && world.faults.any
      ? world.faults.strike(operation.id, name)
      : undefined;
  if (fault !== undefined && fault.phase === 'before') {
    const struck = faultAnswer(fault, surfaceOf(path), basis);
    if (struck !== undefined) return finish(context, struck, fault);
  }
  const outcome = decide(context, found, path, slash, credential?.world);
  return outcome instanceof Promise
    ? outcome.then((done) => finish(context, afterwards(context, done, fault), fault))
    : finish(context, afterwards(context, outcome, fault), fault);
}

interface Context {
  readonly routed: Routed;
  readonly options: PipelineOptions;
  readonly basis: Basis;
  readonly operation: Operation | undefined;
  readonly credential: string | null;
}

function decide(
  context: Context,
  found: Match,
  path: string,
  slash: boolean,
  credentialWorld: string | undefined,
): Outcome | Promise<Outcome> {
  const { basis, options, routed } = context;
  const { request, world } = routed;
  const surface = found.kind === 'path' ? surfaceOf(path) : found.operation.requires.surface;
  if (slash && basis.assume('REQ-1') === 'not-found') {
    return refuse(context, surface, refusal(404, 'REQ-1', `There is nothing at ${path}/`));
  }
  if (found.kind === 'path') {
    if (options.simulate !== undefined && options.describes?.(request.method, path) === true) {
      basis.assume('SVC-6');
      return simulated(context, surface, {
        request,
        path,
        query: routed.query,
        operation: undefined,
      });
    }
    return refuse(context, surface, unknownPath(basis, path));
  }
  if (found.kind === 'method') {
    return refuse(context, surface, unknownMethod(basis, found.allowed, request.method));
  }
  if (found.head && basis.assume('REQ-8') === 'method-not-allowed') {
    return refuse(context, surface, unknownMethod(basis, [found.operation.method], 'HEAD'));
  }
  if (routed.prefixed && credentialWorld !== undefined && credentialWorld !== world.id) {
    basis.assume('AUTH-7');
    const message = `The credential belongs to the world ${credentialWorld}, not to ${world.id}`;
    return refuse(context, surface, refusal(401, 'AUTH-7', message));
  }
  const caller = authenticate(found.operation, request.headers.authorization, world, basis);
  if (isRefusal(caller)) return refuse(context, surface, caller);
  const limited = rateLimit(world, caller.credential, basis);
  if (limited !== undefined) return refuse(context, surface, limited);
  const prefer = request.headers.prefer;
  if (prefer !== undefined && /\b(code|example|dynamic)=/.test(prefer)) {
    if (basis.assume('REQ-7') === 'simulated') {
      const simulation = { request, path, query: routed.query, operation: found.operation };
      return simulated(context, surface, simulation);
    }
  }
  const { path: params, bad } = readPath(found.operation.parameters, found.params);
  const call = new Call({
    operation: found.operation,
    caller,
    path: params,
    rawQuery: routed.query,
    basis,
  });
  const refused = gate(call, request, bad);
  if (refused !== undefined) return refuse(context, surface, refused);
  const done = bindings[found.operation.id].handle(call as never);
  return done instanceof Promise
    ? done.then((result) => settle(context, surface, result))
    : settle(context, surface, done);
}

type Stage = 'authorise' | 'validate' | 'find';
const orders: Readonly<Record<string, readonly Stage[]>> = {
  'authorise-validate-find': ['authorise', 'validate', 'find'],
  'validate-first': ['validate', 'authorise', 'find'],
  'find-first': ['find', 'authorise', 'validate'],
};

/**
 * Everything that may refuse a call before it is handled. AUTH-23 counts as assumed only where
 * another order would have answered another status, so a refusal asks the other stages as well.
 */
function gate(call: Call, request: ExchangeRequest, bad: readonly string[]): Refusal | undefined {
  const binding = bindings[call.operation.id] as Binding<never>;
  const own = call.basis;
  const ask = (stage: Stage): Refusal | undefined => {
    if (stage === 'authorise') return authorise(call);
    if (stage === 'find') return find(call, binding, bad);
    return (
      validate(call, request, bad) ?? binding.validate?.(call as never) ?? validateUnknown(call)
    );
  };
  const order = orders[call.peek('AUTH-23')] ?? [];
  for (const stage of order) {
    const refused = ask(stage);
    if (refused === undefined) continue;
    const results = new Map<Stage, Refusal | undefined>([[stage, refused]]);
    call.basis = own.trial();
    const resultOf = (other: Stage) => {
      if (!results.has(other)) results.set(other, ask(other));
      return results.get(other);
    };
    // Stages that passed before this one are asked again, unrecorded, only to be seen passing.
    const differs = Object.values(orders).some((other) => {
      const first = other.map(resultOf).find((result) => result !== undefined);
      return first?.status !== refused.status;
    });
    call.basis = own;
    if (differs) call.assume('AUTH-23');
    return refused;
  }
  return authoriseEdit(call);
}

/** Refuses a deployment, or what the operation names inside it, that does not exist. */
function find(call: Call, binding: Binding<never>, bad: readonly string[]): Refusal | undefined {
  const deployment = deploymentOf(call);
  if (bad.length > 0) return undefined;
  if (deployment !== undefined && !call.world.state.tables.deployments.has(deployment)) {
    return call.refuseAssumed('ERR-9', `Deployment ${deployment} does not exist`);
  }
  return binding.find?.(call as never);
}

function settle(context: Context, surface: Surface, result: Answer | Refusal): Outcome {
  return isRefusal(result) ? refuse(context, surface, result) : { answer: result, refusal: null };
}

function refuse(context: Context, surface: Surface, refused: Refusal): Outcome {
  return { answer: errorAnswer(surface, refused, context.basis), refusal: refused };
}

async function simulated(
  context: Context,
  surface: Surface,
  simulation: SimulationRequest,
): Promise<Outcome> {
  const result = await context.options.simulate?.(simulation);
  const answered =
    result ?? refusal(501, 'SVC-6', 'Answers made from a description alone are not switched on');
  return settle(context, surface, answered);
}

/** Checks the answer against the contract, replaces it by a 500 that says so where it fails. */
function afterwards(context: Context, outcome: Outcome, fault: Fault | undefined): Outcome {
  if (fault !== undefined && fault.phase !== 'before') {
    return faultAnswer(fault, surfaceOf(context.routed.path), context.basis) ?? outcome;
  }
  return outcome;
}

function checkOwnAnswer(operation: Operation, produced: Answer): readonly string[] {
  const declared = operation.responseFor(produced.status);
  if (declared === undefined) {
    return [`the contract declares no ${produced.status} for ${operation.id}`];
  }
  const failures: string[] = [];
  for (const header of declared.headers) {
    const value = produced.headers?.[header.name];
    const pattern = header.schema.pattern;
    if (
      value === undefined
        ? header.required
        : typeof pattern === 'string' && !new RegExp(pattern).test(value)
    ) {
      failures.push(`${header.name}: ${value ?? 'missing'}`);
    }
  }
  if (produced.stream === undefined && produced.body !== undefined) {
    for (const failure of declared.validate(produced.body)) {
      failures.push(`${failure.pointer || 'the body'} ${failure.message}`);
    }
  }
  return failures;
}

/** Writes an outcome out: checks, headers, journal. */
function finish(context: Context, outcome: Outcome, fault: Fault | undefined): ExchangeResponse {
  const { routed, basis, options } = context;
  const { world, request } = routed;
  const surface = context.operation?.requires.surface ?? surfaceOf(routed.path);
  let { answer: produced } = outcome;
  const contractFailures =
    context.operation === undefined ||
    (fault !== undefined && outcome.refusal?.statement === 'fault')
      ? []
      : checkOwnAnswer(context.operation, produced);
  if (contractFailures.length > 0) {
    const text = `Lockstep answered ${context.operation?.id} against its own contract: ${contractFailures.join('; ')}`;
    produced = { status: 500, body: { error: text } };
  }
  const headers: Record<string, string> = {};
  let body: ExchangeResponse['body'] = null;
  if (produced.stream !== undefined) {
    body = produced.stream;
  } else if (produced.body !== undefined) {
    headers['Content-Type'] = mediaTypeOf(surface);
    body = JSON.stringify(withAlias(produced.body, options.unitCountAlias));
  }
  Object.assign(headers, produced.headers);
  headers.Date = httpDate(world.clock.now());
  if (world.assumptions.switched().get('SVC-8') === 'deprecation-header') {
    headers.Deprecation = '@1735689600';
  }
  const assumed = exact(basis.assumed(), produced.status, world);
  if (options.gradeHeaders) {
    headers['Lockstep-Basis'] =
      assumed.length === 0 ? 'documented' : `assumed; ${assumed.join(', ')}`;
    headers['Lockstep-World'] = world.id;
  }
  const text = typeof body === 'string' ? body : null;
  if (request.method === 'HEAD') body = null;
  world.journal.record({
    at: world.clock.now(),
    method: request.method,
    path: routed.path,
    query: routed.query,
    headers: withoutCredential(request.headers),
    operation: context.operation?.id ?? null,
    credential: context.credential,
    requestBody: request.body,
    status: produced.status,
    responseHeaders: headers,
    responseBody: text,
    assumed,
    refusal: outcome.refusal,
    contractFailures,
  });
  return fault === undefined
    ? { status: produced.status, headers, body }
    : { status: produced.status, headers, body, fault: transportFault(fault) };
}

/**
 * Leaves out a silence whose other choices would all have refused with the status that was answered
 * anyway (a slash at the end of a path that is 404 without it as well).
 */
function exact(assumed: readonly string[], status: number, world: World): readonly string[] {
  if (status < 400 || assumed.length === 0) return assumed;
  return assumed.filter((statement) => {
    const table: Readonly<Record<string, number>> | undefined =
      assumedStatuses[statement as keyof typeof assumedStatuses];
    if (table === undefined) return true;
    const chosen = world.assumptions.choice(statement);
    return Object.entries(table).some(([choice, other]) => choice !== chosen && other !== status);
  });
}

function withAlias(body: unknown, alias: string | undefined): unknown {
  if (alias === undefined || body === null || typeof body !== 'object' || !('unitCount' in body)) {
    return body;
  }
  const { unitCount, ...rest } = body;
  return { ...rest, [alias]: unitCount };
}

function withoutCredential(headers: ExchangeRequest['headers']): ExchangeRequest['headers'] {
  const { authorization: _secret, cookie: _cookie, ...rest } = headers;
  return rest;
}

let dateSecond = -1;
let dateText = '';
/** The Date header of a time, made once a second. */
function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}

function surfaceOf(path: string): Surface {
  if (path.startsWith('/build/')) return 'build';
  return path.startsWith('/api/scim/') ? 'scim' : 'management';
}

/** Answers a request over plain HTTP to an address that serves HTTPS. */
function turnAway(routed: Routed, options: PipelineOptions): ExchangeResponse {
  const basis = new Basis(routed.world, undefined);
  const context: Context = { routed, options, basis, operation: undefined, credential: null };
  const choice = basis.assume('AUTH-17');
  const refused = refusal(assumedStatus('AUTH-17', choice), 'AUTH-17', 'Only HTTPS is accepted');
  const location = { Location: `https://${routed.request.headers.host}${routed.request.target}` };
  const outcome = choice === 'redirect' ? { ...refused, headers: location } : refused;
  return finish(context, refuse(context, surfaceOf(routed.path), outcome), undefined);
}

const PREFIXES = ['/api/v1', '/build/api/v1', '/api/scim/v2'];

function unknownPath(basis: Basis, path: string): Refusal {
  const modelled = PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  if (!modelled) {
    return refusal(
      404,
      'SVC-6',
      `There is nothing at ${path}; the service answers under ${PREFIXES.join(', ')}`,
    );
  }
  return basis.assume('SVC-6') === 'not-found'
    ? refusal(404, 'SVC-6', `There is nothing at ${path}`)
    : refusal(
        501,
        'SVC-6',
        `Lockstep does not model ${path}: the contract does not know it. This is not the service's answer; load the service's own description with --description to have one made from it`,
      );
}

function unknownMethod(basis: Basis, allowed: readonly string[], method: string): Refusal {
  const notFound = basis.assume('ERR-10') === 'not-found';
  const base = refusal(
    notFound ? 404 : 405,
    'ERR-10',
    `${method} is not an operation of this path that the contract knows; it knows ${allowed.join(', ')}`,
  );
  return notFound ? base : { ...base, headers: { Allow: allowed.join(', ') } };
}

/** The answer that a fault orders; undefined where it only delays or cuts. */
function faultAnswer(fault: Fault, surface: Surface, basis: Basis): Outcome | undefined {
  if (fault.status === undefined) return undefined;
  const headers = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
  const refused = {
    ...refusal(fault.status, 'fault', `Answered by the fault ${fault.id}`),
    headers,
  };
  return { answer: errorAnswer(surface, refused, basis), refusal: refused };
}

function transportFault(fault: Fault): NonNullable<ExchangeResponse['fault']> {
  return {
    ...(fault.phase === 'mid-body' || fault.phase === 'socket' ? { cut: fault.phase } : {}),
    ...(fault.delayMs === undefined ? {} : { delayMs: fault.delayMs }),
  };
}
