/** Finds the value for a request's path, by templates such as `/users/{id}`. */
import { addRoute, createRouter, findRoute } from 'rou3';
import { contract, type Operation } from './contract.ts';

export interface Route<Value> {
  readonly value: Value;
  /** By the names of the template; undecoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly names: readonly string[];
}

export class Routes<Value> {
  readonly #router = createRouter<Entry<Value>>();
  readonly #methods = new Set<string>();

  add(method: string, template: string, value: Value): void {
    const names: string[] = [];
    const literal = template.replaceAll(/[\\:*?+()]/g, String.raw`\$&`);
    const pattern = literal.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
      names.push(name);
      return `:p${names.length - 1}`;
    });
    this.#methods.add(method);
    addRoute(this.#router, method, pattern, { value, names });
  }

  /** `path` is undecoded. A slash at its end is ignored. */
  find(method: string, path: string): Route<Value> | undefined {
    const found = findRoute(this.#router, method, path);
    if (found === undefined) return undefined;
    const { value, names } = found.data;
    const texts = names.map((name, index) => [name, found.params?.[`p${index}`] ?? '']);
    return { value, params: Object.fromEntries(texts) };
  }

  /** The routes of a path, by method. */
  at(path: string): ReadonlyMap<string, Route<Value>> {
    const found = [...this.#methods].map((method) => [method, this.find(method, path)] as const);
    return new Map(found.flatMap(([method, route]) => (route ? [[method, route] as const] : [])));
  }
}

export const operationRoutes = new Routes<Operation>();
for (const operation of contract.operations.values()) {
  operationRoutes.add(operation.method, operation.path, operation);
}
