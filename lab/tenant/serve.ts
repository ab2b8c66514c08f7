/**
 * Starts a tenant by hand, writes its tenant file, and prints what a shell needs:
 *
 *     node lab/tenant/serve.ts --folder /tmp/harbour --broken folder-name-ignored
 *
 * `--traits` takes JSON, such as '{"latency":20,"others":{"every":9}}'. Ctrl-C ends it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BreakId } from './breaks/table.ts';
import { type RunningTenant, startTenant } from './tenant.ts';
import type { Traits } from './traits.ts';

/** Writes the tenant file, as JSON, which is YAML as well. Its path. */
export function writeTenantFile(tenant: RunningTenant, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'tenant.yaml');
  writeFileSync(path, `${JSON.stringify(tenant.tenantFile(tenant.baseUrl), null, 2)}\n`);
  return path;
}

async function serve(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: '.' },
      habits: { type: 'string', default: 'odd' },
      broken: { type: 'string' },
      every: { type: 'string', default: '1' },
      traits: { type: 'string', default: '{}' },
      'no-embed-jwt': { type: 'boolean', default: false },
      'no-branch-ids': { type: 'boolean', default: false },
    },
  });
  const tenant = await startTenant({
    habits: values.habits === 'mild' ? 'mild' : 'odd',
    broken: values.broken as BreakId | undefined,
    every: Number(values.every),
    traits: JSON.parse(values.traits) as Traits,
    embedJwt: !values['no-embed-jwt'],
    branchIds: !values['no-branch-ids'],
  });
  const path = writeTenantFile(tenant, values.folder);
  for (const [name, value] of Object.entries(tenant.env)) console.log(`export ${name}='${value}'`);
  console.log(`export BASE_URL=${tenant.baseUrl} TENANT=${path}`);
}

if (import.meta.main) await serve();
