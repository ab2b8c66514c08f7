/** Calls six operations with the client that @hey-api/openapi-ts makes. */
import {
  addNotificationRecipients,
  createMetaSyncToken,
  listDeployments,
  listEnvironments,
  setStagingEnvironment,
  updateFolder,
} from './client';
import { client } from './client/client.gen';

declare const process: { readonly env: Readonly<Record<string, string>> };

function check(holds: boolean | undefined, what: string): void {
  if (holds !== true) throw new Error(`expected ${what}`);
}

async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.env.BASE_URL, auth: process.env.TOKEN, throwOnError: true });

  const page = await listDeployments({ query: { limit: 2 }, throwOnError: true });
  const [sales] = page.data.data.deployments;
  check(sales?.name === 'Sales' && page.data.pagination.limit === 2, 'the first deployments');
  const path = { deployment_id: sales?.id ?? '' };

  const query = { type: 'production' } as const;
  const environments = await listEnvironments({ path, query, throwOnError: true });
  const [production] = environments.data.data.environments;
  check((production?.api_credentials.sql.port ?? 0) > 0, 'the port of the SQL interface');

  const token = await createMetaSyncToken({
    path: { ...path, environment_id: production?.id ?? '' },
    body: { security_context: { tenant_id: 42 }, expires_in: 3600 },
    throwOnError: true,
  });
  check(token.data.data.token.split('.').length === 3, 'a token');

  const switched = await setStagingEnvironment({
    path,
    body: { branchId: 102, enabled: true },
    throwOnError: true,
  });
  check(switched.data.data.isStagingEnvironmentEnabled, 'a staging environment that is enabled');

  const body = { name: 'Finance 2026' };
  const folder = await updateFolder({
    path: { deploymentId: 1, folderId: 11 },
    body,
    throwOnError: true,
  });
  check(folder.data.name === body.name, 'a folder with its new name');
  const refused = await updateFolder({
    path: { deploymentId: 1, folderId: 21 },
    body,
    throwOnError: false,
  });
  check(refused.error?.error !== undefined, 'an error for a folder that is not there');

  const added = await addNotificationRecipients({
    path: { deploymentId: 1, id: 31 },
    body: { recipients: [{ userId: 2 }] },
    throwOnError: true,
  });
  check(added.data.createdRecipients[0]?.userId === 2, 'a new recipient');

  console.log('TypeScript: six operations called with the generated client');
}

void main();
