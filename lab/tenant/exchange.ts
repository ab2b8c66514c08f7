/** What comes in, what goes out, and what a handler is told. */

import type { Caller } from './credentials.ts';
import type { State } from './state.ts';

export type Json = null | boolean | number | string | Json[] | Fields;
export interface Fields {
  [name: string]: Json;
}

export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly secure: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is if the media type is not JSON; undefined is no body. */
  readonly body: unknown;
  /** The code of a refusal. */
  readonly why?: string | undefined;
}

/** A request of somebody who is known, to a place that is known. */
export interface Call {
  readonly state: State;
  readonly now: number;
  readonly caller: Caller;
  readonly path: string;
  /** The deployment in the path; NaN if there is none. */
  readonly deployment: number;
  /** What the path names inside the deployment; empty if it names nothing. */
  readonly id: string;
  /** The last value of each parameter, as the others do not count. */
  readonly query: Readonly<Record<string, string>>;
  /** Empty if nothing was sent. */
  readonly text: string;
}

/** Why a request is refused; thrown by the place that finds out. */
export class Refusal extends Error {
  readonly status: number;
  /** The message begins with a code of its own. */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function reply(status: number, body?: Json, media?: string): Reply {
  const type = media ?? 'application/json; charset=utf-8';
  return { status, headers: body === undefined ? {} : { 'Content-Type': type }, body };
}

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** The object that was sent; it may have fields of these names and no others. */
export function bodyOf({ text }: Call, known: readonly string[]): Fields {
  const json = parsed(text);
  if (!isFields(json)) throw new Refusal(422, 'E-100 body unusable');
  const strange = Object.keys(json).find((name) => !known.includes(name));
  if (strange !== undefined) throw new Refusal(422, `E-101 surplus: ${strange}`);
  return json;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
