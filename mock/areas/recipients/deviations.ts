/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is
 * let through, which change goes unnoticed, and in which list a recipient ends up.
 */
import type { Deviation } from '../../deviations/deviation.ts';
import { changes } from './deviations/changes.ts';
import { chats } from './deviations/chats.ts';
import { consoleUsers } from './deviations/console-users.ts';
import { embedUsers } from './deviations/embed-users.ts';
import { limits } from './deviations/limits.ts';
import { lists } from './deviations/lists.ts';
import { refusedWrites } from './deviations/refused-writes.ts';
import { repeats } from './deviations/repeats.ts';
import { role } from './deviations/role.ts';
import { unresolvable } from './deviations/unresolvable.ts';

export const recipients: readonly Deviation[] = [
  ...refusedWrites,
  ...chats,
  ...unresolvable,
  ...repeats,
  ...changes,
  ...lists,
  ...embedUsers,
  ...consoleUsers,
  ...limits,
  ...role,
];
