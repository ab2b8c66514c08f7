/** Versions going wrong: switches, spellings, channels, and what the list shows. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, homeOf, setIn } from '../../deviations/conditions.ts';
import { type Asked, type Does, given, type When } from '../../deviations/does.ts';
import { accepts, asAdmin, despite, refuses, served } from '../../deviations/refusals.ts';
import { items } from '../../deviations/replies.ts';
import { sends } from '../../deviations/requests.ts';
import { on, type Rows, table } from '../../deviations/rows.ts';
import { besides, instead, listIn, lost } from '../../deviations/state.ts';
import { deploymentOf, isServed, type Other, otherCall } from '../../deviations/wire.ts';
import { deploymentsOf } from '../lists/deviations.ts';

const id = 'updateDeployment';
const list = operation('listVersions');
const both = ['listVersions', id] as const;
type Items = readonly JsonObject[];
type Is = (item: JsonObject) => boolean;

// ── the list, and what it says ──────────────────────────────────────────────────

const isHead: Is = (item) => item.isLatestInChannel === true;
const runs: Is = (item) => item.isCurrent === true;
const numbers = ({ version }: JsonObject) => String(version).split('.').map(Number);
const newestFirst = (a: JsonObject, b: JsonObject): number => {
  const [one, other] = [numbers(a), numbers(b)];
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : (other[at] ?? 0) - (one[at] ?? 0);
};
const inChannel = (versions: Items, channel: unknown) =>
  versions.filter((item) => item.releaseChannel === channel).toSorted(newestFirst);

/** The versions of a deployment; of the one that the call names where no other is given. */
async function versionsOf(
  { call, target }: Asked,
  deployment = deploymentOf(call),
): Promise<Items> {
  const admin = asAdmin({ call: { ...call, operation: list }, target });
  const path = { deployment_id: deployment };
  const reply = await target.handle(
    otherCall(call, { ...admin, operation: list, path, query: {}, body: undefined }),
  );
  return listIn(reply.body);
}

const ofList = (change: (versions: Items, asked: Asked) => unknown) => items('data', change);
const only = (which: (versions: Items) => Is) =>
  ofList((versions) => versions.filter(which(versions)));
/** A field is true for these and false for the others. */
const marks = (name: string) => (which: (versions: Items) => Is | undefined) =>
  ofList((versions) => {
    const is = which(versions);
    return is && versions.map((item) => ({ ...item, [name]: is(item) }));
  });
const current = marks('isCurrent');
const latest = marks('isLatestInChannel');
const firstOf = (versions: Items) => inChannel(versions, versions[0]?.releaseChannel);
const below = (versions: Items) => firstOf(versions).find((item) => !isHead(item));
const butTheHead =
  (versions: Items): Is =>
  (item) =>
    !isHead(item) || runs(item) || item.releaseChannel !== versions[0]?.releaseChannel;
const belowMarked = (versions: Items): Is | undefined => {
  const one = below(versions);
  return (
    one && ((item) => (item.releaseChannel === one.releaseChannel ? item === one : isHead(item)))
  );
};
const spelt = (as: (item: JsonObject, index: number, versions: Items) => JsonObject | undefined) =>
  ofList((versions) =>
    versions.map((item, index) => ({
      ...item,
      releaseChannelVersion: (as(item, index, versions) ?? item).releaseChannelVersion,
    })),
  );
const key = ({ releaseChannel, version }: JsonObject) => `${releaseChannel}@${version}`;

/** isCurrent is true for what the first deployment runs. */
const currentOfHome: Does = async (call, target) => {
  const there = await versionsOf({ call, target }, homeOf(target));
  const running = there.find(runs);
  return current((versions) =>
    versions.some((item) => running && key(item) === key(running))
      ? (item) => running !== undefined && key(item) === key(running)
      : undefined,
  )(call, target);
};

/** Lists, beside the heads, only what the deployment itself was seen to run. */
const ownOnly: Does = async (call, target) => {
  const own = setIn(target.memory, `ran ${deploymentOf(call)}`);
  const note = async () => {
    for (const item of (await versionsOf({ call, target })).filter(runs)) own.add(key(item));
  };
  await note();
  if (deploymentOf(call) === homeOf(target) && own.size === 1)
    for (const item of await versionsOf({ call, target })) own.add(key(item));
  const reply = await ofListOnly((item) => isHead(item) || own.has(key(item)))(call, target);
  await note();
  return reply;
};
const ofListOnly = (which: Is): Does =>
  given(
    ({ call }) => call.operation.id === 'listVersions',
    only(() => which),
  );
/** What was left is listed no more, where nobody runs it. */
const forgotten: Does = async (call, target) => {
  const left = setIn(target.memory, 'left');
  if (call.operation.id === 'listVersions') {
    return ofListOnly((item) => isHead(item) || runs(item) || !left.has(key(item)))(call, target);
  }
  const before = (await versionsOf({ call, target })).filter(runs);
  const reply = await target.handle(call);
  if (isServed(reply)) for (const item of before) left.add(key(item));
  return reply;
};

// ── what an update asks for ─────────────────────────────────────────────────────

const text = ({ call }: Asked) => String(call.body.releaseChannelVersion ?? '');
const byVersion = sends('releaseChannelVersion');
const byChannel: When = ({ call }) =>
  call.body.releaseChannel !== undefined && call.body.releaseChannelVersion === undefined;
const spelling = (sent: string) =>
  sent.includes(':') ? 'full' : sent.startsWith('v') ? 'with-v' : 'plain';
const isSpelt =
  (as: string): When =>
  (asked) => {
    const sent = text(asked);
    return sent !== '' && spelling(sent) === as;
  };
const names = (item: JsonObject, sent: string) =>
  [`${item.version}`, `v${item.version}`, item.releaseChannelVersion].includes(sent);
const to = (item: JsonObject | undefined): Other | undefined =>
  item && { body: { releaseChannelVersion: item.releaseChannelVersion } };

/** A switch by version is answered, and goes to another one. */
const goesTo = (target: (versions: Items, asked: Asked) => JsonObject | undefined): Does =>
  instead(async (asked) => to(target(await versionsOf(asked), asked)));
/** A listed version that is neither wanted nor, where there is a choice, current. */
const another = (versions: Items, asked: Asked) => {
  const others = versions.filter((item) => !names(item, text(asked)));
  return others.find((item) => !runs(item)) ?? others[0];
};
/** The listed versions of the channel that is sent, newest first. */
const channelled = (pick: (listed: Items, versions: Items) => JsonObject | undefined): Does =>
  given(
    byChannel,
    goesTo((versions, { call }) => pick(inChannel(versions, call.body.releaseChannel), versions)),
  );
const oneDown = (listed: Items) => listed[listed.findIndex(runs) + 1] ?? listed.at(-1);
const imageOf = (versions: Items) => String(versions[0]?.releaseChannelVersion).split(':')[0] ?? '';
const isOtherImage = async (asked: Asked) =>
  text(asked).includes(':') && !text(asked).startsWith(`${imageOf(await versionsOf(asked))}:`);

/** What is refused as not on the list is answered as a success, and nothing happens. */
const unlisted = (when: When) =>
  accepts('UPD-5', async (done) =>
    (await when(done)) && !(await isOtherImage(done)) ? served()(done) : undefined,
  );
const movesTo = (pick: (versions: Items) => JsonObject | undefined) =>
  despite('UPD-5', async (done) => {
    const other = to(pick(await versionsOf(done)));
    return other === undefined ? [] : [{ ...asAdmin(done), ...other }];
  });
const mine = (versions: Items) => inChannel(versions, versions.find(runs)?.releaseChannel);

/** Other deployments move along. */
const along = (most: number) =>
  besides(async (done) => {
    const all = await deploymentsOf(done);
    const at = all.findIndex((one) => String(one.id) === deploymentOf(done.call)) + 1;
    const others = [...all.slice(at), ...all.slice(0, Math.max(0, at - 1))].slice(0, most);
    return others.map((one) => ({ ...asAdmin(done), path: { deployment_id: String(one.id) } }));
  });

/** The deployment is shown to run the image that was sent. */
const runsImage =
  (when: (sent: string, own: string) => boolean, isAnswered: boolean): Does =>
  async (call, target) => {
    const memoryKey = `image ${deploymentOf(call)}`;
    const image = target.memory.get(memoryKey);
    if (call.operation.id === 'listVersions') {
      const shows = ofList((versions) =>
        versions.map((item) => (runs(item) ? { ...item, releaseChannelVersion: image } : item)),
      );
      return image === undefined ? target.handle(call) : shows(call, target);
    }
    const asked = { call, target };
    const fits = (await isOtherImage(asked)) && when(text(asked), imageOf(await versionsOf(asked)));
    const isListed = (await versionsOf(asked)).some((item) =>
      text(asked).endsWith(`:v${item.version}`),
    );
    target.memory.set(memoryKey, fits && isListed ? text(asked) : undefined);
    return isAnswered && fits && isListed
      ? accepts('UPD-5', served())(call, target)
      : target.handle(call);
  };

const ofSpelling = (name: string, statement: string): Rows => ({
  [statement]: {
    [`${name}-spelling-refused`]: refuses(400, 'UPD-5', isSpelt(name)),
    [`${name}-spelling-goes-elsewhere`]: given(isSpelt(name), goesTo(another)),
  },
  'UPD-5': {
    [`unlisted-accepted-${name}`]: unlisted(isSpelt(name)),
  },
});

const rows: readonly Rows[] = [
  {
    'UPD-1': {
      'switch-lost: A switch by version is answered, and nothing comes of it.': given(
        byVersion,
        lost,
      ),
      'second-switch-ignored': given(again(deploymentOf), lost),
      'switches-another-deployment-as-well': along(1),
    },
  },
  ofSpelling('plain', 'UPD-2'),
  ofSpelling('with-v', 'UPD-3'),
  ofSpelling('full', 'UPD-4'),
  {
    'UPD-6': {
      'unlisted-refused-but-moved-to-the-oldest': movesTo((versions) => mine(versions).at(-1)),
    },
    'UPD-8': {
      'other-image-refused-but-runs': on(
        both,
        runsImage(() => true, false),
      ),
    },
    'UPD-7': {
      'channel-alone-goes-one-down': channelled(oneDown),
    },
    'VER-6': {
      'forgotten-when-left': on(both, forgotten),
      'run-before-kept-per-deployment': on(both, ownOnly),
    },
  },
];
const ofLists: Rows = {
  'VER-5': {
    'head-missing': only(butTheHead),
  },
  'VER-7': {
    'latest-marks-the-one-below': latest(belowMarked),
    'latest-marks-the-current-one': latest(() => (item) => isHead(item) || runs(item)),
  },
  'VER-7 VER-5': {
    'latest-marks-the-highest-of-all': latest(
      (versions) => (item) => item === versions.toSorted(newestFirst)[0],
    ),
  },
  'VER-8': {
    'current-marks-none': current(() => () => false),
    'current-marks-the-head': current((versions) => (item) => item === mine(versions).find(isHead)),
    'current-of-another-deployment': currentOfHome,
  },
  'VER-3': {
    'spelling-of-another-version': spelt(
      (_item, index, versions) => versions[(index + 1) % versions.length],
    ),
    'spelling-of-the-head': spelt((item, _index, versions) =>
      versions.find((one) => isHead(one) && one.releaseChannel === item.releaseChannel),
    ),
  },
};

export const versions = [
  ...table('versions', [id], rows),
  ...table('versions', ['listVersions'], ofLists),
];
