/** Switches that are not made, are undone, or move other deployments as well. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { count, type Handle } from '../../../deviations/transforms.ts';
import type { DeploymentRow } from '../../../world/rows.ts';
import { deploymentId, deploymentIn } from './listed.ts';
import { channelOf, comesTo, move, spelled, update } from './wanted.ts';

export const switches: readonly Deviation[] = [
  {
    id: 'versions:switch-lost',
    text: 'A switch by releaseChannelVersion is answered, and the deployment stays where it was.',
    breaks: ['UPD-1'],
    collateral: [...spelled, 'VER-6'],
    operations: update,
    handle: comesTo(({ text }) => (text === undefined ? undefined : 'nothing')),
  },
  {
    id: 'versions:second-switch-ignored',
    text: 'The first switch of a deployment is made; later ones are answered and not made.',
    breaks: ['UPD-1'],
    collateral: [...spelled, 'UPD-7', 'VER-6', 'VER-8'],
    operations: update,
    handle: comesTo((_wanted, scene) =>
      count(scene.memory, deploymentId(scene)) > 1 ? 'nothing' : undefined,
    ),
  },
  {
    id: 'versions:switch-undone-once-seen',
    text: 'A switch shows when the list is read for the first time; then the deployment is back.',
    breaks: ['UPD-1'],
    collateral: [...spelled, 'UPD-7', 'VER-8', 'VER-6'],
    operations: ['listVersions', 'updateDeployment'],
    handle: (next, scene) => {
      const { memory, world, before, call } = scene;
      const id = deploymentId(scene);
      const result = next();
      const was = deploymentIn(before, id);
      if (call.operation.id === 'updateDeployment') {
        if (was !== undefined && was.runs !== deploymentIn(world.state, id)?.runs) {
          memory.set(id, was.runs);
        }
        return result;
      }
      const back = memory.get(id);
      if (was !== undefined && typeof back === 'string') {
        world.state.tables.deployments.put(id, { ...was, runs: back, before: null });
        memory.delete(id);
        scene.took();
      }
      return result;
    },
  },
  {
    id: 'versions:switches-another-deployment-as-well',
    text: 'A switch moves the next deployment of the account to the same version.',
    breaks: ['UPD-1'],
    collateral: ['VER-8', 'AUTH-14'],
    operations: update,
    handle: follow((deployments, id) => {
      const index = deployments.findIndex((row) => row.id === id);
      return [deployments[index + 1] ?? deployments[0]];
    }),
  },
  {
    id: 'versions:switches-every-deployment',
    text: 'A switch moves every deployment of the account to the version.',
    breaks: ['UPD-1'],
    collateral: ['VER-8', 'AUTH-14'],
    operations: update,
    handle: follow((deployments) => deployments),
  },
];

/** The other deployments that these are move along with a switch. */
function follow(
  which: (
    deployments: readonly DeploymentRow[],
    id: string,
  ) => readonly (DeploymentRow | undefined)[],
): Handle {
  return (next, scene) => {
    const { world, before } = scene;
    const id = deploymentId(scene);
    const result = next();
    const now = deploymentIn(world.state, id);
    if (now === undefined || now.runs === deploymentIn(before, id)?.runs) return result;
    const channel = channelOf(now.runs);
    const to = { channel, version: now.runs.slice(channel.length + 1) };
    for (const row of which(world.state.tables.deployments.rows(), id)) {
      if (row !== undefined && row.id !== id && move(world, row.id, to)) scene.took();
    }
    return result;
  };
}
