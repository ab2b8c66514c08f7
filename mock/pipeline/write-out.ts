/** The end of the pipeline: checks an answer against the contract, writes it out, journals it. */
import { pointerKeys } from '../../spec/base/json.ts';
import { contract, named, type Operation, type Response } from '../../spec/contract.ts';
import { changesSince } from '../world/changes.ts';
import { isMidBody, type Strike } from '../world/faults.ts';
import { heldText } from '../world/journal.ts';
import { type PageKind, pageKind, paginated } from '../world/paged-list.ts';
import type { Basis } from './basis.ts';
import { credentialName, type Decision, type Exchange, mediaTypeOf } from './decision.ts';
import type { ExchangeResponse, Reply } from './exchange.ts';
import { explain, shorten } from './explain.ts';
import { type KeptPage, keptPage } from './paging.ts';

/**
 * A JSON body becomes text; a failed check becomes a 500 that says so. `served` is the status that
 * the service had reached, if a fault strikes.
 */
export function writeOut(
  exchange: Exchange,
  decision: Decision,
  strike: Strike | undefined,
  served: number | null,
): ExchangeResponse {
  const { world, request, options, match } = exchange;
  const operation = match.kind === 'operation' ? match.operation : undefined;
  const isService = decision.origin === 'service' && operation !== undefined;
  const list = listIn(decision.reply, operation);
  const contractFailures = isService ? kept(failuresOf(operation, decision.reply, list)) : NONE;
  const failed = contractFailures.length > 0;
  const own = isService ? withFurtherContent(decision.reply, exchange.basis) : decision.reply;
  const reply = failed ? against(operation, contractFailures) : own;
  const now = world.clock.now();
  const body =
    reply.stream ??
    reply.text ??
    jsonText(
      reply.body,
      reply.body === decision.reply.body ? list : undefined,
      options.unitCountAlias,
    );
  const headers = headersOf(exchange, reply, now);
  const sent = request.method === 'HEAD' ? null : body;
  // The header is set here, because the journal shows it too.
  if (typeof sent === 'string') headers['Content-Length'] = String(Buffer.byteLength(sent));
  // If there is no body to cut, the connection is cut.
  const whole = strike?.cut === 'mid-body-stall' ? 'stall' : 'reset';
  const cut = isMidBody(strike?.cut) && sent === null ? whole : strike?.cut;
  const lost = reply.status === 0 || (cut !== undefined && !isMidBody(cut));
  const assumed = restsOn(exchange, decision, reply, cut);
  const grade = assumed?.length === 0 ? 'documented' : `assumed; ${assumed?.join(', ')}`;
  const basis = assumed === undefined ? null : grade;
  if (options.gradeHeaders !== false) {
    if (basis !== null) headers['Lockstep-Basis'] = basis;
    headers['Lockstep-World'] = world.id;
  }
  const { refusal, call } = decision;
  const struck = strike?.fault;
  const entry = world.journal.record({
    at: now,
    method: request.method,
    path: exchange.path,
    query: exchange.query,
    headers: request.headers,
    operation: operation?.id ?? null,
    credential: credentialName(exchange),
    requestBody: heldText(request.body),
    status: lost ? 0 : reply.status,
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : null,
    basis,
    assumed: kept(assumed ?? NONE),
    refusal: refusal && explain(refusal, exchange, call?.requested),
    fault: struck
      ? {
          ...{ id: struck.id, phase: struck.phase, served, cut },
          ...{ delayMs: struck.delayMs, dripMs: struck.dripMs },
        }
      : null,
    passedOver: kept((call?.passedOver ?? NONE).map(shorten)),
    page: cut === undefined ? pageOf(operation, reply) : null,
    contractFailures,
    changes: exchange.writes ? kept(changesSince(world.state)) : NONE,
  });
  world.count(entry, match.kind === 'operation' ? match.params : {});
  const fault = struck && {
    cut,
    delayMs: struck.delayMs,
    dripMs: struck.dripMs,
    hold: (end: () => void) => world.faults.hold(struck.id, end),
  };
  const isExplained = refusal !== null && options.gradeHeaders !== false;
  // This header is not journalled, because an entry does not need a link to itself.
  const told = isExplained
    ? { ...headers, 'Lockstep-Entry': `/__admin/worlds/${world.id}/requests/${entry.id}` }
    : headers;
  return { status: reply.status, headers: told, body: sent, fault };
}

const NONE: readonly never[] = [];

/** All empty lists in a journal are one object, to save memory. */
function kept<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NONE : list;
}

/** The answer in place of an answer that breaks the contract. */
function against(operation: Operation | undefined, failures: readonly string[]): Reply {
  const found = failures.join('; ');
  const error = `Lockstep answered ${operation?.id} against its own contract: ${found}`;
  return { status: 500, body: { error } };
}

function headersOf(
  { surface }: Exchange,
  { body, stream, headers: own }: Reply,
  now: number,
): Record<string, string> {
  const json = stream === undefined && body !== undefined;
  return {
    ...(json && { 'Content-Type': mediaTypeOf(surface) }),
    ...own,
    Date: httpDate(now),
  };
}

/** The silences that an answer rests on; undefined if it is not a whole answer of the service. */
function restsOn(
  { basis }: Exchange,
  { origin }: Decision,
  { status }: Reply,
  cut: Strike['cut'],
): readonly string[] | undefined {
  if (cut !== undefined) return undefined;
  if (origin === 'service') return withoutIdle(basis, status);
  return origin === 'simulated' ? basis.assumed() : undefined;
}

/**
 * Leaves out a silence if each other choice would have refused with the same status. An example is
 * a trailing slash on a path that gets 404 without the slash too.
 */
function withoutIdle(basis: Basis, status: number): readonly string[] {
  const assumed = basis.assumed();
  if (status < 400 || assumed.length === 0) return assumed;
  return assumed.filter((statement) => {
    const table = contract.statuses[statement];
    if (table === undefined) return true;
    const chosen = basis.choice(statement);
    return Object.entries(table).some(([choice, other]) => choice !== chosen && other !== status);
  });
}

/**
 * An answer with the headers and fields that no description shows, and that a profile names because its tenant
 * sends them; the same object if there are none.
 */
function withFurtherContent(reply: Reply, basis: Basis): Reply {
  const names = basis.details(named.furtherHeaders);
  const isFilled = reply.body !== undefined && reply.status < 300;
  const body = isFilled
    ? basis.shaped([named.furtherFields], reply.body, { keeps: true })
    : reply.body;
  if (names.length === 0 && body === reply.body) return reply;
  const headers = Object.fromEntries(names.map((name) => [name, 'invented']));
  return { ...reply, body, headers: { ...headers, ...reply.headers } };
}

/** The findings of the mock's check of its own answer. */
function failuresOf(
  operation: Operation,
  { status, headers, body, stream }: Reply,
  list: List | undefined,
): string[] {
  // A redirect is not an answer of the operation, so the contract says nothing about it.
  if (status >= 300 && status < 400) return [];
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
    for (const { pointer, message } of bodyFailures(declared, body, list)) {
      failures.push(`${pointer || 'the body'} ${message}`);
    }
  }
  return failures;
}

/** The place of the items of each paged list. */
const places = new Map(
  [...contract.operations.values()].flatMap(({ id, items }) =>
    items === undefined ? [] : [[id, pointerKeys(items.at)] as const],
  ),
);

/** A kept page, and its place in a body. */
interface List {
  readonly kept: KeptPage;
  readonly keys: readonly string[];
}

function listIn({ status, body }: Reply, operation: Operation | undefined): List | undefined {
  const keys = operation && status === 200 ? places.get(operation.id) : undefined;
  if (keys === undefined) return undefined;
  let items: unknown = body;
  for (const key of keys) items = (items as Record<string, unknown> | undefined)?.[key];
  const kept = keptPage(items);
  return kept && { keys, kept };
}

/** A kept page is checked once. After that only the rest of the body is checked. */
function bodyFailures({ validate }: Response, body: unknown, list: List | undefined) {
  if (list?.kept.fits !== validate) {
    const failures = validate(body);
    if (list !== undefined && failures.length === 0) list.kept.fits = validate;
    return failures;
  }
  return validate(without(body, list.keys));
}

/** A body whose list is empty. */
function without(body: unknown, [key, ...inner]: readonly string[]): unknown {
  if (key === undefined) return [];
  const outer = body as Record<string, unknown>;
  return { ...outer, [key]: without(outer[key], inner) };
}

/** The JSON of a body, its `unitCount` under the service's own name; null without a body. */
function jsonText(body: unknown, list: List | undefined, alias: string | undefined): string | null {
  if (body === undefined) return null;
  if (list !== undefined) return textAround(body, list);
  if (alias === undefined || body === null || typeof body !== 'object' || !('unitCount' in body)) {
    return JSON.stringify(body);
  }
  const { unitCount, ...rest } = body;
  return JSON.stringify({ ...rest, [alias]: unitCount });
}

/**
 * The JSON of a body around a kept page. The whole text is kept while the rest of the body stays
 * the same.
 */
function textAround(body: unknown, { kept, keys }: List): string {
  const [before, behind] = around(body, keys);
  if (kept.answer?.before !== before || kept.answer.behind !== behind) {
    kept.answer = { before, behind, text: `${before}${kept.text}${behind}` };
  }
  return kept.answer.text;
}

/** The JSON before and after the value at some keys. */
function around(body: unknown, [key, ...inner]: readonly string[]): readonly [string, string] {
  if (key === undefined) return ['', ''];
  let before = '{';
  let behind: string | undefined;
  for (const name in body as object) {
    const value = (body as Record<string, unknown>)[name];
    const [from, to] = name === key ? around(value, inner) : [JSON.stringify(value)];
    if (from === undefined) continue;
    const field = `${before === '{' ? '' : ','}${JSON.stringify(name)}:${from}`;
    if (behind === undefined) before += field;
    else behind += field;
    behind ??= to;
  }
  return [before, `${behind}}`];
}

let dateSecond = -1;
let dateText = '';
/** The Date header of a time, written once a second. */
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
