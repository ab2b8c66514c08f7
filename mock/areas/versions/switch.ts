/** An update that switches a deployment's version, and what a deviation makes of it. */
import { type Does, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { despiteRefusal } from '../../deviations/refusals.ts';
import { sentBody } from '../../deviations/sent.ts';
import { restoreTables } from '../../deviations/state.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { DeploymentRow, ReleaseRow } from '../../world/rows.ts';
import type { State } from '../../world/state.ts';
import type { World } from '../../world/world.ts';
import {
  type Catalogue,
  compareVersions,
  findVersion,
  headOf,
  type ListedVersion,
  listedVersions,
  releaseKey,
  switchVersion,
} from './machine.ts';

export type Spelling = 'plain' | 'with-v' | 'full';

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
    const alone = typeof channel === 'string' ? channel : undefined;
    return { text: undefined, spelling: undefined, channel: alone };
  }
  const spelling = text.includes(':') ? 'full' : text.startsWith('v') ? 'with-v' : 'plain';
  return { text, spelling, channel: undefined };
}

export function deploymentId({ call }: Scene): string {
  return call.requested.deployment ?? '';
}

export function deploymentIn(state: State, id: string): DeploymentRow | undefined {
  return state.tables.deployments.get(id);
}

/** Key of the version that the deployment ran before the call. */
export const ranBefore = (scene: Scene) => deploymentIn(scene.before, deploymentId(scene))?.runs;

/** Key of the version that it runs now. */
export const runsNow = (scene: Scene) => deploymentIn(scene.world.state, deploymentId(scene))?.runs;

export function channelOf(key: string | undefined): string {
  return key === undefined ? '' : key.slice(0, key.lastIndexOf('@'));
}

/** The catalogue as it was before the call. */
export function offered({ before }: Scene): Catalogue {
  return {
    imageRepository: before.base.imageRepository,
    channels: before.tables.channels.rows(),
    ran: before.tables.ran.rows(),
  };
}

/** The listed versions of a channel, newest first. */
export function ofChannel(catalogue: Catalogue, channel: string): ListedVersion[] {
  return listedVersions(catalogue)
    .filter((release) => release.channel === channel)
    .sort((a, b) => compareVersions(b.version, a.version));
}

export function oldest(catalogue: Catalogue, channel: string): ListedVersion | undefined {
  return ofChannel(catalogue, channel).at(-1);
}

/** The head of another channel. */
export function otherHead(catalogue: Catalogue, channel: string): ReleaseRow | undefined {
  const other = catalogue.channels.find(({ name }) => name !== channel);
  return other && headOf(catalogue, other.name);
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

type Target = ReleaseRow | 'nothing' | undefined;

/** The switch is answered; what comes of it is this instead. Undefined: the honest thing. */
export const comesTo = (target: (wanted: Wanted, scene: Scene) => Target): Does =>
  onHandling((next, scene) => {
    const to = target(wantedOf(scene), scene);
    return whenDone(next(), (done) => {
      if (to === undefined || isRefusal(done)) return done;
      const honest = runsNow(scene);
      restoreTables(scene.world, scene.before, ['deployments', 'ran']);
      if (to !== 'nothing') move(scene.world, deploymentId(scene), to);
      if (runsNow(scene) !== honest) scene.took();
      return done;
    });
  });

/** The same where a channel is sent without a version. */
export const channelComesTo = (
  target: (catalogue: Catalogue, channel: string, scene: Scene) => Target,
): Does =>
  comesTo(({ channel }, scene) =>
    channel === undefined ? undefined : target(offered(scene), channel, scene),
  );

/** What is refused as not on the list is answered 200, and nothing happens. */
export const accepts = (when: (wanted: Wanted, scene: Scene) => boolean): Does =>
  onHandling((next, scene) =>
    whenDone(next(), (done) =>
      isRefusal(done) && done.statement === 'UPD-5' && when(wantedOf(scene), scene)
        ? { status: 200, body: {} }
        : done,
    ),
  );

/** What would be refused as not on the list is taken for this listed version. */
export const takesFor = (listed: (text: string, scene: Scene) => ReleaseRow | undefined): Does =>
  onHandling((next, scene) => {
    const { text } = wantedOf(scene);
    const to = text === undefined ? undefined : listed(text, scene);
    if (to === undefined) return next();
    move(scene.world, deploymentId(scene), to);
    return { status: 200, body: {} };
  });

/** A version that is refused as not on the list moves the deployment all the same. */
export const movesDespiteRefusal = (
  target: (catalogue: Catalogue, channel: string) => ReleaseRow | undefined,
): Does =>
  despiteRefusal(['UPD-5'], (scene) => {
    const runs = runsNow(scene);
    if (runs === undefined) return false;
    return move(scene.world, deploymentId(scene), target(offered(scene), channelOf(runs)));
  });

/** Does something once a switch has changed what a deployment runs; true where that had an effect. */
export const onceSwitched = (
  act: (scene: Scene, change: { readonly from: string; readonly to: string }) => boolean,
): Does =>
  onHandling((next, scene) =>
    whenDone(next(), (done) => {
      const [from, to] = [ranBefore(scene), runsNow(scene)];
      if (from !== undefined && to !== undefined && from !== to && act(scene, { from, to })) {
        scene.took();
      }
      return done;
    }),
  );

/** A switch moves other deployments to the same version. */
export const movesAlong = (
  which: (deployments: readonly DeploymentRow[], id: string) => readonly DeploymentRow[],
): Does =>
  onceSwitched((scene, { to }) => {
    const { world } = scene;
    const id = deploymentId(scene);
    const channel = channelOf(to);
    const release = { channel, version: to.slice(channel.length + 1) };
    const others = which(world.state.tables.deployments.rows(), id).filter((row) => row.id !== id);
    return others.filter((row) => move(world, row.id, release)).length > 0;
  });
