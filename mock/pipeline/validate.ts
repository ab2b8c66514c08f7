/**
 * Whether a request fits its operation: path and query parameters, then the body, then what the
 * description does not know. Fills the call with what was read; changes nothing else.
 */
import { insteadOf } from '../../spec/base/similar.ts';
import { named, type Parameter, type Schema } from '../../spec/contract.ts';
import type { Problem } from '../world/explanation.ts';
import type { AnyBinding } from './binding.ts';
import { unknownFields } from './body-problems.ts';
import type { Call } from './call.ts';
import type { ExchangeRequest, Refusal } from './exchange.ts';
import { decodeValue, readValue } from './parameters.ts';
import { refuseProblems, validateBody } from './validate-body.ts';

export function validate(
  call: Call,
  binding: AnyBinding,
  request: ExchangeRequest,
): Refusal | undefined {
  const unfit =
    validatePath(call) ?? validateQuery(call, binding) ?? validateBody(call, request, passOver);
  if (unfit !== undefined) return unfit;
  const refused = binding.validate?.(call);
  if (refused === undefined) return validateUnknown(call);
  passOver(call);
  return refused;
}

function validatePath(call: Call): Refusal | undefined {
  const [name] = call.badPath;
  if (name === undefined) return undefined;
  const value = (call.path as Record<string, unknown>)[name];
  const problem =
    value === undefined
      ? 'has a percent escape that is not UTF-8'
      : `must be an integer, not ${JSON.stringify(value)}`;
  return call.refuseAssumed(named.malformedPath, `${name} in the path ${problem}`, name);
}

function validateQuery(call: Call, binding: AnyBinding): Refusal | undefined {
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
    else if (binding.takesInvalid?.(call, name) !== true) {
      const refused = call.invalidParameter(name, problemOf({ name, schema }, text));
      if (refused === undefined) continue;
      passOver(call);
      return refused;
    }
  }
  return undefined;
}

function problemOf({ name, schema }: Pick<Parameter, 'name' | 'schema'>, text?: string): string {
  return text === undefined
    ? `${name} has a percent escape that is not UTF-8`
    : `${name} must be ${describe(schema)}, not ${JSON.stringify(text)}`;
}

function describe(schema: Schema): string {
  if (schema.type === 'integer') return 'an integer';
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  return 'text';
}

/** What the description does not know: asked last, so that it never hides another refusal. */
function validateUnknown(call: Call): Refusal | undefined {
  const parameters = unknownParameters(call);
  const [parameter] = parameters;
  if (parameter !== undefined && call.assume(named.unknownParameter) === 'refused') {
    return call.refuseAssumed(named.unknownParameter, parameter.message, parameter.at);
  }
  const fields = unknownBodyFields(call, call.input);
  if (fields.length > 0 && call.assume(named.unknownField) === 'refused') {
    return refuseProblems(call, named.unknownField, fields);
  }
  call.passedOver = [...parameters, ...fields].map(({ message }) => message);
  return undefined;
}

/** Names what is not known beside what a refusal is about: the slip may be the same. */
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

/** As many as a person reads. */
const MOST = 20;

function unknownBodyFields({ operation }: Call, value: unknown): Problem[] {
  const { body, lines } = operation;
  return body === null ? [] : [...unknownFields(body.schema, value, lines.body).take(MOST)];
}
