/** YAML as plain values that remember the lines on which they were written. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** Where the objects and lists of a document, their keys and their items stand; 1 is the first line. */
export class Lines {
  readonly #own = new WeakMap<object, number>();
  readonly #parts = new WeakMap<object, Map<string, number>>();

  /** Line of a key or an item; undefined for what does not come from the document. */
  line(parent: object, key: string): number | undefined {
    return this.#parts.get(parent)?.get(key);
  }

  /** Line of the key that an object or a list stands behind. */
  own(value: object): number | undefined {
    return this.#own.get(value);
  }

  note(parent: object, key: string, value: unknown, line: number): void {
    const parts = this.#parts.get(parent) ?? new Map<string, number>();
    this.#parts.set(parent, parts.set(key, line));
    if (value !== null && typeof value === 'object') this.#own.set(value, line);
  }

  /** A value made of others stands where they do; the later ones count. */
  inherit(value: object, ...sources: readonly object[]): void {
    const parts = sources.flatMap((source) => [...(this.#parts.get(source) ?? [])]);
    this.#parts.set(value, new Map(parts));
    const [own] = sources.flatMap((source) => this.own(source) ?? []);
    if (own !== undefined) this.#own.set(value, own);
  }
}

/** Throws an Error where the text is not YAML. */
export function parseWithLines(text: string): { readonly value: unknown; readonly lines: Lines } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const [problem] = document.errors;
  if (problem !== undefined) throw problem;
  const value: unknown = document.toJS();
  const lines = new Lines();
  walk(document.contents, value);
  return { value, lines };

  function walk(node: unknown, plain: unknown): void {
    const parts: readonly (readonly [string, unknown, unknown])[] = isMap(node)
      ? node.items.map(({ key, value: item }) => [
          isScalar(key) ? String(key.value) : '',
          key,
          item,
        ])
      : isSeq(node)
        ? node.items.map((item, index) => [String(index), item, item])
        : [];
    for (const [key, place, item] of parts) {
      const parent = plain as Record<string, unknown>;
      const { range } = place as { range?: readonly number[] | null };
      lines.note(parent, key, parent[key], counter.linePos(range?.[0] ?? 0).line);
      walk(item, parent[key]);
    }
  }
}
