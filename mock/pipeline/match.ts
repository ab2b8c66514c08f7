/** Finds the operation of a request line. */
import { addRoute, createRouter, findRoute } from 'rou3';
import { contract, type Operation } from '../../spec/contract.ts';

export type Match =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly params: Readonly<Record<string, string>>;
      readonly head: boolean;
    }
  | { readonly kind: 'method'; readonly allowed: readonly string[]; readonly operation: Operation }
  | { readonly kind: 'path' };

const routers = createRouter<Operation>();
for (const operation of contract.operations.values()) {
  addRoute(routers, operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), operation);
}
const METHODS = [...new Set([...contract.operations.values()].map((item) => item.method))];

/** `path` without a slash at its end, undecoded. */
export function match(method: string, path: string): Match {
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = findRoute(routers, asked, path);
  if (found !== undefined) {
    return {
      kind: 'operation',
      operation: found.data,
      params: found.params ?? {},
      head: method === 'HEAD',
    };
  }
  const others = METHODS.flatMap((other) => {
    const route = findRoute(routers, other, path);
    return route === undefined ? [] : [route.data];
  });
  const [operation] = others;
  return operation === undefined
    ? { kind: 'path' }
    : { kind: 'method', allowed: others.map((other) => other.method), operation };
}

export const operationIds: readonly Operation['id'][] = [...contract.operations.keys()];
