/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is
 * let through, which change goes unnoticed, and in which list a recipient ends up.
 */
import type { Deviation } from './deviation.ts';
import { changes } from './recipients/changes.ts';
import { chats } from './recipients/chats.ts';
import { consoleUsers } from './recipients/console-users.ts';
import { embedUsers } from './recipients/embed-users.ts';
import { limits } from './recipients/limits.ts';
import { lists } from './recipients/lists.ts';
import { refusedWrites } from './recipients/refused-writes.ts';
import { repeats } from './recipients/repeats.ts';
import { role } from './recipients/role.ts';
import { unresolvable } from './recipients/unresolvable.ts';

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
