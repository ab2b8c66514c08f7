/** Expired credentials that work. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count } from '../../../deviations/transforms.ts';
import { admits, expired } from './asking.ts';
import { all, idsWhere, isOn, isRead, isWrite } from './operations.ts';

export const expiry: readonly Deviation[] = [
  {
    id: 'credentials:expired-works-once-more',
    text: 'Each operation accepts an expired credential once more, and refuses it from then on.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-4', (asking) =>
      count(asking.memory, asking.operation.id) === 1 ? expired(asking) : undefined,
    ),
  },
  {
    id: 'credentials:expired-works-after-a-refusal',
    text: 'An expired credential is refused once, and accepted from then on.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-4', (asking) =>
      count(asking.memory, asking.request.headers.authorization ?? '') > 1
        ? expired(asking)
        : undefined,
    ),
  },
  {
    id: 'credentials:expired-may-write',
    text: 'That a credential has expired is noticed on reads only.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: idsWhere(isWrite),
    authenticate: admits('AUTH-4', expired),
  },
  {
    id: 'credentials:expired-may-read',
    text: 'That a credential has expired is noticed on writes only.',
    breaks: ['AUTH-4'],
    operations: idsWhere(isRead),
    authenticate: admits('AUTH-4', expired),
  },
  {
    id: 'credentials:expired-opens-the-build-api',
    text: 'The build API takes expired credentials.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: idsWhere(isOn('build')),
    authenticate: admits('AUTH-4', expired),
  },
];
