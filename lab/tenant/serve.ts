/** Starts a tenant by hand, writes its tenant file, and prints what a shell needs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { breaking } from './breaking.ts';
import { isHabit, odd } from './habits.ts';
import { type RunningTenant, startTenant } from './tenant.ts';
import type { Traits } from './traits.ts';

const usage = `Usage: node lab/tenant/serve.ts --folder /tmp/harbour --broken folders:rename-lost
  --folder <dir>     folder for tenant.yaml (default: .)
  --habit <id>       may be given several times; without it the tenant is odd, with "none" it is usual
  --broken <fault>   breaks a promise; --every <n>: in each n-th request only
  --traits <json>    such as '{"latency":20,"others":{"every":9}}'
  --no-embed-jwt, --no-branch-ids
Ctrl-C ends it.`;

/** Writes the tenant file as JSON, which is also YAML. Returns its path. */
export function writeTenantFile(tenant: RunningTenant, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'tenant.yaml');
  writeFileSync(path, `${JSON.stringify(tenant.tenantFile(tenant.baseUrl), null, 2)}\n`);
  return path;
}

async function serve(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(usage);
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: 'string', default: '.' },
      habit: { type: 'string', multiple: true },
      broken: { type: 'string' },
      every: { type: 'string', default: '1' },
      traits: { type: 'string', default: '{}' },
      'no-embed-jwt': { type: 'boolean', default: false },
      'no-branch-ids': { type: 'boolean', default: false },
    },
  });
  const { broken, habit, every } = values;
  const strange = habit?.find((id) => id !== 'none' && !isHabit(id));
  if (strange !== undefined) throw new Error(`there is no habit ${strange}; see habits.ts`);
  const tenant = await startTenant({
    habits: habit?.filter(isHabit) ?? odd,
    before: broken === undefined ? undefined : breaking(broken, Number(every)).before,
    traits: JSON.parse(values.traits) as Traits,
    embedJwt: !values['no-embed-jwt'],
    branchIds: !values['no-branch-ids'],
  });
  const path = writeTenantFile(tenant, values.folder);
  for (const [name, value] of Object.entries(tenant.env)) console.log(`export ${name}='${value}'`);
  console.log(`export BASE_URL=${tenant.baseUrl} TENANT=${path}`);
}

if (import.meta.main) await serve(process.argv.slice(2));
