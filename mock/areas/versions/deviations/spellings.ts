/** Spellings of a version: those that are listed, and those that an update is sent with. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import type { Refusal } from '../../../pipeline/exchange.ts';
import { findVersion, type ListedVersion, listedVersions, releaseKey } from '../machine.ts';
import { deploymentId, deploymentIn, isHead, shows } from './listed.ts';
import {
  accepted,
  channelOf,
  comesTo,
  isOtherImage,
  offered,
  update,
  type Wanted,
  wantedOf,
} from './wanted.ts';

export const listedSpellings: readonly Deviation[] = [
  shows(
    'spelling-of-another-version',
    'The releaseChannelVersion of each item names the version of the item after it.',
    ['VER-3'],
    (items) =>
      items.map((item, index) => ({
        ...item,
        releaseChannelVersion:
          items[(index + 1) % items.length]?.releaseChannelVersion ?? item.releaseChannelVersion,
      })),
    ['UPD-4', 'UPD-8'],
  ),
  shows(
    'spelling-of-the-head',
    "The releaseChannelVersion of an older version names its channel's head.",
    ['VER-3'],
    (items) =>
      items.map((item) => {
        const head = items.find(
          (other) => isHead(other) && other.releaseChannel === item.releaseChannel,
        );
        return head === undefined
          ? item
          : { ...item, releaseChannelVersion: head.releaseChannelVersion };
      }),
    ['UPD-4', 'UPD-8'],
  ),
];

/** A listed version that is neither the wanted one nor, where there is a choice, the current one. */
function another({ text }: Wanted, scene: Scene): ListedVersion | undefined {
  const catalogue = offered(scene);
  const current = deploymentIn(scene.before, deploymentId(scene))?.runs;
  const wanted = text === undefined ? undefined : findVersion(catalogue, text, channelOf(current));
  if (wanted === undefined) return undefined;
  const others = listedVersions(catalogue).filter(
    (release) => releaseKey(release) !== releaseKey(wanted),
  );
  return others.find((release) => releaseKey(release) !== current) ?? others[0];
}

function refuseVersion(text: string): Refusal {
  const message = `Version ${text} is not on the versions list`;
  return { refused: true, status: 400, statement: 'UPD-5', message, at: '/releaseChannelVersion' };
}

const spellings = [
  ['plain', '1.2.3', 'UPD-2'],
  ['with-v', 'v1.2.3', 'UPD-3'],
  ['full', 'the full releaseChannelVersion', 'UPD-4'],
] as const;

export const sentSpellings: readonly Deviation[] = [
  ...spellings.flatMap(([spelling, words, statement]): Deviation[] => [
    {
      id: `versions:${spelling}-spelling-refused`,
      text: `A listed version is refused where it is spelt ${words}.`,
      breaks: [statement],
      collateral: spelling === 'plain' ? ['UPD-1', 'VER-6', 'UPD-3', 'UPD-4'] : ['UPD-1'],
      operations: update,
      handle: (next, scene) => {
        const { text, spelling: sent } = wantedOf(scene);
        if (text === undefined || sent !== spelling) return next();
        const known = findVersion(offered(scene), text, '') !== undefined;
        return known ? refuseVersion(text) : next();
      },
    },
    {
      id: `versions:${spelling}-spelling-goes-elsewhere`,
      text: `A version that is spelt ${words} is accepted, and the deployment moves to another one.`,
      breaks: [statement],
      collateral: ['UPD-1', 'VER-6', 'VER-8'],
      operations: update,
      handle: comesTo((wanted, scene) =>
        wanted.spelling === spelling ? another(wanted, scene) : undefined,
      ),
    },
    {
      id: `versions:unlisted-accepted-${spelling}`,
      text: `A version that is not on the list is accepted where it is spelt ${words}; nothing happens.`,
      breaks: ['UPD-5'],
      operations: update,
      handle: accepted(
        (wanted, scene) => wanted.spelling === spelling && !isOtherImage(wanted, scene),
      ),
    },
  ]),
];
