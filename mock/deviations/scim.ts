/**
 * Lists of SCIM users whose pages overlap, skip or lie about themselves. Where a page is another
 * than the one that was asked for, the answer says what was asked for: it is wrong in one thing.
 */
import type { Deviation } from './deviation.ts';
import { counts } from './scim/counts.ts';
import { errors } from './scim/errors.ts';
import { said } from './scim/said.ts';
import { startIndex } from './scim/start-index.ts';
import { users } from './scim/users.ts';

export const scim: readonly Deviation[] = [...startIndex, ...counts, ...said, ...users, ...errors];
