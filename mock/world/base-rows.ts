/**
 * Rows that are made on first use, in one block for each deployment. All blocks have the same size.
 */
export interface Grown<Key, Row> {
  readonly blocks: number;
  readonly perBlock: number;
  /** The first id of the rows; the ids of their deployments also count from here. */
  readonly firstId: number;
  readonly firstDeployment: number;
  key(id: number): Key;
  /** Makes the rows of a block, always the same. */
  make(block: number): readonly Row[];
}

/** The most blocks in memory. If there are more, all are dropped, and made again on use. */
const MOST_KEPT = 10_000;

/**
 * The rows of a table that every world of a fixture starts from, by key and by place. Frozen. The
 * grown rows come after the given rows.
 */
export class BaseRows<Key extends string | number, Row extends object> {
  readonly length: number;
  readonly #given: ReadonlyMap<Key, Row>;
  readonly #keys: readonly Key[];
  readonly #rows: readonly Row[];
  readonly #grown: Grown<Key, Row> | undefined;
  readonly #made = new Map<number, readonly Row[]>();
  /** The list is made when it is needed for the first time. */
  #places: ReadonlyMap<Key, number> | undefined;
  #byDeployment: ReadonlyMap<unknown, readonly Key[]> | undefined;

  constructor(given: ReadonlyMap<Key, Row>, grown?: Grown<Key, Row>) {
    this.#given = given;
    this.#keys = [...given.keys()];
    this.#rows = [...given.values()];
    this.#grown = grown;
    this.length = given.size + (grown === undefined ? 0 : grown.blocks * grown.perBlock);
  }

  get(key: Key): Row | undefined {
    const row = this.#given.get(key);
    if (row !== undefined || this.#grown === undefined) return row;
    const place = this.#grownPlace(key);
    return place === undefined ? undefined : this.at(place);
  }

  has(key: Key): boolean {
    return this.placeOf(key) !== undefined;
  }

  /** The row at a place below `size`. */
  at(place: number): Row | undefined {
    const { size } = this.#given;
    if (place < size || this.#grown === undefined) return this.#rows[place];
    const { perBlock } = this.#grown;
    return this.#block(Math.floor((place - size) / perBlock))[(place - size) % perBlock];
  }

  keyAt(place: number): Key | undefined {
    const { size } = this.#given;
    if (place < size || this.#grown === undefined) return this.#keys[place];
    return this.#grown.key(this.#grown.firstId + place - size);
  }

  placeOf(key: Key): number | undefined {
    this.#places ??= new Map(this.#keys.map((given, place) => [given, place]));
    return this.#places.get(key) ?? this.#grownPlace(key);
  }

  slice(from: number, to: number): readonly Row[] {
    const rows = this.#rows.slice(from, to);
    for (
      let place = Math.max(from, this.#rows.length);
      place < Math.min(to, this.length);
      place += 1
    ) {
      const row = this.at(place);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** All rows. The list is shared if no row is grown. */
  all(): readonly Row[] {
    return this.#grown === undefined ? this.#rows : this.slice(0, this.length);
  }

  /** The keys of the rows of a deployment, in their order. */
  keysOf(deployment: string): readonly Key[] {
    this.#byDeployment ??= Map.groupBy(this.#keys, (key) => deploymentOf(this.#given.get(key)));
    const given = this.#byDeployment.get(deployment);
    if (given !== undefined || this.#grown === undefined) return given ?? [];
    const { blocks, perBlock, firstDeployment, firstId, key } = this.#grown;
    const block = Number(deployment) - firstDeployment;
    if (!isBelow(block, blocks) || String(block + firstDeployment) !== deployment) return [];
    return Array.from({ length: perBlock }, (_, place) => key(firstId + block * perBlock + place));
  }

  *entries(): Generator<[Key, Row], void> {
    for (let place = 0; place < this.length; place += 1) {
      const key = this.keyAt(place);
      const row = this.at(place);
      if (key !== undefined && row !== undefined) yield [key, row];
    }
  }

  keys(): IteratorObject<Key> {
    return this.entries().map(([key]) => key);
  }

  #grownPlace(key: Key): number | undefined {
    if (this.#grown === undefined) return undefined;
    const place = Number(key) - this.#grown.firstId;
    const isThere =
      isBelow(place, this.length - this.#given.size) &&
      this.#grown.key(place + this.#grown.firstId) === key;
    return isThere ? this.#given.size + place : undefined;
  }

  #block(number: number): readonly Row[] {
    const known = this.#made.get(number);
    if (known !== undefined) return known;
    const made = this.#grown?.make(number) ?? [];
    for (const row of made) Object.freeze(row);
    if (this.#made.size >= MOST_KEPT) this.#made.clear();
    this.#made.set(number, made);
    return made;
  }
}

/** The id of the deployment that a row belongs to. */
export function deploymentOf(row: object | undefined): unknown {
  return row !== undefined && 'deploymentId' in row ? row.deploymentId : undefined;
}

function isBelow(number: number, limit: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < limit;
}
