/** A world's address and credentials, as environment variables. */
import type { ToldWorld } from '../../spec/base/control-client.ts';

export function variablesOf({
  id,
  baseUrl,
  prefixedBaseUrl,
  credentials,
}: Pick<ToldWorld, 'id' | 'baseUrl' | 'prefixedBaseUrl' | 'credentials'>): Record<string, string> {
  const opened = Object.entries(credentials).map(([name, value]) => [variableOf(name), value]);
  return {
    LOCKSTEP_BASE_URL: baseUrl,
    LOCKSTEP_PREFIXED_BASE_URL: prefixedBaseUrl,
    LOCKSTEP_WORLD: id,
    ...Object.fromEntries(opened),
  };
}

/** The variable of a credential, named as in tenant files. */
export function variableOf(credential: string): string {
  const words = credential.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
  const kind = /(OAUTH|EMBED|SCIM)$/.test(words) ? 'TOKEN' : 'KEY';
  return `LOCKSTEP_${words.replaceAll(/[^A-Z0-9]/g, '_')}_${kind}`;
}
