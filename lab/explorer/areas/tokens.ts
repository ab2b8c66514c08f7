/** Metadata tokens of one lifetime and another, each with a context of its own. */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

/** The lifetime if none is sent. */
const usual = 86_400;

const times = { secondsBetween: ['{body.data.created_at}', '{body.data.expires_at}'] };

const wish = fc.record({
  customer: fc.nat(3),
  seconds: fc.constantFrom(undefined, 600, 3600),
});

export const token: ExploredOperation = {
  body: () =>
    wish.map(({ customer, seconds }) => () => {
      const security_context = { lockstep: `{run.id} ${customer}` };
      // The service may round both times.
      const lasts = { $min: (seconds ?? usual) - 1, $max: (seconds ?? usual) + 1 };
      return {
        body: { security_context, ...(seconds !== undefined && { expires_in: seconds }) },
        serves: 'META-1',
        rules: [
          [seconds === undefined ? 'META-4' : 'META-5', { that: { value: times, is: lasts } }],
          [
            'META-7',
            { jwt: { token: '{body.data.token}', payload: { $anywhere: security_context } } },
          ],
        ],
      };
    }),
};
