/** The tenant file that a certifier of this tenant would write. */

import type { Fields } from './exchange.ts';
import { environmentId } from './handlers/deployments.ts';
import type { Branch, State } from './state.ts';

export interface TenantFile extends Fields {
  baseUrl: string;
  credentials: Fields;
  bindings: Fields;
}

interface About {
  readonly baseUrl: string;
  readonly state: State;
  readonly now: number;
  readonly people: readonly string[];
  readonly envName: (name: string) => string;
  readonly branchIds: boolean;
}

const admin: Fields = { role: 'admin', auditLogManage: true };
const member: Fields = { role: 'member', edits: [3310, 3340], auditLogManage: false };
const claims: Readonly<Record<string, Fields>> = {
  admin,
  member,
  oauth: admin,
  memberOauth: member,
  scoped: { ...admin, deployments: ['7001', '7005'] },
  embed: { role: 'member' },
};

export function tenantFile(about: About): TenantFile {
  const { baseUrl, state, now, people, envName, branchIds } = about;
  const find = (name: string): Branch | undefined =>
    state.branches.find((one) => one.deployment === 7001 && one.name === name);
  const trunk = find('trunk');
  const branch = (name: string): Fields => {
    const found = find(name);
    return { name, ...(branchIds && found !== undefined ? { id: found.id } : {}) };
  };
  const day = (ago: number): string => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  return {
    baseUrl,
    credentials: Object.fromEntries(
      people.map((name) => [name, { env: envName(name), ...(claims[name] ?? {}) }]),
    ),
    features: { auditLog: true },
    aliases: { unitCount: 'measureCount' },
    bindings: {
      deployment: { id: '7001' },
      otherDeployment: { id: '7002' },
      environment: { id: trunk === undefined ? '' : environmentId(state, trunk) },
      sharedBranch: branch('tariffs'),
      productionBranch: branch('trunk'),
      personalBranch: branch('wip/mira-0'),
      folder: { id: 3310 },
      lockedFolder: { id: 3320 },
      foreignFolder: { id: 3410 },
      nestedFolder: { id: 3340 },
      notification: { id: 8801 },
      foreignNotification: { id: 8851 },
      dbtSync: { id: '0d9f6c1e-77aa-4a51-9d5e-3a4b5c6d7e8f' },
      runningDbtSync: { id: '1e0a7d2f-88bb-4b62-8e6f-4b5c6d7e8f90' },
      failedDbtSync: { id: '2f1b8e30-99cc-4c73-9f70-5c6d7e8f9011' },
      versions: { mayRun: ['4.2.0', '4.0.7', '4.1.3', '5.0.10', '4.10.1'] },
      audit: {
        eventName: 'auth:sign-in',
        userEmail: 'mira.aarhus0@harbour.example',
        search: 'Petrel',
        start: day(50),
        end: day(10),
      },
      recipients: {
        users: [{ userId: 619 }, { email: 'jonas.esbjerg1@harbour.example' }],
        embedUsers: [{ embedTenantName: 'haulier-nord', externalId: 'h-77' }],
      },
    },
  };
}
