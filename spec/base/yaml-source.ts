/**
 * A YAML file as plain data with the position of each key, so that every later message can give
 * file:line:column. The file is parsed once.
 */

import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { isObject } from './json.ts';

/** A position in a file, for messages and reports. */
export interface Location {
  /** Relative to the repository root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One problem with a value, and its position. */
export interface Problem {
  readonly path: readonly (string | number)[];
  /** The key at the end of the path is wrong, not its value. */
  readonly onKey?: boolean;
  /** `expected X: found Y` */
  readonly message: string;
}

/** A problem with a file, and its position. */
export class LoadError extends Error {
  readonly location: Location;

  constructor(message: string, location: Location) {
    super(`${location.file}:${location.line}:${location.column}: ${message}`);
    this.location = location;
  }
}

interface Offsets {
  readonly self: number;
  /** The positions of each key and of its value. */
  readonly entries: Map<string, { readonly key: number; readonly value: number }>;
}

/** The limit exists because a few lines of nested aliases could fill the memory. */
const MOST_REPEATED = 100_000;

export class YamlSource {
  readonly file: string;
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #offsets = new WeakMap<object, Offsets>();
  /** The document that aliases lead into, if aliases are followed. */
  readonly #aliased: Document | undefined;
  /** The target of each alias, because looking it up reads the whole document. */
  readonly #targets = new Map<unknown, unknown>();
  /** Mappings and lists that aliases have repeated so far. */
  #repeated = 0;

  /**
   * Throws a LoadError if the text is not YAML. `file` is only used in locations. If a text is `isPrivate`,
   * messages do not show any part of it, not even the parser's own messages.
   */
  constructor(file: string, text: string, { aliases = false, isPrivate = false } = {}) {
    this.file = file;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = document.errors[0];
    if (error !== undefined) {
      const message = isPrivate ? `not YAML (${error.code})` : error.message;
      throw new LoadError(message, this.#locate(error.pos[0]));
    }
    if (aliases) this.#aliased = document;
    this.value = this.#plain(document.contents);
  }

  /** The position of the nearest value that was read, on the way from a value to one below it or its key. */
  find(path: readonly (string | number)[], { from = this.value, onKey = false } = {}): Location {
    let node = from;
    let offset = this.#offsetsOf(node)?.self ?? 0;
    for (const [depth, key] of path.entries()) {
      const entry = this.#offsetsOf(node)?.entries.get(String(key));
      const isMeant = onKey && depth === path.length - 1;
      offset = (isMeant ? entry?.key : entry?.value) ?? offset;
      node = (node as Record<string | number, unknown> | undefined)?.[key];
    }
    return this.#locate(offset);
  }

  /** Gives a value that was made from others their positions; later ones take precedence. */
  inherit(value: object, ...sources: readonly object[]): void {
    const found = sources.flatMap((source) => this.#offsets.get(source) ?? []);
    const [first] = found;
    if (first === undefined) return;
    const entries = new Map(found.flatMap((offsets) => [...offsets.entries]));
    this.#offsets.set(value, { self: first.self, entries });
  }

  /** Whether a key was read from the file, and not made by code. */
  has(parent: object, key: string | number): boolean {
    return this.#offsets.get(parent)?.entries.has(String(key)) === true;
  }

  /** The position of a mapping or list, or of one of its keys; or the value's own `location`. */
  at(parent: unknown, key?: string | number): Location {
    if (this.#offsetsOf(parent) === undefined && isObject(parent) && 'location' in parent) {
      return parent.location as Location;
    }
    return this.find(key === undefined ? [] : [key], { from: parent ?? null, onKey: true });
  }

  /** Gives everything in a value that code made the position of a key that was read. */
  place(value: unknown, parent: object, key: string): void {
    if (typeof value !== 'object' || value === null || this.#offsets.has(value)) return;
    const self = this.#offsets.get(parent)?.entries.get(key)?.key ?? 0;
    this.#offsets.set(value, { self, entries: new Map() });
    for (const item of Object.values(value)) this.place(item, parent, key);
  }

  /** The problems of a value of the file with their positions, in the order of the file. */
  errors(problems: readonly Problem[], from: unknown = this.value): LoadError[] {
    return problems
      .map(({ path, onKey = false, message }) => {
        return new LoadError(message, this.find(path, { from, onKey }));
      })
      .sort(({ location: a }, { location: b }) => a.line - b.line || a.column - b.column);
  }

  fail(message: string, parent: unknown, key?: string | number): never {
    throw new LoadError(message, this.at(parent, key));
  }

  #locate(offset: number): Location {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }

  #offsetsOf(value: unknown): Offsets | undefined {
    return typeof value === 'object' && value !== null ? this.#offsets.get(value) : undefined;
  }

  /** `alias` is the position of the alias that is being followed. */
  #plain(node: unknown, around: readonly unknown[] = [], alias?: Location): unknown {
    if (isScalar(node)) return node.value;
    if (isAlias(node)) {
      const place = this.#locate(startOf(node) ?? 0);
      if (this.#aliased === undefined) {
        throw new LoadError('aliases are not part of the language', place);
      }
      const target = this.#targets.get(node) ?? node.resolve(this.#aliased);
      this.#targets.set(node, target);
      if (around.includes(target)) {
        throw new LoadError(
          `expected no circle: *${node.source} is inside the value that it names`,
          place,
        );
      }
      return this.#plain(target, around, place);
    }
    if (alias !== undefined && ++this.#repeated > MOST_REPEATED) {
      const most = MOST_REPEATED.toLocaleString('en');
      throw new LoadError(`expected aliases to repeat at most ${most} values`, alias);
    }
    if (!isMap(node) && !isSeq(node)) return null;
    const self = startOf(node) ?? 0;
    const offsets: Offsets = { self, entries: new Map() };
    const entries: [string, unknown, unknown][] = isMap(node)
      ? node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), key, value])
      : node.items.map((item, index) => [String(index), item, item]);
    const plain: object = isMap(node) ? {} : [];
    for (const [key, place, item] of entries) {
      const at = startOf(place) ?? self;
      offsets.entries.set(key, { key: at, value: startOf(item) ?? at });
      Object.defineProperty(plain, key, {
        value: this.#plain(item, [...around, node], alias),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    this.#offsets.set(plain, offsets);
    return plain;
  }
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0];
}
