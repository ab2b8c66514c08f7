/** How an export without an event is answered is not shown. */

import type { OpenAnswer } from '../../watch/facts.ts';

export const openExports: OpenAnswer = {
  operation: 'exportAuditLogs',
  why: 'there may be no event to export',
  isOpen: ({ status }) => status === 204,
};
