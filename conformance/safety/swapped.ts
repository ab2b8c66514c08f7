/**
 * Whether a tenant file has two credentials swapped: a read refuses one that it must serve, and
 * serves one that it must refuse. Only one of these could be an error of the service. Both together
 * contradict the tenant file, so no scenario that needs these credentials is tried.
 */

import { operation } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Claims } from '../language/vocabulary.ts';
import type { Ask, Preflight } from './areas.ts';
import { kindOfCredential } from './claims.ts';

interface Right {
  /** The right, for people. */
  readonly what: string;
  readonly has: (claims: Claims, name: string) => boolean;
  readonly lacks: (claims: Claims, name: string) => boolean;
  /** Whether the file itself claims it. Two credentials without a claim contradict nothing. */
  readonly isTold?: (claims: Claims) => boolean;
}

export async function swappedFor(
  { target, askAs }: Pick<Preflight, 'target' | 'askAs'>,
  { what, has, lacks, isTold = () => true }: Right,
  ...[call, ...given]: Parameters<Ask>
): Promise<PreflightFinding[]> {
  const { credentials } = operation(call).requires;
  const mayCall = (name: string): boolean =>
    !name.startsWith('expired') && credentials.includes(kindOfCredential(name));
  const named = (is: Right['has']): string[] =>
    [...target.credentials].flatMap(([name, { claims = {} }]) =>
      mayCall(name) && is(claims, name) ? [name] : [],
    );
  const answered = async (
    names: readonly string[],
    low: number,
    high: number,
  ): Promise<string[]> => {
    const found: string[] = [];
    for (const name of names) {
      const { status } = await askAs(name)(call, ...given);
      if (status >= low && status <= high) found.push(name);
    }
    return found;
  };
  const refused = await answered(named(has), 401, 404);
  const served = refused.length === 0 ? [] : await answered(named(lacks), 200, 299);
  const isSaid = (name: string): boolean => isTold(target.credentials.get(name)?.claims ?? {});
  if (served.length === 0 || ![...refused, ...served].some(isSaid)) return [];
  const message = `${what} refuses ${refused.join(', ')} and serves ${served.join(', ')}: the tenant file or the service has them swapped`;
  return [...refused, ...served].map((name) => ({ name, kind: 'credential', message }));
}
