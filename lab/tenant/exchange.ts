/** What comes in, what goes out, and what stands between the two. */

import type { Caller } from './credentials.ts';
import { Refusal } from './refusal.ts';

export type Json = null | boolean | number | string | Json[] | Fields;
export interface Fields {
  [name: string]: Json;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly secure: boolean;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A text is sent as it is, undefined is no body. */
  body: Json | undefined;
  /** Media type; of a body that is no JSON as well. */
  media: string;
}

export type Operation =
  | 'deployments'
  | 'environments'
  | 'token'
  | 'toggle'
  | 'branches'
  | 'versions'
  | 'update'
  | 'audit'
  | 'dbt'
  | 'folder'
  | 'recipients'
  | 'users';

/** A request whose path is known. */
export interface Call {
  readonly request: Request;
  readonly operation: Operation;
  /** The values of the path, in its order. */
  readonly path: readonly string[];
  query: URLSearchParams;
  /** The value of the Authorization header. */
  authorization: string;
  /** Undefined where the body is empty or is no JSON. */
  json: Json | undefined;
}

/** A call of somebody who is known. */
export interface KnownCall extends Call {
  readonly caller: Caller;
}

export function reply(status: number, body?: Json): Reply {
  return { status, headers: {}, body, media: 'application/json; charset=utf-8' };
}

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object; none where it is no object. The object itself, so it can be changed. */
export function fieldsOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

/** The objects of an array; none where it is no array. */
export function rowsOf(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Whether two values are the same; the order of the names in an object does not count. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (isFields(a) && isFields(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
  }
  return a === b;
}

/** A body with fields of these names and no others. */
export function bodyOf(call: Call, known: readonly string[]): Fields {
  if (!isFields(call.json)) throw new Refusal(422, 'E-100 body unusable');
  const strange = Object.keys(call.json).find((name) => !known.includes(name));
  if (strange !== undefined) throw new Refusal(422, `E-101 surplus: ${strange}`);
  return call.json;
}

/** The last value of a parameter, as the others do not count. */
export function parameter(call: Call, name: string): string | undefined {
  return call.query.getAll(name).at(-1);
}
