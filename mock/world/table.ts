import { type BaseRows, deploymentOf } from './base-rows.ts';

/** The source of a page: a list, or a table. */
export interface Sliceable<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
}

/** The places of rows that differ from their place in the base. */
interface Layout<Key> {
  /** Rows that were moved to the front, and rows that were added. */
  readonly head: readonly Key[];
  readonly added: readonly Key[];
  readonly places: ReadonlyMap<Key, number>;
  /** Places of the base whose row was removed or moved, ascending. */
  readonly gaps: readonly number[];
}

const UNCHANGED = new Map<never, never>();
const NONE: readonly never[] = [];

/**
 * Rows by key: a frozen base that many worlds share, under an overlay of this world's changes.
 *
 * Rows are never changed in place, and a clone shares the overlay until one of the two changes. The
 * cost of a read depends on the number of changes, not of rows, because there may be a million
 * rows.
 */
export class Table<Key extends string | number, Row extends object> {
  readonly #base: BaseRows<Key, Row>;
  #overlay: ReadonlyMap<Key, Row | undefined>;
  /** The overlay, if no clone shares it. */
  #own: Map<Key, Row | undefined> | undefined;
  /** The rows written since `begin`, each as it was before. */
  #before: Map<Key, Row | undefined> | undefined;
  /** Keys that were moved to the front, the last one first. */
  #front: readonly Key[];
  /** Made on first use, and kept until a row is added or removed. */
  #layout: Layout<Key> | undefined;
  /** Made on first use, and kept until a row changes. */
  #list: Sliceable<Row> | undefined;
  #rows: readonly Row[] | undefined;

  constructor(base: BaseRows<Key, Row>, from?: Table<Key, Row>) {
    this.#base = base;
    this.#overlay = from === undefined ? UNCHANGED : from.#overlay;
    this.#front = from === undefined ? NONE : from.#front;
  }

  get(key: Key): Row | undefined {
    const own = this.#overlay.get(key);
    return own !== undefined || this.#overlay.has(key) ? own : this.#base.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  put(key: Key, row: Row): void {
    this.#change(key).set(key, row);
  }

  delete(key: Key): void {
    const changed = this.#change(key);
    this.#layout = undefined;
    if (this.#base.has(key)) changed.set(key, undefined);
    else changed.delete(key);
  }

  get length(): number {
    const { head, added, gaps } = this.#laidOut();
    return head.length + this.#base.length - gaps.length + added.length;
  }

  /** The rows from one index to before another. */
  slice(from: number, to: number): readonly Row[] {
    if (this.#isBase) return this.#base.slice(from, to);
    return [...this.entries(from, to)].map(([, row]) => row);
  }

  *entries(from = 0, to = this.length): Generator<[Key, Row], void> {
    const end = Math.min(to, this.length);
    for (let index = from; index < end; index += 1) {
      const key = this.#keyAt(index);
      const row = key === undefined ? undefined : this.get(key);
      if (key !== undefined && row !== undefined) yield [key, row];
    }
  }

  /** The rows as a list, which stays the same one until a row changes. Worlds may share it. */
  list(): Sliceable<Row> {
    if (this.#isBase) return this.#base;
    this.#list ??= { length: this.length, slice: (from, to) => this.slice(from, to) };
    return this.#list;
  }

  /** All rows: the rows of the base in their order, then the added rows. For short tables. */
  rows(): readonly Row[] {
    if (this.#isBase) return this.#base.all();
    this.#rows ??= this.slice(0, this.length);
    return this.#rows;
  }

  /** The rows of some keys, in the order of the table. */
  pick(keys: Iterable<Key>): readonly Row[] {
    const { places } = this.#laidOut();
    return [...new Set(keys)]
      .map((key) => ({
        row: this.get(key),
        place: places.get(key) ?? this.#base.placeOf(key) ?? 0,
      }))
      .sort((one, other) => one.place - other.place)
      .flatMap(({ row }) => row ?? []);
  }

  of(deployment: string): readonly Row[] {
    const keys = new Set(this.#base.keysOf(deployment));
    for (const [key, row] of this.#overlay) if (deploymentOf(row) === deployment) keys.add(key);
    const isInPlace = this.#front.length === 0;
    const rows = isInPlace ? [...keys].flatMap((key) => this.get(key) ?? []) : this.pick(keys);
    return rows.filter((row) => deploymentOf(row) === deployment);
  }

  deleteOf(deployment: string): void {
    const keys = [...this.#base.keysOf(deployment), ...this.#overlay.keys()];
    for (const key of keys) if (deploymentOf(this.get(key)) === deployment) this.delete(key);
  }

  /** The changes of this world: the row, or undefined if it was removed. */
  changes(): ReadonlyMap<Key, Row | undefined> {
    return this.#overlay;
  }

  /** Forgets how rows were before: only writes from now on count. */
  begin(): void {
    this.#before = undefined;
  }

  /** The rows that were written since `begin`, each as it was before. */
  get before(): ReadonlyMap<Key, Row | undefined> {
    return this.#before ?? UNCHANGED;
  }

  /** Moves a row before all others. The changes of this world stay the same. */
  moveToFront(key: Key): void {
    this.#front = [key, ...this.#front.filter((other) => other !== key)];
    this.#layout = undefined;
    this.#forget();
  }

  clone(): Table<Key, Row> {
    this.#own = undefined;
    return new Table(this.#base, this);
  }

  get #isBase(): boolean {
    return this.#overlay.size === 0 && this.#front.length === 0;
  }

  #change(key: Key): Map<Key, Row | undefined> {
    const before = this.get(key);
    if (before === undefined) this.#layout = undefined;
    this.#forget();
    this.#before ??= new Map();
    if (!this.#before.has(key)) this.#before.set(key, before);
    this.#own ??= new Map(this.#overlay);
    this.#overlay = this.#own;
    return this.#own;
  }

  #forget(): void {
    this.#list = undefined;
    this.#rows = undefined;
  }

  #keyAt(index: number): Key | undefined {
    const { head, added, gaps } = this.#laidOut();
    if (index < head.length) return head[index];
    const inBase = index - head.length;
    const behind = inBase - (this.#base.length - gaps.length);
    if (behind >= 0) return added[behind];
    // Each gap before a row moves its place by one.
    let [from, to] = [0, gaps.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((gaps[middle] ?? 0) - middle > inBase) to = middle;
      else from = middle + 1;
    }
    return this.#base.keyAt(inBase + from);
  }

  #laidOut(): Layout<Key> {
    if (this.#layout !== undefined) return this.#layout;
    const moved = new Set(this.#front);
    const head = this.#front.filter((key) => this.has(key));
    const removed = [...this.#overlay].flatMap(([key, row]) => (row === undefined ? [key] : []));
    const gaps = [...new Set([...this.#front, ...removed])]
      .flatMap((key) => this.#base.placeOf(key) ?? [])
      .sort((one, other) => one - other);
    const added = [...this.#overlay].flatMap(([key, row]) =>
      row === undefined || moved.has(key) || this.#base.has(key) ? [] : [key],
    );
    const places = new Map([
      ...head.map((key, index) => [key, index - head.length] as const),
      ...added.map((key, index) => [key, this.#base.length + index] as const),
    ]);
    this.#layout = { head, added, places, gaps };
    return this.#layout;
  }
}
