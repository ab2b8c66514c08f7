/** The permission to export, not asked for, or refused to those who have it. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { passesOver, refusesOnce } from '../../../deviations/transforms.ts';
import { refusal } from '../../../pipeline/exchange.ts';
import { deviation } from './query.ts';

export const permission: readonly Deviation[] = [
  deviation(
    'permission-not-asked-of-oauth',
    'An OAuth token is served without the permission.',
    ['AUDIT-11'],
    { stage: passesOver('authorise', 'AUDIT-11', ({ call }) => call.caller.kind === 'oauth') },
  ),
  deviation(
    'permission-asked-once',
    'Whoever lacks the permission is refused once, and served from then on.',
    ['AUDIT-11'],
    refusesOnce('authorise', 'AUDIT-11'),
  ),
  deviation(
    'permission-not-asked-for-a-period',
    'With a start or an end the permission is not asked for.',
    ['AUDIT-11'],
    {
      stage: passesOver('authorise', 'AUDIT-11', ({ call }) =>
        /(^|&)(start|end)=/.test(call.rawQuery),
      ),
    },
  ),
  deviation(
    'permission-of-nobody',
    'Whoever has the permission is refused for want of it.',
    ['AUDIT-1'],
    {
      stage: (stage, refused) =>
        stage === 'authorise' && refused === undefined
          ? refusal(403, 'AUDIT-11', 'This operation needs the AuditLogManage permission')
          : refused,
      collateral: ['AUDIT-10', 'AUTH-2', 'AUTH-5'],
    },
  ),
];
