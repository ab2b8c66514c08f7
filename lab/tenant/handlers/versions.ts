/** Versions of the platform, and which of them a deployment runs. */

import { bodyOf, type Fields, type KnownCall, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { Channel, Deployment, State } from '../state.ts';

interface Listed {
  readonly channel: Channel;
  readonly version: string;
}

function listed({ channels, ran }: State): Listed[] {
  return channels.flatMap((channel) =>
    channel.versions
      .filter((version, index) => index === 0 || ran.includes(version))
      .map((version) => ({ channel, version })),
  );
}

const full = ({ channel, version }: Listed): string => `${channel.repository}:v${version}`;

export function deploymentOf(call: KnownCall, state: State): Deployment {
  const found = state.deployments.find(({ id }) => id === Number(call.path[0]));
  if (found === undefined) throw new Refusal(403, 'E-300 not yours');
  return found;
}

/** Old ones first. */
export function versions(call: KnownCall, state: State): Reply {
  knowsOnly(call, []);
  const runs = deploymentOf(call, state).version;
  const rows = listed(state).map(
    (one): Fields => ({
      releaseChannelVersion: full(one),
      version: one.version,
      releaseChannel: one.channel.name,
      isLatestInChannel: one.channel.versions[0] === one.version,
      isCurrent: one.version === runs,
      notes: null,
    }),
  );
  return reply(200, { data: rows.reverse(), asOf: 'today' });
}

export function update(call: KnownCall, state: State): Reply {
  knowsOnly(call, []);
  const body = bodyOf(call, ['releaseChannelVersion', 'releaseChannel', 'name']);
  const { releaseChannelVersion, releaseChannel, name } = body;
  if (Object.values(body).some((value) => typeof value !== 'string'))
    throw new Refusal(422, 'E-301');
  if (Object.keys(body).length === 0) throw new Refusal(422, 'E-302 nothing to do');
  const deployment = deploymentOf(call, state);
  let found: Listed | undefined;
  if (releaseChannelVersion !== undefined) {
    found = listed(state).find((one) =>
      [one.version, `v${one.version}`, full(one)].includes(String(releaseChannelVersion)),
    );
    if (found === undefined) throw new Refusal(400, 'E-303 not on offer');
    if (releaseChannel !== undefined && found.channel.name !== releaseChannel) {
      throw new Refusal(409, 'E-304 version and channel differ');
    }
  } else if (releaseChannel !== undefined) {
    const channel = state.channels.find((one) => one.name === releaseChannel);
    const version = channel?.versions[0];
    if (channel === undefined || version === undefined) throw new Refusal(404, 'E-305 no channel');
    found = { channel, version };
  }
  if (typeof name === 'string') deployment.name = name;
  if (found !== undefined) {
    deployment.version = found.version;
    if (!state.ran.includes(found.version)) state.ran.push(found.version);
  }
  return reply(202, { operation: { id: `op-${state.calls}`, state: 'queued' } });
}
