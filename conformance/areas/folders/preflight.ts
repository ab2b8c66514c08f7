/** Checks the folders of a tenant file, and who may edit them. */

import { isObject } from '../../../spec/base/json.ts';
import type { PreflightFinding } from '../../judge/report.ts';
import type { Bindings } from '../../language/vocabulary.ts';
import type { PreflightCheck, ShownObject } from '../../safety/areas.ts';
import { same } from '../../safety/claims.ts';
import { swappedFor } from '../../safety/swapped.ts';

export const checkEditors: PreflightCheck = async ({ target }) => {
  const { folder, lockedFolder } = target.bindings;
  return ['member', 'memberOauth'].flatMap((name): PreflightFinding[] => {
    const edits = target.credentials.get(name)?.claims?.edits?.map(String);
    if (edits === undefined) return [];
    const messages: string[] = [];
    if (lockedFolder !== undefined && edits.includes(String(lockedFolder.id))) {
      messages.push(`it may edit lockedFolder ${String(lockedFolder.id)}, which it must not`);
    }
    if (folder !== undefined && !edits.includes(String(folder.id))) {
      messages.push(`its list edits does not name bindings.folder, which is ${String(folder.id)}`);
    }
    return messages.map((message) => ({ name, kind: 'credential', message }));
  });
};

/** Finds swapped credentials: an empty update shows who may edit a folder. */
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

/**
 * Whether the nested folder shows that it is at the top: its path is a list without another folder.
 * If it shows no list, nothing is known, because each field may be null. Without its own binding,
 * `folder` is used.
 */
export function nestedAtTop({ binding, body }: ShownObject, bindings: Bindings) {
  const { folder, nestedFolder } = bindings;
  if (binding !== 'nestedFolder' || same(folder?.id, nestedFolder?.id) || !isObject(body)) return;
  const { id, parentId, folderPath } = body;
  const above = [folderPath ?? []].flat().filter((one) => !(isObject(one) && same(one.id, id)));
  const isInside = Number(parentId) > 0 || above.length > 0;
  if (isInside || !Array.isArray(folderPath)) return;
  return 'it shows no folder above it: it is not inside another folder, as the tenant file says, or the service does not show its place';
}
