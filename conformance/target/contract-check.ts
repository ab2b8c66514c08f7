/**
 * Compares every answer with the contract. A failure belongs to the statements that the schema node
 * names. If the node names none, or only silences, it is an observation. Headers and fields that the
 * contract does not declare break no promise either.
 */

import {
  atPointer,
  isObject,
  leavesOf,
  pointerToken,
  shape,
  typeOf,
} from '../../spec/base/json.ts';
import { type Operation, statement } from '../../spec/contract.ts';
import { mayBeGateway } from '../judge/gateway.ts';
import type { Observation } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';

export interface Breach {
  readonly statement: string;
  readonly pointer: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

export type Observed = Pick<Observation, 'kind' | 'value' | 'type'>;

/** The most undeclared headers and fields that are noted of one answer: a target may add any number. */
const mostSeen = 200;

const ordinaryHeaders = new Set(
  `accept-ranges age allow alt-svc cache-control connection content-disposition content-encoding
   content-language content-length content-security-policy content-type cross-origin-opener-policy
   cross-origin-resource-policy date etag expires keep-alive last-modified location pragma
   referrer-policy server set-cookie strict-transport-security trailer transfer-encoding vary via
   www-authenticate x-content-type-options x-frame-options x-xss-protection`.split(/\s+/),
);

/**
 * If an answer is not JSON, only that is noted. A standing check decides whether it must be JSON. An
 * answer to another method than the operation's is not compared.
 */
export function checkContract(operation: Operation, answer: Answer) {
  const { status, wire, body, request } = answer;
  const breaches: Breach[] = [];
  const seen: Observed[] = [];
  const result = { breaches, seen };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (operation.method.toUpperCase() !== method) return result;
  if (status === 0 || mayBeGateway(wire)) return result;
  const declared = operation.responseFor(status);
  if (declared === undefined) {
    seen.push({ kind: 'undeclared-status', value: status });
    return result;
  }
  for (const name of Object.keys(wire.headers).slice(0, mostSeen)) {
    if (ordinaryHeaders.has(name) || name.startsWith('lockstep-')) continue;
    seen.push({ kind: 'undeclared-header', value: name });
  }
  const { mediaType, schema } = declared;
  if (request.method === 'HEAD' || schema === null || !mediaType?.includes('json')) {
    return result;
  }
  if (body === undefined) {
    const what = wire.text === '' ? 'without a body' : 'with a body that is not JSON';
    seen.push({ kind: 'contract', value: `${status} ${what}` });
    return result;
  }
  if (!answer.media.includes('json')) seen.push({ kind: 'media-type', value: answer.media });
  for (const { pointer, message, statements } of declared.validate(body)) {
    const owners = broken(statements);
    if (owners.length === 0) {
      seen.push({ kind: 'contract', value: `${generic(pointer)} ${message}` });
    }
    const actual = atPointer(body, pointer);
    for (const id of owners) {
      if (breaches.some((breach) => breach.statement === id)) continue;
      breaches.push({ statement: id, pointer: `/body${pointer}`, expected: message, actual });
    }
  }
  const fields = new Map<string, string>();
  undeclared(schema, body, '', fields);
  for (const [field, type] of fields)
    seen.push({ kind: 'undeclared-field', value: field, ...(answer.ok && { type }) });
  return result;
}

/** Statements that an answer can break: promises that a call can show. */
function broken(ids: readonly string[]): string[] {
  return ids.filter((id) => {
    const { level, unobservable } = statement(id);
    return level !== 'silent' && unobservable === undefined;
  });
}

/** Pointers of fields that the schema does not know, down to their own fields, and their types. `*` is a place in a list. */
function undeclared(
  schema: unknown,
  value: unknown,
  pointer: string,
  found: Map<string, string>,
): void {
  if (!isObject(schema)) return;
  if (Array.isArray(value)) {
    for (const item of value) undeclared(schema.items, item, `${pointer}/*`, found);
    return;
  }
  if (!isObject(value) || !isObject(schema.properties)) return;
  for (const [key, item] of Object.entries(value)) {
    const place = pointer + pointerToken(key);
    if (Object.hasOwn(schema.properties, key))
      undeclared(schema.properties[key], item, place, found);
    else if (schema.additionalProperties !== false && found.size < mostSeen)
      for (const { keys, type } of [{ keys: [], type: typeOf(item) }, ...leavesOf(shape(item))])
        if (found.size < mostSeen) found.set(place + keys.map(pointerToken).join(''), type);
  }
}

function generic(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*') || '/';
}
