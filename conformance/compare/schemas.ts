/** A schema of their document against ours, guided by ours, which has no circles. */

import {
  atPointer,
  canonical,
  isObject,
  type JsonObject,
  pointerToken,
} from '../../spec/base/json.ts';
import type { OpenapiDocument } from '../../spec/openapi-document.ts';

export const driftKinds = ['contradicts', 'gone', 'not modelled', 'not compared'] as const;

export interface Drift {
  readonly kind: (typeof driftKinds)[number];
  readonly text: string;
  /** JSON pointer into their document. */
  readonly theirs: string;
  /** Line of `spec/openapi.yaml`. */
  readonly line: number;
}

/** A node of their document, its references followed, and where it stands. */
export interface Node {
  readonly value: JsonObject;
  readonly at: string;
}

export interface Comparison {
  readonly ours: OpenapiDocument;
  /** Their document. */
  readonly root: JsonObject;
  /** For people: `PUT /api/v1/...`. */
  readonly name: string;
  readonly tell: (kind: Drift['kind'], text: string, theirs: string, line: number) => void;
  /** What breaks who reads an answer is not what breaks who sends a request. */
  readonly direction: 'request' | 'answer';
}

/** Follows references within their document; undefined where one leads elsewhere, or in a circle. */
export function follow(
  { root }: Pick<Comparison, 'root'>,
  value: unknown,
  at: string,
): Node | undefined {
  let node = value;
  let place = at;
  for (let steps = 0; isObject(node) && steps < 20; steps += 1) {
    if (typeof node.$ref !== 'string') return { value: node, at: place };
    if (!node.$ref.startsWith('#/')) return undefined;
    place = decodeURIComponent(node.$ref.slice(1));
    node = atPointer(root, place);
  }
  return undefined;
}

/** Keywords that bound a value, or say how it is written. */
const bounds = (
  'format pattern default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'minLength maxLength minItems maxItems uniqueItems'
).split(' ');

export function compareSchemas(about: Comparison, ours: JsonObject, node: Node): void {
  const theirs = { ...node, value: merged(about, node) };
  const line = about.ours.line(ours);
  const tell: Tell = (kind, text, key = '') =>
    about.tell(kind, `${about.name} ${text}`, theirs.at + key, line);
  const union = ['oneOf', 'anyOf', 'not'].find((key) => key in theirs.value);
  if (union !== undefined) {
    const same = canonical(ours[union]) === canonical(theirs.value[union]);
    if (!same) tell('not compared', `has ${union}`);
    return;
  }
  const [mine, other] = [typesOf(ours), typesOf(theirs.value)];
  const more = other.some((type) => !covers(mine, type));
  // More than we say breaks who reads an answer; less breaks who sends a request.
  const fewer = about.direction === 'request' && mine.some((type) => !covers(other, type));
  if (mine.length > 0 && other.length > 0 && (more || fewer)) {
    tell('contradicts', `is ${other.join(' or ')}, and not ${mine.join(' or ')}`, '/type');
    return;
  }
  compareEnums(ours, theirs.value, tell);
  for (const key of bounds) {
    const [own, its] = [ours[key], theirs.value[key]];
    if (its === undefined || canonical(own) === canonical(its)) continue;
    const [was, is] = [own, its].map((value) => JSON.stringify(value));
    if (own === undefined) tell('not modelled', `${key} ${is}`, `/${key}`);
    else tell('contradicts', `has ${key} ${is}, and not ${was}`, `/${key}`);
  }
  compareFields(about, ours, theirs, tell);
  const items = follow(about, theirs.value.items, `${theirs.at}/items`);
  if (isObject(ours.items) && items !== undefined) {
    compareSchemas({ ...about, name: `${about.name}/*` }, ours.items, items);
  }
}

/** A whole number is a number. */
const covers = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

type Tell = (kind: Drift['kind'], text: string, key?: string) => void;

function compareEnums(ours: JsonObject, theirs: JsonObject, tell: Tell): void {
  const [own, its] = [ours, theirs].map(({ enum: list, const: only }) =>
    Array.isArray(list) ? list.map(canonical) : only === undefined ? undefined : [canonical(only)],
  );
  if (its === undefined) return;
  if (own === undefined) {
    tell('not modelled', `is one of ${its.join(', ')}`, '/enum');
    return;
  }
  const more = its.filter((one) => !own.includes(one));
  const fewer = own.filter((one) => !its.includes(one));
  if (more.length > 0) tell('contradicts', `may be ${more.join(', ')}`, '/enum');
  if (fewer.length > 0) tell('gone', `is never ${fewer.join(', ')}`, '/enum');
}

function compareFields(about: Comparison, ours: JsonObject, theirs: Node, tell: Tell): void {
  const [known, fields] = [ours.properties, theirs.value.properties];
  if (!isObject(fields) || !isObject(known)) return;
  const sends = about.direction === 'request';
  const [own, its] = [required(ours), required(theirs.value)];
  for (const [field, schema] of Object.entries(known)) {
    if (!Object.hasOwn(fields, field)) {
      tell('gone', `has no field ${field}`, '/properties');
      continue;
    }
    const [must, may] = [its?.includes(field), own?.includes(field) !== true];
    if (must === true && may && sends) tell('contradicts', `requires ${field}`, '/required');
    if (must === false && !may) tell('contradicts', `does not require ${field}`, '/required');
    const key = `/properties${pointerToken(field)}`;
    const next = follow(about, fields[field], theirs.at + key);
    const name = `${about.name}/${field}`;
    if (next !== undefined && isObject(schema)) compareSchemas({ ...about, name }, schema, next);
    else tell('not compared', `${field}: its schema is not in the document`, key);
  }
  for (const field of Object.keys(fields).filter((name) => !Object.hasOwn(known, name))) {
    const must = sends && its?.includes(field) === true;
    const key = `/properties${pointerToken(field)}`;
    tell(must ? 'contradicts' : 'not modelled', must ? `requires ${field}` : `field ${field}`, key);
  }
}

/** Undefined where the document says of no field that it is required. */
const required = ({ required: list }: JsonObject): readonly unknown[] | undefined =>
  Array.isArray(list) ? list : undefined;

/** A schema with the parts of its `allOf` put into it. */
function merged(about: Comparison, { value, at }: Node, depth = 0): JsonObject {
  const { allOf, ...rest } = value;
  if (!Array.isArray(allOf) || depth > 10) return value;
  const parts = allOf.flatMap((item, index) => {
    const part = follow(about, item, `${at}/allOf/${index}`);
    return part === undefined ? [] : [merged(about, part, depth + 1)];
  });
  const all = [...parts, rest];
  const lists = all.flatMap((part) => required(part) ?? []);
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    ...(lists.length > 0 ? { required: lists } : {}),
  };
}

/** JSON types; `null` as 3.0 and 3.1 say it. */
function typesOf({ type, nullable, enum: list }: JsonObject): string[] {
  const types = [type].flat().filter((one) => typeof one === 'string');
  if (types.length === 0) return [];
  const also = nullable === true || (Array.isArray(list) && list.includes(null));
  return [...new Set(also ? [...types, 'null'] : types)].sort();
}
