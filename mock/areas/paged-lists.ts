/** Every paged list of the contract (`x-items`), and how a test changes it between two pages. */
import type { OperationId } from '../../spec/contract.ts';
import type { PagedList } from '../world/paged-list.ts';
import { deploymentList } from './deployments/list.ts';
import { environmentList } from './environments/list.ts';
import { userList } from './scim/list.ts';

export const pagedLists = {
  listDeployments: deploymentList,
  listEnvironments: environmentList,
  listScimUsers: userList,
} satisfies { readonly [K in OperationId]?: PagedList };
