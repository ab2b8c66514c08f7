/**
 * Folder updates, wrong in state and in time: fields that change though they were not sent, updates
 * that are lost or come too late, refused ones that are done, and folders of somebody else.
 */
import type { Deviation } from '../../deviations/deviation.ts';
import { names, positions } from './deviations/fields.ts';
import { lostUpdates } from './deviations/lost-updates.ts';
import { missingFolders } from './deviations/missing-folders.ts';
import { parent } from './deviations/parent.ts';
import { refusedUpdates } from './deviations/refused-updates.ts';
import { shownFolder } from './deviations/shown-folder.ts';
import { unsentFields } from './deviations/unsent-fields.ts';

export const folders: readonly Deviation[] = [
  ...unsentFields,
  ...parent,
  ...names,
  ...positions,
  ...lostUpdates,
  ...refusedUpdates,
  ...missingFolders,
  ...shownFolder,
];
