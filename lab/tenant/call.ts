/** The calls that handlers answer. */

import type { Caller } from './credentials.ts';
import { type Fields, isFields, type Json, Refusal } from './exchange.ts';
import type { State } from './state.ts';

/** A request by an authenticated caller to a known path. */
export interface Call {
  readonly state: State;
  readonly now: number;
  readonly caller: Caller;
  readonly path: string;
  /** The deployment in the path; NaN if there is none. */
  readonly deployment: number;
  /** The name in the path inside the deployment; empty if there is none. */
  readonly id: string;
  /** The last value of each parameter; earlier values are ignored. */
  readonly query: Readonly<Record<string, string>>;
  /** Empty if nothing was sent. */
  readonly text: string;
}

/** Parses the object in the body. Throws Refusal for a field with any other name than these. */
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
