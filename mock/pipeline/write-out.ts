/** The end of the pipeline: checks an answer against the contract, writes it out, journals it. */
import { contract, type Operation, type Surface } from '../../spec/contract.ts';
import type { Strike } from '../world/faults.ts';
import type { StruckBy } from '../world/journal.ts';
import { type PageKind, pageKind, paginated } from '../world/page-kind.ts';
import type { World } from '../world/world.ts';
import type { Basis } from './basis.ts';
import { mediaTypeOf } from './errors.ts';
import type {
  ExchangeRequest,
  ExchangeResponse,
  Refusal,
  Reply,
  TransportFault,
} from './exchange.ts';
import { explain, shorten } from './explain.ts';

/**
 * Who made an answer. `service`: the mock, for the service; it is checked against the contract and
 * graded. `simulated`: made from a description alone, and graded. `injected` (a fault, a deviation)
 * and `outside` (no path of the service) say nothing of the service, so neither is graded.
 */
export type Origin = 'service' | 'simulated' | 'injected' | 'outside';

/** An answer on its way out, and what it came from. */
export interface Outgoing {
  readonly answer: Reply;
  readonly refusal: Refusal | null;
  readonly surface: Surface;
  readonly operation: Operation | undefined;
  /** Parameters of the path, where an operation was found. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly world: World;
  readonly request: ExchangeRequest;
  /** Without a world prefix. */
  readonly path: string;
  readonly query: string;
  /** Name of the credential; null where none was known. */
  readonly credential: string | null;
  /** What of the request the description does not know. */
  readonly passedOver: readonly string[];
  readonly basis: Basis;
  readonly strike: Strike | undefined;
  /** The status that the service had come to, where a fault strikes. */
  readonly served: number | null;
  readonly origin: Origin;
}

export interface WriteOptions {
  /** Sends Lockstep-Basis and Lockstep-World. */
  readonly gradeHeaders: boolean;
  /** The service's real name for the field that the description writes `unitCount`. */
  readonly unitCountAlias?: string;
}

/** A JSON body becomes text; a failed check becomes a 500 that says so. */
export function writeOut(outgoing: Outgoing, options: WriteOptions): ExchangeResponse {
  const { operation, world, request, strike, refusal } = outgoing;
  let { answer } = outgoing;
  const contractFailures =
    operation === undefined || outgoing.origin !== 'service'
      ? []
      : checkOwnAnswer(operation, answer);
  if (contractFailures.length > 0) {
    const found = contractFailures.join('; ');
    const error = `Lockstep answered ${operation?.id} against its own contract: ${found}`;
    answer = { status: 500, body: { error } };
  }
  const now = world.clock.now();
  const headers: Record<string, string> = {};
  let body: ExchangeResponse['body'] = null;
  if (answer.stream !== undefined) {
    body = answer.stream;
  } else if (answer.body !== undefined) {
    headers['Content-Type'] = mediaTypeOf(outgoing.surface);
    body = JSON.stringify(withAlias(answer.body, options.unitCountAlias));
  }
  Object.assign(headers, answer.headers);
  headers.Date = httpDate(now);
  if (world.assumptions.switched().get('SVC-8') === 'deprecation-header') {
    headers.Deprecation = '@1735689600';
  }
  const sent = request.method === 'HEAD' ? null : body;
  const cut = cutOf(strike, sent);
  const lost = answer.status === 0 || (cut !== undefined && cut !== 'mid-body');
  const asked = outgoing.basis.assumed();
  const graded =
    cut === undefined && (outgoing.origin === 'service' || outgoing.origin === 'simulated');
  const assumed =
    graded && outgoing.origin === 'service'
      ? exact(asked, answer.status, world)
      : graded
        ? asked
        : [];
  const documented = assumed.length === 0;
  const basis = !graded ? null : documented ? 'documented' : `assumed; ${assumed.join(', ')}`;
  if (options.gradeHeaders) {
    if (basis !== null) headers['Lockstep-Basis'] = basis;
    headers['Lockstep-World'] = world.id;
  }
  const entry = world.journal.record({
    at: now,
    method: request.method,
    path: outgoing.path,
    query: outgoing.query,
    headers: withoutCredential(request.headers),
    operation: operation?.id ?? null,
    credential: outgoing.credential,
    requestBody: request.body,
    status: lost ? 0 : answer.status,
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : null,
    basis,
    assumed,
    refusal: refusal === null ? null : explain({ ...outgoing, refusal }),
    fault: strike === undefined ? null : struckBy(strike, cut, outgoing.served),
    passedOver: outgoing.passedOver.map(shorten),
    page: cut === undefined ? pageOf(operation, answer) : null,
    contractFailures,
  });
  world.coverage.add(entry, world.assumptions, outgoing.parameters);
  const response = { status: answer.status, headers, body: sent };
  return strike === undefined
    ? response
    : { ...response, fault: transportFault(strike, cut, world) };
}

/** A body that is not there cannot be cut: then the connection is. */
function cutOf(strike: Strike | undefined, body: ExchangeResponse['body']): Strike['cut'] {
  return strike?.cut === 'mid-body' && body === null ? 'reset' : strike?.cut;
}

function checkOwnAnswer(operation: Operation, produced: Reply): readonly string[] {
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

/**
 * Leaves out a silence whose other choices would all have refused with the status that was answered
 * anyway (a slash at the end of a path that is 404 without it as well).
 */
function exact(assumed: readonly string[], status: number, world: World): readonly string[] {
  if (status < 400 || assumed.length === 0) return assumed;
  return assumed.filter((statement) => {
    const table = contract.statuses[statement];
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

function pageOf(operation: Operation | undefined, { status, body }: Reply): PageKind | null {
  if (operation === undefined || status !== 200 || !paginated.has(operation.id)) return null;
  return pageKind(body) ?? null;
}

function struckBy(
  { fault: { id, phase, delayMs } }: Strike,
  cut: Strike['cut'],
  served: number | null,
): StruckBy {
  return {
    id,
    phase,
    served,
    ...(cut === undefined ? {} : { cut }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function transportFault({ fault }: Strike, cut: Strike['cut'], world: World): TransportFault {
  return {
    ...(cut === 'mid-body' ? { cut } : cut === undefined ? {} : { cut: 'socket', kind: cut }),
    ...(fault.delayMs === undefined ? {} : { delayMs: fault.delayMs }),
    hold: (end) => world.faults.hold(fault.id, end),
  };
}
