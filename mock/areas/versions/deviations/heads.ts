/** Heads of channels that are missing from the list, or marked wrongly. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { byVersion, firstChannel, isHead, mark, runnerUp, runs, shows } from './listed.ts';

export const heads: readonly Deviation[] = [
  shows(
    'head-missing',
    'The head of a channel is missing from the list of a deployment that does not run it.',
    ['VER-5'],
    (items) =>
      items.filter(
        (item) => !isHead(item) || runs(item) || item.releaseChannel !== firstChannel(items),
      ),
    ['VER-7'],
  ),
  shows(
    'head-replaced-by-the-one-below',
    'The head of a channel is missing, and the version below it is marked as the head.',
    ['VER-5', 'VER-7'],
    (items) => {
      const below = runnerUp(items);
      const channel = firstChannel(items);
      if (below === undefined) return items;
      return items
        .filter((item) => item.releaseChannel !== channel || !isHead(item) || runs(item))
        .map((item) =>
          item.releaseChannel === channel
            ? mark('isLatestInChannel', (one) => one === below)(item)
            : item,
        );
    },
    ['VER-6'],
  ),
  shows(
    'latest-marks-the-one-below',
    'isLatestInChannel is true for the version below the head of a channel, and false for the head.',
    ['VER-7'],
    (items) => {
      const below = runnerUp(items);
      const channel = firstChannel(items);
      if (below === undefined) return items;
      return items.map((item) =>
        item.releaseChannel === channel
          ? mark('isLatestInChannel', (one) => one === below)(item)
          : item,
      );
    },
    ['UPD-7'],
  ),
  shows(
    'latest-marks-two',
    'isLatestInChannel is true for two versions of a channel.',
    ['VER-7'],
    (items) => {
      const below = runnerUp(items);
      return items.map(mark('isLatestInChannel', (item) => isHead(item) || item === below));
    },
  ),
  shows(
    'latest-marks-none',
    'isLatestInChannel is true for no version.',
    ['VER-7'],
    (items) => items.map(mark('isLatestInChannel', () => false)),
    ['VER-5'],
  ),
  shows(
    'latest-marks-the-highest-of-all',
    'isLatestInChannel is true for the highest version of all channels only.',
    ['VER-7', 'VER-5'],
    (items) => {
      const highest = items.toSorted(byVersion)[0];
      return items.map(mark('isLatestInChannel', (item) => item === highest));
    },
  ),
  shows(
    'latest-marks-the-current-one',
    'isLatestInChannel is true for the version that runs as well.',
    ['VER-7'],
    (items) => items.map(mark('isLatestInChannel', (item) => isHead(item) || runs(item))),
    ['VER-5', 'VER-6', 'VER-8'],
  ),
];
