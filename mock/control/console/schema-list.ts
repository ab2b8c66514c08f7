/** A schema as nested lists to read: each property with its type, limits, meaning and statements. */
import { escapeHtml } from '../escape-html.ts';
import { isNode, listOf, type Node, textOf } from './contract-document.ts';

type Follow = (node: unknown) => Node;
/** Deeper than any schema of the contract: a reference to itself ends here. */
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

export function schemaList(schema: unknown, follow: Follow): string {
  return `<ul class="schema">${entry('', schema, false, follow, 0)}</ul>`;
}

function entry(
  name: string,
  schema: unknown,
  required: boolean,
  follow: Follow,
  depth: number,
): string {
  const node = follow(schema);
  const needed = listOf(node.required);
  const properties = Object.entries(isNode(node.properties) ? node.properties : {});
  const inner = [
    ...properties.map(([key, value]) => entry(key, value, needed.includes(key), follow, depth + 1)),
    ...('items' in node ? [entry('each item', node.items, false, follow, depth + 1)] : []),
    ...(isNode(node.additionalProperties)
      ? [entry('any other', node.additionalProperties, false, follow, depth + 1)]
      : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => branches(key, node, follow, depth)),
  ];
  const label = name === '' ? '' : `<code>${escapeHtml(name)}</code> `;
  const nested =
    inner.length > 0 && depth < DEEPEST ? `<ul class="schema">${inner.join('')}</ul>` : '';
  const must = required ? ' <b>required</b>' : '';
  return `<li>${label}<span class="type">${typeOf(node)}</span>${must}${limits(node)}${meaning(node)}${statementLinks(node['x-statements'])}${nested}</li>`;
}

const WORDS: Readonly<Record<string, string>> = {
  allOf: 'and',
  anyOf: 'at least one of',
  oneOf: 'exactly one of',
};

function branches(key: string, node: Node, follow: Follow, depth: number): string[] {
  const list = listOf(node[key]);
  if (list.length === 0) return [];
  const items = list.map((branch) => {
    const inner = follow(branch);
    const only = Object.keys(inner).join() === 'required';
    return only
      ? `<li>${listOf(inner.required)
          .map((name) => `<code>${escapeHtml(String(name))}</code>`)
          .join(', ')}</li>`
      : entry('', branch, false, follow, depth + 2);
  });
  return [
    `<li><span class="type">${WORDS[key]}</span><ul class="schema">${items.join('')}</ul></li>`,
  ];
}

function typeOf(node: Node): string {
  if (Array.isArray(node.enum)) {
    return node.enum.map((value) => escapeHtml(JSON.stringify(value))).join(' | ');
  }
  if (Array.isArray(node.type)) return escapeHtml(node.type.join(' or '));
  if (typeof node.type === 'string') return escapeHtml(node.type);
  return 'properties' in node ? 'object' : 'allOf' in node || 'oneOf' in node ? '' : 'anything';
}

function limits(node: Node): string {
  const known = Object.entries(LIMITS)
    .filter(([key]) => node[key] !== undefined)
    // Where words say what a pattern means, the words are enough.
    .filter(([key]) => key !== 'pattern' || node.description === undefined)
    .map(
      ([key, word]) =>
        `${word} <code>${escapeHtml(typeof node[key] === 'string' ? node[key] : JSON.stringify(node[key]))}</code>`,
    );
  if (node.additionalProperties === false) known.push('no other property');
  return known.length === 0 ? '' : ` <span class="limits">${known.join(', ')}</span>`;
}

function meaning(node: Node): string {
  const text = textOf(node.description);
  return text === '' ? '' : ` ${escapeHtml(text)}`;
}

/** Links to statements by id. */
export function statementLinks(ids: unknown): string {
  const list = listOf(ids).map(String);
  if (list.length === 0) return '';
  const links = list.map((id) => `<a href="#${escapeHtml(id)}">${escapeHtml(id)}</a>`);
  return ` <span class="rests">${links.join(' ')}</span>`;
}
