/** Whether a tenant file lets its members edit the right folders. */

import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

export const checkEditors: PreflightCheck = async ({ target }) => {
  const { folder, lockedFolder } = target.bindings;
  return ['member', 'memberOauth'].flatMap((name): PreflightFinding[] => {
    const edits = target.credentials.get(name)?.claims?.edits?.map(String);
    if (edits === undefined) return [];
    const messages: string[] = [];
    if (lockedFolder !== undefined && edits.includes(String(lockedFolder.id))) {
      messages.push(`it edits lockedFolder (${String(lockedFolder.id)}), which it must not`);
    }
    if (folder !== undefined && !edits.includes(String(folder.id))) {
      messages.push(`it does not edit folder (${String(folder.id)})`);
    }
    return messages.map((message) => ({ name, kind: 'credential', message }));
  });
};
