/** The deployment that a call is about, before the call and now. */
import { type Does, onceDone, type Scene } from '../../deviations/does.ts';
import type { DeploymentRow } from '../../world/rows.ts';

export const deploymentId = ({ call }: Scene) => call.requested.deployment ?? '';

export const deploymentBefore = (scene: Scene): DeploymentRow | undefined =>
  scene.before.tables.deployments.get(deploymentId(scene));

/** Key of the version that it runs now. */
export const runsNow = (scene: Scene) =>
  scene.world.state.tables.deployments.get(deploymentId(scene))?.runs;

/** Does something once a switch has changed what a deployment runs; true where that had an effect. */
export const onceSwitched = (
  act: (scene: Scene, change: { readonly from: string; readonly to: string }) => boolean,
): Does =>
  onceDone((done, scene) => {
    const [from, to] = [deploymentBefore(scene)?.runs, runsNow(scene)];
    const switched = from !== undefined && to !== undefined && from !== to;
    if (switched && act(scene, { from, to })) scene.took();
    return done;
  });
