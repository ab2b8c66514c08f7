/** Numbers of recipients: too many or none that are served, and those that may be and are not. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { type Json, type StageHook, sentBody } from '../../../deviations/transforms.ts';
import type { Call } from '../../../pipeline/call.ts';
import { refusal } from '../../../pipeline/exchange.ts';
import {
  deviation,
  first,
  type Items,
  itemsOf,
  refusalOf,
  sentItems,
  setItems,
} from './add-call.ts';

/** Refuses, or serves, by the number of recipients that were sent. */
function counts(decide: (sent: Items, call: Call) => Items | 'refused' | undefined): StageHook {
  return (stage, refused, { call, request }) => {
    if (stage !== 'validate') return refused;
    const sent = sentItems(call, request);
    const decided = sent === undefined ? undefined : decide(sent, call);
    if (decided === undefined) return refused;
    if (decided === 'refused') {
      return refused ?? refusal(400, 'RECIP-24', 'There are too many recipients');
    }
    if (refused === undefined || refusalOf(call, decided) !== undefined) return refused;
    setItems(call, decided);
    return undefined;
  };
}

/** Serves a body that lacks what the contract asks of it, as one without recipients. */
function servesNobody(when: (body: Json) => boolean): StageHook {
  return (stage, refused, { call, request }) => {
    const body = sentBody(request);
    if (stage !== 'validate' || refused === undefined || body === undefined || !when(body)) {
      return refused;
    }
    setItems(call, []);
    return undefined;
  };
}

export const limits: readonly Deviation[] = [
  deviation('limit-999', 'A request with 1000 recipients is refused.', ['RECIP-23'], {
    stage: counts((sent) => (sent.length === 1000 ? 'refused' : undefined)),
  }),
  deviation('limit-100', 'A request with more than 100 recipients is refused.', ['RECIP-23'], {
    stage: counts((sent) => (sent.length > 100 ? 'refused' : undefined)),
  }),
  deviation('limit-1001', 'A request with 1001 recipients is served.', ['RECIP-24'], {
    stage: counts((sent) => (sent.length === 1001 ? sent : undefined)),
  }),
  deviation(
    'behind-1000-dropped',
    'Of a request with more than 1000 recipients the first 1000 are served.',
    ['RECIP-24'],
    {
      stage: counts((sent) => (sent.length > 1000 ? sent.slice(0, 1000) : undefined)),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'thousandth-dropped',
    'The last of 1000 recipients is passed over in silence.',
    ['RECIP-8'],
    {
      handle: first(({ call }) => {
        const items = itemsOf(call);
        if (items.length !== 1000) return false;
        setItems(call, items.slice(0, 999));
        return true;
      }),
      collateral: ['RECIP-10', 'RECIP-23'],
    },
  ),
  deviation('empty-list-accepted', 'An empty list of recipients is served.', ['RECIP-25'], {
    stage: servesNobody((body) => Array.isArray(body.recipients) && body.recipients.length === 0),
  }),
  deviation('missing-list-accepted', 'A request without recipients is served.', ['RECIP-25'], {
    stage: servesNobody((body) => body.recipients === undefined),
  }),
];
