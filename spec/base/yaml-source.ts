/**
 * A YAML file as plain data that remembers where each key stood, so that every later complaint can
 * say file:line:column. One parse per file.
 */

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { hint } from './nearest.ts';

/** What is wrong with a file, and where. */
/** A place in a file, as messages and reports name it. */
export interface Location {
  /** Relative to the repository root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class LoadError extends Error {
  readonly location: Location;

  constructor(message: string, location: Location) {
    super(`${location.file}:${location.line}:${location.column}: ${message}`);
    this.location = location;
  }
}

type Offsets = { self: number; keys: Map<string | number, number> };

export class YamlSource {
  readonly file: string;
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #offsets = new WeakMap<object, Offsets>();

  /** Throws a LoadError where the text is not YAML. `file` is only used in locations. */
  constructor(file: string, text: string) {
    this.file = file;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = document.errors[0];
    if (error !== undefined) throw new LoadError(error.message, this.#locate(error.pos[0]));
    this.value = this.#plain(document.contents);
  }

  /** Where a mapping or list stands, or one of its keys; or what carries its own location. */
  at(parent: unknown, key?: string | number): Location {
    if (typeof parent !== 'object' || parent === null) return this.#locate(0);
    const offsets = this.#offsets.get(parent);
    if (offsets === undefined) {
      return 'location' in parent ? (parent.location as Location) : this.#locate(0);
    }
    return this.#locate((key === undefined ? undefined : offsets.keys.get(key)) ?? offsets.self);
  }

  /** Gives everything in a value that was made, not read, the place of a key that was read. */
  place(value: unknown, parent: object, key: string): void {
    if (typeof value !== 'object' || value === null || this.#offsets.has(value)) return;
    const self = this.#offsets.get(parent)?.keys.get(key) ?? 0;
    this.#offsets.set(value, { self, keys: new Map() });
    for (const item of Object.values(value)) this.place(item, parent, key);
  }

  fail(message: string, parent: unknown, key?: string | number): never {
    throw new LoadError(message, this.at(parent, key));
  }

  /** Refuses keys that the language does not have. */
  known(value: object, words: readonly string[], what: string): void {
    for (const key of Object.keys(value)) {
      if (!words.includes(key))
        this.fail(`${what} has no key ${key}${hint(key, words)}`, value, key);
    }
  }

  #locate(offset: number): Location {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }

  #plain(node: unknown): unknown {
    if (isScalar(node)) return node.value;
    if (isAlias(node)) throw new LoadError('aliases are not part of the language', this.#locate(0));
    if (isMap(node)) {
      const value: Record<string, unknown> = {};
      const offsets: Offsets = { self: node.range?.[0] ?? 0, keys: new Map() };
      for (const pair of node.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
        const offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
        offsets.keys.set(key, offset);
        Object.defineProperty(value, key, {
          value: this.#plain(pair.value),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      this.#offsets.set(value, offsets);
      return value;
    }
    if (isSeq(node)) {
      const offsets: Offsets = { self: node.range?.[0] ?? 0, keys: new Map() };
      const value = node.items.map((item, index) => {
        const range = (item as { range?: [number, number, number] | null }).range;
        offsets.keys.set(index, range?.[0] ?? offsets.self);
        return this.#plain(item);
      });
      this.#offsets.set(value, offsets);
      return value;
    }
    return null;
  }
}
