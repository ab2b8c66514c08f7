/** Tells a credential that stopped working from a service that refuses it. */

import { TargetCall } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { CredentialWatch } from './running.ts';

export function watchCredentials(client: Client): CredentialWatch {
  const opened = new Map<string, TargetCall>();
  return {
    worked: (credential, call) => {
      if (!opened.has(credential)) opened.set(credential, call);
    },
    stillWorks: async (credential, file, scenario) => {
      const known = opened.get(credential);
      if (known === undefined) return true;
      const bare = { query: [], headers: {}, text: undefined, body: undefined };
      const again = new TargetCall({ ...known.request, ...bare });
      const answer = await client.call(again, file, { scenario, step: 'probe', kind: 'probe' });
      return answer.status !== 401;
    },
  };
}
