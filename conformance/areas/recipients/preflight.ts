/** Which users of a tenant file the provisioning list shows, if the run may write to them. */

import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { pagesOf } from '../../safety/ask.ts';
import { same } from '../../safety/claims.ts';

/**
 * A user that the list does not show may exist all the same: the description does not say that the list has
 * each user, or by which identifier. So the list only confirms; for the others the writes decide.
 */
export const checkUsers: PreflightCheck = async ({ target, askAs, mayWrite, proven }) => {
  const { notification, deployment, recipients } = target.bindings;
  const users = [recipients?.users ?? []].flat().filter(isObject);
  const place = { deploymentId: deployment?.numericId, id: notification?.numericId };
  if (users.length === 0 || !target.credentials.has('scim')) return [];
  if (!mayWrite('addNotificationRecipients', place)) return [];
  const left = new Map(users.entries());
  for await (const page of pagesOf(askAs('scim'), 'listScimUsers', {}, { size: 100 })) {
    for (const [index, user] of left) {
      if (page?.items.some((shown) => isShownAs(shown, user)) !== true) continue;
      proven.add(`recipients.users[${index}]`);
      left.delete(index);
    }
    if (left.size === 0) break;
  }
  return [];
};

/** Whether a user of the list has each name that the tenant file gives. */
function isShownAs({ id, userName, emails }: JsonObject, { userId, email }: JsonObject): boolean {
  const addresses = [userName, ...[emails].flat().map((one) => (isObject(one) ? one.value : one))];
  const isMail = (one: unknown): boolean =>
    String(one).toLowerCase() === String(email).toLowerCase();
  const isOne = userId !== undefined || email !== undefined;
  return (
    isOne &&
    (userId === undefined || same(id, userId)) &&
    (email === undefined || addresses.some(isMail))
  );
}
