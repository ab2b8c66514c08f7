/** Versions that are not on the list, or of another image, and are taken all the same. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import type { RefusedHook } from '../../../deviations/transforms.ts';
import type { ReleaseRow } from '../../../world/rows.ts';
import { findVersion, fullSpelling, headOf, listedVersions } from '../machine.ts';
import { deploymentId, deploymentIn } from './listed.ts';
import {
  accepted,
  channelOf,
  isOtherImage,
  move,
  offered,
  oldest,
  update,
  wantedOf,
} from './wanted.ts';

export const unlisted: readonly Deviation[] = [
  {
    id: 'versions:unlisted-taken-by-its-beginning',
    text: 'A version that is not on the list is taken for a listed one that it begins with.',
    breaks: ['UPD-5'],
    collateral: ['UPD-6'],
    operations: update,
    handle: (next, scene) => {
      const { text } = wantedOf(scene);
      const catalogue = offered(scene);
      if (text === undefined || findVersion(catalogue, text, '') !== undefined) return next();
      const found = listedVersions(catalogue).find((release) =>
        [release.version, `v${release.version}`, fullSpelling(catalogue, release)].some((name) =>
          text.startsWith(name),
        ),
      );
      if (found === undefined) return next();
      move(scene.world, deploymentId(scene), found);
      return { status: 200, body: {} };
    },
  },
  {
    id: 'versions:unlisted-refused-but-moved',
    text: "A version that is not on the list is refused, and the deployment moves to its channel's head.",
    breaks: ['UPD-6'],
    operations: update,
    refused: refusedBut((scene, runsNow) => headOf(offered(scene), channelOf(runsNow))),
  },
  {
    id: 'versions:unlisted-refused-but-changes-channel',
    text: 'A version that is not on the list is refused, and the deployment moves to the head of another channel.',
    breaks: ['UPD-6'],
    operations: update,
    refused: refusedBut((scene, runsNow) => {
      const catalogue = offered(scene);
      const other = catalogue.channels.find(({ name }) => name !== channelOf(runsNow));
      return other === undefined ? undefined : headOf(catalogue, other.name);
    }),
  },
  {
    id: 'versions:unlisted-refused-but-moved-to-the-oldest',
    text: 'A version that is not on the list is refused, and the deployment moves to the oldest version of its channel.',
    breaks: ['UPD-6'],
    operations: update,
    refused: refusedBut((scene, runsNow) => oldest(offered(scene), channelOf(runsNow))),
  },
  {
    id: 'versions:other-image-accepted',
    text: 'The image repository of a full spelling is not looked at: any will do.',
    breaks: ['UPD-8'],
    operations: update,
    handle: (next, scene) => {
      const wanted = wantedOf(scene);
      const version = wanted.text?.slice(wanted.text.lastIndexOf(':') + 1) ?? '';
      const to = findVersion(offered(scene), version, '');
      if (!isOtherImage(wanted, scene) || to === undefined) return next();
      move(scene.world, deploymentId(scene), to);
      return { status: 200, body: {} };
    },
  },
  {
    id: 'versions:longer-image-accepted',
    text: 'An image repository that only ends like the own one is accepted.',
    breaks: ['UPD-8'],
    operations: update,
    handle: accepted((wanted, scene) => {
      const { imageRepository } = offered(scene);
      return isOtherImage(wanted, scene) && wanted.text?.includes(`${imageRepository}:`) === true;
    }),
  },
];

/** A refused version moves the deployment all the same. */
function refusedBut(
  target: (scene: Scene, runsNow: string) => ReleaseRow | undefined,
): RefusedHook {
  return ({ statement }, scene) => {
    const id = deploymentId(scene);
    const row = deploymentIn(scene.world.state, id);
    if (statement !== 'UPD-5' || row === undefined) return;
    if (move(scene.world, id, target(scene, row.runs))) scene.took();
  };
}
