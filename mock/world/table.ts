/**
 * Rows by key: a frozen base that many worlds share, under an overlay of this world's changes.
 *
 * Rows are never changed in place, so a clone copies the overlay and nothing else.
 */
export class Table<Key extends string | number, Row> {
  readonly #base: ReadonlyMap<Key, Row>;
  readonly #overlay: Map<Key, Row | undefined>;
  #rows: readonly Row[] | undefined;

  constructor(base: ReadonlyMap<Key, Row>, overlay: Map<Key, Row | undefined> = new Map()) {
    this.#base = base;
    this.#overlay = overlay;
  }

  get(key: Key): Row | undefined {
    return this.#overlay.has(key) ? this.#overlay.get(key) : this.#base.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  put(key: Key, row: Row): void {
    this.#overlay.set(key, row);
    this.#rows = undefined;
  }

  delete(key: Key): void {
    if (this.#base.has(key)) this.#overlay.set(key, undefined);
    else this.#overlay.delete(key);
    this.#rows = undefined;
  }

  /** All rows: those of the base in their order, then those that were added. */
  rows(): readonly Row[] {
    this.#rows ??= [...this.entries()].map(([, row]) => row);
    return this.#rows;
  }

  *entries(): Generator<[Key, Row], void> {
    for (const [key, row] of this.#base) {
      if (!this.#overlay.has(key)) yield [key, row];
      else {
        const changed = this.#overlay.get(key);
        if (changed !== undefined) yield [key, changed];
      }
    }
    for (const [key, row] of this.#overlay) {
      if (row !== undefined && !this.#base.has(key)) yield [key, row];
    }
  }

  /** What this world has changed: the row, or undefined where one was removed. */
  changes(): ReadonlyMap<Key, Row | undefined> {
    return this.#overlay;
  }

  /** The same rows with one of them first. What this world has changed stays what it was. */
  withFirst(key: Key): Table<Key, Row> {
    const entries = [...this.entries()];
    const first = entries.filter(([other]) => other === key);
    const others = entries.filter(([other]) => other !== key);
    return new Table(new Map([...first, ...others]), new Map(this.#overlay));
  }

  clone(): Table<Key, Row> {
    return new Table(this.#base, new Map(this.#overlay));
  }
}
