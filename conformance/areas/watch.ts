/** The facts about all areas that the watcher needs. */

import type { WatchFacts } from '../watch/facts.ts';
import { openExports } from './audit/watch.ts';
import { openSyncs } from './dbt/watch.ts';
import { folderSequences } from './folders/watch.ts';
import { pagedLists } from './lists/watch.ts';
import { recipientSequences } from './recipients/watch.ts';
import { openSwitches, stagingSequences } from './staging/watch.ts';
import { versionSequences } from './versions/watch.ts';

export const watchFacts: WatchFacts = {
  open: [openExports, openSwitches, openSyncs],
  sequences: [...folderSequences, ...recipientSequences, ...stagingSequences, ...versionSequences],
  lists: pagedLists,
};
