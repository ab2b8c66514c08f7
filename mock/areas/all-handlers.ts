/** Every operation of the contract and its handler; a missing one does not compile. */
import { Incomplete } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import type { Handlers } from '../pipeline/handler.ts';
import * as ofAreas from './handlers.ts';

export const handlers = { ...ofAreas } satisfies Handlers;

const unbound = [...contract.operations.values()].filter(({ id }) => !Object.hasOwn(handlers, id));
if (unbound.length > 0) {
  throw new Incomplete(
    unbound.map(
      ({ id, area }) => `mock/areas/${area}/handler.ts: ${id} has no handler; export one`,
    ),
  );
}
