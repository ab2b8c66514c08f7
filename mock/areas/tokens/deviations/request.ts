/** Requests without a security context that are served. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { type Json, type StageHook, sentBody } from '../../../deviations/transforms.ts';
import { createMetaSyncToken } from '../../environments/handler.ts';
import { deviation, tokenCall } from './minting.ts';

/** Takes a context that is missing or no object. */
function takes(context: (sent: Json) => boolean): StageHook {
  return (stage, refused, { call, request }) => {
    const sent = sentBody(request);
    if (stage !== 'validate' || refused === undefined || sent === undefined || !context(sent)) {
      return refused;
    }
    const input = { ...sent, security_context: {} };
    if ((call.operation.body?.validate(input) ?? []).length > 0) return refused;
    const own = tokenCall(call);
    own.input = input as typeof own.input;
    return createMetaSyncToken.validate?.(own);
  };
}

export const request: readonly Deviation[] = [
  deviation('context-not-needed', 'A request without a security context is served.', ['META-3'], {
    stage: takes((sent) => sent.security_context === undefined),
  }),
  deviation('context-may-be-null', 'A security context of null is taken.', ['META-3'], {
    stage: takes((sent) => sent.security_context === null),
  }),
  deviation('context-may-be-text', 'A security context that is a text is taken.', ['META-3'], {
    stage: takes((sent) => typeof sent.security_context === 'string'),
  }),
];
