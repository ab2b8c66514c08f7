/** Versions of the platform, and which of them a deployment runs. */

import { bodyOf, type Call } from '../call.ts';
import { type Fields, Refusal, type Reply, reply } from '../exchange.ts';
import { has } from '../habits.ts';
import type { Deployment, State } from '../state.ts';

interface Listed {
  readonly channel: string;
  readonly version: string;
  readonly full: string;
  readonly isHead: boolean;
}

const listed = ({ channels, ran }: State): Listed[] =>
  channels.flatMap(({ name, repository, versions }) =>
    versions
      .map((version, index) => ({
        channel: name,
        version,
        full: `${repository}:v${version}`,
        isHead: index === 0,
      }))
      .filter(({ version, isHead }) => isHead || ran.includes(version)),
  );

/** Lists the oldest version first. */
export function versions({ state, deployment }: Call): Reply {
  const runs = state.deployments.find(({ id }) => id === deployment)?.version;
  const rows = listed(state).map(
    ({ channel, version, full, isHead }): Fields => ({
      releaseChannelVersion: full,
      version,
      releaseChannel: channel,
      isLatestInChannel: isHead,
      isCurrent: version === runs,
      notes: null,
    }),
  );
  return reply(200, { data: rows.reverse(), asOf: 'today' });
}

export function update(call: Call): Reply {
  const { state } = call;
  const body = bodyOf(call, ['releaseChannelVersion', 'releaseChannel', 'name']);
  if (Object.values(body).some((value) => typeof value !== 'string'))
    throw new Refusal(422, 'E-301 texts only');
  if (Object.keys(body).length === 0) throw new Refusal(422, 'E-302 nothing to do');
  const wanted = chosen(state, body);
  for (const deployment of state.deployments.filter(({ id }) => id === call.deployment))
    apply(state, deployment, body, wanted);
  const body202 = { operation: { id: `op-${state.calls}`, state: 'queued' } };
  const old = { data: { version: '0.0.0', isCurrent: false, id: 7 } };
  return has(state, 'update-tells-the-old-version') ? reply(200, old) : reply(202, body202);
}

/** The version that a body asks for; undefined if it asks for none. */
function chosen(state: State, { releaseChannelVersion, releaseChannel }: Fields) {
  const offers = listed(state);
  if (releaseChannelVersion === undefined) {
    if (releaseChannel === undefined) return undefined;
    const head = offers.find(({ channel, isHead }) => isHead && channel === releaseChannel);
    if (head === undefined) throw new Refusal(404, 'E-305 no channel');
    return head;
  }
  const found = offers.find(({ version, full }) =>
    [version, `v${version}`, full].includes(String(releaseChannelVersion)),
  );
  if (found === undefined) throw new Refusal(400, 'E-303 not on offer');
  if (releaseChannel !== undefined && found.channel !== releaseChannel)
    throw new Refusal(409, 'E-304 version and channel differ');
  return found;
}

function apply(state: State, deployment: Deployment, { name }: Fields, wanted?: Listed): void {
  if (typeof name === 'string') deployment.name = name;
  if (wanted === undefined) return;
  deployment.version = wanted.version;
  if (!state.ran.includes(wanted.version)) state.ran.push(wanted.version);
}
