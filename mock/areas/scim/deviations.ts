/**
 * Lists of SCIM users whose pages overlap, skip or lie about themselves. Where a page is another
 * than the one that was asked for, the answer says what was asked for: it is wrong in one thing.
 */
import type { Deviation } from '../../deviations/deviation.ts';
import { counts } from './deviations/counts.ts';
import { errors } from './deviations/errors.ts';
import { said } from './deviations/said.ts';
import { startIndex } from './deviations/start-index.ts';
import { users } from './deviations/users.ts';

export const scim: readonly Deviation[] = [...startIndex, ...counts, ...said, ...users, ...errors];
