/** The versions list, and switches of a deployment's version, going wrong. */
import type { Deviation } from './deviation.ts';
import { channels } from './versions/channels.ts';
import { current } from './versions/current.ts';
import { heads } from './versions/heads.ts';
import { runBefore } from './versions/run-before.ts';
import { listedSpellings, sentSpellings } from './versions/spellings.ts';
import { switches } from './versions/switches.ts';
import { unlisted } from './versions/unlisted.ts';

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
