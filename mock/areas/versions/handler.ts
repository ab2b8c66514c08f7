import { equal } from '../../../spec/base/json.ts';
import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { inOrder, part, readsPart } from '../../pipeline/paging.ts';
import type { DeploymentRow } from '../../world/rows.ts';
import type { State } from '../../world/state.ts';
import {
  type Catalogue,
  channelHead,
  channelOf,
  findVersion,
  fullSpelling,
  type ListedVersion,
  listedVersions,
  releaseKey,
  SWITCH_LAG_MS,
  spellingOf,
  switchVersion,
  withoutImage,
} from './machine.ts';

type Deployment = components['schemas']['Deployment'];

export const listVersions: Handler<'listVersions', DeploymentRow> = {
  alsoReads: readsPart('VER-10'),
  find: (_call, deployment) => deployment,
  handle(call, deployment) {
    const catalogue = catalogueOf(call.world.state);
    const runs = runsNow(call, deployment);
    const listed = inOrder(call, listedVersions(catalogue));
    const { items } = part(call, 'VER-10', listed, { key: releaseKey });
    return call.reply(200, {
      data: items.map((release) => ({
        releaseChannelVersion: fullSpelling(catalogue, release),
        version: release.version,
        releaseChannel: release.channel,
        isLatestInChannel: release.isLatestInChannel,
        isCurrent: releaseKey(release) === runs,
      })),
    });
  },
};

export const updateDeployment: Handler<'updateDeployment', DeploymentRow> = {
  alsoTakes: (basis, field, value) =>
    isSetting(field, value) && counts(basis.choice('UPD-10'), field),
  validate(call) {
    const { releaseChannelVersion, releaseChannel } = call.input;
    if (releaseChannelVersion === undefined && releaseChannel === undefined) {
      const sent = Object.keys(newSettings(call));
      if (sent.length === 0 && call.assume('UPD-11') === 'refused') {
        return call.invalidBody('releaseChannelVersion or releaseChannel is needed', '', 'UPD-11');
      }
    }
    if (releaseChannelVersion !== undefined && releaseChannel !== undefined) {
      const catalogue = catalogueOf(call.world.state);
      // A version that is not on the list is refused for that reason (UPD-5), even if a channel is sent.
      const isListed = findVersion(catalogue, releaseChannelVersion, releaseChannel) !== undefined;
      if (isListed && call.assume('UPD-12') === 'refused') {
        const message = 'releaseChannelVersion and releaseChannel exclude each other';
        return call.invalidBody(message, '/releaseChannel', 'UPD-12');
      }
    }
    return undefined;
  },
  find: (_call, deployment) => deployment,
  handle(call, deployment) {
    const { world } = call;
    const target = switchTarget(call, deployment);
    if (isRefusal(target)) return target;
    if (target !== undefined) {
      const { releaseChannelVersion: text } = call.input;
      const same = releaseKey(target) === deployment.runs;
      const by = text === undefined ? 'channel' : spellingOf(text);
      call.enter(`version: by ${by}, to ${same ? 'current' : 'other'}`);
      if (same && call.assume('UPD-16') !== 'accepted') {
        return call.refuseAssumed('UPD-16', `${deployment.name} runs ${target.version} already`);
      }
    }
    const switched =
      target === undefined ? deployment : switchVersion(deployment, target, world.clock.now());
    const { name = deployment.name, ...settings } = newSettings(call);
    const changed = withSettings(switched, name, settings);
    if (changed !== deployment) {
      world.state.tables.deployments.put(deployment.id, changed);
      if (target !== undefined) {
        const release = { channel: target.channel, version: target.version };
        world.state.tables.ran.put(releaseKey(release), release);
      }
      call.audit('DeploymentUpdated', deployment.id, `${changed.name} runs ${changed.runs}`);
    }
    return call.replyAssumed('UPD-9', answerTo(changed, call.choice('UPD-9')));
  },
};

/** The release that the body asks for; undefined if it asks for none. */
function switchTarget(call: Call<'updateDeployment'>, deployment: DeploymentRow) {
  const { releaseChannelVersion, releaseChannel } = call.input;
  const catalogue = catalogueOf(call.world.state);
  if (releaseChannelVersion !== undefined) {
    const channel = releaseChannel ?? channelOf(deployment.runs);
    const listed = findVersion(catalogue, releaseChannelVersion, channel);
    if (listed !== undefined) return ofChannel(call, listed);
    const ofImage = findVersion(catalogue, withoutImage(releaseChannelVersion), channel);
    if (ofImage === undefined) return refuseVersion(call, releaseChannelVersion);
    if (call.assume('UPD-15') === 'version-counts') return ofChannel(call, ofImage);
    const message = `The image of ${releaseChannelVersion} cannot be chosen; releaseChannelVersion can be ${fullSpelling(catalogue, ofImage)}`;
    return call.refuseAssumed('UPD-15', message, '/releaseChannelVersion');
  }
  if (releaseChannel === undefined) return undefined;
  const head = channelHead(catalogue, releaseChannel);
  if (head !== undefined) return head;
  call.enter('version: unknown channel');
  const known = catalogue.channels.map(({ name }) => name).join(', ');
  const message = `There is no update channel named ${releaseChannel}; releaseChannel can be ${known}`;
  return call.refuseAssumed('UPD-13', message, '/releaseChannel');
}

/** With a choice of UPD-12, a version that is sent with a channel must belong to it. */
function ofChannel(call: Call<'updateDeployment'>, version: ListedVersion) {
  const { releaseChannel } = call.input;
  if (releaseChannel === undefined || version.channel === releaseChannel) return version;
  if (call.assume('UPD-12') !== 'of-the-channel') return version;
  const message = `Version ${version.version} is one of the channel ${version.channel}, and not of ${releaseChannel}`;
  return call.refuseAssumed('UPD-12', message, '/releaseChannel');
}

/** The most versions in a message. */
const TOLD = 10;

function refuseVersion(call: Call<'updateDeployment'>, version: string) {
  call.enter('version: unlisted');
  const listed = listedVersions(catalogueOf(call.world.state)).map((release) => release.version);
  const some = [...listed.slice(0, TOLD), ...(listed.length > TOLD ? ['...'] : [])].join(', ');
  const message = `Version ${version} is not on the versions list; releaseChannelVersion can be ${some}`;
  return call.refuse(400, 'UPD-5', message, '/releaseChannelVersion');
}

/** Settings of a deployment that known clients send: five of about twenty. */
const settingNames = ['region', 'template', 'customDomain', 'deployMode', 'deployBranchName'];

type Settings = Readonly<Record<string, string>>;

/** The settings of the body, including the name, if UPD-10 gives them a meaning. */
function newSettings(call: Call<'updateDeployment'>): Settings {
  const sent = Object.entries(call.input).filter(([key, value]) => isSetting(key, value));
  if (sent.length === 0) return {};
  const choice = call.assume('UPD-10');
  return Object.fromEntries(sent.filter(([key]) => counts(choice, key)));
}

const isSetting = (key: string, value: unknown): value is string =>
  ['name', ...settingNames].includes(key) && typeof value === 'string';

const counts = (choice: string, key: string): boolean =>
  choice === 'settings' || (choice === 'name' && key === 'name');

function withSettings(deployment: DeploymentRow, name: string, settings: Settings): DeploymentRow {
  const before = deployment.settings ?? {};
  const after = { ...before, ...settings };
  if (equal(before, after)) {
    return name === deployment.name ? deployment : { ...deployment, name };
  }
  return { ...deployment, name, settings: after };
}

/** The body that answers an update. */
function answerTo(deployment: DeploymentRow, choice: string): object | undefined {
  const { id, name, createdAt } = deployment;
  const record: Deployment = { id, name, created_at: createdAt };
  if (choice === 'settings') return { ...record, ...deployment.settings };
  if (choice === 'deployment') return { data: record };
  return choice === 'accepted' ? {} : undefined;
}

/** The key of the release that the versions list shows as current. */
function runsNow(call: Call<'listVersions'>, deployment: DeploymentRow): string {
  const { before } = deployment;
  if (before === null || call.world.clock.now() >= before.since + SWITCH_LAG_MS)
    return deployment.runs;
  return call.assume('UPD-14') === 'later' ? before.runs : deployment.runs;
}

function catalogueOf({ base, tables }: State): Catalogue {
  return {
    imageRepository: base.imageRepository,
    channels: tables.channels.rows(),
    ran: tables.ran.rows(),
  };
}
