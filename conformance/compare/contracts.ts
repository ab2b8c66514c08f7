/**
 * The service's own OpenAPI document (3.0 or 3.1) against the contract. Pure.
 *
 * Operations are found by method and path, whatever path parameters are called. Schemas are compared
 * guided by ours, which has no circles. What one of the two leaves unsaid contradicts nothing.
 * References to other files are not followed.
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
  /** JSON pointer into their document. */
  readonly theirs: string;
  /** Line of `spec/openapi.yaml`. */
  readonly line: number;
}

/** A node of their document, its references followed, and where it stands. */
interface Node {
  readonly value: JsonObject;
  readonly at: string;
}

/** What is compared with a node of theirs. */
interface Comparison {
  readonly ours: OpenapiDocument;
  /** Their document. */
  readonly root: JsonObject;
  readonly drifts: Drift[];
  /** For people: `PUT /api/v1/...`. */
  readonly name: string;
  readonly line: number;
  /** What breaks who reads an answer is not what breaks who sends a request. */
  readonly direction: 'request' | 'answer';
}

export function compareContracts(
  ours: OpenapiDocument,
  root: JsonObject,
  prefixes: readonly string[],
): Drift[] {
  const drifts: Drift[] = [];
  const line = ours.line(ours.root, 'paths');
  const whole: Comparison = { ours, root, drifts, name: '', line, direction: 'request' };
  const theirs = operationsOf(root);
  const silent = prefixes.filter((one) => !theirs.keys().some((key) => key.includes(` ${one}/`)));
  for (const one of silent) {
    tell(whole, 'not compared', `the document has nothing below ${one}`, '/paths');
  }
  for (const { path, method, node } of ours.operations()) {
    const key = keyOf(method, path);
    const other = theirs.get(key);
    theirs.delete(key);
    const about = part(whole, `${method.toUpperCase()} ${path}`, node);
    if (other !== undefined) {
      compareOperation(about, ours.dereference(node) as JsonObject, other);
    } else if (!silent.some((one) => path.startsWith(`${one}/`))) {
      tell(about, 'gone', ' is not there', '/paths');
    }
  }
  for (const [key, { at }] of theirs) tell(whole, 'not modelled', key, at);
  return drifts;
}

function tell(
  { drifts, name, line }: Comparison,
  kind: Drift['kind'],
  text: string,
  theirs: string,
): void {
  drifts.push({ kind, text: name + text, theirs, line });
}

/** A part of what is compared, which stands at a node of ours. */
function part(about: Comparison, name: string, node: JsonObject): Comparison {
  return { ...about, name: about.name + name, line: about.ours.line(node) };
}

interface Operation extends Node {
  readonly parameters: readonly Node[];
}

const keyOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1')}`;

/** Their operations, with the path of the first server before each path. */
function operationsOf(root: JsonObject): Map<string, Operation> {
  const found = new Map<string, Operation>();
  const url = atPointer(root, '/servers/0/url');
  const base =
    typeof url === 'string' ? url.replace(/^([a-z]+:)?\/\/[^/]*/i, '').replace(/\/$/, '') : '';
  for (const path of Object.keys(fieldsOf(root.paths))) {
    const item = below(root, { value: root, at: '' }, `/paths${pointerToken(path)}`);
    for (const method of ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']) {
      const value = item?.value[method];
      if (item === undefined || !isObject(value)) continue;
      const own = { value, at: `${item.at}/${method}` };
      const parameters = [own, item].flatMap((node) => itemsOf(root, node, 'parameters'));
      found.set(keyOf(method, `${base}${path}`), { ...own, parameters });
    }
  }
  return found;
}

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * What stands at a pointer below a node of theirs, with references within the document followed;
 * undefined where there is nothing, or one leads elsewhere, or in a circle.
 */
function below(root: JsonObject, { value, at }: Node, pointer: string): Node | undefined {
  let node = atPointer(value, pointer);
  let place = at + pointer;
  for (let steps = 0; isObject(node) && steps < 20; steps += 1) {
    if (typeof node.$ref !== 'string') return { value: node, at: place };
    if (!node.$ref.startsWith('#/')) return undefined;
    place = decodeURIComponent(node.$ref.slice(1));
    node = atPointer(root, place);
  }
  return undefined;
}

function itemsOf(root: JsonObject, node: Node, key: string): Node[] {
  const list = node.value[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((_item, index) => below(root, node, `/${key}/${index}`) ?? []);
}

function compareOperation(about: Comparison, ours: JsonObject, theirs: Operation): void {
  compareParameters(about, ours, theirs);
  const inBody = { ...about, name: `${about.name}: body` };
  const body = below(about.root, theirs, '/requestBody');
  if (body !== undefined && !isObject(ours.requestBody)) tell(inBody, 'not modelled', '', body.at);
  if (body !== undefined && isObject(ours.requestBody)) {
    const must = body.value.required === true && ours.requestBody.required !== true;
    if (must) tell(inBody, 'contradicts', ' is required', body.at);
    compareContent(inBody, ours.requestBody, body);
  }
  const responses = fieldsOf(theirs.value.responses);
  const declared = (ours.responses ?? {}) as Readonly<Record<string, JsonObject>>;
  const place = `${theirs.at}/responses`;
  for (const [status, response] of Object.entries(declared)) {
    const key = [status, status.toLowerCase()].find((one) => one in responses);
    const answer = below(about.root, theirs, `/responses/${key}`);
    // What is refused, and how, is often left out of such documents.
    if (answer !== undefined) {
      const inAnswer = part(about, `: answer ${status}`, response);
      compareContent({ ...inAnswer, direction: 'answer' }, response, answer);
    } else if (/^2\d\d$/.test(status) && !('2XX' in responses || 'default' in responses)) {
      tell(part(about, '', response), 'gone', `: there is no answer ${status}`, place);
    }
  }
  for (const status of Object.keys(responses)) {
    // Ours says 4XX where the description leaves the status of a refusal open.
    const said = status in declared || `${status[0]}XX` in declared || status === 'default';
    if (!said) tell(about, 'not modelled', `: answer ${status}`, `${place}/${status}`);
  }
}

function compareParameters(about: Comparison, ours: JsonObject, theirs: Operation): void {
  const own = (ours.parameters ?? []) as readonly JsonObject[];
  const nodes = [...theirs.parameters];
  const nameOf = (parameter: JsonObject): string =>
    `: ${String(parameter.in)} parameter ${String(parameter.name)}`;
  for (const parameter of own) {
    const other = nodes.find(
      ({ value }) =>
        value.in === parameter.in && (value.in === 'path' || value.name === parameter.name),
    );
    const inParameter = part(about, nameOf(parameter), parameter);
    if (other === undefined) {
      tell(inParameter, 'gone', ' is not there', theirs.at);
      continue;
    }
    if (other.value.in === 'path') nodes.splice(nodes.indexOf(other), 1);
    if (other.value.required === true && parameter.required !== true) {
      tell(inParameter, 'contradicts', ' is required', other.at);
    }
    const schema = below(about.root, other, '/schema');
    if (schema !== undefined && isObject(parameter.schema)) {
      compareSchemas(inParameter, parameter.schema, schema);
    }
  }
  for (const { value, at } of nodes) {
    const known = own.some((one) => one.in === value.in && one.name === value.name);
    if (known || value.in === 'path' || /^authorization$/i.test(String(value.name))) continue;
    if (value.required === true) tell(about, 'contradicts', `${nameOf(value)} is required`, at);
    else tell(about, 'not modelled', nameOf(value), at);
  }
}

/** Of a request body or an answer. */
function compareContent(about: Comparison, ours: JsonObject, theirs: Node): void {
  const types = Object.keys(fieldsOf(theirs.value.content));
  for (const [type, media] of Object.entries((ours.content ?? {}) as Record<string, JsonObject>)) {
    const key = types.find((one) => one.split(';')[0] === type);
    if (key === undefined) {
      const others = types.join(', ');
      if (others !== '') tell(about, 'contradicts', ` is ${others} and not ${type}`, theirs.at);
      continue;
    }
    const pointer = `/content${pointerToken(key)}/schema`;
    const schema = below(about.root, theirs, pointer);
    if (schema === undefined) {
      tell(about, 'not compared', ': its schema is not in the document', theirs.at + pointer);
    } else if (isObject(media.schema)) compareSchemas(about, media.schema, schema);
  }
}

/** Keywords that bound a value, or say how it is written. */
const bounds = (
  'format pattern default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'minLength maxLength minItems maxItems uniqueItems'
).split(' ');

function compareSchemas(outer: Comparison, ours: JsonObject, node: Node): void {
  const about = part(outer, '', ours);
  const theirs = { ...node, value: merged(about.root, node) };
  const union = ['oneOf', 'anyOf', 'not'].find((key) => key in theirs.value);
  if (union !== undefined) {
    const same = canonical(ours[union]) === canonical(theirs.value[union]);
    if (!same) tell(about, 'not compared', ` has ${union}`, theirs.at);
    return;
  }
  const [mine, other] = [typesOf(ours), typesOf(theirs.value)];
  const more = other.some((type) => !covers(mine, type));
  // More than we say breaks who reads an answer; less breaks who sends a request.
  const fewer = about.direction === 'request' && mine.some((type) => !covers(other, type));
  if (mine.length > 0 && other.length > 0 && (more || fewer)) {
    const text = ` is ${other.join(' or ')}, and not ${mine.join(' or ')}`;
    tell(about, 'contradicts', text, `${theirs.at}/type`);
    return;
  }
  compareEnums(about, ours, theirs);
  for (const key of bounds) {
    const [own, its] = [ours[key], theirs.value[key]];
    if (its === undefined || canonical(own) === canonical(its)) continue;
    const [was, is] = [own, its].map((value) => JSON.stringify(value));
    const at = `${theirs.at}/${key}`;
    if (own === undefined) tell(about, 'not modelled', ` ${key} ${is}`, at);
    else tell(about, 'contradicts', ` has ${key} ${is}, and not ${was}`, at);
  }
  compareFields(about, ours, theirs);
  const items = below(about.root, theirs, '/items');
  if (isObject(ours.items) && items !== undefined) {
    compareSchemas({ ...about, name: `${about.name}/*` }, ours.items, items);
  }
}

/** A whole number is a number. */
const covers = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

function compareEnums(about: Comparison, ours: JsonObject, { value, at }: Node): void {
  const [own, its] = [ours, value].map(({ enum: list, const: only }) =>
    Array.isArray(list) ? list.map(canonical) : only === undefined ? undefined : [canonical(only)],
  );
  if (its === undefined) return;
  if (own === undefined) {
    tell(about, 'not modelled', ` is one of ${its.join(', ')}`, `${at}/enum`);
    return;
  }
  const more = its.filter((one) => !own.includes(one));
  const fewer = own.filter((one) => !its.includes(one));
  if (more.length > 0) tell(about, 'contradicts', ` may be ${more.join(', ')}`, `${at}/enum`);
  if (fewer.length > 0) tell(about, 'gone', ` is never ${fewer.join(', ')}`, `${at}/enum`);
}

function compareFields(about: Comparison, ours: JsonObject, theirs: Node): void {
  const [known, fields] = [ours.properties, theirs.value.properties];
  if (!isObject(fields) || !isObject(known)) return;
  const sends = about.direction === 'request';
  const [own, its] = [required(ours), required(theirs.value)];
  const at = `${theirs.at}/required`;
  for (const [field, schema] of Object.entries(known)) {
    if (!Object.hasOwn(fields, field)) {
      tell(about, 'gone', ` has no field ${field}`, `${theirs.at}/properties`);
      continue;
    }
    const [must, may] = [its?.includes(field), own?.includes(field) !== true];
    if (must === true && may && sends) tell(about, 'contradicts', ` requires ${field}`, at);
    if (must === false && !may) tell(about, 'contradicts', ` does not require ${field}`, at);
    const pointer = `/properties${pointerToken(field)}`;
    const next = below(about.root, theirs, pointer);
    const name = `${about.name}/${field}`;
    if (next !== undefined && isObject(schema)) compareSchemas({ ...about, name }, schema, next);
    else {
      const text = ` ${field}: its schema is not in the document`;
      tell(about, 'not compared', text, theirs.at + pointer);
    }
  }
  for (const field of Object.keys(fields).filter((name) => !Object.hasOwn(known, name))) {
    const key = `${theirs.at}/properties${pointerToken(field)}`;
    if (sends && its?.includes(field)) tell(about, 'contradicts', ` requires ${field}`, key);
    else tell(about, 'not modelled', ` field ${field}`, key);
  }
}

/** Undefined where the document says of no field that it is required. */
const required = ({ required: list }: JsonObject): readonly unknown[] | undefined =>
  Array.isArray(list) ? list : undefined;

/** A schema with the parts of its `allOf` put into it. */
function merged(root: JsonObject, node: Node, depth = 0): JsonObject {
  const { allOf, ...rest } = node.value;
  if (!Array.isArray(allOf) || depth > 10) return node.value;
  const parts = itemsOf(root, node, 'allOf').map((one) => merged(root, one, depth + 1));
  const all = [...parts, rest];
  const lists = all.flatMap((one) => required(one) ?? []);
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
