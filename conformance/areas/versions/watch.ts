/** The promises about a switch of versions and the lists around it. */

import { atPointer, isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { Compared, Seen, Sequence } from '../../watch/facts.ts';

/** The number of a version in any spelling. */
const numberOf = (version: unknown): string | undefined =>
  /^(?:.*:)?v?(\d+\.\d+\.\d+)$/.exec(String(version))?.[1];

/**
 * The number of the version that an update requests; undefined if it does not request a version.
 */
function askedIn({ operation, sent }: Seen): string | undefined {
  if (operation !== 'updateDeployment' || !isObject(sent) || 'releaseChannel' in sent)
    return undefined;
  return numberOf(sent.releaseChannelVersion);
}

function versionsIn({ operation, answer }: Seen): readonly JsonObject[] | undefined {
  const list = atPointer(answer.body, '/data');
  if (operation !== 'listVersions' || answer.status !== 200 || !Array.isArray(list))
    return undefined;
  return list.filter(isObject);
}

/** The numbers of the versions that a deployment runs, according to a list. */
function runningIn(seen: Seen | undefined): ReadonlySet<string | undefined> | undefined {
  const running = seen && versionsIn(seen)?.filter(({ isCurrent }) => isCurrent === true);
  return running?.length ? new Set(running.map(({ version }) => numberOf(version))) : undefined;
}

/** A switch was refused in one spelling of a version that the lists before and after it offer. */
function refusedIn(spelling: RegExp, calls: readonly Seen[]): Compared {
  const isSo = ({ sent }: Seen): boolean =>
    isObject(sent) &&
    Object.keys(sent).join() === 'releaseChannelVersion' &&
    spelling.test(String(sent.releaseChannelVersion));
  const now = calls.at(-1);
  if (now?.operation === 'updateDeployment')
    return now.answer.ok && isSo(now) ? 'holds' : undefined;
  const from = calls.slice(0, -1).findLastIndex((call) => versionsIn(call) !== undefined);
  const lists = [calls[from], now].map(
    (list) => (list === undefined ? [] : versionsIn(list)) ?? [],
  );
  const refused = calls.slice(from + 1, -1).find((call) => {
    const spelt = isObject(call.sent) ? call.sent.releaseChannelVersion : undefined;
    const isOffered = lists.every((list) =>
      list.some(
        ({ version, releaseChannelVersion, isCurrent }) =>
          isCurrent === false &&
          (spelt === releaseChannelVersion || spelt === version || spelt === `v${version}`),
      ),
    );
    return call.answer.status === 400 && isSo(call) && isOffered;
  });
  if (from === -1 || refused === undefined) return undefined;
  return { pointer: '/status', expected: '2xx', actual: 400 };
}

const spellings: readonly [statement: string, spelling: RegExp][] = [
  ['UPD-2', /^\d/],
  ['UPD-3', /^v\d/],
  ['UPD-4', /:v\d/],
];

const ofOneDeployment = { operations: ['updateDeployment', 'listVersions'], lags: true } as const;

export const versionSequences: readonly Sequence[] = [
  ...spellings.map(([statement, spelling]): Sequence => {
    return {
      statement,
      operations: ['updateDeployment', 'listVersions'],
      compare: (calls) => refusedIn(spelling, calls),
    };
  }),
  {
    ...ofOneDeployment,
    statement: 'UPD-1',
    compare: (calls): Compared => {
      const [update, list] = [calls.at(-2), calls.at(-1)];
      const wanted = update?.answer.ok === true ? askedIn(update) : undefined;
      const running = runningIn(list);
      if (wanted === undefined || running === undefined) return undefined;
      if (running.has(wanted)) return 'holds';
      return { pointer: '/body/data', expected: wanted, actual: [...running] };
    },
  },
  {
    ...ofOneDeployment,
    statement: 'UPD-6',
    compare: (calls, settled): Compared => {
      const [before, update, list] = [calls.at(-3), calls.at(-2), calls.at(-1)];
      const [was, is] = [runningIn(before), runningIn(list)];
      if (was === undefined || is === undefined || update?.operation !== 'updateDeployment')
        return undefined;
      if (update.answer.status !== 400 || list === undefined || !settled(update, list))
        return undefined;
      if (was.symmetricDifference(is).size === 0) return 'holds';
      return { pointer: '/body/data', expected: [...was], actual: [...is] };
    },
  },
];
