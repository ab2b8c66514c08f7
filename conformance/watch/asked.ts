/**
 * Finds the parts of a request that go beyond the description. No promise covers the answer to such
 * a request.
 */

import { isObject } from '../../spec/base/json.ts';
import { named, type Operation } from '../../spec/contract.ts';
import { methodOverrides, type TargetCall } from '../target/call.ts';
import { type Head, header } from './traffic.ts';

/** The silences that a request meets by itself, independent of its answer. */
export function silencesAsked({ operation, request, sent }: TargetCall, head: Head): string[] {
  if (operation === undefined) return [];
  const { method, path } = request;
  const query = queryOf(head.target);
  const known = operation.parameters.map(({ name }) => name);
  const names = [...query.keys()];
  const found: [string, boolean][] = [
    [named.trailingSlash, path.endsWith('/')],
    [named.headRequest, method === 'HEAD'],
    [named.unknownParameter, names.some((name) => !known.includes(name))],
    [
      named.repeatedParameter,
      names.some((name) => known.includes(name) && query.getAll(name).length > 1),
    ],
    [named.invalidParameter, !declaredIn(operation, query).every(fitsSchema)],
  ];
  if (operation.body !== null) {
    const type = header(head.headers, 'content-type') ?? '';
    const isEmpty = sent === undefined && !operation.body.required;
    found.push(
      [named.emptyBody, isEmpty],
      [named.unknownField, fieldsBeyond(operation, sent).length > 0],
      [named.bodyMediaType, sent !== undefined && !/json/i.test(type)],
      [named.nullField, isObject(sent) && Object.values(sent).includes(null)],
      [named.invalidBody, !isEmpty && operation.body.validate(sent).length > 0],
    );
  }
  const asked = found.flatMap(([statement, meets]) => (meets ? [statement] : []));
  return asked.filter((statement) => operation.statements.includes(statement));
}

export const queryOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');

/** The declared parameters that a query has, each with its value. */
function declaredIn({ parameters }: Operation, query: URLSearchParams) {
  return parameters.flatMap(({ name, in: place, schema }) => {
    const value = query.get(name);
    return place === 'query' && value !== null ? [{ name, schema, value }] : [];
  });
}

function fitsSchema({ schema, value }: ReturnType<typeof declaredIn>[number]): boolean {
  const isWhole = /^\d{1,9}$/.test(value);
  const isListed = !Array.isArray(schema.enum) || schema.enum.includes(value);
  return (schema.type !== 'integer' || isWhole) && isListed;
}

/** The values of the declared parameters, as numbers if they are integers. */
export function parametersIn(operation: Operation, target: string): Record<string, unknown> {
  const declared = declaredIn(operation, queryOf(target));
  return Object.fromEntries(
    declared.map(({ name, schema, value }) => [
      name,
      schema.type === 'integer' ? Number(value) : value,
    ]),
  );
}

function fieldsBeyond({ body }: Operation, sent: unknown): string[] {
  const properties = body?.schema.properties;
  if (!isObject(sent) || !isObject(properties)) return [];
  return Object.keys(sent).filter((name) => !Object.hasOwn(properties, name));
}

/** Why the answer to a request may differ from the description; undefined if there is no reason. */
export function whyBeyond(call: TargetCall, head: Head): string | undefined {
  const { operation, request } = call;
  if (operation === undefined) return 'the contract has no such operation';
  const asked = silencesAsked(call, head);
  if (asked.includes(named.trailingSlash))
    return 'the path ends in a slash, and what that is answered is open';
  if (asked.includes(named.unknownParameter))
    return 'it has a query parameter that the description does not know';
  if (asked.includes(named.repeatedParameter)) return 'a query parameter is repeated';
  if (request.method === 'HEAD') return 'it is a HEAD, and has no body to judge';
  const changing = ['range', 'prefer', ...methodOverrides];
  const changes = changing.find((name) => head.headers[name] !== undefined);
  if (changes !== undefined) return `its header ${changes} asks for another answer`;
  const accept = header(head.headers, 'accept');
  if (accept !== undefined && !admits(accept, mediaOf(operation)))
    return 'its Accept leaves out what the description shows';
  return undefined;
}

const mediaOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap(({ mediaType }) => mediaType ?? []);

function admits(accept: string, media: readonly string[]): boolean {
  const ranges = accept.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase());
  return media.every((type) => {
    const [main = ''] = type.split('/');
    // RFC 7644 section 3.1: application/json stands for application/scim+json.
    const names = [
      type,
      '*/*',
      `${main}/*`,
      ...(type.includes('json') ? ['application/json', 'application/scim+json'] : []),
    ];
    return (
      ranges.some((range) => range === '' || names.includes(range)) || /^text\/csv$/.test(type)
    );
  });
}
