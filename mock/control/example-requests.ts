/** Makes a request of each operation from the examples of the contract. */
import { contract } from '../../spec/contract.ts';

export const exampleRequests = [...contract.operations.values()].map(
  ({ id, method, path, parameters, body }) => {
    const exampleOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.example;
    return { id, method, path: filledPath(path, exampleOf), body: body?.examples[0] };
  },
);

/** A path of the contract with a value for each `{name}`; a missing value is an empty text. */
export function filledPath(path: string, textFor: (name: string) => unknown): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(textFor(name) ?? ''));
}
