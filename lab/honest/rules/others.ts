/** Variants with other users, who change lists and objects that the run does not bind. */

import type { State } from '../../../mock/world/state.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { type OperationId, operation } from '../../../spec/contract.ts';
import type { Request } from '../../deviations/wire.ts';
import type { Traits } from '../../tenant/traits.ts';
import { each, isCall, type Next, type Scene, type Variant } from '../variant.ts';

/** A call by another administrator. */
function call(
  scene: Scene,
  id: OperationId,
  path: Readonly<Record<string, string>>,
  body: unknown,
): Request {
  const { method, path: written } = operation(id);
  const secret = scene.credentials.get('admin')?.secret ?? '';
  return {
    method,
    target: written.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    ),
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    text: JSON.stringify(body),
    secure: true,
  };
}

/** An action of another user between two calls of the run. */
type Deed = (scene: Scene, next: Next, count: number) => Promise<unknown>;

const at = ({ bindings }: Scene): string => {
  const { deployment } = bindings as JsonObject;
  return isObject(deployment) ? String(deployment.id) : '';
};

/**
 * An action that makes a call. Its path names the run's deployment; its body depends on the number
 * of earlier calls.
 */
const calls =
  (
    id: OperationId,
    path: (own: string) => Readonly<Record<string, string>>,
    body: (count: number) => unknown,
  ): Deed =>
  (scene, next, count) =>
    next(call(scene, id, path(at(scene)), body(count)));
const inTurns = (one: string, other: string) => (count: number) => ({
  releaseChannelVersion: count % 2 === 0 ? one : other,
});

/** On the mock, these change objects of acme that the bindings do not name. */
const deeds: Readonly<Record<string, Deed>> = {
  'another branch is switched': calls(
    'setStagingEnvironment',
    (own) => ({ deployment_id: own }),
    (count) => ({ branchId: 103, enabled: count % 2 === 0 }),
  ),
  'another deployment is switched': calls(
    'updateDeployment',
    () => ({ deployment_id: '7' }),
    inTurns('1.6.3', '1.6.1'),
  ),
  'another deployment runs a version that nobody ran': calls(
    'updateDeployment',
    () => ({ deployment_id: '9' }),
    inTurns('1.6.3', '1.7.0'),
  ),
  'somebody subscribes elsewhere': calls(
    'addNotificationRecipients',
    () => ({ deploymentId: '2', id: '41' }),
    (count) => ({ recipients: [{ userId: 3 + (count % 20) }] }),
  ),
  'people come and go': async ({ snapshot, restore }, _, count) => {
    const state = snapshot() as State;
    const { users } = state.tables;
    const id = 900 + Math.floor(count / 2);
    const somebody = users.get(3);
    if (count % 2 === 1) users.delete(id);
    else if (somebody !== undefined)
      users.put(id, { ...somebody, id, email: `visitor${id}@example.com` });
    restore(state);
  },
  'deployments come and go': async ({ emit }, _, count) => {
    const id = emit?.({ type: 'createDeployment', name: `Visitor ${count}` }).id;
    if (count % 2 === 0) emit?.({ type: 'deleteDeployment', deployment: id });
  },
  'branches are made': async (scene, _, count) =>
    scene.emit?.({
      ...{ type: 'createBranch', deployment: at(scene), name: `visitor-${count}` },
      kind: count % 3 === 0 ? 'shared' : 'personal',
    }),
  'people sign in': async ({ emit }) => emit?.({ type: 'login', userEmail: 'ben@example.com' }),
  'the one who is looked for signs in': async ({ emit }) =>
    emit?.({ type: 'login', userEmail: 'ana@example.com' }),
  'versions are published': async ({ emit }, _, count) =>
    count % 4 === 0
      ? emit?.({ type: 'publishVersion', channel: 'preview', version: `1.8.${count}` })
      : undefined,
  'tokens are made': calls(
    'createMetaSyncToken',
    (own) => ({ deployment_id: own, environment_id: '201' }),
    () => ({ security_context: {} }),
  ),
};
/** One action in EVERY calls, at random. A fixed interval could meet the same call of each walk. */
const EVERY = 9;
const ground = 'others use the account as well; no sentence says that a run is alone';

/** The independent tenant has other users built in. */
const traits: Readonly<Record<string, Traits>> = {
  'colleagues at work': { others: { every: 7, seed: 1 } },
  'a list that moves': { moving: { every: 11 } },
};
/** Twice as many objects as acme has. */
const parameters = {
  ...{ deployments: 90, environmentsPerDeployment: 6, branchesPerDeployment: 8 },
  ...{ foldersPerDeployment: 8, users: 84, auditEvents: 1000 },
};

/**
 * The deployment already runs the head of its channel, and a switch to the running version is
 * refused.
 */
const atHead: Variant = {
  ...{ id: 'others:the head runs already', slot: 'silence:UPD-16', ground: 'UPD-16', on: 'mock' },
  assumptions: { 'UPD-16': 'refused' },
  world: {},
  does: (scene) => {
    const path = { deployment_id: at(scene) };
    let before = true;
    return async (asked, next) => {
      if (before) {
        before = false;
        await next(call(scene, 'updateDeployment', path, { releaseChannelVersion: '1.6.3' }));
      }
      return next(asked);
    };
  },
};

export const otherVariants: readonly Variant[] = [
  ...each({ rule: 'others', ground, on: 'mock', shared: true }, deeds, (deed, kind) => ({
    slot: `others:${kind}`,
    does: (scene) => {
      let count = 0;
      return async (asked, next) => {
        if (isCall(asked) && scene.random.below(EVERY) === 0) {
          scene.met();
          count += 1;
          await deed(scene, next, count);
        }
        return next(asked);
      };
    },
  })),
  ...each({ rule: 'others', ground, on: 'tenant' }, traits, (trait, kind) => ({
    slot: `others:${kind}`,
    traits: trait,
  })),
  atHead,
  {
    id: 'others:twice as much of everything',
    ground: 'how much an account holds is not said',
    slot: 'world',
    on: 'mock',
    world: { fixture: 'large', parameters },
  },
];
