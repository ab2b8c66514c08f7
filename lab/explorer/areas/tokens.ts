/** Metadata tokens, each with a context of its own. */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

export const token: ExploredOperation = {
  body: () =>
    fc.nat(3).map((customer) => () => {
      const security_context = { lockstep: `{run.id} ${customer}` };
      const payload = { $anywhere: security_context };
      return {
        body: { security_context },
        serves: 'META-1',
        rules: [['META-7', { jwt: { token: '{body.data.token}', payload } }]],
      };
    }),
};
