/**
 * Validates a request: path and query parameters, then the body, then the parts that the
 * description does not know. It puts the parsed values into the call, and changes nothing else.
 */

import { atPointer, DEEPEST, deeperThan, isObject } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import {
  contract,
  decidesStatus,
  type Failure,
  named,
  type Operation,
  type Schema,
  type StatusStatement,
} from '../../spec/contract.ts';
import type { Problem } from '../world/explanation.ts';
import { bodyProblems, unknownFields } from './body-problems.ts';
import type { Call } from './call.ts';
import type { ExchangeRequest, Refusal } from './exchange.ts';
import type { AnyHandler } from './handler.ts';
import { CURSOR } from './paging.ts';
import { decodeValue, readValue } from './request-line.ts';

export function validate(
  call: Call,
  handler: AnyHandler,
  request: ExchangeRequest,
): Refusal | undefined {
  const unfit = validatePath(call) ?? validateQuery(call, handler) ?? validateBody(call, request);
  if (unfit !== undefined) return unfit;
  const refused = handler.validate?.(call);
  if (refused === undefined) return validateUnknown(call, handler);
  passOver(call);
  return refused;
}

function validatePath(call: Call): Refusal | undefined {
  const [bad] = call.badPath;
  if (bad !== undefined) {
    const problem = problemOf({ type: 'integer' }, (call.path as Record<string, unknown>)[bad]);
    return call.refuseAssumed(named.malformedPath, `${bad} in the path ${problem}`, bad);
  }
  const { deployment } = call.operation.requires;
  if (deployment === undefined) return undefined;
  return call.refuseText(deployment, 'every-number', 'not-found');
}

function validateQuery(call: Call, handler: AnyHandler): Refusal | undefined {
  const target = call.query as Record<string, unknown>;
  for (const { in: place, name, schema } of call.operation.parameters) {
    const values = place === 'query' ? call.sentQuery.get(name) : undefined;
    if (values === undefined) continue;
    let raw = values[0] ?? '';
    if (new Set(values).size > 1) {
      const choice = call.assume(named.repeatedParameter);
      if (choice === 'refused') {
        const message = `${name} is given more than once, as ${values.join(' and ')}`;
        return call.refuseAssumed(named.repeatedParameter, message, name);
      }
      if (choice === 'last') raw = values.at(-1) ?? '';
    }
    const text = decodeValue(raw);
    const value = text === undefined ? undefined : readValue(schema, text);
    if (value !== undefined) target[name] = value;
    else if (handler.takesInvalid?.(call, name) !== true) {
      const refused = call.invalidParameter(name, `${name} ${problemOf(schema, text)}`);
      if (refused === undefined) continue;
      passOver(call);
      return refused;
    }
  }
  return undefined;
}

/** Describes why a text is not a value of a schema. An undefined text could not be decoded. */
function problemOf({ type, enum: words }: Schema, text: unknown): string {
  if (text === undefined) return 'has a percent escape that is not UTF-8';
  const list = Array.isArray(words) ? `one of ${words.join(', ')}` : 'text';
  const most = Number.MAX_SAFE_INTEGER;
  const integer = /^-?\d+$/.test(String(text))
    ? `an integer from -${most} to ${most}`
    : 'an integer';
  return `must be ${type === 'integer' ? integer : list}, not ${JSON.stringify(text)}`;
}

/** Refuses unknown parts of a request. This check is last, so that it never hides another refusal. */
function validateUnknown(call: Call, handler: AnyHandler): Refusal | undefined {
  const parameters = unknownParameters(call);
  const cursor = CURSOR.find((name) => call.sentQuery.has(name));
  if (cursor !== undefined && call.basis.isAbout(named.cursor)) {
    const message = `This list is not read by cursor, so it takes no ${cursor}`;
    if (call.assume(named.cursor) === 'refused')
      return call.refuseAssumed(named.cursor, message, cursor);
  }
  const parameter = parameters.find(isRefusable);
  if (parameter !== undefined && call.assume(named.unknownParameter) === 'refused') {
    return call.refuseAssumed(named.unknownParameter, parameter.message, parameter.at);
  }
  const fields = unknownBodyFields(call, call.input).filter(({ at }) => {
    const value = atPointer(call.input, at);
    return handler.alsoTakes?.(call.basis, at.slice(1), value) !== true;
  });
  const refusable = fields.filter(isRefusable);
  if (refusable.length > 0 && call.assume(named.unknownField) === 'refused') {
    return refuseProblems(call, named.unknownField, refusable);
  }
  call.passedOver = [...parameters, ...fields].map(({ message }) => message);
  return undefined;
}

/** Parts that known clients send are ignored under every choice. */
function isRefusable({ at }: Problem): boolean {
  return !contract.clientsSend.includes(at.slice(at.lastIndexOf('/') + 1));
}

/** Names the unknown parts in addition to the refusal, because both may have the same cause. */
function passOver(call: Call, body: unknown = call.input): void {
  const unknown = [...unknownParameters(call), ...unknownBodyFields(call, body)];
  call.passedOver = unknown.map(({ message }) => message);
}

function unknownParameters({ operation, sentQuery, alsoReads }: Call): Problem[] {
  if (sentQuery.size === 0) return [];
  const known = operation.parameters.flatMap((item) => (item.in === 'query' ? [item.name] : []));
  return [...sentQuery.keys()].flatMap((name) => {
    if (alsoReads.includes(name) || known.includes(name)) return [];
    const message = `The query parameter ${name} is not known${insteadOf(name, known)}`;
    return [{ at: name, message }];
  });
}

function unknownBodyFields({ operation }: Call, value: unknown): Problem[] {
  const { body, lines } = operation;
  return body === null ? [] : unknownFields(body.schema, value, lines.body);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** Whether a Content-Type says that a body is JSON. */
export function isJsonType(mediaType = ''): boolean {
  return JSON_TYPE.test(mediaType);
}

function validateBody(call: Call, request: ExchangeRequest): Refusal | undefined {
  const { body } = call.operation;
  if (body === null) return undefined;
  // A body that is much too large was not read.
  const isAccepted = request.body !== undefined ? 'larger' : undefined;
  if (request.tooLarge === true && call.assume(named.bodyTooLarge) !== isAccepted) {
    return call.refuseAssumed(named.bodyTooLarge, 'The body is larger than this mock takes');
  }
  if (request.body === undefined || request.body.length === 0) return validateEmpty(call, body);
  const mediaType = request.headers['content-type'] ?? '';
  if (!isJsonType(mediaType) && call.assume(named.bodyMediaType) === 'unsupported') {
    const sent = mediaType === '' ? 'it has no Content-Type' : `its Content-Type is ${mediaType}`;
    const message = `The body must be sent as application/json; ${sent}`;
    return call.refuseAssumed(named.bodyMediaType, message);
  }
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = `The body has the Content-Encoding ${coding}, which is not supported; send it without one`;
    return call.invalidBody(message);
  }
  const parsed = parseBody(request.body);
  if ('problem' in parsed) return call.invalidBody(parsed.problem);
  let { value } = parsed;
  const large = largeInteger(parsed.text);
  if (large !== undefined && call.assume(named.largeInteger) === 'refused') {
    const message = `The body has the integer ${large}, which a number of 64 bits cannot hold exactly`;
    return call.invalidBody(message, '', named.largeInteger);
  }
  let failures = withoutLooseValues(call, value, body.validate(value));
  if (failures.length > 0 && acceptNumbers(call, value, failures)) {
    failures = withoutLooseValues(call, value, body.validate(value));
  }
  if (failures.length > 0) {
    const rest = withoutNulls(value, failures);
    const left = withoutLooseValues(call, rest, body.validate(rest));
    if (left.length > 0 || call.assume(named.nullField) !== 'not-sent') {
      passOver(call, value);
      return refuseBody(call, failures, value);
    }
    value = rest;
  }
  call.input = value as never;
  return undefined;
}

function validateEmpty(call: Call, body: NonNullable<Operation['body']>): Refusal | undefined {
  const fields = Object.keys((body.schema.properties ?? {}) as object).join(', ');
  const missing = `The body is empty; ${call.operation.id} takes a JSON object with ${fields}`;
  if (body.required) return call.invalidBody(missing);
  if (call.assume(named.emptyBody) === 'refused') {
    return call.invalidBody(missing, '', named.emptyBody);
  }
  call.input = {} as never;
  return undefined;
}

/** The JSON of a body and its text, or the problem that keeps it from being read. */
export function parseBody(
  bytes: Uint8Array,
): { readonly value: unknown; readonly text: string } | { readonly problem: string } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problem: 'The body is not valid UTF-8' };
  }
  if (deeperThan(text, DEEPEST)) {
    return { problem: `The body is nested more than ${DEEPEST} levels deep` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `The body is not JSON: ${(error as Error).message}` };
  }
  // An escape can hide the name, so a text with escapes is checked as well.
  if ((text.includes('__proto__') || text.includes('\\u')) && hasProtoKey(value)) {
    return { problem: 'The body has a field named __proto__, which is not accepted' };
  }
  // A number that is too large for 64 bits is parsed as infinite, which JSON cannot represent.
  if (/\d[eE]|\d{309}/.test(text) && !isFinitely(value)) {
    return { problem: 'The body has a number that is too large for a number of 64 bits' };
  }
  return { value, text };
}

function isFinitely(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.values(value).every(isFinitely);
}

/** Finds an integer that would be rounded; integers inside strings do not count. */
function largeInteger(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const integers = plain.match(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) ?? [];
  return integers.find((digits) => !Number.isSafeInteger(Number(digits)));
}

function hasProtoKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}

/** Converts numbers to strings if the silence permits it; true if it changed anything. */
function acceptNumbers(call: Call, body: unknown, failures: readonly Failure[]): boolean {
  let changed = false;
  for (const { params, pointer, statements } of failures) {
    if (params.type !== 'string' || !statements.includes(named.numberForString)) continue;
    const end = pointer.lastIndexOf('/');
    const parent = atPointer(body, pointer.slice(0, end)) as Record<string, unknown> | undefined;
    const last = pointer.slice(end + 1);
    if (parent === undefined || typeof parent[last] !== 'number') continue;
    if (call.assume(named.numberForString) === 'refused') return false;
    parent[last] = String(parent[last]);
    changed = true;
  }
  return changed;
}

/** The failures, without those of numbers and lists that a silence permits. */
function withoutLooseValues(call: Call, body: unknown, failures: readonly Failure[]) {
  return failures.filter(({ pointer, statements }) => {
    if (!statements.includes(named.attributeValue)) return true;
    const value = atPointer(body, pointer);
    const isLoose = typeof value === 'number' || Array.isArray(value);
    return !isLoose || call.assume(named.attributeValue) !== 'accepted';
  });
}

/** The body without the fields that must not be null and are. */
function withoutNulls(body: unknown, failures: readonly Failure[]): unknown {
  const rest = structuredClone(body);
  for (const { pointer } of failures) {
    const end = pointer.lastIndexOf('/');
    const parent = atPointer(rest, pointer.slice(0, Math.max(end, 0)));
    if (atPointer(rest, pointer) === null && isObject(parent)) {
      Reflect.deleteProperty(parent, pointer.slice(end + 1));
    }
  }
  return rest;
}

function refuseBody(call: Call, failures: readonly Failure[], body: unknown): Refusal {
  const problems = bodyProblems(failures, body, call.operation.lines.body);
  // anyOf reports its branches before itself; only its summary counts.
  const failure = failures.find((item) => item.keyword === 'anyOf') ?? failures[0];
  if (failure === undefined) return call.invalidBody('The body does not fit the operation');
  return { ...refuseProblems(call, statementOf(failure), problems), at: failure.pointer };
}

/** How many problems a message names. */
const NAMED = 3;

function refuseProblems(
  call: Call,
  statement: StatusStatement,
  problems: readonly Problem[],
): Refusal {
  const messages = problems.slice(0, NAMED).map(({ message }) => message);
  const more = problems.length > NAMED ? [`and ${problems.length - NAMED} more`] : [];
  const message = [...messages, ...more].join('; ');
  return { ...call.refuseAssumed(statement, message, problems[0]?.at), problems };
}

/** A limit in the contract may name its own silence, which decides the status. */
function statementOf({ keyword, statements }: Failure): StatusStatement {
  if (!['minItems', 'maxItems', 'required'].includes(keyword)) return named.invalidBody;
  const shared: readonly string[] = Object.values(named);
  const isOwn = (id: string): id is StatusStatement => decidesStatus(id) && !shared.includes(id);
  return statements.find(isOwn) ?? named.invalidBody;
}
