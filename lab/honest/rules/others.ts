/** Other people at work, in every list and on whatever the run does not hold. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { type OperationId, operation } from '../../../spec/contract.ts';
import type { Request } from '../../deviations/wire.ts';
import { isCall, type Next, type Scene, type Variant } from '../variant.ts';

/** A call that somebody else makes, as an administrator. */
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

/** What somebody does between two calls of the run. */
type Deed = (scene: Scene, next: Next, count: number) => Promise<unknown>;

const at = ({ bindings }: Scene): string => {
  const { deployment } = bindings as JsonObject;
  return isObject(deployment) ? String(deployment.id) : '';
};

/** On the mock: what acme has besides what its bindings name. */
const deeds: Readonly<Record<string, Deed>> = {
  'another branch is switched': (scene, next, count) =>
    next(
      call(
        scene,
        'setStagingEnvironment',
        { deployment_id: at(scene) },
        { branchId: 103, enabled: count % 2 === 0 },
      ),
    ),
  'another deployment is switched': (scene, next, count) =>
    next(
      call(
        scene,
        'updateDeployment',
        { deployment_id: '7' },
        { releaseChannelVersion: count % 2 === 0 ? '1.6.3' : '1.6.1' },
      ),
    ),
  'another deployment runs a version that nobody ran': (scene, next, count) =>
    next(
      call(
        scene,
        'updateDeployment',
        { deployment_id: '9' },
        { releaseChannelVersion: count % 2 === 0 ? '1.6.3' : '1.7.0' },
      ),
    ),
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
  'tokens are made': (scene, next) =>
    next(
      call(
        scene,
        'createMetaSyncToken',
        { deployment_id: at(scene), environment_id: '201' },
        { security_context: {} },
      ),
    ),
};
const EVERY = 9;

const colleagues = Object.entries(deeds).map(
  ([kind, deed]): Variant => ({
    id: `others:${kind}`,
    ground: 'others use the account as well; no sentence says that a run is alone',
    slot: `others:${kind}`,
    on: 'mock',
    does: (scene) => {
      let count = 0;
      return async (asked, next) => {
        count += 1;
        if (count % EVERY === 0 && isCall(asked)) await deed(scene, next, count / EVERY);
        return next(asked);
      };
    },
  }),
);

/** On the independent tenant, which has colleagues of its own. */
const traits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'colleagues at work': { others: { every: 7, seed: 1 } },
  'a list that moves': { moving: { every: 11 } },
};
const ofTenant = Object.entries(traits).map(
  ([kind, trait]): Variant => ({
    id: `others:${kind}`,
    ground: 'others use the account as well; no sentence says that a run is alone',
    slot: `others:${kind}`,
    on: 'tenant',
    traits: trait,
  }),
);

const large: Variant = {
  id: 'others:twice as much of everything',
  ground: 'how much an account holds is not said',
  slot: 'world',
  on: 'mock',
  world: {
    fixture: 'large',
    parameters: {
      ...{ deployments: 90, environmentsPerDeployment: 6, branchesPerDeployment: 8 },
      ...{ foldersPerDeployment: 8, users: 84, auditEvents: 1000 },
    },
  },
};

export const otherVariants: readonly Variant[] = [...colleagues, ...ofTenant, large];
