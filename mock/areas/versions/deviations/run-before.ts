/** Versions that the account has run before, and that are no longer listed. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { mapItems, setIn } from '../../../deviations/transforms.ts';
import type { State } from '../../../world/state.ts';
import { deploymentId, deploymentIn, isHead, runs, shows } from './listed.ts';
import { update } from './wanted.ts';

export const runBefore: readonly Deviation[] = [
  shows(
    'run-before-forgotten',
    'Nothing is listed but the heads of the channels and the version that runs.',
    ['VER-6'],
    (items) => items.filter((item) => isHead(item) || runs(item)),
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4'],
  ),
  {
    id: 'versions:run-before-kept-per-deployment',
    text: 'A version that was run before is listed only for deployments that have run it.',
    breaks: ['VER-6'],
    collateral: ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4'],
    operations: ['listVersions', 'updateDeployment'],
    handle: (next, scene) => {
      const { memory, world, call } = scene;
      const id = deploymentId(scene);
      const ran = setIn(memory, `ran:${id}`);
      const remember = (state: State) => {
        const row = deploymentIn(state, id);
        if (row !== undefined) ran.add(row.runs);
      };
      remember(world.state);
      if (call.operation.id === 'updateDeployment') {
        const result = next();
        remember(world.state);
        return result;
      }
      // What nobody runs at the start was run by the first deployment.
      if (world.state.tables.deployments.rows()[0]?.id === id) {
        const running = new Set(
          [...world.state.base.tables.deployments.values()].map((row) => row.runs),
        );
        for (const key of world.state.base.tables.ran.keys()) if (!running.has(key)) ran.add(key);
      }
      return mapItems((items) =>
        items.filter((item) => isHead(item) || ran.has(`${item.releaseChannel}@${item.version}`)),
      )(next, scene);
    },
  },
  {
    id: 'versions:forgotten-when-left',
    text: 'A version that a deployment is switched away from is no longer listed.',
    breaks: ['VER-6'],
    collateral: ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4', 'UPD-6'],
    operations: update,
    handle: (next, scene) => {
      const { world, before } = scene;
      const result = next();
      const left = deploymentIn(before, deploymentId(scene))?.runs;
      const now = deploymentIn(world.state, deploymentId(scene))?.runs;
      const runsElsewhere = world.state.tables.deployments.rows().some((row) => row.runs === left);
      if (left !== undefined && left !== now && !runsElsewhere) {
        if (world.state.tables.ran.has(left)) scene.took();
        world.state.tables.ran.delete(left);
      }
      return result;
    },
  },
];
