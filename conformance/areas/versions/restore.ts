/** Puts back the version of a deployment: three spellings mean the same version. */

import { isObject } from '../../../spec/base/json.ts';
import type { Restorer } from '../../safety/areas.ts';

interface VersionState {
  /** In the spelling of the list. */
  readonly releaseChannelVersion: string;
  readonly channel: unknown;
  readonly head: unknown;
}

export const versionRestorer: Partial<Restorer> = {
  state: (found): VersionState | undefined => {
    const spelling = found.releaseChannelVersion ?? found.version;
    if (typeof spelling !== 'string') return undefined;
    const { releaseChannel: channel, isLatestInChannel: head } = found;
    return { releaseChannelVersion: spelling, channel, head };
  },
  same: (a, b) => bareVersion(a) === bareVersion(b),
  answersShow: false,
  ours: (now, _before, sent) => {
    const { channel, head } = now as VersionState;
    return sent.filter(isObject).some((body) => {
      if (body.releaseChannelVersion !== undefined) return bareVersion(body) === bareVersion(now);
      return body.releaseChannel === channel && head === true;
    });
  },
};

function bareVersion(state: unknown): string {
  const spelling = isObject(state) ? state.releaseChannelVersion : undefined;
  return String(spelling).replace(/^.*:/, '').replace(/^v/, '');
}
