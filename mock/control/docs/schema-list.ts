/** A schema as nested lists to read: each property with its type, limits, meaning and statements. */
import { type Html, html, when } from '../../../spec/base/html.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { asText, entriesOf, listOf, nodeOf } from './openapi-nodes.ts';

/** The limit is deeper than any schema of the contract. It ends a schema that refers to itself. */
const DEEPEST = 8;

const LIMITS: Readonly<Record<string, string>> = {
  const: 'always',
  default: 'default',
  format: 'format',
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters, at least',
  maxLength: 'characters, at most',
  minItems: 'items, at least',
  maxItems: 'items, at most',
  pattern: 'pattern',
};

const BRANCHES: Readonly<Record<string, string>> = {
  allOf: 'and',
  anyOf: 'at least one of',
  oneOf: 'exactly one of',
};

export function schemaList(schema: unknown): Html {
  return list([entry('', schema, false, 0)]);
}

function list(items: readonly Html[]): Html {
  return html`<ul class="schema">${items}</ul>`;
}

function entry(name: string, schema: unknown, required: boolean, depth: number): Html {
  const node = nodeOf(schema);
  const needed = listOf(node.required);
  const below = (key: string, inner: unknown): Html =>
    entry(key, inner, needed.includes(key), depth + 1);
  const inner = [
    ...entriesOf(node.properties).map(([key, value]) => below(key, value)),
    ...('items' in node ? [below('each item', node.items)] : []),
    ...(isObject(node.additionalProperties) ? [below('any other', node.additionalProperties)] : []),
    ...[node, ...entriesOf(node.dependentSchemas).map(([, given]) => nodeOf(given))].flatMap(
      (part) => Object.keys(BRANCHES).flatMap((key) => branches(key, part, depth)),
    ),
  ];
  const label = when(name !== '', () => html`<code>${name}</code> `);
  const must = when(required, () => html` <b>required</b>`);
  const meaning = node.description === undefined ? '' : ` ${asText(node.description)}`;
  const nested = when(inner.length > 0 && depth < DEEPEST, () => list(inner));
  return html`<li>${label}<span class="type">${typeOf(node)}</span>${must}${limits(node)}${meaning}${statementLinks(node['x-statements'])}${nested}</li>`;
}

function branches(key: string, node: JsonObject, depth: number): readonly Html[] {
  const items = listOf(node[key]).map((branch) => {
    const inner = nodeOf(branch);
    if (!('required' in inner) || 'type' in inner) {
      return entry('', branch, false, depth + 2);
    }
    const names = listOf(inner.required).map((name) => html`<code>${String(name)}</code>`);
    return html`<li>${joined(names, ', ')}</li>`;
  });
  return items.length === 0
    ? []
    : [html`<li><span class="type">${BRANCHES[key]}</span>${list(items)}</li>`];
}

/** The type of a schema in words. */
export function typeOf(node: JsonObject): string {
  if (Array.isArray(node.enum)) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(node.type)) return node.type.join(' or ');
  if (typeof node.type === 'string') return node.type;
  return 'properties' in node ? 'object' : 'allOf' in node || 'oneOf' in node ? '' : 'anything';
}

export function limits(node: JsonObject): Html | undefined {
  const known = Object.entries(LIMITS)
    .filter(([key]) => node[key] !== undefined)
    // If a description explains the pattern, the reader does not need the pattern.
    .filter(([key]) => key !== 'pattern' || node.description === undefined)
    .map(([key, word]) => {
      const value = node[key];
      return html`${word} <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
    });
  if (node.additionalProperties === false) known.push(html`no other property`);
  return when(known.length > 0, () => html` <span class="limits">${joined(known, ', ')}</span>`);
}

export function statementLinks(ids: unknown): Html | undefined {
  const links = listOf(ids).map((id) => html`<a href="#${String(id)}">${String(id)}</a>`);
  return when(links.length > 0, () => html` <span class="rests">${joined(links, ' ')}</span>`);
}

export function joined(pieces: readonly Html[], between: string): readonly Html[] {
  return pieces.map((piece, index) => html`${index > 0 ? between : ''}${piece}`);
}
