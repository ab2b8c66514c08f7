/** The description does not say how an export without an event is answered. */

import type { OpenAnswer } from '../../watch/facts.ts';

export const openExports: OpenAnswer = {
  operation: 'exportAuditLogs',
  why: 'the export may hold no event',
  isOpen: ({ status }) => status === 204,
};
