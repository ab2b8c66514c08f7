/** A real tenant as a target: a tenant file, secrets from the environment, the wall's clock. */

import { sleep, type Target, type Transport } from './target.ts';
import type { TenantFile } from './tenant-file.ts';

/** `missing`: credentials whose environment variable is not set: what needs them is not-testable. */
export function tenantTarget(
  baseUrl: string,
  file: TenantFile | undefined,
  env: Readonly<Record<string, string | undefined>>,
  send: Transport,
  close: () => Promise<void>,
) {
  const missing: { name: string; env: string }[] = [];
  const credentials: Target['credentials'] = new Map(
    Object.entries(file?.credentials ?? {}).flatMap(([name, claims]) => {
      const secret = env[claims.env];
      if (secret === undefined || secret === '') {
        missing.push({ name, env: claims.env });
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
  return { target, missing };
}
