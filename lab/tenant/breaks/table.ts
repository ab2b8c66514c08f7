/** All breaks, by id: single answers and states first, histories of calls after them. */

import type { Break } from './break.ts';
import { historyOfExports } from './history-of-exports.ts';
import { historyOfFolders } from './history-of-folders.ts';
import { historyOfLists } from './history-of-lists.ts';
import { historyOfRecipients } from './history-of-recipients.ts';
import { historyOfRights } from './history-of-rights.ts';
import { historyOfStaging } from './history-of-staging.ts';
import { historyOfVersions } from './history-of-versions.ts';
import { ofExports } from './of-exports.ts';
import { ofFolders } from './of-folders.ts';
import { ofLists } from './of-lists.ts';
import { ofRecipients } from './of-recipients.ts';
import { ofRights } from './of-rights.ts';
import { ofStaging } from './of-staging.ts';
import { ofVersions } from './of-versions.ts';

/** A single answer or state shows them. */
export const single = [
  ...ofExports,
  ...ofFolders,
  ...ofLists,
  ...ofRecipients,
  ...ofRights,
  ...ofStaging,
  ...ofVersions,
] as const;
/** Only a history of calls shows them. */
export const histories = [
  ...historyOfExports,
  ...historyOfFolders,
  ...historyOfLists,
  ...historyOfRecipients,
  ...historyOfRights,
  ...historyOfStaging,
  ...historyOfVersions,
] as const;

export const breaks: readonly Break[] = [...single, ...histories];
export type BreakId = (typeof single)[number]['id'] | (typeof histories)[number]['id'];

/** Throws an Error for an id that there is not. */
export function breakOf(id: BreakId): Break {
  const found = breaks.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no break ${id}`);
  return found;
}
