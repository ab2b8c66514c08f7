/** The end of the pipeline: checks an answer against the contract, writes it out, journals it. */
import { contract, type Operation } from '../../spec/contract.ts';
import type { Strike } from '../world/faults.ts';
import type { StruckBy } from '../world/journal.ts';
import { type PageKind, pageKind, paginated } from '../world/paged-list.ts';
import type { World } from '../world/world.ts';
import { credentialName, type Decision, type Exchange, mediaTypeOf } from './decision.ts';
import type { ExchangeRequest, ExchangeResponse, Reply, TransportFault } from './exchange.ts';
import { explain, shorten } from './explain.ts';

/**
 * A JSON body becomes text; a failed check becomes a 500 that says so. `served` is the status that
 * the service had come to, where a fault strikes.
 */
export function writeOut(
  exchange: Exchange,
  decision: Decision,
  strike: Strike | undefined,
  served: number | null,
): ExchangeResponse {
  const { world, request, options, match } = exchange;
  const operation = match.kind === 'operation' ? match.operation : undefined;
  const contractFailures =
    decision.origin === 'service' && operation !== undefined
      ? failuresOf(operation, decision.reply)
      : [];
  const reply =
    contractFailures.length === 0 ? decision.reply : ownDefect(operation, contractFailures);
  const now = world.clock.now();
  const body = bodyOf(exchange, reply);
  const headers = headersOf(exchange, reply, now);
  const sent = request.method === 'HEAD' ? null : body;
  const cut = cutOf(strike, sent);
  const lost = reply.status === 0 || (cut !== undefined && cut !== 'mid-body');
  const { basis, assumed } = gradeOf(exchange, decision, reply, cut);
  if (options.gradeHeaders) {
    if (basis !== null) headers['Lockstep-Basis'] = basis;
    headers['Lockstep-World'] = world.id;
  }
  const { refusal, call } = decision;
  const entry = world.journal.record({
    at: now,
    method: request.method,
    path: exchange.path,
    query: exchange.query,
    headers: withoutCredential(request.headers),
    operation: operation?.id ?? null,
    credential: credentialName(exchange),
    requestBody: request.body,
    status: lost ? 0 : reply.status,
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : null,
    basis,
    assumed,
    refusal: refusal && explain(refusal, exchange),
    fault: strike === undefined ? null : struckBy(strike, cut, served),
    passedOver: (call?.passedOver ?? []).map(shorten),
    page: cut === undefined ? pageOf(operation, reply) : null,
    contractFailures,
  });
  world.coverage.add(entry, world.assumptions, match.kind === 'operation' ? match.params : {});
  const fault = strike && transportFault(strike, cut, world);
  return { status: reply.status, headers, body: sent, fault };
}

function bodyOf({ options }: Exchange, { body, stream }: Reply): ExchangeResponse['body'] {
  if (stream !== undefined) return stream;
  return body === undefined ? null : JSON.stringify(withAlias(body, options.unitCountAlias));
}

function headersOf(
  { surface }: Exchange,
  { body, stream, headers: own }: Reply,
  now: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (stream === undefined && body !== undefined) headers['Content-Type'] = mediaTypeOf(surface);
  Object.assign(headers, own);
  headers.Date = httpDate(now);
  return headers;
}

/** The silences that an answer rests on, and its grade; null where it is no whole answer of the service. */
function gradeOf(
  { basis, world }: Exchange,
  { origin }: Decision,
  { status }: Reply,
  cut: Strike['cut'],
): { readonly basis: string | null; readonly assumed: readonly string[] } {
  const service = origin === 'service';
  if (cut !== undefined || !(service || origin === 'simulated'))
    return { basis: null, assumed: [] };
  const asked = basis.assumed();
  const assumed = service ? withoutIdle(asked, status, world) : asked;
  const grade = assumed.length === 0 ? 'documented' : `assumed; ${assumed.join(', ')}`;
  return { basis: grade, assumed };
}

/**
 * Leaves out a silence whose other choices would all have refused with the status that was answered
 * anyway (a slash at the end of a path that is 404 without it as well).
 */
function withoutIdle(assumed: readonly string[], status: number, world: World): readonly string[] {
  if (status < 400 || assumed.length === 0) return assumed;
  return assumed.filter((statement) => {
    const table = contract.statuses[statement];
    if (table === undefined) return true;
    const chosen = world.assumptions.choice(statement);
    return Object.entries(table).some(([choice, other]) => choice !== chosen && other !== status);
  });
}

/** A body that is not there cannot be cut: then the connection is. */
function cutOf(strike: Strike | undefined, body: ExchangeResponse['body']): Strike['cut'] {
  return strike?.cut === 'mid-body' && body === null ? 'reset' : strike?.cut;
}

/** What the mock's check of its own answer finds. */
function failuresOf(operation: Operation, { status, headers, body, stream }: Reply): string[] {
  const declared = operation.responseFor(status);
  if (declared === undefined) return [`the contract declares no ${status} for ${operation.id}`];
  const failures: string[] = [];
  for (const { name, required, schema } of declared.headers) {
    const value = headers?.[name];
    const unfit =
      value === undefined
        ? required
        : typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(value);
    if (unfit) failures.push(`${name}: ${value ?? 'missing'}`);
  }
  if (stream === undefined && body !== undefined) {
    for (const { pointer, message } of declared.validate(body)) {
      failures.push(`${pointer || 'the body'} ${message}`);
    }
  }
  return failures;
}

function ownDefect(operation: Operation | undefined, failures: readonly string[]): Reply {
  const found = failures.join('; ');
  const error = `Lockstep answered ${operation?.id} against its own contract: ${found}`;
  return { status: 500, body: { error } };
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

function struckBy({ fault }: Strike, cut: Strike['cut'], served: number | null): StruckBy {
  const { id, phase, delayMs } = fault;
  return { id, phase, served, cut, delayMs };
}

function transportFault({ fault }: Strike, cut: Strike['cut'], world: World): TransportFault {
  const { id, delayMs } = fault;
  const lost =
    cut === 'mid-body' || cut === undefined ? { cut } : ({ cut: 'socket', kind: cut } as const);
  return { ...lost, delayMs, hold: (end) => world.faults.hold(id, end) };
}
