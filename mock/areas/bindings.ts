/** Every operation of the contract and what answers it; a missing one does not compile. */
import { Incomplete } from '../../spec/base/incomplete.ts';
import { contract } from '../../spec/contract.ts';
import type { Bindings } from '../pipeline/binding.ts';
import * as audit from './audit/handler.ts';
import * as dbt from './dbt/handler.ts';
import * as deployments from './deployments/handler.ts';
import * as environments from './environments/handler.ts';
import * as folders from './folders/handler.ts';
import * as recipients from './recipients/handler.ts';
import * as scim from './scim/handler.ts';
import * as staging from './staging/handler.ts';
import * as tokens from './tokens/handler.ts';
import * as versions from './versions/handler.ts';

export const bindings = {
  ...audit,
  ...dbt,
  ...deployments,
  ...environments,
  ...folders,
  ...recipients,
  ...scim,
  ...staging,
  ...tokens,
  ...versions,
} satisfies Bindings;

const unbound = [...contract.operations.values()].filter(({ id }) => !Object.hasOwn(bindings, id));
if (unbound.length > 0) {
  throw new Incomplete(
    unbound.map(
      ({ id, area }) => `mock/areas/${area}/handler.ts: ${id} has no handler; export one`,
    ),
  );
}
