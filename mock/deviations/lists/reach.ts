/** Deployments lists that hold what the credential may not reach, or lack what it may. */
import { isRefusal } from '../../exchange.ts';
import { readQuery } from '../../validate.ts';
import type { Deviation, Memory } from '../deviation.ts';
import { count } from '../transforms.ts';
import { instead, repaged, withCollateral } from './page.ts';

function reach(
  name: string,
  text: string,
  scopeOf: (
    scope: readonly string[],
    about: {
      readonly all: readonly string[];
      readonly offset: number;
      readonly memory: Memory;
    },
  ) => readonly string[] | null,
  collateral: readonly string[] = [],
): Deviation {
  return {
    id: `lists:scoped-key-${name}`,
    text,
    breaks: ['DEPL-4'],
    ...withCollateral(collateral),
    operations: ['listDeployments'],
    authenticate(caller, { world, request, memory }) {
      if (isRefusal(caller) || caller.scope === null) return caller;
      const query = readQuery(request.target.split('?')[1] ?? '');
      const offset = Number(query.get('offset')?.[0] ?? 0);
      const all = world.state.tables.deployments.rows().map((row) => row.id);
      const scope = scopeOf(caller.scope, { all, offset, memory });
      return scope === caller.scope ? caller : { ...caller, scope };
    },
  };
}

export const reached: readonly Deviation[] = [
  reach(
    'lists-another',
    "A scoped key's deployments list holds one deployment outside its scope.",
    (scope, { all }) => {
      const other = all.find((id) => !scope.includes(id));
      return other === undefined ? scope : [...scope, other];
    },
  ),
  reach(
    'lists-the-last-deployment',
    "A scoped key's deployments list holds the last deployment of the account as well.",
    (scope, { all }) => {
      const last = all.at(-1);
      return last === undefined || scope.includes(last) ? scope : [...scope, last];
    },
  ),
  reach('lists-all', "A scoped key's deployments list holds every deployment.", () => null),
  reach(
    'lists-all-behind-the-first-page',
    "A scoped key's deployments list is right on its first page; later ones are of all deployments.",
    (scope, { offset }) => (offset > 0 ? null : scope),
    ['PAGE-5', 'PAGE-6'],
  ),
  reach(
    'lists-all-the-second-time',
    "A scoped key's deployments list is right once, and then holds every deployment.",
    (scope, { memory }) => (count(memory, 'calls') === 1 ? scope : null),
  ),
  reach(
    'misses-its-own',
    "A scoped key's deployments list lacks the deployment of its scope.",
    (scope) => scope.slice(1),
  ),
  {
    id: 'lists:scoped-key-total-counts-all',
    text: "A scoped key's deployments list is right, but total counts every deployment.",
    breaks: ['DEPL-4'],
    collateral: ['PAGE-5', 'PAGE-6'],
    operations: ['listDeployments'],
    handle: repaged((_page, { scene }) =>
      scene.call.caller.scope === null
        ? undefined
        : { total: scene.world.state.tables.deployments.rows().length },
    ),
  },
  {
    id: 'lists:oauth-token-lists-one',
    text: 'The deployments list of an OAuth access token holds one deployment.',
    breaks: ['DEPL-4'],
    collateral: ['AUTH-5'],
    operations: ['listDeployments'],
    handle: repaged((page, { scene, whole }) =>
      scene.call.caller.kind === 'oauth' ? instead(page, whole.slice(0, 1)) : undefined,
    ),
  },
];
