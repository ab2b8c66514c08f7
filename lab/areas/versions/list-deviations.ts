/** The versions list going wrong: heads, the current version, those that ran before, spellings. */

import { compareVersions } from '../../../mock/areas/versions/machine.ts';
import type { DeploymentRow } from '../../../mock/world/rows.ts';
import type { JsonObject } from '../../../spec/base/json.ts';
import { answersItems } from '../../deviations/answers.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { setIn } from '../../deviations/memory.ts';
import { type Deviation, on, rowsOf } from '../../deviations/rows.ts';
import { afterwards, beforehand, seesRows } from '../../deviations/state.ts';

export const deploymentId = ({ call }: Scene) => call.requested.deployment ?? '';

export const deploymentBefore = (scene: Scene): DeploymentRow | undefined =>
  scene.before.tables.deployments.get(deploymentId(scene));

/** Key of the version that it runs now. */
export const runsNow = (scene: Scene) =>
  scene.world.state.tables.deployments.get(deploymentId(scene))?.runs;

/** Does something once a switch has changed what a deployment runs. */
export const onceSwitched = (
  act: (scene: Scene, change: { readonly from: string; readonly to: string }) => void,
): Does =>
  afterwards((scene) => {
    const [from, to] = [deploymentBefore(scene)?.runs, runsNow(scene)];
    if (from !== undefined && to !== undefined && from !== to) act(scene, { from, to });
  });

export const versionsLists: Deviation[] = [];
const ofTheList = rowsOf(versionsLists, 'versions', ['listVersions']);
const ofUpdates = rowsOf(versionsLists, 'versions', ['updateDeployment']);
const both = ['listVersions', 'updateDeployment'] as const;
const TEN_MINUTES_MS = 600_000;

// ── the list ────────────────────────────────────────────────────────────────────

type Items = readonly JsonObject[];
type Is = (item: JsonObject) => boolean;

const isHead: Is = (item) => item.isLatestInChannel === true;
const runs: Is = (item) => item.isCurrent === true;
const byVersion = (a: JsonObject, b: JsonObject) =>
  compareVersions(String(b.version), String(a.version));

/** A field is true for these items and false for the others; undefined leaves the list. */
const marks = (field: string) => (which: (items: Items) => Is | undefined) =>
  answersItems((items) => {
    const isIt = which(items);
    return isIt === undefined ? items : items.map((item) => ({ ...item, [field]: isIt(item) }));
  });
const marksCurrent = marks('isCurrent');
const marksLatest = marks('isLatestInChannel');

const keyOf = ({ releaseChannel, version }: JsonObject) => `${releaseChannel}@${version}`;

/** Lists only these. */
const listsOnly = (which: (items: Items) => Is): Does =>
  answersItems((items) => items.filter(which(items)));

/** The channel that is first on the list. */
const firstChannel = (items: Items) => items[0]?.releaseChannel;

/** The version below the head of the first channel; undefined where it lists the head alone. */
const runnerUp = (items: Items): JsonObject | undefined =>
  items
    .filter((item) => item.releaseChannel === firstChannel(items) && !isHead(item))
    .toSorted(byVersion)[0];

const butTheHeadOfFirst = (items: Items): Is => {
  const channel = firstChannel(items);
  return (item) => !isHead(item) || runs(item) || item.releaseChannel !== channel;
};

/** In the first channel the version below the head is marked, elsewhere the head. */
const runnerUpMarked = (items: Items): Is | undefined => {
  const below = runnerUp(items);
  const channel = firstChannel(items);
  return below && ((item) => (item.releaseChannel === channel ? item === below : isHead(item)));
};

const replacesHead = answersItems((items) => {
  const isMarked = runnerUpMarked(items);
  const others = items.filter(butTheHeadOfFirst(items));
  return isMarked ? others.map((it) => ({ ...it, isLatestInChannel: isMarked(it) })) : items;
});

ofTheList(['VER-5'], { 'head-missing': listsOnly(butTheHeadOfFirst) });
ofTheList(['VER-5', 'VER-7'], { 'head-replaced-by-the-one-below': replacesHead });
ofTheList(['VER-7'], {
  'latest-marks-the-one-below': marksLatest(runnerUpMarked),
  'latest-marks-two': marksLatest((items) => {
    const below = runnerUp(items);
    return (item) => isHead(item) || item === below;
  }),
  'latest-marks-none': marksLatest(() => () => false),
  'latest-marks-the-current-one': marksLatest(() => (item) => isHead(item) || runs(item)),
});
ofTheList(['VER-7', 'VER-5'], {
  'latest-marks-the-highest-of-all': marksLatest((items) => {
    const highest = items.toSorted(byVersion)[0];
    return (item) => item === highest;
  }),
});

/** The list sees the deployment otherwise. */
const seesDeployment = (
  change: (row: DeploymentRow, scene: Scene) => DeploymentRow | undefined,
): Does =>
  seesRows('deployments', (row, scene) =>
    row.id === deploymentId(scene) ? change(row, scene) : undefined,
  );

ofTheList(['VER-8'], {
  'current-marks-two': marksCurrent((items) => {
    const head = items.find((item) => isHead(item) && !runs(item));
    return (item) => runs(item) || item === head;
  }),
  'current-marks-none': marksCurrent(() => () => false),
  'current-marks-the-head': marksCurrent((items) => {
    const channel = items.find(runs)?.releaseChannel;
    return (item) => isHead(item) && item.releaseChannel === channel;
  }),
  'current-of-another-deployment: isCurrent is true for what the first deployment runs.':
    seesDeployment((row, { world }) => {
      const [first] = world.state.tables.deployments.rows();
      return first && { ...row, runs: first.runs, before: first.before };
    }),
});
ofTheList(['VER-8', 'UPD-1'], {
  'current-marks-another': marksCurrent((items) => {
    const next = items[(items.findIndex(runs) + 1) % items.length];
    return (item) => item === next;
  }),
  'current-ten-minutes-late': seesDeployment((row, { world }) => {
    const { before } = row;
    const isRecent = before !== null && world.clock.now() < before.since + TEN_MINUTES_MS;
    return isRecent ? { ...row, runs: before.runs, before: null } : undefined;
  }),
});

/** What the deployment is known to have run; what nobody runs at the start, the first one ran. */
function ranHere(scene: Scene): Set<string> {
  const { deployments } = scene.world.state.tables;
  const id = deploymentId(scene);
  const ran = setIn(scene.memory, `ran:${id}`).add(runsNow(scene) ?? '');
  if (deployments.rows()[0]?.id !== id) return ran;
  const { tables } = scene.world.state.base;
  const running = new Set(tables.deployments.all().map((row) => row.runs));
  for (const key of tables.ran.keys()) if (!running.has(key)) ran.add(key);
  return ran;
}

/** Lists, beside the heads, only what the deployment itself has run. */
const remembersPerDeployment = [
  answersItems((items, scene) => {
    const ran = ranHere(scene);
    return items.filter((item) => isHead(item) || ran.has(keyOf(item)));
  }),
  afterwards(ranHere),
  beforehand(ranHere),
];

const forgetsWhenLeft = onceSwitched(({ world }, { from }) => {
  const { deployments, ran } = world.state.tables;
  if (!deployments.rows().some((row) => row.runs === from)) ran.delete(from);
});

ofTheList(['VER-6'], {
  'run-before-forgotten': listsOnly(() => (item) => isHead(item) || runs(item)),
  'run-before-kept-per-deployment: A version that ran before is listed only where it ran.': on(
    both,
    remembersPerDeployment,
  ),
});
ofUpdates(['VER-6'], { 'forgotten-when-left': forgetsWhenLeft });

/** Each item has the full spelling of another one. */
const spells = (as: (item: JsonObject, index: number, items: Items) => JsonObject | undefined) =>
  answersItems((items) =>
    items.map((item, index) => {
      const { releaseChannelVersion } = as(item, index, items) ?? item;
      return { ...item, releaseChannelVersion };
    }),
  );

ofTheList(['VER-3'], {
  'spelling-of-another-version': spells((_item, index, items) => items[(index + 1) % items.length]),
  'spelling-of-the-head': spells(({ releaseChannel }, _index, items) =>
    items.find((other) => isHead(other) && other.releaseChannel === releaseChannel),
  ),
});
