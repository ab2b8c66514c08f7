/** Whether the body of a request fits its operation. Reads it into the call. */
import { atPointer } from '../../spec/base/json.ts';
import {
  decidesStatus,
  type Failure,
  named,
  type Operation,
  type StatusStatement,
} from '../../spec/contract.ts';
import type { Problem } from '../world/explanation.ts';
import { DEEPEST, deeperThan } from '../world/nesting.ts';
import { bodyProblems } from './body-problems.ts';
import type { Call } from './call.ts';
import type { ExchangeRequest, Refusal } from './exchange.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** `passOver` is told of a body that does not fit, to name what of it is not known. */
export function validateBody(
  call: Call,
  request: ExchangeRequest,
  passOver: (call: Call, body: unknown) => void,
): Refusal | undefined {
  const { body } = call.operation;
  if (body === null) return undefined;
  if (request.tooLarge === true) {
    return call.refuseAssumed(named.bodyTooLarge, 'The body is larger than this mock takes');
  }
  if (request.body === undefined || request.body.length === 0) return validateEmpty(call, body);
  const mediaType = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(mediaType) && call.assume(named.bodyMediaType) === 'unsupported') {
    const sent = mediaType === '' ? 'it has no Content-Type' : `its Content-Type is ${mediaType}`;
    const message = `The body must be sent as application/json; ${sent}`;
    return call.refuseAssumed(named.bodyMediaType, message);
  }
  const parsed = parseBody(request.body);
  if ('problem' in parsed) return call.invalidBody(parsed.problem);
  let failures = body.validate(parsed.value);
  if (failures.length > 0 && acceptNumbers(call, parsed.value, failures)) {
    failures = body.validate(parsed.value);
  }
  if (failures.length > 0) {
    passOver(call, parsed.value);
    return refuseBody(call, failures, parsed.value);
  }
  call.input = parsed.value as never;
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

/** The JSON of a body, or what keeps it from being read. */
export function parseBody(
  bytes: Uint8Array,
): { readonly value: unknown } | { readonly problem: string } {
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

/** Takes numbers for strings where the silence says so; true where it changed anything. */
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

function refuseBody(call: Call, failures: readonly Failure[], body: unknown): Refusal {
  const problems = bodyProblems(failures, body, call.operation.lines.body);
  // anyOf reports its branches before itself; the summary is what decides.
  const failure = failures.find((item) => item.keyword === 'anyOf') ?? failures[0];
  if (failure === undefined) return call.invalidBody('The body does not fit the operation');
  return { ...refuseProblems(call, statementOf(failure), problems), at: failure.pointer };
}

/** How many problems a message names. */
const NAMED = 3;

export function refuseProblems(
  call: Call,
  statement: StatusStatement,
  problems: readonly Problem[],
): Refusal {
  const messages = problems.slice(0, NAMED).map(({ message }) => message);
  const more = problems.length > NAMED ? [`and ${problems.length - NAMED} more`] : [];
  const message = [...messages, ...more].join('; ');
  return { ...call.refuseAssumed(statement, message, problems[0]?.at), problems };
}

/** A bound of the contract may have a silence of its own for the status. */
function statementOf({ keyword, statements }: Failure): StatusStatement {
  if (!['minItems', 'maxItems', 'required'].includes(keyword)) return named.invalidBody;
  const shared: readonly string[] = Object.values(named);
  const isOwn = (id: string): id is StatusStatement => decidesStatus(id) && !shared.includes(id);
  return statements.find(isOwn) ?? named.invalidBody;
}
