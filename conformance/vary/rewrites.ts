/** Other ways of making the same request. Each is derived from the contract. */

import { isObject } from '../../spec/base/json.ts';
import { isWrite, type Step } from '../language/scenario.ts';
import { heads } from '../language/template.ts';

export interface Rewrite {
  /** A step uses only one of the ways of a dimension. */
  readonly dimension: string;
  /** The step in this way; undefined if that is not possible. */
  readonly of: (step: Step) => Step | undefined;
  /** The name of the usual way, for the report. */
  readonly instead: string;
  /** True if the description does not say that a service must accept it. Then a refusal breaks no promise. */
  readonly open?: true;
}

/** By their names in the report. */
export const rewrites: Readonly<Record<string, Rewrite>> = {
  'by identifier': {
    dimension: 'name',
    of: (step) => named(step, 'Name', 'Id'),
    instead: 'by name',
  },
  'by name': {
    dimension: 'name',
    of: (step) => named(step, 'Id', 'Name'),
    instead: 'by identifier',
  },
  'with defaults sent': { dimension: 'defaults', of: withDefaults, instead: 'without defaults' },
  'with a context of every kind of value': {
    dimension: 'object',
    of: withRichObject,
    instead: 'with a plain context',
    open: true,
  },
  'asking for its media type': {
    dimension: 'accept',
    of: (step) => accepting(step, step.operation?.responses['200']?.mediaType ?? undefined),
    instead: 'asking for any media type',
    open: true,
  },
  'asking for no media type': {
    dimension: 'accept',
    of: (step) => accepting(step, ''),
    instead: 'asking for any media type',
    open: true,
  },
  'with a charset': {
    dimension: 'charset',
    of: withCharset,
    instead: 'without a charset',
    open: true,
  },
};

/** Names the object of the body by the other of two fields: `branchName` or `branchId`. */
function named(step: Step, from: string, to: string): Step | undefined {
  const { body, operation } = step;
  const fields = operation?.object?.fields ?? [];
  if (!isObject(body) || fields.length !== 2) return undefined;
  const [sent, ...others] = fields.filter((field) => field in body);
  const other = fields.find((field) => field !== sent && field.endsWith(to));
  if (sent === undefined || others.length > 0 || other === undefined) return undefined;
  const reference = wholeReference(body[sent]);
  if (!sent.endsWith(from) || reference === undefined) return undefined;
  const { root, next } = heads(reference);
  if (next !== from.toLowerCase() || root === 'missing') return undefined;
  const { [sent]: _sent, ...rest } = body;
  return { ...step, body: { ...rest, [other]: `{${root}.${to.toLowerCase()}}` } };
}

/** The reference in a value that is only a reference, without its braces. */
function wholeReference(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\{([\w.]+)\}$/.exec(value)?.[1] : undefined;
}

/**
 * Sends missing parameters with the contract's default. A step that checks the default itself is not
 * changed.
 */
function withDefaults(step: Step): Step | undefined {
  const { operation, mode, checks, query } = step;
  if (operation === undefined || mode?.kind === 'walkPages' || mode?.kind === 'scimList')
    return undefined;
  const judged = new Set(checks.map(({ statement }) => statement));
  const sent: Record<string, unknown> = {};
  for (const { name, in: place, schema, statements } of operation.parameters) {
    const asked = name in query || statements.some((id) => judged.has(id));
    if (place === 'query' && schema.default !== undefined && !asked) sent[name] = schema.default;
  }
  return Object.keys(sent).length === 0 ? undefined : { ...step, query: { ...query, ...sent } };
}

/** One value of each kind, with names of each kind. */
const everyKind = {
  ...{ 'lockstep Key': 'one of Two Words', lockstepÜñí: 'über 北京', lockstepEmpty: '' },
  ...{ lockstepNull: null, lockstepNo: false, lockstepNumber: -0.5, lockstepDigits: '007' },
  ...{ lockstepList: ['one'], lockstepNone: [], lockstepDeep: { Of: { Two: [{}] } } },
  lockstepLong: 'long '.repeat(60),
};

/** Adds one field of each kind to an object whose fields the contract leaves free. */
function withRichObject(step: Step): Step | undefined {
  const { body, operation } = step;
  const { properties = {} } = (operation?.body?.schema ?? {}) as { properties?: object };
  const free = Object.entries(properties).flatMap(([name, schema]) => {
    const { type, properties: own, additionalProperties } = schema as Record<string, unknown>;
    const isFree = type === 'object' && own === undefined && additionalProperties === true;
    return isFree && isObject(body) && holdsObject(body[name]) ? [name] : [];
  });
  if (!isObject(body) || free.length === 0) return undefined;
  const more = free.map((name) => [name, { $like: body[name], ...everyKind }]);
  return { ...step, body: { ...body, ...Object.fromEntries(more) } };
}

/** Whether a template is an object, as far as can be seen. */
function holdsObject(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : wholeReference(value) !== undefined;
}

/** Asks for the contract's media type only; for an empty body the description names none. */
function accepting(step: Step, accept: string | undefined): Step | undefined {
  const known = Object.keys(step.headers).some((name) => name.toLowerCase() === 'accept');
  if (known || accept === undefined) return undefined;
  return { ...step, headers: { ...step.headers, accept } };
}

function withCharset(step: Step): Step | undefined {
  const { body, headers } = step;
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (!isWrite(step) || body === undefined || typed) return undefined;
  const type = 'application/json; charset=utf-8';
  return { ...step, headers: { ...headers, 'content-type': type } };
}
