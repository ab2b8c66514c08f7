/** The versions list, and switches of a deployment's version, going wrong. */
import { isRefusal, type Refusal } from '../exchange.ts';
import {
  type Catalogue,
  compareVersions,
  findVersion,
  fullSpelling,
  headOf,
  type ListedVersion,
  listedVersions,
  releaseKey,
  switchVersion,
} from '../machines/version-list.ts';
import type { DeploymentRow, ReleaseRow } from '../world/rows.ts';
import type { State } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Scene } from './deviation.ts';
import {
  count,
  type Handle,
  type Json,
  mapItems,
  restoreTables,
  seeing,
  sentBody,
  setIn,
} from './transforms.ts';

const TEN_MINUTES_MS = 600_000;
const list = ['listVersions'] as const;
const update = ['updateDeployment'] as const;

function deploymentId({ call }: Scene): string {
  return String((call.path as Record<string, unknown>).deployment_id);
}

function deploymentIn(state: State, id: string): DeploymentRow | undefined {
  return state.tables.deployments.get(id);
}

// ── what the list shows ─────────────────────────────────────────────────────────

const isHead = (item: Json) => item.isLatestInChannel === true;
const runs = (item: Json) => item.isCurrent === true;
const byVersion = (a: Json, b: Json) => compareVersions(String(b.version), String(a.version));

function mark(field: 'isCurrent' | 'isLatestInChannel', which: (item: Json) => boolean) {
  return (item: Json): Json => ({ ...item, [field]: which(item) });
}

/** The channel that is first on the list. */
function firstChannel(items: readonly Json[]): unknown {
  return items[0]?.releaseChannel;
}

/** The version below the head of the first channel; undefined where it lists the head alone. */
function runnerUp(items: readonly Json[]): Json | undefined {
  const channel = firstChannel(items);
  return items
    .filter((item) => item.releaseChannel === channel && !isHead(item))
    .toSorted(byVersion)[0];
}

function shows(
  name: string,
  text: string,
  breaks: readonly string[],
  change: (items: readonly Json[], scene: Scene) => readonly Json[],
  collateral: readonly string[] = [],
): Deviation {
  return {
    id: `versions:${name}`,
    text,
    breaks,
    ...(collateral.length === 0 ? {} : { collateral }),
    operations: list,
    handle: mapItems(change),
  };
}

const ofList: readonly Deviation[] = [
  shows(
    'head-missing',
    'The head of a channel is missing from the list of a deployment that does not run it.',
    ['VER-5'],
    (items) =>
      items.filter(
        (item) => !isHead(item) || runs(item) || item.releaseChannel !== firstChannel(items),
      ),
    ['VER-7'],
  ),
  shows(
    'head-replaced-by-the-one-below',
    'The head of a channel is missing, and the version below it is marked as the head.',
    ['VER-5', 'VER-7'],
    (items) => {
      const below = runnerUp(items);
      const channel = firstChannel(items);
      if (below === undefined) return items;
      return items
        .filter((item) => item.releaseChannel !== channel || !isHead(item) || runs(item))
        .map((item) =>
          item.releaseChannel === channel
            ? mark('isLatestInChannel', (one) => one === below)(item)
            : item,
        );
    },
    ['VER-6'],
  ),
  shows(
    'latest-marks-the-one-below',
    'isLatestInChannel is true for the version below the head of a channel, and false for the head.',
    ['VER-7'],
    (items) => {
      const below = runnerUp(items);
      const channel = firstChannel(items);
      if (below === undefined) return items;
      return items.map((item) =>
        item.releaseChannel === channel
          ? mark('isLatestInChannel', (one) => one === below)(item)
          : item,
      );
    },
    ['UPD-7'],
  ),
  shows(
    'latest-marks-two',
    'isLatestInChannel is true for two versions of a channel.',
    ['VER-7'],
    (items) => {
      const below = runnerUp(items);
      return items.map(mark('isLatestInChannel', (item) => isHead(item) || item === below));
    },
  ),
  shows(
    'latest-marks-none',
    'isLatestInChannel is true for no version.',
    ['VER-7'],
    (items) => items.map(mark('isLatestInChannel', () => false)),
    ['VER-5'],
  ),
  shows(
    'latest-marks-the-highest-of-all',
    'isLatestInChannel is true for the highest version of all channels only.',
    ['VER-7', 'VER-5'],
    (items) => {
      const highest = items.toSorted(byVersion)[0];
      return items.map(mark('isLatestInChannel', (item) => item === highest));
    },
  ),
  shows(
    'latest-marks-the-current-one',
    'isLatestInChannel is true for the version that runs as well.',
    ['VER-7'],
    (items) => items.map(mark('isLatestInChannel', (item) => isHead(item) || runs(item))),
    ['VER-5', 'VER-6', 'VER-8'],
  ),
  shows(
    'current-marks-two',
    'isCurrent is true for the version that runs and for the head of a channel.',
    ['VER-8'],
    (items) => {
      const head = items.find((item) => isHead(item) && !runs(item));
      return items.map(mark('isCurrent', (item) => runs(item) || item === head));
    },
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4', 'UPD-6'],
  ),
  shows(
    'current-marks-none',
    'isCurrent is true for no version.',
    ['VER-8'],
    (items) => items.map(mark('isCurrent', () => false)),
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4', 'UPD-7'],
  ),
  shows(
    'current-marks-another',
    'isCurrent is true for the next version on the list instead of the one that runs.',
    ['VER-8', 'UPD-1'],
    (items) => {
      const next = items[(items.findIndex(runs) + 1) % items.length];
      return items.map(mark('isCurrent', (item) => item === next));
    },
    ['UPD-2', 'UPD-3', 'UPD-4', 'UPD-7', 'VER-7'],
  ),
  shows(
    'current-marks-the-head',
    'isCurrent is true for the head of the channel of the version that runs.',
    ['VER-8'],
    (items) => {
      const channel = items.find(runs)?.releaseChannel;
      return items.map(
        mark('isCurrent', (item) => isHead(item) && item.releaseChannel === channel),
      );
    },
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4'],
  ),
  {
    id: 'versions:current-of-another-deployment',
    text: 'isCurrent is true for what the first deployment of the account runs, whichever is asked.',
    breaks: ['VER-8'],
    collateral: ['UPD-1'],
    operations: list,
    handle: seeing((state, scene) => {
      const [first] = state.tables.deployments.rows();
      const id = deploymentId(scene);
      const own = deploymentIn(state, id);
      if (first === undefined || own === undefined) return;
      state.tables.deployments.put(id, { ...own, runs: first.runs, before: first.before });
    }),
  },
  {
    id: 'versions:current-ten-minutes-late',
    text: 'isCurrent stays on the version that ran before for ten minutes after a switch.',
    breaks: ['VER-8', 'UPD-1'],
    collateral: ['UPD-2', 'UPD-3', 'UPD-4', 'UPD-7'],
    operations: list,
    handle: seeing((state, scene) => {
      const id = deploymentId(scene);
      const row = deploymentIn(state, id);
      const { before } = row ?? {};
      if (row === undefined || before === null || before === undefined) return;
      if (scene.world.clock.now() >= before.since + TEN_MINUTES_MS) return;
      state.tables.deployments.put(id, { ...row, runs: before.runs, before: null });
    }),
  },
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
  shows(
    'spelling-of-another-version',
    'The releaseChannelVersion of each item names the version of the item after it.',
    ['VER-3'],
    (items) =>
      items.map((item, index) => ({
        ...item,
        releaseChannelVersion:
          items[(index + 1) % items.length]?.releaseChannelVersion ?? item.releaseChannelVersion,
      })),
    ['UPD-4', 'UPD-8'],
  ),
  shows(
    'spelling-of-the-head',
    "The releaseChannelVersion of an older version names its channel's head.",
    ['VER-3'],
    (items) =>
      items.map((item) => {
        const head = items.find(
          (other) => isHead(other) && other.releaseChannel === item.releaseChannel,
        );
        return head === undefined
          ? item
          : { ...item, releaseChannelVersion: head.releaseChannelVersion };
      }),
    ['UPD-4', 'UPD-8'],
  ),
];

// ── switches ────────────────────────────────────────────────────────────────────

type Spelling = 'plain' | 'with-v' | 'full';

/** What an update asks for. */
interface Wanted {
  /** `releaseChannelVersion` as it was sent. */
  readonly text: string | undefined;
  readonly spelling: Spelling | undefined;
  /** Set where a channel was sent without a version. */
  readonly channel: string | undefined;
}

function wantedOf({ request }: Scene): Wanted {
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
function offered({ before }: Scene): Catalogue {
  return {
    imageRepository: before.base.imageRepository,
    channels: before.tables.channels.rows(),
    ran: before.tables.ran.rows(),
  };
}

/** Moves a deployment behind the back of the machine; true where that changed it. */
function move(world: World, id: string, to: ReleaseRow | undefined): boolean {
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
function comesTo(
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

/** A listed version that is neither the wanted one nor, where there is a choice, the current one. */
function another({ text }: Wanted, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  const current = deploymentIn(scene.before, deploymentId(scene))?.runs;
  const wanted = text === undefined ? undefined : findVersion(catalogue, text, channelOf(current));
  if (wanted === undefined) return undefined;
  const others = listedVersions(catalogue).filter(
    (release) => releaseKey(release) !== releaseKey(wanted),
  );
  return others.find((release) => releaseKey(release) !== current) ?? others[0];
}

function channelOf(key: string | undefined): string {
  return key === undefined ? '' : key.slice(0, key.lastIndexOf('@'));
}

function refuseVersion(text: string): Refusal {
  const message = `Version ${text} is not on the versions list`;
  return { refused: true, status: 400, statement: 'UPD-5', message, at: '/releaseChannelVersion' };
}

const spellings = [
  ['plain', '1.2.3', 'UPD-2'],
  ['with-v', 'v1.2.3', 'UPD-3'],
  ['full', 'the full releaseChannelVersion', 'UPD-4'],
] as const;
const spelled = ['UPD-2', 'UPD-3', 'UPD-4'] as const;

const ofSwitches: readonly Deviation[] = [
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
  ...spellings.flatMap(([spelling, words, statement]): Deviation[] => [
    {
      id: `versions:${spelling}-spelling-refused`,
      text: `A listed version is refused where it is spelt ${words}.`,
      breaks: [statement],
      collateral: spelling === 'plain' ? ['UPD-1', 'VER-6', 'UPD-3', 'UPD-4'] : ['UPD-1'],
      operations: update,
      handle: (next, scene) => {
        const { text, spelling: sent } = wantedOf(scene);
        if (text === undefined || sent !== spelling) return next();
        const known = findVersion(offered(scene), text, '') !== undefined;
        return known ? refuseVersion(text) : next();
      },
    },
    {
      id: `versions:${spelling}-spelling-goes-elsewhere`,
      text: `A version that is spelt ${words} is accepted, and the deployment moves to another one.`,
      breaks: [statement],
      collateral: ['UPD-1', 'VER-6', 'VER-8'],
      operations: update,
      handle: comesTo((wanted, scene) =>
        wanted.spelling === spelling ? another(wanted, scene) : undefined,
      ),
    },
    {
      id: `versions:unlisted-accepted-${spelling}`,
      text: `A version that is not on the list is accepted where it is spelt ${words}; nothing happens.`,
      breaks: ['UPD-5'],
      operations: update,
      handle: accepted(
        (wanted, scene) => wanted.spelling === spelling && !isOtherImage(wanted, scene),
      ),
    },
  ]),
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

/** What is refused as not on the list is answered 200, and nothing happens. */
function accepted(when: (wanted: Wanted, scene: Scene) => boolean): Handle {
  return (next, scene) => {
    const wanted = wantedOf(scene);
    const result = next();
    if (result instanceof Promise || !isRefusal(result) || result.statement !== 'UPD-5') {
      return result;
    }
    return when(wanted, scene) ? { status: 200, body: {} } : result;
  };
}

/** A refused version moves the deployment all the same. */
function refusedBut(
  target: (scene: Scene, runsNow: string) => ReleaseRow | undefined,
): NonNullable<Deviation['refused']> {
  return ({ statement }, scene) => {
    const id = deploymentId(scene);
    const row = deploymentIn(scene.world.state, id);
    if (statement !== 'UPD-5' || row === undefined) return;
    if (move(scene.world, id, target(scene, row.runs))) scene.took();
  };
}

/** A full spelling with a listed version and an image repository that is not the own one. */
function isOtherImage({ text, spelling }: Wanted, scene: Scene): boolean {
  if (text === undefined || spelling !== 'full') return false;
  const colon = text.lastIndexOf(':');
  const catalogue = offered(scene);
  return (
    text.slice(0, colon) !== catalogue.imageRepository &&
    findVersion(catalogue, text.slice(colon + 1), '') !== undefined
  );
}

function ofChannel(catalogue: Catalogue, channel: string): ListedVersion[] {
  return listedVersions(catalogue)
    .filter((release) => release.channel === channel)
    .sort((a, b) => compareVersions(b.version, a.version));
}

function oldest(catalogue: Catalogue, channel: string): ListedVersion | undefined {
  return ofChannel(catalogue, channel).at(-1);
}

// ── a channel alone ─────────────────────────────────────────────────────────────

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

const ofChannels: readonly Deviation[] = [
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

export const versions: readonly Deviation[] = [...ofList, ...ofSwitches, ...ofChannels];
