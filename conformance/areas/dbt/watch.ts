/**
 * The description covers only completed syncs, and most answers do not say whether the sync has
 * completed.
 */

import { isObject } from '../../../spec/base/json.ts';
import type { OpenAnswer } from '../../watch/facts.ts';

export const openSyncs: OpenAnswer = {
  operation: 'getDbtSyncResult',
  why: 'the dbt sync may not have completed',
  isOpen: ({ ok, body }, { syncJobId }, { dbtSync }) => {
    const isBound = dbtSync?.id !== undefined && String(dbtSync.id) === syncJobId;
    const saysSo = isObject(body) && typeof body.completedAt === 'string';
    return ok && !isBound && !saysSo;
  },
};
