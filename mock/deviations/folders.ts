/**
 * Folder updates, wrong in state and in time: fields that change though they were not sent, updates
 * that are lost or come too late, refused ones that are done, and folders of somebody else.
 */
import type { Deviation } from './deviation.ts';
import { names, positions } from './folders/fields.ts';
import { lostUpdates } from './folders/lost-updates.ts';
import { missingFolders } from './folders/missing-folders.ts';
import { parent } from './folders/parent.ts';
import { refusedUpdates } from './folders/refused-updates.ts';
import { shownFolder } from './folders/shown-folder.ts';
import { unsentFields } from './folders/unsent-fields.ts';

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
