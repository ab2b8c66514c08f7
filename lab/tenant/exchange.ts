import type { Reply, Request } from '../deviations/wire.ts';

export type Json = null | boolean | number | string | Json[] | Fields;
export interface Fields {
  [name: string]: Json;
}

/** The code of a refusal is in `why`. */
export type { Reply, Request };

/** A refusal. Handlers throw it. */
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

/** Whether two values are equal. The order of fields does not matter. */
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
