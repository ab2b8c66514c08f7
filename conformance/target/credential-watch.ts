/** Notices a credential that stops working in mid-run. */

import type { Answer } from '../language/answer.ts';
import { callTo, type TargetCall } from './call.ts';
import type { Client } from './client.ts';

/** Whose call it is, and in which file of the evidence it stands. */
interface Where {
  readonly scenario: { readonly title: string };
  readonly file: string;
}

/**
 * Is told of every answer, and says whether its credential has stopped working in mid-run, so that a
 * 401 is not judged.
 */
export type CredentialWatch = (
  credential: string,
  call: TargetCall,
  answer: Answer,
  where: Where,
) => Promise<boolean>;

/** Sends a read again that the credential once opened: a service that refuses it still serves that. */
export function watchCredentials(client: Client): CredentialWatch {
  const opened = new Map<string, TargetCall>();
  return async (credential, call, answer, { file, scenario }) => {
    const known = opened.get(credential);
    if (known === undefined) {
      if (answer.ok && call.request.method === 'GET') opened.set(credential, call);
      return false;
    }
    if (answer.status !== 401) return false;
    const { method, path, headers } = known.request;
    const { authorization = '' } = headers;
    const again = callTo(method, path, undefined, { headers: { authorization } });
    const occasion = { scenario: scenario.title, step: 'probe', kind: 'probe' } as const;
    return (await client.call(again, file, occasion)).status === 401;
  };
}
