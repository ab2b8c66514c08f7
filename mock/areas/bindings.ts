/** Every operation of the contract and what answers it; a missing one does not compile. */
import { Incomplete } from '../../spec/base/incomplete.ts';
import { contract } from '../../spec/contract.ts';
import type { Bindings } from '../pipeline/binding.ts';
import * as handlers from './handlers.ts';

export const bindings = { ...handlers } satisfies Bindings;

const unbound = [...contract.operations.values()].filter(({ id }) => !Object.hasOwn(bindings, id));
if (unbound.length > 0) {
  throw new Incomplete(
    unbound.map(
      ({ id, area }) => `mock/areas/${area}/handler.ts: ${id} has no handler; export one`,
    ),
  );
}
