/** A request of each operation, made of the examples of the contract. */
import { contract } from '../../spec/contract.ts';

export const exampleRequests = [...contract.operations.values()].map(
  ({ id, method, path, parameters, body }) => {
    const exampleOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.example;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) => String(exampleOf(name)));
    return { id, method, path: filled, body: body?.examples[0] };
  },
);
