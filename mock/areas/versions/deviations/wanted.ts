/** What an update of a deployment asks for, and how a deviation makes something else of it. */

import type { Scene } from '../../../deviations/deviation.ts';
import { type Handle, restoreTables, sentBody } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import type { ReleaseRow } from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';
import {
  type Catalogue,
  compareVersions,
  findVersion,
  type ListedVersion,
  listedVersions,
  releaseKey,
  switchVersion,
} from '../machine.ts';
import { deploymentId, deploymentIn } from './listed.ts';

export const update = ['updateDeployment'] as const;

type Spelling = 'plain' | 'with-v' | 'full';

/** What an update asks for. */
export interface Wanted {
  /** `releaseChannelVersion` as it was sent. */
  readonly text: string | undefined;
  readonly spelling: Spelling | undefined;
  /** Set where a channel was sent without a version. */
  readonly channel: string | undefined;
}

export function wantedOf({ request }: Scene): Wanted {
  const { releaseChannelVersion: text, releaseChannel: channel } = sentBody(request) ?? {};
  if (typeof text !== 'string') {
    return {
      text: undefined,
      spelling: undefined,
      channel: typeof channel === 'string' ? channel : undefined,
    };
  }
  const spelling = text.includes(':') ? 'full' : text.startsWith('v') ? 'with-v' : 'plain';
  return { text, spelling, channel: undefined };
}

/** The catalogue as it was before the call. */
export function offered({ before }: Scene): Catalogue {
  return {
    imageRepository: before.base.imageRepository,
    channels: before.tables.channels.rows(),
    ran: before.tables.ran.rows(),
  };
}

/** Moves a deployment behind the back of the machine; true where that changed it. */
export function move(world: World, id: string, to: ReleaseRow | undefined): boolean {
  const row = deploymentIn(world.state, id);
  if (row === undefined || to === undefined) return false;
  const moved = switchVersion(row, to, world.clock.now());
  if (moved === row) return false;
  const { channel, version } = to;
  world.state.tables.deployments.put(id, moved);
  world.state.tables.ran.put(releaseKey(to), { channel, version });
  return true;
}

/** The switch is answered; what comes of it is this instead. Undefined: the honest thing. */
export function comesTo(
  target: (wanted: Wanted, scene: Scene) => ReleaseRow | 'nothing' | undefined,
): Handle {
  return (next, scene) => {
    const to = target(wantedOf(scene), scene);
    const result = next();
    if (to === undefined || result instanceof Promise || isRefusal(result)) return result;
    const honest = deploymentIn(scene.world.state, deploymentId(scene))?.runs;
    restoreTables(scene.world, scene.before, 'deployments', 'ran');
    if (to !== 'nothing') move(scene.world, deploymentId(scene), to);
    if (deploymentIn(scene.world.state, deploymentId(scene))?.runs !== honest) scene.took();
    return result;
  };
}

export function channelOf(key: string | undefined): string {
  return key === undefined ? '' : key.slice(0, key.lastIndexOf('@'));
}

/** What is refused as not on the list is answered 200, and nothing happens. */
export function accepted(when: (wanted: Wanted, scene: Scene) => boolean): Handle {
  return (next, scene) => {
    const wanted = wantedOf(scene);
    const result = next();
    if (result instanceof Promise || !isRefusal(result) || result.statement !== 'UPD-5') {
      return result;
    }
    return when(wanted, scene) ? { status: 200, body: {} } : result;
  };
}

/** A full spelling with a listed version and an image repository that is not the own one. */
export function isOtherImage({ text, spelling }: Wanted, scene: Scene): boolean {
  if (text === undefined || spelling !== 'full') return false;
  const colon = text.lastIndexOf(':');
  const catalogue = offered(scene);
  return (
    text.slice(0, colon) !== catalogue.imageRepository &&
    findVersion(catalogue, text.slice(colon + 1), '') !== undefined
  );
}

export function ofChannel(catalogue: Catalogue, channel: string): ListedVersion[] {
  return listedVersions(catalogue)
    .filter((release) => release.channel === channel)
    .sort((a, b) => compareVersions(b.version, a.version));
}

export function oldest(catalogue: Catalogue, channel: string): ListedVersion | undefined {
  return ofChannel(catalogue, channel).at(-1);
}

export const spelled = ['UPD-2', 'UPD-3', 'UPD-4'] as const;
