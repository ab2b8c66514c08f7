/** Switches of a deployment's version, going wrong. */

import { catalogueOf } from '../../../mock/areas/versions/handler.ts';
import {
  type Catalogue,
  channelOf,
  findVersion,
  fullSpelling,
  headOf,
  type ListedVersion,
  listedVersions,
  releaseKey,
  spellingOf,
  switchVersion,
  withoutImage,
} from '../../../mock/areas/versions/machine.ts';
import { isRefusal, refusal } from '../../../mock/pipeline/exchange.ts';
import type { DeploymentRow, ReleaseRow } from '../../../mock/world/rows.ts';
import type { World } from '../../../mock/world/world.ts';
import { answersItems } from '../../deviations/answers.ts';
import { type Does, onceDone, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { count } from '../../deviations/memory.ts';
import { despiteRefusal } from '../../deviations/refusals.ts';
import { type Deviation, on, rowsOf } from '../../deviations/rows.ts';
import { sentBody } from '../../deviations/sent.ts';
import { acts, afterwards, restoreTables } from '../../deviations/state.ts';
import { deploymentBefore, deploymentId, onceSwitched, runsNow } from './list-deviations.ts';

export const versions: Deviation[] = [];
const breaking = rowsOf(versions, 'versions', ['updateDeployment']);

// ── what an update asks for ─────────────────────────────────────────────────────

/** What an update sends: the version, or a channel without one. */
function wantedOf({ request }: Scene): { readonly text?: string; readonly channel?: string } {
  const { releaseChannelVersion: text, releaseChannel: channel } = sentBody(request) ?? {};
  if (typeof text === 'string') return { text };
  return typeof channel === 'string' ? { channel } : {};
}

/** Key of the version that the deployment ran before the call. */
const ranBefore = (scene: Scene) => deploymentBefore(scene)?.runs ?? '';

/** The catalogue as it was before the call. */
const offered = ({ before }: Scene) => catalogueOf(before);

/** The listed versions of a channel, newest first. */
const ofChannel = (catalogue: Catalogue, channel: string) =>
  listedVersions(catalogue).filter((release) => release.channel === channel);

const oldest = (catalogue: Catalogue, channel: string) => ofChannel(catalogue, channel).at(-1);

/** The head of another channel. */
function otherHead(catalogue: Catalogue, channel: string): ReleaseRow | undefined {
  const other = catalogue.channels.find(({ name }) => name !== channel);
  return other && headOf(catalogue, other.name);
}

// ── what a deviation makes of it ────────────────────────────────────────────────

const SERVED = { status: 200, body: {} };
type Target = ReleaseRow | 'nothing' | undefined;

/** Moves a deployment behind the back of the machine. */
function move(world: World, id: string, to: ReleaseRow | undefined): void {
  const { deployments, ran } = world.state.tables;
  const row = deployments.get(id);
  if (row === undefined || to === undefined) return;
  const moved = switchVersion(row, to, world.clock.now());
  if (moved === row) return;
  const { channel, version } = to;
  deployments.put(id, moved);
  ran.put(releaseKey(to), { channel, version });
}

/** The switch is answered; what comes of it is this instead. Undefined: the honest thing. */
const comesTo = (target: (scene: Scene) => Target): Does =>
  onHandling((next, scene) => {
    const to = target(scene);
    return whenDone(next(), (done) => {
      if (to === undefined || isRefusal(done)) return done;
      acts(scene, () => {
        restoreTables(scene.world, scene.before, ['deployments', 'ran']);
        if (to !== 'nothing') move(scene.world, deploymentId(scene), to);
      });
      return done;
    });
  });

/** The same where a version is sent. */
const versionComesTo = (target: (text: string, scene: Scene) => Target): Does =>
  comesTo((scene) => {
    const { text } = wantedOf(scene);
    return text === undefined ? undefined : target(text, scene);
  });

/** The same where a channel is sent without a version. */
const channelComesTo = (
  target: (catalogue: Catalogue, channel: string, scene: Scene) => Target,
): Does =>
  comesTo((scene) => {
    const { channel } = wantedOf(scene);
    return channel === undefined ? undefined : target(offered(scene), channel, scene);
  });

/** What is refused as not on the list is answered 200, and nothing happens. */
const accepts = (when: (text: string, scene: Scene) => boolean): Does =>
  onceDone((done, scene) => {
    const { text } = wantedOf(scene);
    const unlisted = isRefusal(done) && done.statement === 'UPD-5';
    return unlisted && text !== undefined && when(text, scene) ? SERVED : done;
  });

/** What would be refused as not on the list is taken for this listed version. */
const takesFor = (listed: (text: string, scene: Scene) => ReleaseRow | undefined): Does =>
  onHandling((next, scene) => {
    const { text } = wantedOf(scene);
    const to = text === undefined ? undefined : listed(text, scene);
    if (to === undefined) return next();
    move(scene.world, deploymentId(scene), to);
    return SERVED;
  });

/** A version that is refused as not on the list moves the deployment all the same. */
const movesDespiteRefusal = (
  target: (catalogue: Catalogue, channel: string) => ReleaseRow | undefined,
): Does =>
  despiteRefusal(['UPD-5'], (scene) => {
    const runs = runsNow(scene) ?? '';
    move(scene.world, deploymentId(scene), target(offered(scene), channelOf(runs)));
  });

/** A switch moves other deployments to the same version. */
const movesAlong = (
  which: (deployments: readonly DeploymentRow[], id: string) => readonly DeploymentRow[],
): Does =>
  onceSwitched((scene, { to }) => {
    const { world } = scene;
    const id = deploymentId(scene);
    const release = world.state.tables.ran.get(to);
    const others = which(world.state.tables.deployments.rows(), id).filter((row) => row.id !== id);
    for (const row of others) move(world, row.id, release);
  });

// ── switches ────────────────────────────────────────────────────────────────────

/** The deployment is back where it was once the list has been read. */
const undoneOnceSeen = afterwards((scene) => {
  const { memory, world, call } = scene;
  const id = deploymentId(scene);
  const was = deploymentBefore(scene);
  if (was === undefined) return;
  if (call.operation.id === 'updateDeployment') {
    if (was.runs !== runsNow(scene)) memory.set(id, was.runs);
    return;
  }
  const back = memory.get(id);
  if (typeof back !== 'string') return;
  world.state.tables.deployments.put(id, { ...was, runs: back, before: null });
  memory.delete(id);
});

breaking(['UPD-1'], {
  'switch-lost: A switch by releaseChannelVersion is answered, and nothing comes of it.':
    versionComesTo(() => 'nothing'),
  'second-switch-ignored: The first switch of a deployment is made; later ones are only answered.':
    comesTo((scene) => (count(scene.memory, deploymentId(scene)) > 1 ? 'nothing' : undefined)),
  'switch-undone-once-seen: A switch shows when the list is first read; then it is undone.': on(
    ['listVersions', 'updateDeployment'],
    undoneOnceSeen,
  ),
  'switches-another-deployment-as-well': movesAlong((deployments, id) => {
    const next = deployments.findIndex((row) => row.id === id) + 1;
    return [...deployments, ...deployments.slice(0, 1)].slice(next, next + 1);
  }),
  'switches-every-deployment': movesAlong((deployments) => deployments),
});

// ── spellings ───────────────────────────────────────────────────────────────────

/** A listed version that is neither the wanted one nor, where there is a choice, the current one. */
function another(text: string, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  const wanted = findVersion(catalogue, text, channelOf(ranBefore(scene)));
  if (wanted === undefined) return undefined;
  const others = listedVersions(catalogue).filter(
    (release) => releaseKey(release) !== releaseKey(wanted),
  );
  return others.find((release) => releaseKey(release) !== ranBefore(scene)) ?? others[0];
}

type Spelling = ReturnType<typeof spellingOf>;

/** A listed version is refused where it is spelt like this. */
const refusesSpelling = (spelling: Spelling) =>
  onHandling((next, scene) => {
    const { text = '' } = wantedOf(scene);
    const isListed = findVersion(offered(scene), text, '') !== undefined;
    if (spellingOf(text) !== spelling || !isListed) return next();
    const message = `Version ${text} is not on the versions list`;
    return refusal(400, 'UPD-5', message, '/releaseChannelVersion');
  });

/** The listed version that is named behind an image repository which is not the own one. */
function ofOtherImage(text: string, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  return text.slice(0, text.lastIndexOf(':')) === catalogue.imageRepository
    ? undefined
    : findVersion(catalogue, withoutImage(text), '');
}

const spelling = (name: string, spelt: Spelling, words: string, statement: string) => {
  breaking([statement], {
    [`${name}-spelling-refused: A listed version is refused where it is spelt ${words}.`]:
      refusesSpelling(spelt),
    [`${name}-spelling-goes-elsewhere: What is spelt ${words} moves to another version.`]:
      versionComesTo((text, scene) =>
        spellingOf(text) === spelt ? another(text, scene) : undefined,
      ),
  });
  breaking(['UPD-5'], {
    [`unlisted-accepted-${name}: What is not listed is accepted where it is spelt ${words}.`]:
      accepts((text, scene) => spellingOf(text) === spelt && !ofOtherImage(text, scene)),
  });
};

spelling('plain', '1.2.3', '1.2.3', 'UPD-2');
spelling('with-v', 'v1.2.3', 'v1.2.3', 'UPD-3');
spelling('full', 'full', 'the full releaseChannelVersion', 'UPD-4');

// ── versions that are not on the list ───────────────────────────────────────────

function listedBeginning(text: string, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  if (findVersion(catalogue, text, '') !== undefined) return undefined;
  return listedVersions(catalogue).find((release) =>
    [release.version, `v${release.version}`, fullSpelling(catalogue, release)].some((name) =>
      text.startsWith(name),
    ),
  );
}

/** The deployment runs the image that was sent, as the list shows; the answer may deny it. */
const runsImage = (
  when: (text: string, scene: Scene) => boolean,
  answered?: 'refused',
): readonly Does[] => [
  answersItems((items, scene) => {
    const image = scene.memory.get(deploymentId(scene));
    return typeof image === 'string'
      ? items.map((item) => (item.isCurrent ? { ...item, releaseChannelVersion: image } : item))
      : items;
  }),
  onHandling((next, scene) => {
    if (scene.call.operation.id !== 'updateDeployment') return next();
    const { text = '' } = wantedOf(scene);
    const sets = ofOtherImage(text, scene) !== undefined && when(text, scene);
    scene.memory.set(deploymentId(scene), sets ? text : undefined);
    return sets && answered === undefined ? SERVED : next();
  }),
];

const endsLikeTheImage = (text: string, scene: Scene) =>
  text.includes(`${offered(scene).imageRepository}:`);

const ofBothCalls = rowsOf(versions, 'versions', ['updateDeployment', 'listVersions']);

breaking(['UPD-5'], { 'unlisted-taken-by-its-beginning': takesFor(listedBeginning) });
breaking(['UPD-6'], {
  'unlisted-refused-but-moved': movesDespiteRefusal(headOf),
  'unlisted-refused-but-changes-channel': movesDespiteRefusal(otherHead),
  'unlisted-refused-but-moved-to-the-oldest': movesDespiteRefusal(oldest),
});
ofBothCalls(['UPD-8'], {
  'other-image-runs: An update runs the image that it names.': runsImage(() => true),
  'longer-image-runs: An update runs an image ending as its own.': runsImage(endsLikeTheImage),
  'other-image-refused-but-runs: An update that names another image is refused, and runs it.':
    runsImage(() => true, 'refused'),
});

// ── a channel without a version ─────────────────────────────────────────────────

breaking(['UPD-7'], {
  'channel-alone-ignored': channelComesTo(() => 'nothing'),
  'channel-alone-goes-to-the-oldest': channelComesTo(oldest),
  'channel-alone-goes-to-another-channel': channelComesTo(otherHead),
  'channel-alone-stops-below-the-head': channelComesTo(
    (catalogue, channel) => ofChannel(catalogue, channel)[1],
  ),
  'channel-alone-goes-one-down: releaseChannel alone moves it to the next older version.':
    channelComesTo((catalogue, channel, scene) => {
      const listed = ofChannel(catalogue, channel);
      const now = listed.findIndex((release) => releaseKey(release) === ranBefore(scene));
      return listed[now + 1] ?? listed.at(-1);
    }),
  'channel-alone-works-once': channelComesTo((_catalogue, _channel, { memory }) =>
    count(memory) > 1 ? 'nothing' : undefined,
  ),
  'channel-alone-keeps-an-older-version: releaseChannel alone keeps any version of the channel.':
    channelComesTo((_catalogue, channel, scene) =>
      channelOf(ranBefore(scene)) === channel ? 'nothing' : undefined,
    ),
});
