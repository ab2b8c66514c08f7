/** Checks whether the SCIM list has the users of a tenant file. */

import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { pagesOf } from '../../safety/ask.ts';

/** For each key of a recipient in the tenant file, the names that a user in the list has. */
const shownBy: Readonly<Record<string, (user: JsonObject) => readonly unknown[]>> = {
  userId: ({ id }) => [id].filter((one) => /^\d+$/.test(String(one))),
  email: ({ userName, emails }) =>
    [userName, ...[emails].flat().map((one) => (isObject(one) ? one.value : one))].filter((one) =>
      String(one).includes('@'),
    ),
};

/**
 * A user counts as missing only if the list is complete, and shows such a name for each of its
 * users. In all other cases the list can only confirm a user, and the writes decide.
 */
export const checkUsers: PreflightCheck = async ({ target, askAs, mayWrite, proven }) => {
  const { notification, deployment, recipients } = target.bindings;
  const place = { deploymentId: deployment?.numericId, id: notification?.numericId };
  const users = [recipients?.users ?? []].flat().filter(isObject);
  if (!target.credentials.has('scim') || !mayWrite('addNotificationRecipients', place)) return [];
  const shown: JsonObject[] = [];
  let isWhole = false;
  for await (const page of pagesOf(askAs('scim'), 'listScimUsers', {}, { size: 100 })) {
    shown.push(...(page?.items ?? []));
    isWhole = page?.isLast === true;
  }
  return users.flatMap((user, index): PreflightFinding[] => {
    const keys = Object.keys(shownBy).filter((key) => user[key] !== undefined);
    const has = (one: JsonObject, key: string): boolean =>
      (shownBy[key]?.(one) ?? []).some((name) => alike(name, user[key]));
    if (keys.length > 0 && shown.some((one) => keys.every((key) => has(one, key)))) {
      proven.add(`recipients.users[${index}]`);
      return [];
    }
    const isTold = keys.every((key) =>
      shown.every((one) => (shownBy[key]?.(one) ?? []).length > 0),
    );
    if (!isWhole || shown.length === 0 || !isTold) return [];
    const who = keys.map((key) => `${key} ${String(user[key])}`).join(' and ');
    const message = `the SCIM list has no user with the ${who}: the tenant file is wrong, or the list leaves it out`;
    return [{ name: 'recipients.users', kind: 'binding', message }];
  });
};

const alike = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();
