/** The admin role, asked for once and no more. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { type Hooks, refusesOnce } from '../../../deviations/transforms.ts';
import { deviation } from './add-call.ts';

/** The role is asked for once; a caller that was refused is served the next time. */
function roleOnce(statement: string): Hooks {
  return { ...refusesOnce('authorise', statement), collateral: ['AUTH-13'] };
}

export const role: readonly Deviation[] = [
  deviation(
    'role-asked-once-of-keys',
    'An API key without the admin role is refused once, and served from then on.',
    ['RECIP-20'],
    roleOnce('RECIP-20'),
  ),
  deviation(
    'role-asked-once-of-oauth',
    'An OAuth token without the admin role is refused once, and served from then on.',
    ['RECIP-21'],
    roleOnce('RECIP-21'),
  ),
  deviation(
    'role-asked-once-of-embed',
    'An embed JWT without the admin role is refused once, and served from then on.',
    ['RECIP-22'],
    roleOnce('RECIP-22'),
  ),
];
