/**
 * A grammar is a JSON Schema. A file is checked with it first; what the words mean is looked at
 * after. A complaint names file:line:column, what was expected and the nearest word.
 *
 * `title` of a node says what is expected there; `x-unknown` begins the message about a word that
 * the node does not have ("there is no matcher").
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, pointerKeys } from './json.ts';
import { hint } from './similar.ts';
import { LoadError, type YamlSource } from './yaml-source.ts';

type Node = Readonly<Record<string, unknown>>;

export class Grammar<T> {
  readonly #root: Node;
  readonly #fits: ValidateFunction<T>;

  /** Of the whole schema, or of one of its definitions. */
  constructor(schema: object, definition?: string) {
    this.#root = schema as Node;
    const { $defs } = this.#root;
    this.#fits = new Ajv2020({
      strict: false,
      validateFormats: false,
      allErrors: true,
      verbose: true,
    }).compile<T>(definition === undefined ? schema : { $defs, $ref: `#/$defs/${definition}` });
  }

  /** Gives a value its type, or throws the LoadError that stands first in the file. */
  check(source: YamlSource, value: unknown): T {
    if (this.#fits(value)) return value;
    const found = (this.#fits.errors ?? [])
      .filter(({ keyword }) => keyword !== 'if')
      .map((error) => ({ derived: error.keyword === 'unevaluatedProperties', error }));
    // A property that fails counts as unevaluated as well; its own failure says more.
    const own = found.filter(({ derived }) => !derived);
    const errors = (own.length > 0 ? own : found).map(({ error }) =>
      this.#complaint(source, value, error),
    );
    throw errors.reduce((first, next) => (isBefore(next, first) ? next : first));
  }

  /** The words that stand under `properties` of a definition, its references included. */
  words(name: string): string[] {
    return this.#words((this.#root.$defs as Record<string, Node>)[name] ?? {});
  }

  #words(node: Node): string[] {
    const reference = typeof node.$ref === 'string' ? node.$ref.split('/').at(-1) : undefined;
    return [
      ...(reference === undefined ? [] : this.words(reference)),
      ...Object.keys(isObject(node.properties) ? node.properties : {}),
    ];
  }

  #complaint(source: YamlSource, root: unknown, error: ErrorObject): LoadError {
    const path = pointerKeys(error.instancePath);
    const node = (error.parentSchema ?? {}) as Node;
    const [parent, key] = [follow(root, path.slice(0, -1)), path.at(-1)];
    const params: Readonly<Record<string, unknown>> = error.params;
    const unknown = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
    const what = key ?? 'it';
    if (typeof unknown === 'string') {
      const lead = node['x-unknown'] ?? `${what} has no key`;
      const message = `${lead} ${unknown}${hint(unknown, this.#words(node))}`;
      return new LoadError(message, source.at(error.data, unknown));
    }
    if (error.keyword === 'required') {
      const lead = typeof node.title === 'string' ? `${node.title}: ` : '';
      const message = `${lead}${String(params.missingProperty)} is missing`;
      return new LoadError(message, place(source, error.data, parent, key));
    }
    const words = Array.isArray(node.enum) ? node.enum.map(String) : [];
    const near = hint(String(error.data), words);
    const expected = node.title ?? (words.length > 0 ? `one of ${words.join(', ')}` : undefined);
    const lead = node['x-unknown'];
    const message =
      typeof lead === 'string' && words.length > 0
        ? `${lead} ${String(error.data)}${near}`
        : `${what} is ${String(expected ?? error.message)}${near}`;
    return new LoadError(message, source.at(parent, key));
  }
}

function place(
  source: YamlSource,
  value: unknown,
  parent: unknown,
  key?: string,
): LoadError['location'] {
  return typeof value === 'object' && value !== null ? source.at(value) : source.at(parent, key);
}

function isBefore(one: LoadError, other: LoadError): boolean {
  const [a, b] = [one.location, other.location];
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

function follow(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      Array.isArray(at) ? at[Number(key)] : isObject(at) && Object.hasOwn(at, key) ? at[key] : at,
    value,
  );
}
