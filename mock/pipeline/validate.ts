/**
 * Whether a request fits its operation: path and query parameters, then the body, then what the
 * description does not know. Fills the call with what was read; changes nothing else.
 */

import { insteadOf } from '../../spec/base/similar.ts';
import {
  decidesStatus,
  type Failure,
  type Parameter,
  type Schema,
  type StatusStatement,
} from '../../spec/contract.ts';
import type { Problem } from '../world/explanation.ts';
import { DEEPEST, deeperThan } from '../world/nesting.ts';
import type { Call } from './call.ts';
import type { ExchangeRequest, Refusal } from './exchange.ts';
import { misfits, unknownFields } from './misfits.ts';

const INTEGER = /^(0|-?[1-9]\d*)$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the path's parameters; a name stands in `bad` where its text is not of its type. */
export function readPath(
  parameters: readonly Parameter[],
  raw: Readonly<Record<string, string>>,
): { readonly path: Record<string, string | number>; readonly bad: readonly string[] } {
  const path: Record<string, string | number> = {};
  const bad: string[] = [];
  for (const parameter of parameters) {
    if (parameter.in !== 'path') continue;
    const text = decode(raw[parameter.name] ?? '');
    if (text === undefined) bad.push(parameter.name);
    else if (parameter.schema.type === 'integer') {
      if (INTEGER.test(text)) path[parameter.name] = Number(text);
      else {
        // Kept as text, so that a key's scope can still be compared with it.
        path[parameter.name] = text;
        bad.push(parameter.name);
      }
    } else path[parameter.name] = text;
  }
  return { path, bad };
}

/** Query and body against the contract. `bad` names path parameters that are not of their type. */
export function validate(
  call: Call,
  request: ExchangeRequest,
  bad: readonly string[],
): Refusal | undefined {
  const [badName] = bad;
  if (badName !== undefined) {
    return call.refuseAssumed(
      'ERR-11',
      `${badName} in the path ${tellBad(call, badName)}`,
      badName,
    );
  }
  return (
    (call.rawQuery === '' ? undefined : validateQuery(call, readQuery(call.rawQuery))) ??
    (call.operation.body === null ? undefined : validateBody(call, request))
  );
}

/** What the description does not know: asked last, so that it never hides another refusal. */
export function validateUnknown(call: Call): Refusal | undefined {
  const parameters = unknownParameters(call);
  const [parameter] = parameters;
  if (parameter !== undefined && call.assume('REQ-2') === 'refused') {
    return call.refuseAssumed('REQ-2', parameter.message, parameter.at);
  }
  const fields = unknownBodyFields(call, call.input);
  if (fields.length > 0 && call.assume('REQ-3') === 'refused') {
    return refuseProblems(call, 'REQ-3', fields);
  }
  call.passedOver = [...parameters, ...fields].map(({ message }) => message);
  return undefined;
}

/** Names what is not known beside what a refusal is about: the slip may be the same. */
export function passOver(call: Call, body: unknown = call.input): void {
  const unknown = [...unknownParameters(call), ...unknownBodyFields(call, body)];
  call.passedOver = unknown.map(({ message }) => message);
}

function unknownParameters(call: Call): Problem[] {
  const { operation } = call;
  if (call.rawQuery === '') return [];
  const known = operation.parameters.flatMap((item) => (item.in === 'query' ? [item.name] : []));
  return [...readQuery(call.rawQuery).keys()].flatMap((name) => {
    const own = isPagingOfVersions(call, name) || isFilter(call, name);
    if (own || known.includes(name)) return [];
    const message = `The query parameter ${name} is not known${insteadOf(name, known)}`;
    return [{ at: name, message }];
  });
}

/** As many as a person reads. */
const MOST = 20;

function unknownBodyFields({ operation }: Call, value: unknown): Problem[] {
  const { body, lines } = operation;
  if (body === null) return [];
  const fields: Problem[] = [];
  for (const field of unknownFields(body.schema, value, lines.body)) {
    if (fields.push(field) === MOST) break;
  }
  return fields;
}

/** What a SCIM filter does is a silence of its own (SCIM-15). */
function isFilter(call: Call, name: string): boolean {
  return call.operation.id === 'listScimUsers' && name === 'filter';
}

/** Where VER-10 makes them so, offset and limit are parameters of the versions list. */
function isPagingOfVersions(call: Call, name: string): boolean {
  const paging = call.operation.id === 'listVersions' && (name === 'offset' || name === 'limit');
  return paging && call.peek('VER-10') === 'honoured';
}

/** A query parameter whose value the operation does not take; undefined where it is passed over. */
export function invalidParameter(call: Call, name: string, message: string): Refusal | undefined {
  const choice = call.assume('ERR-5');
  if (choice !== 'default') return call.refuseAssumed('ERR-5', message, name);
  delete (call.query as Record<string, unknown>)[name];
  return undefined;
}

/**
 * A body that the operation does not take: ERR-6 decides the status. Where another silence decides
 * that it is refused at all, the refusal names that one.
 */
export function invalidBody(call: Call, message: string, at?: string, silence?: string): Refusal {
  const refused = call.refuseAssumed('ERR-6', message, at);
  return silence === undefined ? refused : { ...refused, statement: silence };
}

/** All values of each parameter, undecoded values, names decoded where that works. */
export function readQuery(raw: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals < 0 ? part : part.slice(0, equals);
    const name = decode(rawName.replaceAll('+', ' ')) ?? rawName;
    const values = query.get(name);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

function validateQuery(
  call: Call,
  query: ReadonlyMap<string, readonly string[]>,
): Refusal | undefined {
  const target = call.query as Record<string, unknown>;
  for (const parameter of call.operation.parameters) {
    if (parameter.in !== 'query') continue;
    const values = query.get(parameter.name);
    if (values === undefined) continue;
    let raw = values[0] ?? '';
    if (values.length > 1 && new Set(values).size > 1) {
      const choice = call.assume('REQ-6');
      if (choice === 'refused') {
        return call.refuseAssumed(
          'REQ-6',
          `${parameter.name} is given more than once, as ${values.join(' and ')}`,
          parameter.name,
        );
      }
      if (choice === 'last') raw = values.at(-1) ?? '';
    }
    const text = decode(raw.replaceAll('+', ' '));
    const value = text === undefined ? undefined : readValue(parameter.schema, text);
    if (value === undefined) {
      const message =
        text === undefined
          ? `${parameter.name} has a percent escape that is not UTF-8`
          : `${parameter.name} must be ${describe(parameter.schema)}, not ${JSON.stringify(text)}`;
      const refused = refuseParameter(call, parameter, message);
      if (refused !== undefined) {
        passOver(call);
        return refused;
      }
    } else target[parameter.name] = value;
  }
  return undefined;
}

/** A type outside the three may also be answered with an empty list (ENV-9). */
function refuseParameter(call: Call, parameter: Parameter, message: string): Refusal | undefined {
  if (parameter.statements.includes('ENV-9') && call.assume('ENV-9') === 'empty') {
    (call.query as Record<string, unknown>)[parameter.name] = NO_TYPE;
    return undefined;
  }
  return invalidParameter(call, parameter.name, message);
}

/** Stands for a type that no environment has. */
export const NO_TYPE = 'none';

function readValue(schema: Schema, text: string): string | number | undefined {
  if (schema.type === 'integer') {
    return INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(text)) return undefined;
  return text;
}

function describe(schema: Schema): string {
  if (schema.type === 'integer') return 'an integer';
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  return 'text';
}

function tellBad(call: Call, name: string): string {
  const value = (call.path as Record<string, unknown>)[name];
  return value === undefined
    ? 'has a percent escape that is not UTF-8'
    : `must be an integer, not ${JSON.stringify(value)}`;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function validateBody(call: Call, request: ExchangeRequest): Refusal | undefined {
  const { body } = call.operation;
  if (body === null) return undefined;
  if (request.tooLarge === true) {
    return call.refuseAssumed('ERR-8', 'The body is larger than this mock takes');
  }
  if (request.body === undefined || request.body.length === 0) {
    const fields = Object.keys((body.schema.properties ?? {}) as object).join(', ');
    const missing = `The body is empty; ${call.operation.id} takes a JSON object with ${fields}`;
    if (body.required) return invalidBody(call, missing);
    if (call.assume('REQ-4') === 'refused') return invalidBody(call, missing, '', 'REQ-4');
    call.input = {} as never;
    return undefined;
  }
  const mediaType = request.headers['content-type'] ?? '';
  if (
    !/^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType) &&
    call.assume('ERR-7') === 'unsupported'
  ) {
    const sent = mediaType === '' ? 'it has no Content-Type' : `its Content-Type is ${mediaType}`;
    return call.refuseAssumed('ERR-7', `The body must be sent as application/json; ${sent}`);
  }
  const parsed = parseBody(request.body);
  if ('problem' in parsed) return invalidBody(call, parsed.problem);
  let failures = body.validate(parsed.value);
  if (failures.length > 0 && acceptNumbers(call, parsed, failures)) {
    failures = body.validate(parsed.value);
  }
  if (failures.length > 0) {
    passOver(call, parsed.value);
    return refuseBody(call, failures, parsed.value);
  }
  call.input = parsed.value as never;
  return undefined;
}

function parseBody(bytes: Uint8Array): { value: unknown } | { readonly problem: string } {
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
  // Escapes can hide the name, so any backslash makes it worth a look.
  if ((text.includes('__proto__') || text.includes('\\u')) && hasProtoKey(value)) {
    return { problem: 'The body has a field named __proto__, which is not accepted' };
  }
  return { value };
}

function hasProtoKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}

/** Takes numbers for strings where REQ-5 says so; true where it changed anything. */
function acceptNumbers(
  call: Call,
  parsed: { value: unknown },
  failures: readonly Failure[],
): boolean {
  let changed = false;
  for (const failure of failures) {
    if (failure.params.type !== 'string' || !failure.statements.includes('REQ-5')) continue;
    const path = failure.pointer.split('/').slice(1);
    const last = path.pop();
    const parent = path.reduce<unknown>(
      (node, token) => (node as Record<string, unknown> | undefined)?.[token],
      parsed.value,
    ) as Record<string, unknown> | undefined;
    if (last === undefined || parent === undefined || typeof parent[last] !== 'number') continue;
    if (call.assume('REQ-5') === 'refused') return false;
    parent[last] = String(parent[last]);
    changed = true;
  }
  return changed;
}

function refuseBody(call: Call, failures: readonly Failure[], body: unknown): Refusal {
  const problems = misfits(failures, body, call.operation.lines.body);
  // anyOf reports its branches before itself; the summary is what decides.
  const failure = failures.find((item) => item.keyword === 'anyOf') ?? failures[0];
  if (failure === undefined) return invalidBody(call, 'The body does not fit the operation');
  return { ...refuseProblems(call, statusStatementOf(failure), problems), at: failure.pointer };
}

const TOLD = 3;

function refuseProblems(
  call: Call,
  statement: StatusStatement,
  problems: readonly Problem[],
): Refusal {
  const told = problems.slice(0, TOLD).map(({ message }) => message);
  const more = problems.length > TOLD ? [`and ${problems.length - TOLD} more`] : [];
  const message = [...told, ...more].join('; ');
  return { ...call.refuseAssumed(statement, message, problems[0]?.at), problems };
}

/** A bound of the contract may have a silence of its own for the status; all else is ERR-6. */
function statusStatementOf(failure: Failure): StatusStatement {
  if (!['minItems', 'maxItems', 'required'].includes(failure.keyword)) return 'ERR-6';
  const own = failure.statements.find(
    (id): id is StatusStatement => decidesStatus(id) && !id.startsWith('REQ-'),
  );
  return own ?? 'ERR-6';
}
