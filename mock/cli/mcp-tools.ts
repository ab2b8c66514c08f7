/**
 * The tools that `lockstep mcp` offers an agent. Each is one call of the control API; the API's own document
 * describes it and its parameters.
 */
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import {
  asText,
  controlDocument,
  entriesOf,
  listOf,
  nodeOf,
} from '../control/docs/openapi-nodes.ts';

interface Row {
  readonly name: string;
  /** The method and the path below `/__admin/`. Path parameters have their names for agents. */
  readonly call: string;
  /** The parameter that is the whole body. Without one, each field of the body is a parameter. */
  readonly whole?: string;
  readonly defaults?: JsonObject;
  /** JSON Schemas of further parameters, by which `pick` selects a part of the answer. */
  readonly choosing?: Readonly<Record<string, object>>;
  readonly pick?: (answer: JsonObject, given: JsonObject) => unknown;
}

const world = { world: 'acme' };

const rows: readonly Row[] = [
  { name: 'worlds', call: 'GET worlds' },
  { name: 'world', call: 'GET worlds/{world}', defaults: world },
  { name: 'make_world', call: 'POST worlds' },
  { name: 'reset_world', call: 'POST worlds/{world}/reset', defaults: world },
  { name: 'requests', call: 'GET worlds/{world}/requests', defaults: { ...world, limit: 20 } },
  { name: 'explain', call: 'GET worlds/{world}/requests/{request}', defaults: world },
  { name: 'faults', call: 'GET worlds/{world}/faults', defaults: world },
  { name: 'inject_fault', call: 'POST worlds/{world}/faults', defaults: world },
  { name: 'remove_faults', call: 'DELETE worlds/{world}/faults', defaults: world },
  { name: 'emit_event', call: 'POST worlds/{world}/events', whole: 'event', defaults: world },
  { name: 'advance_clock', call: 'POST worlds/{world}/clock/advance', defaults: world },
  {
    name: 'statements',
    call: 'GET statements',
    choosing: {
      find: {
        type: 'string',
        description:
          'An id such as STAGE-9 or its beginning (STAGE-), or words that the text holds.',
      },
      level: { enum: ['documented', 'standard', 'silent'] },
    },
    pick: ({ statements }, { find = '', level }) => {
      const words = String(find).toLowerCase();
      const fits = (one: unknown): boolean =>
        isObject(one) &&
        (level === undefined || one.level === level) &&
        (String(one.id).toLowerCase() === words || textOfStatement(one).includes(words));
      const found = (statements as unknown[]).filter(fits);
      const exact = found.filter((one) => isObject(one) && String(one.id).toLowerCase() === words);
      return { statements: exact.length > 0 ? exact : found };
    },
  },
  { name: 'assume', call: 'PUT worlds/{world}/assumptions', whole: 'choices', defaults: world },
];

const textOfStatement = ({ id, text: words, section }: JsonObject): string =>
  `${id} ${words} ${section}`.toLowerCase();

const { calls } = controlDocument();

export type Tool = ReturnType<typeof toolOf>;

export const tools: readonly Tool[] = rows.map(toolOf);

/** Makes a tool from a row and the control API's document. */
function toolOf(row: Row) {
  const { whole, defaults = {} } = row;
  const [method = '', path = ''] = row.call.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unnamed = (template: string) => template.replaceAll(/\{\w+\}/g, '{}');
  const isIt = (one: (typeof calls)[number]) =>
    one.method === method && unnamed(one.path) === unnamed(`/__admin/${path}`);
  const node = calls.find(isIt)?.node;
  if (node === undefined) throw new Error(`the control API has no call ${row.call}`);
  // Parameters of the path come first.
  const listed = listOf(node.parameters).map((one, index) => {
    const { name, description, schema } = nodeOf(one);
    return [inPath[index] ?? asText(name), { ...nodeOf(schema), description }] as const;
  });
  const media = nodeOf(nodeOf(node.requestBody).content)['application/json'];
  const body = nodeOf(nodeOf(media).schema);
  const fields = whole === undefined ? entriesOf(body.properties) : [[whole, body] as const];
  const parameters = [...listed, ...fields, ...entriesOf(row.choosing)].map(([name, schema]) => {
    return [name, { ...nodeOf(schema), default: defaults[name] }] as const;
  });
  const required = [...inPath, ...(whole === undefined ? listOf(body.required) : [whole])];
  return {
    ...{ ...row, method, path, defaults, parameters: Object.fromEntries(parameters) },
    about: `${asText(node.summary)}. ${asText(node.description)}`.replaceAll(/\s+/g, ' ').trim(),
    query: listed.slice(inPath.length).map(([name]) => name),
    required: required.map(String).filter((name) => defaults[name] === undefined),
  };
}

/** The call of the control API for a tool. Throws an Error for a missing or unknown parameter. */
export function callOf(tool: Tool, given: JsonObject) {
  const { name: own, method, whole } = tool;
  const known = Object.keys(tool.parameters);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${own} has no parameter ${unknown}; it has ${known.join(', ') || 'none'}`);
  }
  const missing = tool.required.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new Error(`${own} needs ${missing}`);
  const rest: Record<string, unknown> = { ...tool.defaults, ...given };
  const take = (name: string): string => {
    const value = String(rest[name] ?? '');
    // Such a path segment would lead to another address.
    if (/^\.{0,2}$/.test(value))
      throw new Error(`${own}: ${name} cannot be ${JSON.stringify(value)}`);
    delete rest[name];
    return encodeURIComponent(value);
  };
  const filled = tool.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => take(name));
  const asked = tool.query.filter((name) => rest[name] !== undefined);
  const search = asked.map((name) => `${name}=${take(name)}`).join('&');
  const sends = method === 'POST' || method === 'PUT';
  const body = whole === undefined ? rest : rest[whole];
  return {
    ...{ method, path: search === '' ? filled : `${filled}?${search}` },
    body: sends ? (body as JsonObject) : undefined,
  };
}
