/**
 * The service's own OpenAPI document (3.0 or 3.1) against the contract. Pure.
 *
 * Operations are found by method and path, whatever path parameters are called. What one of the two
 * leaves unsaid contradicts nothing. References to other files are not followed.
 */

import { atPointer, isObject, type JsonObject, pointerToken } from '../../spec/base/json.ts';
import type { OpenapiDocument } from '../../spec/openapi-document.ts';
import { type Comparison, compareSchemas, type Drift, follow, type Node } from './schemas.ts';

export function compareContracts(
  ours: OpenapiDocument,
  root: JsonObject,
  prefixes: readonly string[],
): Drift[] {
  const drifts: Drift[] = [];
  const tell: Comparison['tell'] = (kind, text, theirs, line) =>
    void drifts.push({ kind, text, theirs, line });
  const theirs = operationsOf(root);
  const known = new Set<string>();
  const paths = ours.line(ours.root, 'paths');
  const silent = prefixes.filter(
    (one) => ![...theirs.keys()].some((key) => key.includes(` ${one}/`)),
  );
  for (const one of silent) {
    tell('not compared', `the document has nothing below ${one}`, '/paths', paths);
  }
  for (const { path, method, node } of ours.operations()) {
    const key = keyOf(method, path);
    known.add(key);
    const other = theirs.get(key);
    const name = `${method.toUpperCase()} ${path}`;
    const line = ours.line(node);
    if (other !== undefined) {
      const whole = ours.dereference(node) as JsonObject;
      compareOperation({ ours, root, name, tell, direction: 'request' }, whole, other, line);
    } else if (!silent.some((one) => path.startsWith(`${one}/`))) {
      tell('gone', `${name} is not there`, '/paths', line);
    }
  }
  for (const [key, { at }] of theirs) if (!known.has(key)) tell('not modelled', key, at, paths);
  return drifts;
}

interface Theirs extends Node {
  readonly parameters: readonly (readonly [unknown, string])[];
}

const keyOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1')}`;

/** Their operations, with the path of the first server before each path. */
function operationsOf(root: JsonObject): Map<string, Theirs> {
  const found = new Map<string, Theirs>();
  const url = atPointer(root, '/servers/0/url');
  const base =
    typeof url === 'string' ? url.replace(/^([a-z]+:)?\/\/[^/]*/i, '').replace(/\/$/, '') : '';
  for (const [path, item] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    const at = `/paths${pointerToken(path)}`;
    const node = follow({ root }, item, at);
    for (const method of ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']) {
      const value = node?.value[method];
      if (node === undefined || !isObject(value)) continue;
      const own = `${node.at}/${method}`;
      const parameters = [
        ...listed(value.parameters, own),
        ...listed(node.value.parameters, node.at),
      ];
      found.set(keyOf(method, `${base}${path}`), { value, at: own, parameters });
    }
  }
  return found;
}

const listed = (value: unknown, at: string): (readonly [unknown, string])[] =>
  Array.isArray(value) ? value.map((item, index) => [item, `${at}/parameters/${index}`]) : [];

function compareOperation(about: Comparison, ours: JsonObject, theirs: Theirs, line: number): void {
  compareParameters(about, ours, theirs, line);
  const { requestBody, responses: answers } = theirs.value;
  const body = isObject(ours.requestBody) ? ours.requestBody : undefined;
  const other = follow(about, requestBody, `${theirs.at}/requestBody`);
  compareContent({ ...about, name: `${about.name}: body` }, body, other, line);
  const responses = isObject(answers) ? answers : {};
  const declared = (ours.responses ?? {}) as Readonly<Record<string, JsonObject>>;
  const place = `${theirs.at}/responses`;
  for (const [status, response] of Object.entries(declared)) {
    const key = [status, status.toLowerCase()].find((one) => one in responses);
    const answer = follow(about, responses[key ?? ''], `${place}/${key}`);
    const lineOfStatus = about.ours.line(response);
    // What is refused, and how, is often left out of such documents.
    if (answer !== undefined) {
      const name = `${about.name}: answer ${status}`;
      compareContent({ ...about, name, direction: 'answer' }, response, answer, lineOfStatus);
    } else if (/^2\d\d$/.test(status) && !('2XX' in responses || 'default' in responses)) {
      about.tell('gone', `${about.name}: there is no answer ${status}`, place, lineOfStatus);
    }
  }
  for (const status of Object.keys(responses)) {
    // Ours says 4XX where the description leaves the status of a refusal open.
    const said = status in declared || `${status[0]}XX` in declared || status === 'default';
    const text = `${about.name}: answer ${status}`;
    if (!said) about.tell('not modelled', text, `${place}/${status}`, line);
  }
}

function compareParameters(
  about: Comparison,
  ours: JsonObject,
  theirs: Theirs,
  line: number,
): void {
  const { tell } = about;
  const nodes = theirs.parameters.flatMap(([value, at]) => follow(about, value, at) ?? []);
  const own = (ours.parameters ?? []) as readonly JsonObject[];
  const nameOf = (parameter: JsonObject): string =>
    `${about.name}: ${String(parameter.in)} parameter ${String(parameter.name)}`;
  for (const parameter of own) {
    const other = nodes.find(
      ({ value }) =>
        value.in === parameter.in && (value.in === 'path' || value.name === parameter.name),
    );
    const name = nameOf(parameter);
    const at = about.ours.line(parameter);
    if (other === undefined) {
      tell('gone', `${name} is not there`, theirs.at, at);
      continue;
    }
    if (other.value.in === 'path') nodes.splice(nodes.indexOf(other), 1);
    if (other.value.required === true && parameter.required !== true) {
      tell('contradicts', `${name} is required`, other.at, at);
    }
    const schema = follow(about, other.value.schema, `${other.at}/schema`);
    if (schema !== undefined && isObject(parameter.schema)) {
      compareSchemas({ ...about, name }, parameter.schema, schema);
    }
  }
  for (const { value, at } of nodes) {
    const known = own.some((one) => one.in === value.in && one.name === value.name);
    if (known || value.in === 'path' || /^authorization$/i.test(String(value.name))) continue;
    if (value.required === true) tell('contradicts', `${nameOf(value)} is required`, at, line);
    else tell('not modelled', nameOf(value), at, line);
  }
}

/** A request body or an answer. */
function compareContent(
  about: Comparison,
  ours: JsonObject | undefined,
  theirs: Node | undefined,
  line: number,
): void {
  if (theirs === undefined) return;
  const { name, tell, direction } = about;
  if (ours === undefined) {
    tell('not modelled', name, theirs.at, line);
    return;
  }
  if (theirs.value.required === true && ours.required !== true && direction === 'request') {
    tell('contradicts', `${name} is required`, theirs.at, line);
  }
  const content = isObject(theirs.value.content) ? theirs.value.content : {};
  for (const [type, media] of Object.entries((ours.content ?? {}) as Record<string, JsonObject>)) {
    const key = Object.keys(content).find((one) => one.split(';')[0] === type);
    if (key === undefined) {
      const others = Object.keys(content).join(', ');
      if (others !== '')
        tell('contradicts', `${name} is ${others} and not ${type}`, theirs.at, line);
      continue;
    }
    const at = `${theirs.at}/content${pointerToken(key)}/schema`;
    const schema = follow(about, atPointer(content, `${pointerToken(key)}/schema`), at);
    if (schema === undefined) {
      tell('not compared', `${name}: its schema is not in the document`, at, line);
    } else if (isObject(media.schema)) compareSchemas(about, media.schema, schema);
  }
}
