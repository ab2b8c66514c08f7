/** The calls that are measured. */

/** A call by the administrator of a world; the default world is `acme`. */
export interface Call {
  readonly path: string;
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly body?: string;
  readonly world?: string;
}

export const list: Call = { path: '/api/v1/deployments' };

export function requestOf({ world = 'acme', method = 'GET', ...rest }: Call) {
  const headers = { authorization: `Bearer ${world}-admin`, 'content-type': 'application/json' };
  return { ...rest, method, headers };
}

export function subscribe(count: number): Call {
  const recipients = Array.from({ length: count }, (_, index) => ({
    ...{ embedTenantName: 'partner-a', externalId: `user-${index}@example.com` },
    ...{ securityContext: { tenant_id: index }, groups: ['analysts'] },
  }));
  const path = '/api/v1/deployments/1/notifications/31/recipients';
  return { path, method: 'POST', body: JSON.stringify({ recipients }) };
}

/** Parameters of the fixture `large`: the given number of deployments, and as few other rows as possible. */
export function sizes(deployments: number) {
  const least = { environmentsPerDeployment: 1, branchesPerDeployment: 1, foldersPerDeployment: 0 };
  return { deployments, ...least, users: 45, auditEvents: 0 };
}
