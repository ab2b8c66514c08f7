/** What several tables of breaks are made with. */

import { type Call, type Fields, fieldsOf, type Operation, type Reply } from '../exchange.ts';
import type { Serve } from '../service.ts';
import type { Branch, State } from '../state.ts';
import {
  asking,
  type Break,
  isServed,
  redirected,
  relist,
  replaced,
  type Scene,
  sending,
} from './break.ts';

/** Serves with something to remember, which is undefined at first. */
export type Remembering<Memory> = (
  call: Call,
  serve: Serve,
  memory: { last?: Memory },
  scene: Scene,
) => Reply;

export const withQuery =
  (set: Readonly<Record<string, string>>) =>
  (call: Call, serve: Serve): Reply =>
    serve(
      asking(call, (query) => {
        for (const [name, value] of Object.entries(set)) query.set(name, value);
      }),
    );

export function remembering<Memory>(step: Remembering<Memory>): Break['make'] {
  return (scene) => {
    const memory: { last?: Memory } = {};
    return (call, serve) => step(call, serve, memory, scene);
  };
}

/** Counts calls that fit, and does something else with each n-th. */
export function eachNth(
  n: number,
  fits: (call: Call) => boolean,
  instead: (call: Call, serve: Serve, scene: Scene) => Reply,
): Break['make'] {
  return (scene) => {
    let count = 0;
    return (call, serve) => {
      if (!fits(call)) return serve(call);
      count += 1;
      return count % n === 0 && scene.fires() ? instead(call, serve, scene) : serve(call);
    };
  };
}

/** Answers as if the call had been served, and takes back what it did to a part of the state. */
export const undone =
  (operation: string, part: 'branches' | 'deployments' | 'folders'): Break['make'] =>
  (scene) =>
  (call, serve) => {
    const before = structuredClone(scene.state[part]);
    const done = serve(call);
    if (call.operation === operation && isServed(done) && scene.fires())
      Object.assign(scene.state, { [part]: before });
    return done;
  };

export const all = [
  'deployments',
  'environments',
  'token',
  'toggle',
  'branches',
  'versions',
  'update',
  'audit',
  'dbt',
  'folder',
  'recipients',
  'users',
];

export const served =
  (operation: Operation) =>
  (call: Call, done: Reply): boolean =>
    call.operation === operation && isServed(done);

/** Serves in the name of the administrator what was refused with one of these statuses. */
export const letIn =
  (
    operations: readonly string[],
    statuses: readonly number[],
    fits: (authorization: string) => boolean = () => true,
  ): Break['make'] =>
  (scene) =>
  (call, serve) => {
    const done = serve(call);
    const refused =
      operations.includes(call.operation) &&
      statuses.includes(done.status) &&
      fits(call.authorization);
    return refused && scene.fires() ? serve({ ...call, authorization: admin }) : done;
  };

/** Does something after each served call of one operation, with a memory of its own. */
export function after<Memory extends object>(
  operation: Operation,
  memory: () => Memory,
  then: (call: Call, done: Reply, memory: Memory, scene: Scene) => void,
): Break['make'] {
  return (scene) => {
    const own = memory();
    return (call, serve) => {
      const done = serve(call);
      if (call.operation === operation && isServed(done)) then(call, done, own, scene);
      return done;
    };
  };
}

export const drop = (row: Fields, name: string): void => {
  delete row[name];
};

export const status = (from: number, to: number, operations = all): Break['make'] =>
  replaced(
    (reply, call) => operations.includes(call.operation) && reply.status === from,
    (reply) => ({ ...reply, status: to }),
  );

export const sent = (call: Call): Fields => fieldsOf(call.json);

export const writes: readonly Operation[] = ['toggle', 'update', 'folder', 'recipients'];

export const keyOf = ({ authorization }: Call): string => authorization.replace(/^\S+ +/, '');

export const is =
  (operation: Operation) =>
  (call: Call): boolean =>
    call.operation === operation;

/** Serves a call, and takes back what it did to a part of the state. */
export const lost =
  (part: 'branches' | 'deployments' | 'folders') =>
  (call: Call, serve: Serve, scene: Scene): Reply => {
    const before = structuredClone(scene.state[part]);
    const done = serve(call);
    Object.assign(scene.state, { [part]: before });
    return done;
  };

/** Makes an unlisted full spelling of a version into the listed one. */
export const spelt = (
  fits: (text: string) => boolean,
  change: (text: string) => string,
): Break['make'] =>
  redirected('update', (call) => {
    const { releaseChannelVersion: text } = fieldsOf(call.json);
    return typeof text === 'string' && fits(text)
      ? sending(call, (body) => ({ ...body, releaseChannelVersion: change(text) }))
      : undefined;
  });

export const admin = 'Bearer hk_live_9Qd2mB7wXz41';

export const without = (reply: Reply, at: number): Reply =>
  relist(reply, (rows) => rows.filter((_row, index) => index !== (at < 0 ? rows.length + at : at)));

export const minute = 60_000;

/** Does something to the next call that fits, once a served or refused one has armed it. */
export function armed(
  arms: (call: Call, reply: Reply) => boolean,
  fits: (call: Call) => boolean,
  instead: (call: Call, serve: Serve, scene: Scene, arming: Call) => Reply,
): Break['make'] {
  return remembering<Call>((call, serve, memory, scene) => {
    const arming = memory.last;
    if (arming !== undefined && fits(call)) {
      delete memory.last;
      if (scene.fires()) return instead(call, serve, scene, arming);
    }
    const done = serve(call);
    if (arms(call, done)) memory.last = call;
    return done;
  });
}

export const isWrite = ({ operation }: Call): boolean => writes.includes(operation);

export const another = (state: State, branch: Branch): Branch | undefined =>
  state.branches.find(
    (one) => one.deployment === branch.deployment && one.kind === 'shared' && one.id !== branch.id,
  );
