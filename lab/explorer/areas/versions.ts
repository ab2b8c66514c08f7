/** Switches versions, in three spellings or by channel, and judges the list of versions. */

import fc from 'fast-check';
import { isObject } from '../../../spec/base/json.ts';
import type { ExploredOperation, Judge } from '../call.ts';

interface Version {
  readonly version: string;
  /** The list's spelling: a repository, a colon, `v` and the version. */
  readonly releaseChannelVersion: string;
  readonly releaseChannel: string;
  readonly isLatestInChannel: boolean;
  readonly isCurrent: boolean;
}

/** The spellings of a version in a request, each with the statement that promises it. */
const bodies = {
  'UPD-2': ({ version }: Version) => ({ releaseChannelVersion: version }),
  'UPD-3': ({ version }: Version) => ({ releaseChannelVersion: `v${version}` }),
  'UPD-4': ({ releaseChannelVersion }: Version) => ({ releaseChannelVersion }),
  'UPD-7': ({ releaseChannel }: Version) => ({ releaseChannel }),
} as const;

const statement = fc.constantFrom<keyof typeof bodies>('UPD-2', 'UPD-3', 'UPD-4', 'UPD-7');

export const update: ExploredOperation = {
  body: ({ bindings: { versions } }) => {
    if (!Array.isArray(versions?.mayRun)) return undefined;
    const allowed = versions.mayRun.map(String);
    return fc.tuple(fc.nat(59), statement).map(([index, statement]) => (model, call) => {
      // The versions that the first list showed.
      const all = (model.notes.get(`versions at ${call.path.deployment_id}`) ??
        []) as readonly Version[];
      const first = all.find(({ isCurrent }) => isCurrent)?.releaseChannelVersion;
      const current = model.known(call, 'releaseChannelVersion') ?? first;
      const choices = all.filter((one) => {
        const isMove = one.releaseChannelVersion !== current;
        return (
          allowed.includes(one.version) && (statement === 'UPD-7' ? one.isLatestInChannel : isMove)
        );
      });
      const version = choices[index % choices.length];
      if (version === undefined) return undefined;
      // The version must run, whatever spelling asked for it.
      const sets = { releaseChannelVersion: { value: version.releaseChannelVersion, statement } };
      return { body: bodies[statement](version), sets, serves: statement };
    });
  },
};

/** A listed version stays in the list: it is a head, or it has run before. */
export const versions: Judge = (entry, call, model) => {
  const data = isObject(entry.answer.body) ? entry.answer.body.data : undefined;
  if (!Array.isArray(data)) return [];
  const place = `versions at ${call.path.deployment_id}`;
  const since = model.since(place, entry);
  if (since === undefined) {
    model.notes.set(place, data);
    return [];
  }
  const before = `{steps.${since}.body.data.version}`;
  const stays = { value: '{body.data.version}', is: { $supersetOf: before } };
  return [['VER-6', { that: stays }]];
};
