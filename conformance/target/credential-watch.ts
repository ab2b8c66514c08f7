/** Notices a credential that stops working in mid-run. */

import type { Answer } from '../language/answer.ts';
import { allowedCells } from '../language/own-suite.ts';
import type { TargetCall } from './call.ts';
import type { Client } from './client.ts';

/** The scenario that makes the call, and the file of the evidence that holds it. */
interface Where {
  readonly scenario: { readonly title: string };
  readonly file: string;
}

/**
 * Takes every answer, and says whether its credential has stopped working during the run. Then a refusal
 * is not judged. `isWanted`: whether the step holds with this refusal.
 */
export type CredentialWatch = (
  credential: string,
  call: TargetCall,
  answer: Answer,
  where: Where,
  isWanted: () => boolean,
) => Promise<boolean>;

/** A wanted refusal needs no proof so soon after the credential was served. */
const freshMs = 5000;

/** The description leaves open whether a revoked key gets 401 or 403. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;

/**
 * Repeats a read that succeeded with the credential before: if it succeeds again, the credential still
 * works. A refusal that the contract demands proves nothing: only a credential that may call something
 * can stop working.
 */
export function watchCredentials(client: Client) {
  /** The credentials that have stopped working, and were not served since. */
  const stopped = new Set<string>();
  /** The time at which each credential was last served, by a clock that a mock does not move. */
  const servedAt = new Map<string, number>();
  const served = (credential: string): void => {
    stopped.delete(credential);
    if (client.target.kind === 'tenant') servedAt.set(credential, performance.now());
  };
  const isFresh = (credential: string): boolean =>
    performance.now() - (servedAt.get(credential) ?? Number.NEGATIVE_INFINITY) < freshMs;
  const watch: CredentialWatch = async (credential, call, answer, where, isWanted) => {
    const { file, scenario } = where;
    if (answer.ok) served(credential);
    if (!isRefusal(answer.status)) return false;
    const mayCall = allowedCells().filter(({ actor }) => actor === credential);
    const isAllowed = mayCall.some(({ operation }) => operation === call.operation?.id);
    const known = client.opened.get(call.request.headers.authorization ?? '');
    if (known === undefined || mayCall.length === 0) return false;
    if (answer.status !== 401 && !isAllowed) return false;
    if (isFresh(credential) && isWanted()) return false;
    const occasion = { scenario: scenario.title, step: 'probe', kind: 'probe' } as const;
    const hasStopped = isRefusal((await client.call(known, file, occasion)).status);
    if (hasStopped) stopped.add(credential);
    else served(credential);
    return hasStopped;
  };
  return { watch, stopped };
}
