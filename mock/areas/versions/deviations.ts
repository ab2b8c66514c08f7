/** The versions list, and switches of a deployment's version, going wrong. */
import type { Deviation } from '../../deviations/deviation.ts';
import { channels } from './deviations/channels.ts';
import { current } from './deviations/current.ts';
import { heads } from './deviations/heads.ts';
import { runBefore } from './deviations/run-before.ts';
import { listedSpellings, sentSpellings } from './deviations/spellings.ts';
import { switches } from './deviations/switches.ts';
import { unlisted } from './deviations/unlisted.ts';

export const versions: readonly Deviation[] = [
  ...heads,
  ...current,
  ...runBefore,
  ...listedSpellings,
  ...switches,
  ...sentSpellings,
  ...unlisted,
  ...channels,
];
