/**
 * The service's own OpenAPI document (3.0 or 3.1) against the contract. Pure.
 *
 * Both are read as a tree of parts. A document has operations; an operation has parameters, a body
 * and answers; a schema has fields. One comparison follows both trees to the leaves of ours, which
 * has no cycles. It is not a difference if one document does not mention a part. References to
 * other files are not followed.
 */

import {
  atPointer,
  canonical,
  isObject,
  type JsonObject,
  pointerToken,
} from '../../spec/base/json.ts';
import type { OpenapiDocument } from '../../spec/openapi-document.ts';

export interface Drift {
  readonly kind: 'contradicts' | 'gone' | 'not modelled' | 'not compared';
  readonly text: string;
  /** JSON pointer into the service's document. */
  readonly theirs: string;
  /** Line of `spec/openapi.yaml`. */
  readonly line: number;
  /** Id of the operation; undefined if the contract has none there. */
  readonly operation: string | undefined;
  /** The statements of the nearest part of the contract that names any. */
  readonly statements: readonly string[];
}

/** The operation and the statements of the contract that a part belongs to. */
type About = Pick<Drift, 'operation' | 'statements'>;

/** A value in a document, with references followed, and its place. */
interface Node {
  readonly root: JsonObject;
  readonly value: JsonObject;
  readonly at: string;
}

interface Part extends Node {
  /** Identifies the part in both documents, even if path parameters have different names. */
  readonly key: string;
  /** The value as it is in the document, if `value` is combined from several. */
  readonly written?: JsonObject;
  /** A name for people, appended to that of the whole; `as` is the name of the part alone. */
  readonly name: string;
  readonly as?: string;
  /** Undefined if the document does not say. */
  readonly required?: boolean | undefined;
  /** Undefined if the document does not mention them. */
  readonly parts: () => readonly Part[] | undefined;
}

type Found = Omit<Drift, 'line'> & { readonly ours: JsonObject };

export function compareContracts(
  ours: OpenapiDocument,
  root: JsonObject,
  prefixes: readonly string[],
): Drift[] {
  const own = documentPart(ours.root);
  const its = documentPart(root);
  const isBelow = (prefix: string) => (one: Part) => one.key.includes(` ${prefix}/`);
  const absent = prefixes.filter((prefix) => !its.parts()?.some(isBelow(prefix)));
  const described = own.parts()?.filter((one) => !absent.some((prefix) => isBelow(prefix)(one)));
  const found: Found[] = [
    ...absent.map((prefix) => {
      const text = `the document has nothing below ${prefix}`;
      const place = { theirs: '/paths', ours: own.value, ...ofNothing };
      return { kind: 'not compared' as const, text, ...place };
    }),
    ...compareParts({ ...own, parts: () => described }, its, 'request', ofNothing),
  ];
  return found.map(({ ours: node, ...drift }) => ({ ...drift, line: ours.line(node) }));
}

const ofNothing: About = { operation: undefined, statements: [] };

/** The operation and statements that a part names, or else those of the whole. */
function aboutOf({ value }: Node, whole: About): About {
  const { operationId, 'x-statements': named } = value;
  return {
    operation: typeof operationId === 'string' ? operationId : whole.operation,
    statements: Array.isArray(named) ? named.map(String) : whole.statements,
  };
}

/** A change that breaks readers of an answer may not break senders of a request, and the reverse. */
type Direction = 'request' | 'answer';

function compareParts(own: Part, its: Part, direction: Direction, whole: About): Found[] {
  const [all, others] = [own.parts(), its.parts()];
  if (all === undefined || others === undefined) return [];
  const keys = new Set([...all, ...others].map(({ key }) => key));
  return [...keys].flatMap((key): Found[] => {
    const [mine, other] = [all, others].map((parts) => parts.find((one) => one.key === key));
    const { name = '', as = '' } = mine ?? other ?? {};
    const about = mine === undefined ? whole : aboutOf(mine, whole);
    const place = { theirs: (other ?? its).at, ours: writtenOf(mine ?? own), ...about };
    const tell = (kind: Found['kind'], text: string) => [
      { ...place, kind, text: name + as + text },
    ];
    if (other === undefined) return mayLack(key, others) ? [] : tell('gone', ' is not there');
    const must = other.required === true && mine?.required !== true;
    const may = other.required === false && mine?.required === true;
    const told = [
      ...(must && direction === 'request' ? tell('contradicts', ' is required') : []),
      ...(may ? tell('contradicts', ' may be absent') : []),
    ];
    if (mine === undefined) {
      return told.length > 0 || isCovered(key, all) ? told : tell('not modelled', '');
    }
    const below = compareBoth(mine, other, key.startsWith('answer ') ? 'answer' : direction, about);
    return [...told, ...below.map((found) => ({ ...found, text: name + found.text }))];
  });
}

const writtenOf = ({ written, value }: Part): JsonObject => written ?? value;

/** Compares a part that both documents have: its values, and then its own parts. */
function compareBoth(mine: Part, other: Part, direction: Direction, about: About): Found[] {
  const found = [...compareValues(mine.value, other.value, direction)];
  const values = found.map(([kind, text, keyword = '']) => {
    return { kind, text, theirs: other.at + keyword, ours: writtenOf(mine), ...about };
  });
  // A list has other parts than an object.
  if (found.some(([, , keyword]) => keyword === '/type')) return values;
  return [...values, ...compareParts(mine, other, direction, about)];
}

/** Whether a part may be missing. Descriptions of services often leave out refusals. */
function mayLack(key: string, others: readonly Part[]): boolean {
  if (!key.startsWith('answer ')) return key === 'body' || key === 'items';
  return !key.startsWith('answer 2') || others.some((one) => /DEFAULT|2XX/.test(one.key));
}

/** Whether ours has the status as a class: it has 4XX if the description leaves the status open. */
function isCovered(key: string, all: readonly Part[]): boolean {
  const range = key.replace(/\d\d$/, 'XX');
  return key === 'answer DEFAULT' || key === 'items' || all.some((one) => one.key === range);
}

/** Keywords that limit a value or its form. */
const bounds = (
  'format pattern default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'minLength maxLength minItems maxItems uniqueItems'
).split(' ');

/** The message about a keyword. */
type Told = readonly [kind: Drift['kind'], text: string, keyword?: string];

function* compareValues(
  ours: JsonObject,
  theirs: JsonObject,
  direction: Direction,
): Generator<Told> {
  if (ours === missing) return;
  if (theirs === missing) yield ['not compared', ': its schema is not in the document'];
  const union = unionIn(theirs);
  if (union !== undefined) {
    const same = canonical(ours[union]) === canonical(theirs[union]);
    if (!same) yield ['not compared', ` has ${union}`];
    return;
  }
  const [own, its] = [typesOf(ours), typesOf(theirs)];
  const more = its.some((type) => !covers(own, type));
  // Additional values break readers of an answer. Missing values break senders of a request.
  const fewer = direction === 'request' && own.some((type) => !covers(its, type));
  if (own.length > 0 && its.length > 0 && (more || fewer)) {
    return yield ['contradicts', ` is ${its.join(' or ')}, and not ${own.join(' or ')}`, '/type'];
  }
  const [ownList, itsList] = [ours, theirs].map(({ enum: list, const: only }) =>
    Array.isArray(list) ? list.map(canonical) : only === undefined ? undefined : [canonical(only)],
  );
  const added = itsList?.filter((one) => !ownList?.includes(one)).join(', ');
  const lost = itsList && ownList?.filter((one) => !itsList.includes(one)).join(', ');
  if (added && !ownList) yield ['not modelled', ` is one of ${added}`, '/enum'];
  else if (added) yield ['contradicts', ` may be ${added}`, '/enum'];
  if (lost) yield ['gone', ` is never ${lost}`, '/enum'];
  for (const key of bounds) {
    const [was, is] = [ours[key], theirs[key]].map((bound) => JSON.stringify(bound));
    if (is === undefined || was === is) continue;
    if (was === undefined) yield ['not modelled', ` ${key} ${is}`, `/${key}`];
    else yield ['contradicts', ` has ${key} ${is}, and not ${was}`, `/${key}`];
  }
}

const unionIn = (schema: JsonObject) => ['oneOf', 'anyOf', 'not'].find((key) => key in schema);

/** Whether a type is among the types; an integer is also a number. */
const covers = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** The JSON types of a schema. OpenAPI 3.0 and 3.1 express `null` differently. */
function typesOf({ type, nullable, enum: list }: JsonObject): string[] {
  const types = [type].flat().filter((one) => typeof one === 'string');
  if (types.length === 0) return [];
  const also = nullable === true || (Array.isArray(list) && list.includes(null));
  return [...new Set(also ? [...types, 'null'] : types)].sort();
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The operations of a document. The path of the first server is put before each path. */
function documentPart(root: JsonObject): Part {
  const whole = { root, value: root, at: '' };
  const url = String(atPointer(root, '/servers/0/url') ?? '');
  const base = url.replace(/^([a-z]+:)?\/\/[^/]*/i, '').replace(/\/$/, '');
  const paths = isObject(root.paths) ? root.paths : {};
  const parts = Object.keys(paths).flatMap((path) => {
    const item = nodeAt(whole, `/paths${pointerToken(path)}`);
    return methods.flatMap((method): Part[] => {
      const node = item && nodeAt(item, `/${method}`);
      if (item === undefined || node === undefined) return [];
      const name = `${method.toUpperCase()} ${base}${path}`;
      const key = name.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');
      return [{ ...node, key, name, parts: () => operationParts(node, item) }];
    });
  });
  return { root, value: paths, at: '/paths', key: '', name: '', parts: () => parts };
}

function operationParts(operation: Node, item: Node): Part[] {
  const parameters = [operation, item].flatMap((node) => listIn(node, 'parameters'));
  const inPath = parameters.filter(({ value }) => value.in === 'path');
  const parts = parameters.map((node): Part => {
    const { in: where, name } = node.value;
    // Path parameters are identified by their order.
    const key = `${where} ${where === 'path' ? inPath.indexOf(node) : name}`;
    const schema = nodeAt(node, '/schema');
    const ownParts = () => schema && [schemaPart(schema, 'schema', '')];
    return { ...isRequired(node), key, name: `: ${where} parameter ${name}`, parts: ownParts };
  });
  const body = nodeAt(operation, '/requestBody');
  if (body !== undefined) {
    parts.push({ ...isRequired(body), key: 'body', name: ': body', parts: () => mediaTypes(body) });
  }
  for (const status of namesIn(operation.value.responses)) {
    const node = nodeAt(operation, `/responses/${status}`);
    const key = `answer ${status.toUpperCase()}`;
    if (node === undefined) continue;
    parts.push({ ...node, key, name: `: answer ${status}`, parts: () => mediaTypes(node) });
  }
  return parts.filter(({ key }) => !/^header authorization$/i.test(key));
}

const isRequired = (node: Node) => ({
  ...node,
  required: node.value.required === true || undefined,
});

/** The media types of a body or an answer. */
function mediaTypes(node: Node): Part[] | undefined {
  const types = namesIn(node.value.content);
  if (types.length === 0) return undefined;
  return types.map((type) => {
    const [key = ''] = type.split(';');
    const pointer = `/content${pointerToken(type)}/schema`;
    return { ...schemaPart(nodeAt(node, pointer, missing), key, ''), as: ` as ${key}` };
  });
}

function schemaPart(written: Node, key: string, name: string): Part {
  const node = withoutUnion(written);
  const value = merged(node);
  const { properties, required } = value;
  const whole = { ...node, value };
  const parts = (): Part[] => {
    const items = nodeAt(whole, '/items');
    const fields = namesIn(properties).map((field) => {
      const found = nodeAt(whole, `/properties${pointerToken(field)}`, missing);
      const must = Array.isArray(required) ? required.includes(field) : undefined;
      return { ...schemaPart(found, `field ${field}`, `/${field}`), required: must };
    });
    return [...fields, ...(items === undefined ? [] : [schemaPart(items, 'items', '/*')])];
  };
  const says = unionIn(value) === undefined && (isObject(properties) || 'items' in value);
  const { value: asWritten } = written;
  return { ...whole, written: asWritten, key, name, parts: () => (says ? parts() : undefined) };
}

/**
 * Simplifies a union that a type can express: of one schema and null, the nullable value of 3.1, or of
 * plain types. Any other union stays.
 */
function withoutUnion(node: Node, depth = 0): Node {
  const key = ['oneOf', 'anyOf'].find((one) => one in node.value);
  if (key === undefined || depth > 10) return node;
  const { [key]: _union, ...rest } = node.value;
  const branches = listIn(node, key);
  const others = branches.filter(({ value }) => !isNull(value));
  const [only, ...more] = others;
  const { length } = branches;
  if (only !== undefined && more.length === 0) {
    const own = withoutUnion(only, depth + 1);
    const nullable = others.length < length || rest.nullable === true ? { nullable: true } : {};
    return { ...own, value: { ...rest, ...merged(own), ...nullable } };
  }
  const types = branches.map(({ value }) => onlyType(value));
  if (length === 0 || !types.every((type) => type !== undefined)) return node;
  return { ...node, value: { ...rest, type: types.flat() } };
}

const isNull = ({ type, const: only, enum: list }: JsonObject): boolean =>
  type === 'null' ||
  only === null ||
  (Array.isArray(list) && list.length === 1 && list[0] === null);

/** The type of a schema that limits nothing else. */
function onlyType({ type, ...rest }: JsonObject): unknown {
  const words = ['title', 'description', 'examples', 'example'];
  return Object.keys(rest).every((key) => words.includes(key)) ? type : undefined;
}

/** A schema with the parts of its `allOf` put into it. */
function merged(node: Node, depth = 0): JsonObject {
  const { allOf, ...rest } = node.value;
  if (!Array.isArray(allOf) || depth > 10) return node.value;
  const all = [...listIn(node, 'allOf').map((one) => merged(one, depth + 1)), rest];
  const lists = all.flatMap(({ required }) => (Array.isArray(required) ? required : []));
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    ...(lists.length > 0 && { required: lists }),
  };
}

/** Represents a schema that the document does not contain. */
const missing: JsonObject = {};

/**
 * The value at a pointer below a node, with references within the document followed; `otherwise` if
 * there is none, or if a reference leads to another document or to itself.
 */
function nodeAt(node: Node, pointer: string): Node | undefined;
function nodeAt(node: Node, pointer: string, otherwise: JsonObject): Node;
function nodeAt({ root, value, at }: Node, pointer: string, otherwise?: JsonObject) {
  const place = at + pointer;
  const none = otherwise && { root, value: otherwise, at: place };
  let found: { at: string; value: unknown } = { at: place, value: atPointer(value, pointer) };
  for (let steps = 0; isObject(found.value) && steps < 20; steps += 1) {
    const { $ref: reference } = found.value;
    if (typeof reference !== 'string') return { root, ...found };
    if (!reference.startsWith('#/')) return none;
    const target = decodeURIComponent(reference.slice(1));
    found = { at: target, value: atPointer(root, target) };
  }
  return none;
}

function listIn(node: Node, key: string): Node[] {
  const list = node.value[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((_item, index) => nodeAt(node, `/${key}/${index}`) ?? []);
}

const namesIn = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);
