/** A real tenant as a target: a tenant file, secrets from the environment, the wall's clock. */

import { sleep, type Target, type Transport } from './target.ts';
import type { TenantFile } from './tenant-file.ts';

/** Where the environment variable of a credential is not set, what needs it is not-testable. */
export function tenantTarget(
  baseUrl: string,
  file: TenantFile | undefined,
  env: Readonly<Record<string, string | undefined>>,
  send: Transport,
  close: () => Promise<void>,
) {
  const warnings: string[] = [];
  const credentials: Target['credentials'] = new Map(
    Object.entries(file?.credentials ?? {}).flatMap(([name, claims]) => {
      const secret = env[claims.env];
      if (secret === undefined || secret === '') {
        warnings.push(`${name}: the environment variable ${claims.env} is not set`);
        return [];
      }
      return [[name, { name, secret, claims }] as const];
    }),
  );
  const target: Target = {
    kind: 'tenant',
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    name: file?.name,
    transport: send,
    credentials,
    bindings: file?.bindings ?? {},
    features: file?.features ?? {},
    aliases: new Map(Object.entries(file?.aliases ?? {}).map(([ours, theirs]) => [theirs, ours])),
    wait: sleep,
    close,
  };
  if (file === undefined) {
    warnings.push('no tenant file: only what needs no credential was tried');
  }
  return { target, warnings };
}
