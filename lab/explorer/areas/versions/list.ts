/** Versions as they are listed, against what was listed and switched before. */

import type { Conditions } from '../../../../conformance/language/scenario.ts';
import { isObject } from '../../../../spec/base/json.ts';
import type { Entry } from '../../contradiction.ts';
import type { Session } from '../../session.ts';

export type Which = 'deployment' | 'otherDeployment';
export const pathOf = (which: Which) => ({ deployment_id: `{${which}.id}` });

interface Running {
  readonly version?: string;
  /** Statement that another version would contradict: that of the last event. */
  readonly since?: string;
  /** The entry that showed it; a switch takes it away. */
  readonly source?: string | undefined;
}

/** Versions of the account: what was listed once stays listed, as it is a head or was run. */
export class Versions {
  readonly listed = new Map<string, { readonly full: string; readonly channel: string }>();
  /** By channel. */
  readonly heads = new Map<string, string>();
  readonly runs: Record<Which, Running> = { deployment: {}, otherDeployment: {} };

  /** How many switches were made. */
  switches = 0;

  moved(version: string, since: string): void {
    this.switches += 1;
    this.runs.deployment = { version, since };
  }
}

export async function readVersions(
  session: Session,
  { which, actor }: { readonly which: Which; readonly actor: string },
): Promise<void> {
  const versions = session.beliefs(Versions);
  // What is read without an expectation is believed, so it must have arrived.
  if (versions.runs[which].version === undefined) await session.rest();
  const entry = await session.call(
    { as: actor, call: 'listVersions', path: pathOf(which), checks: { 'VER-1': 200 } },
    expectedList(versions, which),
  );
  learn(versions, entry, which);
}

function expectedList(versions: Versions, which: Which): Record<string, Conditions[]> {
  const { listed, heads, runs } = versions;
  const known = [...listed.keys()];
  const headsOnly = [...heads.values()];
  const listedOf = (wanted: readonly string[]) => ({
    that: { value: '{body.data.version}', is: { $supersetOf: wanted } },
  });
  const heading = '{body.data[isLatestInChannel=true].releaseChannel}';
  const oneRuns = { from: '{body.data}', where: { isCurrent: true }, length: true };
  const checks: Record<string, Conditions[]> = {
    'VER-3': [...listed].map(([version, { full: releaseChannelVersion }]) => ({
      body: {
        data: {
          $not: { $contains: { version, releaseChannelVersion: { $not: releaseChannelVersion } } },
        },
      },
    })),
    'VER-8': [{ that: { value: oneRuns, is: 1 } }],
  };
  const { version, since, source } = runs[which];
  if (version !== undefined) {
    const is =
      source === undefined ? [version] : `{steps.${source}.body.data[isCurrent=true].version}`;
    const current = { that: { value: '{body.data[isCurrent=true].version}', is } };
    const statement = since ?? (source === undefined ? 'UPD-1' : 'VER-8');
    checks[statement] = [...(checks[statement] ?? []), current];
  }
  return {
    ...checks,
    'VER-5': [listedOf(headsOnly)],
    'VER-6': [listedOf(known.filter((item) => !headsOnly.includes(item)))],
    'VER-7': [
      { that: { value: { from: '{body.data.releaseChannel}', minus: heading }, is: [] } },
      { that: { value: heading, is: { $unique: true } } },
      ...[...heads].map(([releaseChannel, head]) => ({
        body: { data: { $contains: { releaseChannel, isLatestInChannel: true, version: head } } },
      })),
    ],
  };
}

function learn({ listed, heads, runs }: Versions, entry: Entry, which: Which): void {
  const data = isObject(entry.answer.body) ? entry.answer.body.data : undefined;
  for (const item of Array.isArray(data) ? data.filter(isObject) : []) {
    const version = String(item.version);
    const channel = String(item.releaseChannel);
    listed.set(version, { full: String(item.releaseChannelVersion), channel });
    if (item.isLatestInChannel === true) heads.set(channel, version);
    if (item.isCurrent !== true) continue;
    const { version: before, source } = runs[which];
    runs[which] = { version, source: before === undefined ? entry.id : source };
  }
}
