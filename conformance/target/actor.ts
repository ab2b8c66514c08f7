/** Who makes a call: resolves the `as:` of a step to an Authorization header. */

import { isObject } from '../../spec/base/json.ts';
import { resolve, type Scope, Unresolved } from '../language/template.ts';
import type { Credential } from './target.ts';

export interface Actor {
  /** The Authorization header; none where nobody calls. */
  readonly headers: Readonly<Record<string, string>>;
  /** The credential, where it is sent the regular way: as Bearer, letter by letter. */
  readonly credential: string | undefined;
  /** For the plan and the report. */
  readonly label: string;
}

export const nobody: Actor = { headers: {}, credential: undefined, label: 'none' };

/** Throws Unresolved where the target lacks the credential. */
export function actorOf(
  as: unknown,
  credentials: ReadonlyMap<string, Credential>,
  scope: Scope,
): Actor {
  const value = isObject(as) && 'header' in as ? as : resolve(as, scope);
  if (value === 'none') return nobody;
  if (!isObject(value)) {
    const name = String(value);
    const secret = credentials.get(name)?.secret;
    if (secret === undefined) throw new Unresolved(name, `there is no credential ${name}`);
    return { headers: { authorization: `Bearer ${secret}` }, credential: name, label: name };
  }
  const { header } = value;
  const secrets: Scope = {
    lookup: (root) =>
      root === 'credentials'
        ? Object.fromEntries([...credentials].map(([name, item]) => [name, item.secret]))
        : scope.lookup(root),
  };
  return {
    headers: { authorization: String(resolve(header, secrets)) },
    credential: undefined,
    label: `header ${JSON.stringify(header)}`,
  };
}
