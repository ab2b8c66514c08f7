/** Deviations of versions: switches, spellings, channels, and the list. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { again, homeOf, isElsewhere, isOf, sends, since } from '../../deviations/conditions.ts';
import { type Asked, all, type Does, not, type When } from '../../deviations/does.ts';
import { listed } from '../../deviations/objects.ts';
import type { Items } from '../../deviations/pages.ts';
import { accepts, asAdmin, despite, refuses, served } from '../../deviations/refusals.ts';
import { items } from '../../deviations/replies.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { afterMs, besides, instead, lost, undone } from '../../deviations/state.ts';
import { deploymentOf, type Other } from '../../deviations/wire.ts';

const id = 'updateDeployment';
type Is = (item: JsonObject) => boolean;

const isHead: Is = (item) => item.isLatestInChannel === true;
const runs: Is = (item) => item.isCurrent === true;
const isHeadOrRuns: Is = (item) => isHead(item) || runs(item);
function is(wanted: JsonObject | undefined): Is {
  return (item) => item === wanted;
}
const newestFirst = (a: JsonObject, b: JsonObject) =>
  String(b.version).localeCompare(String(a.version), 'en', { numeric: true });
const highest = (versions: Items) => versions.toSorted(newestFirst)[0];
const inChannel = (versions: Items, channel: unknown) =>
  versions.filter((item) => item.releaseChannel === channel).toSorted(newestFirst);
const ownChannel = (versions: Items) => inChannel(versions, versions.find(runs)?.releaseChannel);

// ── the list, and what it says ──────────────────────────────────────────────────

const only = (which: (versions: Items) => Is) =>
  items('data', (versions) => versions.filter(which(versions)));
/** Sets a field to true for some versions and false for the others. */
const marks = (name: string) => (which: (versions: Items) => Is) =>
  items('data', (versions) => {
    const is = which(versions);
    return versions.map((item) => ({ ...item, [name]: is(item) }));
  });
const latest = marks('isLatestInChannel');
const current = marks('isCurrent');
const butOneHead = only(
  (versions) => (item) =>
    !isHead(item) || runs(item) || item.releaseChannel !== versions[0]?.releaseChannel,
);
const headsAndCurrent = only(() => isHeadOrRuns);
const belowMarked = latest((versions) => {
  const first = versions[0]?.releaseChannel;
  const below = inChannel(versions, first).find((item) => !isHead(item));
  return (item) => item === below || (isHead(item) && item.releaseChannel !== first);
});
const spelt = (as: (item: JsonObject, index: number, versions: Items) => JsonObject | undefined) =>
  items('data', (versions) =>
    versions.map((item, index) => ({
      ...item,
      releaseChannelVersion: as(item, index, versions)?.releaseChannelVersion,
    })),
  );
const asTheNext = spelt((_item, index, versions) => versions[(index + 1) % versions.length]);
const asTheHead = spelt((item, _index, versions) => inChannel(versions, item.releaseChannel)[0]);
/** isCurrent marks the version that the first deployment runs. */
const currentOfHome: Does = async (call, target) => {
  const there = await listed({ call, target }, 'listVersions', homeOf(target));
  const { version, releaseChannel } = there.find(runs) ?? {};
  const isIt: Is = (item) => item.version === version && item.releaseChannel === releaseChannel;
  return current(() => isIt)(call, target);
};

// ── what an update asks for ─────────────────────────────────────────────────────

const text = ({ call }: Asked) => String(call.body.releaseChannelVersion ?? '');
const to = (item: JsonObject | undefined): Other | undefined =>
  item && { body: { releaseChannelVersion: item.releaseChannelVersion } };
function isSpelt(form: RegExp): When {
  return (asked) => form.test(text(asked));
}

/** The update gets the right answer, but switches to another listed version. */
const elsewhere = instead(async (asked) => {
  const sent = text(asked).replace(/^(.*:)?v?/, '');
  const others = (await listed(asked, 'listVersions')).filter(({ version }) => version !== sent);
  return to(others.find((item) => !runs(item)) ?? others[0]);
});
const movesToTheOldest = despite('UPD-5', async (done) => {
  const other = to(ownChannel(await listed(done, 'listVersions')).at(-1));
  return other && { ...asAdmin(done), ...other };
});
const nextDeploymentToo = besides(async (done) => {
  const ids = (await listed(done, 'listDeployments')).map((one) => String(one.id));
  const next = ids[(ids.indexOf(deploymentOf(done.call)) + 1) % ids.length] ?? '';
  return { ...asAdmin(done), path: { deployment_id: next } };
});
/** Holds if the call names a listed version with another image. */
const isOtherImage: When = async (asked) => {
  const [image, sent] = text(asked).split(':v');
  return (await listed(asked, 'listVersions')).some(
    (item) => item.version === sent && item.releaseChannelVersion !== `${image}:v${sent}`,
  );
};
/** The list shows the refused image as current. */
const refusedButShown: Does = async (call, target) => {
  const key = `image ${deploymentOf(call)}`;
  if (call.operation.id === id) {
    const isOther = await isOtherImage({ call, target });
    target.memory.set(key, isOther ? text({ call, target }) : undefined);
    return target.handle(call);
  }
  const image = target.memory.get(key);
  return items('data', (versions) =>
    versions.map((item) =>
      runs(item) && image !== undefined ? { ...item, releaseChannelVersion: image } : item,
    ),
  )(call, target);
};

const isOwnImage = not(isOtherImage);
const isOlder: When = async (asked) =>
  (await listed(asked, 'listVersions')).some(
    (item) => !isHead(item) && text(asked).endsWith(String(item.version)),
  );
const unlistedServed = accepts('UPD-5', async (done) =>
  (await isOwnImage(done)) ? served()(done) : undefined,
);
const ofSpelling = (name: string, form: RegExp, statement: string): readonly Row[] => [
  [`${name}-spelling-refused`, statement, refuses(400, 'UPD-5'), isSpelt(form)],
  [`${name}-spelling-goes-elsewhere`, statement, elsewhere, isSpelt(form)],
  [`unlisted-accepted-${name}`, 'UPD-5', unlistedServed, isSpelt(form)],
];

const rows: readonly Row[] = [
  ['switch-lost', 'UPD-1', lost, sends('releaseChannelVersion')],
  ['second-switch-ignored', 'UPD-1', lost, again(deploymentOf)],
  ['switches-another-deployment-as-well', 'UPD-1', nextDeploymentToo],
  ...ofSpelling('plain', /^\d[^:]*$/, 'UPD-2'),
  ...ofSpelling('with-v', /^v[^:]*$/, 'UPD-3'),
  ...ofSpelling('full', /:/, 'UPD-4'),
  ['older-refused-in-full', 'UPD-4', refuses(400, 'UPD-5'), all(isSpelt(/:/), isOlder)],
  ['head-refused-with-v', 'UPD-3', refuses(400, 'UPD-5'), all(isSpelt(/^v[^:]*$/), not(isOlder))],
  ['unlisted-refused-but-moved-to-the-oldest', 'UPD-6', movesToTheOldest],
];
const sinceAnUpdate = all(since(isOf(id), deploymentOf), isOf('listVersions'));
const ofBoth: readonly Row[] = [
  ['other-image-refused-but-runs', 'UPD-8', refusedButShown],
  ['forgotten-when-left', 'VER-6', headsAndCurrent, sinceAnUpdate],
  ['back-after-two-seconds', 'UPD-1', undone([id], afterMs(2000), sends('releaseChannelVersion'))],
];
const ofList: readonly Row[] = [
  ['run-before-kept-per-deployment', 'VER-14', headsAndCurrent, isElsewhere],
  ['head-missing', 'VER-5', butOneHead],
  ['latest-marks-the-one-below', 'VER-7 VER-12', belowMarked],
  ['latest-marks-the-current-one', 'VER-12', latest(() => isHeadOrRuns)],
  ['latest-marks-the-highest-of-all', 'VER-7 VER-5', latest((all) => is(highest(all)))],
  ['current-marks-none', 'VER-8', current(() => () => false)],
  ['current-marks-the-head', 'VER-8 VER-13', current((all) => is(ownChannel(all).find(isHead)))],
  ['current-of-another-deployment', 'VER-8 VER-13', currentOfHome],
  ['spelling-of-another-version', 'VER-3', asTheNext],
  ['spelling-of-the-head', 'VER-3', asTheHead],
];

export const versions = [
  ...table('versions', [id], rows),
  ...table('versions', [id, 'listVersions'], ofBoth),
  ...table('versions', ['listVersions'], ofList),
];
