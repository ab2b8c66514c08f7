/** A channel without a version that moves the deployment elsewhere, or nowhere. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { count } from '../../../deviations/transforms.ts';
import type { ReleaseRow } from '../../../world/rows.ts';
import { type Catalogue, headOf, releaseKey } from '../machine.ts';
import { deploymentId, deploymentIn } from './listed.ts';
import { channelOf, comesTo, ofChannel, offered, oldest, update } from './wanted.ts';

function toChannel(
  name: string,
  text: string,
  target: (
    channel: string,
    scene: Scene,
    catalogue: Catalogue,
  ) => ReleaseRow | 'nothing' | undefined,
): Deviation {
  return {
    id: `versions:channel-alone-${name}`,
    text,
    breaks: ['UPD-7'],
    collateral: ['VER-7', 'VER-6'],
    operations: update,
    handle: comesTo(({ channel }, scene) =>
      channel === undefined ? undefined : target(channel, scene, offered(scene)),
    ),
  };
}

export const channels: readonly Deviation[] = [
  toChannel(
    'ignored',
    'releaseChannel alone is answered, and the deployment stays where it was.',
    () => 'nothing',
  ),
  toChannel(
    'goes-to-the-oldest',
    'releaseChannel alone moves the deployment to the oldest listed version of the channel.',
    (channel, _scene, catalogue) => oldest(catalogue, channel),
  ),
  toChannel(
    'goes-to-another-channel',
    'releaseChannel alone moves the deployment to the head of another channel.',
    (channel, _scene, catalogue) => {
      const other = catalogue.channels.find((row) => row.name !== channel);
      return other === undefined ? undefined : headOf(catalogue, other.name);
    },
  ),
  toChannel(
    'stops-below-the-head',
    'releaseChannel alone moves the deployment to the version below the head of the channel.',
    (channel, _scene, catalogue) => ofChannel(catalogue, channel)[1],
  ),
  toChannel(
    'goes-one-down',
    'releaseChannel alone moves the deployment to the next older version of the channel than it runs.',
    (channel, scene, catalogue) => {
      const listed = ofChannel(catalogue, channel);
      const now = deploymentIn(scene.before, deploymentId(scene))?.runs;
      return (
        listed[listed.findIndex((release) => releaseKey(release) === now) + 1] ?? listed.at(-1)
      );
    },
  ),
  toChannel(
    'works-once',
    'releaseChannel alone moves a deployment the first time, and then no more.',
    (_channel, { memory }) => (count(memory, 'calls') > 1 ? 'nothing' : undefined),
  ),
  toChannel(
    'keeps-an-older-version',
    'releaseChannel alone does nothing for a deployment that runs a version of the channel.',
    (channel, scene) =>
      channelOf(deploymentIn(scene.before, deploymentId(scene))?.runs) === channel
        ? 'nothing'
        : undefined,
  ),
];
