/** Recipients that resolve to no email, and do not refuse the request that they are in. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { deviation, isConsole, isEmbed } from './add-call.ts';
import {
  refusesItemsOnce,
  refusesOnlyWhere,
  serves,
  UNRESOLVABLE,
  without,
} from './refused-items.ts';

export const unresolvable: readonly Deviation[] = [
  deviation(
    'unresolvable-dropped',
    'Recipients without a valid email are passed over in silence.',
    ['RECIP-16'],
    { stage: serves(UNRESOLVABLE, without), collateral: ['RECIP-8'] },
  ),
  deviation(
    'unresolvable-user-dropped',
    'A userId of nobody is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => item.userId === undefined || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-embed-user-dropped',
    'An embed user without an email is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => !isEmbed(item) || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-address-dropped',
    'A console user whose email is not one is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => !isConsole(item) || item.userId !== undefined || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-first-only',
    'A recipient without an email refuses the request only where it comes first.',
    ['RECIP-16'],
    {
      stage: refusesOnlyWhere(UNRESOLVABLE, (items, isBad) => items.findIndex(isBad) === 0),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-alone-only',
    'A recipient without an email refuses the request only where it comes alone.',
    ['RECIP-16'],
    {
      stage: refusesOnlyWhere(UNRESOLVABLE, (items, isBad) => items.every(isBad)),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-once',
    'A recipient without an email refuses a request the first time, and is passed over from then on.',
    ['RECIP-16'],
    { ...refusesItemsOnce('RECIP-16'), collateral: ['RECIP-8'] },
  ),
  deviation(
    'unresolvable-embed-user-accepted',
    'An embed user without an email is made and subscribed, with an email that nobody gave.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.map((item) =>
          isEmbed(item) && isBad(item)
            ? { ...item, email: `${encodeURIComponent(item.externalId ?? '')}@unknown.example.com` }
            : item,
        ),
      ),
    },
  ),
  deviation(
    'embed-user-without-address-accepted',
    'An embed user is subscribed with whatever is sent as its email.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.map((item) =>
          isEmbed(item) && isBad(item) && item.email !== undefined
            ? { ...item, email: `${encodeURIComponent(item.email)}@unknown.example.com` }
            : item,
        ),
      ),
    },
  ),
];
