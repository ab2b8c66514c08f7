/** What a break is: a row of a table, and the one place in which it takes effect. */

import {
  type Call,
  type Fields,
  fieldsOf,
  type Operation,
  type Reply,
  rowsOf,
} from '../exchange.ts';
import type { Around } from '../service.ts';
import type { State } from '../state.ts';

/** What a break may use. */
export interface Scene {
  readonly state: State;
  now(): number;
  /** Asked where the break would take effect; says whether it does, this time. */
  fires(): boolean;
}

export interface Break {
  readonly id: string;
  /** Statements that it breaks. */
  readonly statements: readonly string[];
  /** What it does, in one sentence. */
  readonly text: string;
  /** Made anew for each tenant, so that what it remembers is its own. */
  readonly make: (scene: Scene) => Around;
}

export const isServed = ({ status }: Reply): boolean => status < 300;
export const isRefused = ({ status }: Reply): boolean => status >= 400;

/** The rows of a list, whatever it is called. */
export function listed(reply: Reply): Fields[] {
  const body = fieldsOf(reply.body);
  const data = fieldsOf(body.data);
  return rowsOf(
    body.Resources ?? data.deployments ?? data.environments ?? body.branches ?? body.data,
  );
}

/** Puts other rows into a list. */
export function relist(reply: Reply, change: (rows: Fields[]) => Fields[]): Reply {
  const body = fieldsOf(reply.body);
  const data = fieldsOf(body.data);
  const [holder, name] = Array.isArray(body.Resources)
    ? ([body, 'Resources'] as const)
    : Array.isArray(body.data)
      ? ([body, 'data'] as const)
      : ([data, 'deployments' in data ? 'deployments' : 'environments'] as const);
  holder[name] = change(rowsOf(holder[name]));
  return reply;
}

export const pagination = (reply: Reply): Fields => fieldsOf(fieldsOf(reply.body).pagination);
export const data = (reply: Reply): Fields => fieldsOf(fieldsOf(reply.body).data);

/** The body of a call, for a change that the caller does not see. */
export function sending(call: Call, change: (body: Fields) => Fields): Call {
  return { ...call, json: change({ ...fieldsOf(call.json) }) };
}

/** A call with other parameters. */
export function asking(call: Call, change: (query: URLSearchParams) => void): Call {
  const query = new URLSearchParams(call.query);
  change(query);
  return { ...call, query };
}

/** Changes served answers of one operation. */
export function amended(
  operation: Operation | readonly Operation[],
  change: (reply: Reply, call: Call, scene: Scene) => Reply | undefined,
): Break['make'] {
  return (scene) => (call, serve) => {
    const done = serve(call);
    if (![operation].flat().includes(call.operation) || !isServed(done)) return done;
    const copy = structuredClone(done);
    const changed = change(copy, call, scene);
    return changed !== undefined && scene.fires() ? changed : done;
  };
}

/** Changes calls of one operation before they are served; undefined leaves a call alone. */
export function redirected(
  operation: Operation | readonly Operation[],
  change: (call: Call, scene: Scene) => Call | undefined,
): Break['make'] {
  return (scene) => (call, serve) => {
    const other = [operation].flat().includes(call.operation) ? change(call, scene) : undefined;
    return serve(other !== undefined && scene.fires() ? other : call);
  };
}

/** Puts another answer in the place of one that fits. */
export function replaced(
  fits: (reply: Reply, call: Call) => boolean,
  instead: (reply: Reply, call: Call, scene: Scene) => Reply,
): Break['make'] {
  return (scene) => (call, serve) => {
    const done = serve(call);
    return fits(done, call) && scene.fires() ? instead(done, call, scene) : done;
  };
}
