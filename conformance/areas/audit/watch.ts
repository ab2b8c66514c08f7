/** The description does not say how the service answers an export without events. */

import type { OpenAnswer } from '../../watch/facts.ts';

export const openExports: OpenAnswer = {
  operation: 'exportAuditLogs',
  why: 'the export may hold no event',
  isOpen: ({ status }) => status === 204,
};
