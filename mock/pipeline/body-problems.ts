/** Describes the parts of a body that do not fit its schema, so that a person can repair them. */

import { atPointer, isObject, pointerKeys, pointerToken } from '../../spec/base/json.ts';
import { insteadOf, meant, unlikeness } from '../../spec/base/similar.ts';
import type { Failure, Operation, Schema } from '../../spec/contract.ts';
import type { Problem } from '../world/explanation.ts';

/** Lines of the contract by pointer into the body's schema. */
type Lines = Operation['lines']['body'];

/** The most problems in a message. */
const MOST = 20;

/** One problem for each failure. If a value fits none of several forms, the nearest form is described. */
export function bodyProblems(failures: readonly Failure[], body: unknown, lines: Lines): Problem[] {
  const choices = failures.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const within = (failure: Failure, choice: Failure) =>
    failure.schemaPointer.startsWith(`${choice.schemaPointer}/`);
  return failures
    .filter((failure) => !choices.some((choice) => within(failure, choice)))
    .slice(0, MOST)
    .map((failure) => {
      const inner = failures.filter((other) => within(other, failure));
      const problem = choices.includes(failure)
        ? describeChoice(failure, inner, body)
        : describe(failure, body);
      const line = lines[failure.schemaPointer];
      const message = `${place(failure.pointer)} ${problem}`;
      return { at: failure.pointer, message, line };
    });
}

/** `/recipients/0/email` as `recipients[0].email`. */
export function place(pointer: string): string {
  if (pointer === '') return 'The body';
  return pointerKeys(pointer)
    .map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token}`))
    .join('')
    .replace(/^\./, '');
}

function describe(failure: Failure, body: unknown): string {
  const { keyword, params, pointer, message } = failure;
  const value = atPointer(body, pointer);
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}, not ${show(value)}`;
    case 'required': {
      const missing = String(params.missingProperty);
      return `must have ${missing}${slip(missing, value)}`;
    }
    case 'minItems':
    case 'maxItems': {
      const bound = keyword === 'minItems' ? 'at least' : 'at most';
      const items = params.limit === 1 ? 'item' : 'items';
      return `must have ${bound} ${params.limit} ${items}, not ${(value as unknown[]).length}`;
    }
    default:
      return `${message}, unlike ${show(value)}`;
  }
}

/** Describes why a value fits none of several forms, the nearest form first. */
function describeChoice(choice: Failure, inner: readonly Failure[], body: unknown): string {
  if (inner.length === 0) return 'fits more than one of the forms that it may have';
  const branches = Map.groupBy(
    inner,
    ({ schemaPointer }) => schemaPointer.slice(choice.schemaPointer.length + 1).split('/')[0],
  );
  const ordered = [...branches.values()].sort((a, b) => remoteness(a, body) - remoteness(b, body));
  const [nearest = []] = ordered;
  const reasons = nearest.map((failure) => {
    const where = failure.pointer === choice.pointer ? 'it' : place(failure.pointer);
    return `${where} ${describe(failure, body)}`;
  });
  const missing = ordered.map(([first, ...more]) =>
    more.length === 0 && first?.keyword === 'required' ? first.params.missingProperty : undefined,
  );
  if (!missing.includes(undefined)) {
    const first = String(missing[0]);
    return `must have ${missing.join(' or ')}${slip(first, atPointer(body, choice.pointer))}`;
  }
  return `fits none of ${branches.size} forms; for the nearest, ${reasons.join(', and ')}`;
}

/**
 * The distance of a value from a form: each failure counts 1. A missing property counts less if
 * another property has a similar name.
 */
function remoteness(failures: readonly Failure[], body: unknown): number {
  return failures.reduce((sum, { keyword, params, pointer }) => {
    if (keyword !== 'required') return sum + 1;
    const likeness = keysOf(atPointer(body, pointer)).map((key) =>
      unlikeness(key, String(params.missingProperty)),
    );
    return sum + Math.min(1, ...likeness);
  }, 0);
}

/** `; it has branch_name`: the property of the body that is probably the missing one under another name. */
function slip(missing: string, value: unknown): string {
  const like = keysOf(value).find((key) => meant(key, [missing]) !== undefined);
  return like === undefined ? '' : `; it has ${like}`;
}

/** The properties of a body that its schema does not know. A free-form object knows all. */
export function unknownFields(schema: Schema, value: unknown, lines: Lines): Problem[] {
  return knowsAll(schema, value) ? [] : [...unknownBelow(schema, value, lines).take(MOST)];
}

function knowsAll(schema: Schema, value: unknown): boolean {
  if (Array.isArray(value)) {
    const items = schema.items as Schema | undefined;
    return items === undefined || value.every((item) => knowsAll(items, item));
  }
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined;
  if (properties === undefined || !isObject(value)) return true;
  return Object.keys(value).every(
    (key) => Object.hasOwn(properties, key) && knowsAll(properties[key] ?? {}, value[key]),
  );
}

function* unknownBelow(
  schema: Schema,
  value: unknown,
  lines: Lines,
  pointer = '',
  schemaPointer = '',
): Generator<Problem, void> {
  if (Array.isArray(value)) {
    const items = schema.items as Schema | undefined;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      yield* unknownBelow(items, item, lines, `${pointer}/${index}`, `${schemaPointer}/items`);
    }
    return;
  }
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined;
  if (properties === undefined || !isObject(value)) return;
  const line = lines[`${schemaPointer}/properties`];
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}${pointerToken(key)}`;
    if (Object.hasOwn(properties, key)) {
      const below = `${schemaPointer}/properties/${key}`;
      yield* unknownBelow(properties[key] ?? {}, item, lines, at, below);
    } else {
      const instead = insteadOf(key, Object.keys(properties));
      const message = `The field ${place(at)} is not known${instead}`;
      yield { at, message, line };
    }
  }
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function withArticle(type: unknown): string {
  return /^[aeio]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}

const SHOWN = 40;

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  // A long text is left out completely, because a part of a secret is not recognised as a secret
  // later.
  return text.length > SHOWN ? `a ${typeof value} of ${text.length} characters` : text;
}
