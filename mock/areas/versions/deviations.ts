/** The versions list, and switches of a deployment's version, going wrong. */
import { answersItems } from '../../deviations/answers.ts';
import type { Deviation } from '../../deviations/deviation.ts';
import { inside, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { count } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { refusal } from '../../pipeline/exchange.ts';
import { versionsLists } from './list-deviations.ts';
import {
  findVersion,
  fullSpelling,
  headOf,
  type ListedVersion,
  listedVersions,
  releaseKey,
} from './machine.ts';
import {
  accepts,
  channelComesTo,
  channelOf,
  comesTo,
  deploymentId,
  deploymentIn,
  isOtherImage,
  movesAlong,
  movesDespiteRefusal,
  ofChannel,
  offered,
  oldest,
  otherHead,
  ranBefore,
  runsNow,
  type Spelling,
  takesFor,
  type Wanted,
  wantedOf,
} from './switch.ts';

const breaking = rowsOf('versions', ['updateDeployment']);

// ── switches ────────────────────────────────────────────────────────────────────

/** The deployment is back where it was once the list has been read. */
const undoneOnceSeen = onHandling((next, scene) => {
  const { memory, world, call } = scene;
  const id = deploymentId(scene);
  return whenDone(next(), (done) => {
    const was = deploymentIn(scene.before, id);
    if (call.operation.id === 'updateDeployment') {
      if (was !== undefined && was.runs !== runsNow(scene)) memory.set(id, was.runs);
      return done;
    }
    const back = memory.get(id);
    if (was === undefined || typeof back !== 'string') return done;
    world.state.tables.deployments.put(id, { ...was, runs: back, before: null });
    memory.delete(id);
    scene.took();
    return done;
  });
});

const switches: readonly Deviation[] = breaking(['UPD-1'], {
  'switch-lost': [
    'A switch by releaseChannelVersion is answered, and the deployment stays where it was.',
    comesTo(({ text }) => (text === undefined ? undefined : 'nothing')),
  ],
  'second-switch-ignored': [
    'The first switch of a deployment is made; later ones are answered and not made.',
    comesTo((_wanted, scene) =>
      count(scene.memory, deploymentId(scene)) > 1 ? 'nothing' : undefined,
    ),
  ],
  'switch-undone-once-seen': [
    'A switch shows when the list is read for the first time; then the deployment is back.',
    undoneOnceSeen,
    ['listVersions', 'updateDeployment'],
  ],
  'switches-another-deployment-as-well': movesAlong((deployments, id) => {
    const next = deployments.findIndex((row) => row.id === id) + 1;
    return [...deployments, ...deployments.slice(0, 1)].slice(next, next + 1);
  }),
  'switches-every-deployment': movesAlong((deployments) => deployments),
});

// ── spellings ───────────────────────────────────────────────────────────────────

/** A listed version that is neither the wanted one nor, where there is a choice, the current one. */
function another({ text }: Wanted, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  const current = ranBefore(scene);
  const wanted = text === undefined ? undefined : findVersion(catalogue, text, channelOf(current));
  if (wanted === undefined) return undefined;
  const others = listedVersions(catalogue).filter(
    (release) => releaseKey(release) !== releaseKey(wanted),
  );
  return others.find((release) => releaseKey(release) !== current) ?? others[0];
}

/** A listed version is refused where it is spelt like this. */
const refusesSpelling = (spelling: Spelling) =>
  onHandling((next, scene) => {
    const { text, spelling: sent } = wantedOf(scene);
    if (text === undefined || sent !== spelling) return next();
    if (findVersion(offered(scene), text, '') === undefined) return next();
    const message = `Version ${text} is not on the versions list`;
    return refusal(400, 'UPD-5', message, '/releaseChannelVersion');
  });

const spelling = (spelt: Spelling, words: string, statement: string): Deviation[] => [
  ...breaking([statement], {
    [`${spelt}-spelling-refused`]: [
      `A listed version is refused where it is spelt ${words}.`,
      refusesSpelling(spelt),
    ],
    [`${spelt}-spelling-goes-elsewhere`]: [
      `A version that is spelt ${words} is accepted, and the deployment moves to another one.`,
      comesTo((wanted, scene) => (wanted.spelling === spelt ? another(wanted, scene) : undefined)),
    ],
  }),
  ...breaking(['UPD-5'], {
    [`unlisted-accepted-${spelt}`]: [
      `A version that is not on the list is accepted where it is spelt ${words}; nothing happens.`,
      accepts((wanted, scene) => wanted.spelling === spelt && !isOtherImage(wanted, scene)),
    ],
  }),
];

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
const runsImage = (when: (wanted: Wanted, scene: Scene) => boolean, answered?: 'refused') =>
  onHandling((next, scene) => {
    const { memory, call } = scene;
    const id = deploymentId(scene);
    if (call.operation.id === 'updateDeployment') {
      const wanted = wantedOf(scene);
      const sets = isOtherImage(wanted, scene) && when(wanted, scene);
      memory.set(id, sets ? wanted.text : undefined);
      return sets && answered === undefined ? { status: 200, body: {} } : next();
    }
    const image = memory.get(id);
    return typeof image === 'string' ? inside(currentRuns(image))(next, scene) : next();
  });

const currentRuns = (image: string) =>
  answersItems((items) =>
    items.map((item) => (item.isCurrent ? { ...item, releaseChannelVersion: image } : item)),
  );

const endsLikeTheImage = ({ text }: Wanted, scene: Scene) =>
  text?.includes(`${offered(scene).imageRepository}:`) === true;

const bothCalls = ['updateDeployment', 'listVersions'] as const;

const unlisted: readonly Deviation[] = [
  ...breaking(['UPD-5'], {
    'unlisted-taken-by-its-beginning': takesFor(listedBeginning),
  }),
  ...breaking(['UPD-6'], {
    'unlisted-refused-but-moved': movesDespiteRefusal(headOf),
    'unlisted-refused-but-changes-channel': movesDespiteRefusal(otherHead),
    'unlisted-refused-but-moved-to-the-oldest': movesDespiteRefusal(oldest),
  }),
  ...breaking(['UPD-8'], {
    'other-image-runs': [
      'An update runs the image that it names.',
      runsImage(() => true),
      bothCalls,
    ],
    'longer-image-runs': [
      'An update runs an image whose name ends with the own one.',
      runsImage(endsLikeTheImage),
      bothCalls,
    ],
    'other-image-refused-but-runs': [
      'An update that names another image is refused, and runs it.',
      runsImage(() => true, 'refused'),
      bothCalls,
    ],
  }),
];

// ── a channel without a version ─────────────────────────────────────────────────

const channels: readonly Deviation[] = breaking(['UPD-7'], {
  'channel-alone-ignored': channelComesTo(() => 'nothing'),
  'channel-alone-goes-to-the-oldest': channelComesTo(oldest),
  'channel-alone-goes-to-another-channel': channelComesTo(otherHead),
  'channel-alone-stops-below-the-head': channelComesTo(
    (catalogue, channel) => ofChannel(catalogue, channel)[1],
  ),
  'channel-alone-goes-one-down': [
    'releaseChannel alone moves the deployment to the next older version of the channel than it runs.',
    channelComesTo((catalogue, channel, scene) => {
      const listed = ofChannel(catalogue, channel);
      const now = listed.findIndex((release) => releaseKey(release) === ranBefore(scene));
      return listed[now + 1] ?? listed.at(-1);
    }),
  ],
  'channel-alone-works-once': channelComesTo((_catalogue, _channel, { memory }) =>
    count(memory) > 1 ? 'nothing' : undefined,
  ),
  'channel-alone-keeps-an-older-version': [
    'releaseChannel alone does nothing for a deployment that runs a version of the channel.',
    channelComesTo((_catalogue, channel, scene) =>
      channelOf(ranBefore(scene)) === channel ? 'nothing' : undefined,
    ),
  ],
});

export const versions: readonly Deviation[] = [
  ...versionsLists,
  ...switches,
  ...spelling('plain', '1.2.3', 'UPD-2'),
  ...spelling('with-v', 'v1.2.3', 'UPD-3'),
  ...spelling('full', 'the full releaseChannelVersion', 'UPD-4'),
  ...unlisted,
  ...channels,
];
