/** Whether a tenant file names the right folders for its members to edit. */

import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { swappedFor } from '../../safety/swapped.ts';

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

/** Reads the folder that only some may edit, by an update of nothing. */
export const checkSwappedEditors: PreflightCheck = async (context) => {
  const { lockedFolder, deployment } = context.target.bindings;
  const place = { deploymentId: deployment?.numericId, folderId: lockedFolder?.id };
  if (lockedFolder === undefined || !context.mayWrite('updateFolder', place)) return [];
  const right = {
    what: `lockedFolder (${String(lockedFolder.id)})`,
    has: (_claims: unknown, name: string) => ['admin', 'oauth'].includes(name),
    lacks: ({ edits }: { readonly edits?: readonly unknown[] }) =>
      edits?.map(String).includes(String(lockedFolder.id)) === false,
  };
  return swappedFor(context, right, 'updateFolder', place, { body: {} });
};
