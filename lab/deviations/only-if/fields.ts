/** The fields that an operation accepts, and the values that a call sends in them. */
import { isObject } from '../../../spec/base/json.ts';
import type { Operation, Schema } from '../../../spec/contract.ts';
import { objectsOf } from '../places.ts';
import type { Call } from '../wire.ts';

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** The list in the body whose items have this field. */
  readonly list?: string;
}

const propertiesOf = (schema: Schema | undefined, more: { list?: string } = {}): Field[] => {
  const required = (schema?.required ?? []) as readonly string[];
  return Object.entries((schema?.properties ?? {}) as Record<string, Schema>).map(
    ([name, property]) => ({ ...more, name, schema: property, required: required.includes(name) }),
  );
};

/** Parameters of the query, fields of the body, and fields of the items of its lists. */
export function fieldsOf({ parameters, body }: Operation): readonly Field[] {
  const query = parameters.filter(({ in: place }) => place === 'query');
  const own = propertiesOf(body?.schema);
  const inLists = own.flatMap(({ name, schema }) =>
    propertiesOf(schema.items as Schema | undefined, { list: name }),
  );
  return [...query, ...own, ...inLists];
}

/** The values that a call sends in a field: none, one, or one for each item. */
export function sentIn({ query, body }: Call, { name, list }: Field): readonly unknown[] {
  const sent = { ...query, ...body };
  const holders = list === undefined ? [sent] : objectsOf(sent[list]);
  return holders.map((holder) => holder[name]).filter((value) => value !== undefined);
}

/** A value, and all values inside it. */
export function* within(value: unknown): Generator<unknown> {
  yield value;
  const inner = Array.isArray(value) ? value : Object.values(isObject(value) ? value : {});
  for (const one of inner) yield* within(one);
}

/** The JSON type of a value, as a schema names it; an integer is a `number`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The types that a field may have; empty if its schema does not limit them. */
export function typesOf({ type, oneOf = [] }: Schema): readonly string[] {
  const own = (Array.isArray(type) ? type : [type ?? []].flat()) as readonly string[];
  const named = [...own, ...(oneOf as readonly Schema[]).flatMap(typesOf)];
  return named.map((name) => (name === 'integer' ? 'number' : name));
}

/** Whether a field accepts any text. */
export const isFreeText = ({ schema }: Field): boolean =>
  typesOf(schema).includes('string') &&
  (schema.enum ?? schema.format ?? schema.pattern) === undefined;

/** Whether a field accepts any object. */
export const isFreeObject = ({ schema }: Field): boolean =>
  schema.type === 'object' && schema.properties === undefined;
