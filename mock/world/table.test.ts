import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseRows, type Grown } from './base-rows.ts';
import { Table } from './table.ts';

interface Row {
  readonly text: string;
}
const given: ReadonlyMap<number, Row> = new Map([1, 2, 3].map((id) => [id, { text: `row ${id}` }]));
const base = new BaseRows(given);

describe('an overlay over a shared base', () => {
  test('a table reads the base until a row changes', () => {
    const table = new Table(base);
    expect(table.get(2)).toBe(base.get(2));
    table.put(2, { text: 'changed' });
    table.delete(3);
    table.put(9, { text: 'new' });
    expect(table.rows()).toEqual([{ text: 'row 1' }, { text: 'changed' }, { text: 'new' }]);
    expect([...table.changes().keys()].sort()).toEqual([2, 3, 9]);
    expect(base.length).toBe(3);
  });

  test('rows keep their identity while nothing changes', () => {
    const table = new Table(base);
    expect(table.rows()).toBe(table.rows());
    expect(new Table(base).rows()[0]).toBe(table.rows()[0]);
  });

  test('a row that is added and removed again leaves no change', () => {
    const table = new Table(base);
    table.put(9, { text: 'new' });
    table.delete(9);
    expect(table.changes().size).toBe(0);
  });
});

test('a table keeps each row as it was before its first write', () => {
  const table = new Table(base);
  table.put(1, { text: 'earlier' });
  table.begin();
  table.put(1, { text: 'changed' });
  table.put(1, { text: 'changed again' });
  table.delete(2);
  table.put(9, { text: 'new' });
  expect([...table.before]).toEqual([
    [1, { text: 'earlier' }],
    [2, { text: 'row 2' }],
    [9, undefined],
  ]);
  table.begin();
  expect(table.before.size).toBe(0);
});

describe('rows in an order', () => {
  const texts = (table: Table<number, Row>) => table.rows().map((row) => row.text);

  test('a row that was moved to the front stays first, also if it is removed and added again', () => {
    const table = new Table(base);
    table.put(9, { text: 'new' });
    table.moveToFront(2);
    table.moveToFront(9);
    expect(texts(table)).toEqual(['new', 'row 2', 'row 1', 'row 3']);
    expect([...table.changes().keys()]).toEqual([9]);
    table.delete(2);
    expect(texts(table)).toEqual(['new', 'row 1', 'row 3']);
    table.put(2, { text: 'back' });
    expect(texts(table)).toEqual(['new', 'back', 'row 1', 'row 3']);
  });

  test('picked rows are in the order of the table, not of their keys', () => {
    const table = new Table(base);
    table.put(8, { text: 'first added' });
    table.put(7, { text: 'then added' });
    table.moveToFront(3);
    const picked = table.pick([7, 8, 1, 3, 99, 1]);
    expect(picked.map((row) => row.text)).toEqual(['row 3', 'row 1', 'first added', 'then added']);
  });
});

describe('a million rows', () => {
  interface Item {
    readonly id: number;
    readonly deploymentId: string;
  }
  let made = 0;
  const grown: Grown<number, Item> = {
    blocks: 250_000,
    perBlock: 4,
    firstId: 11,
    firstDeployment: 2,
    key: Number,
    make: (block) =>
      [0, 1, 2, 3].map((place) => {
        made += 1;
        return { id: 11 + block * 4 + place, deploymentId: String(block + 2) };
      }),
  };
  const first: Item = { id: 1, deploymentId: '1' };
  const newTable = () => new Table(new BaseRows(new Map([[1, first]]), grown));
  const ids = (rows: readonly Item[]) => rows.map((row) => row.id);

  test('a page makes only its own rows, at any offset, even right after a write', () => {
    const table = newTable();
    made = 0;
    expect(table.length).toBe(1_000_001);
    expect(ids(table.slice(999_998, 1_000_020))).toEqual([1_000_008, 1_000_009, 1_000_010]);
    table.put(1_000_009, { id: 1_000_009, deploymentId: 'changed' });
    table.delete(12);
    table.put(5_000_000, { id: 5_000_000, deploymentId: 'added' });
    table.moveToFront(900_000);
    expect(ids(table.slice(0, 4))).toEqual([900_000, 1, 11, 13]);
    expect(table.slice(999_997, 1_000_020)).toEqual([
      { id: 1_000_008, deploymentId: '250001' },
      { id: 1_000_009, deploymentId: 'changed' },
      { id: 1_000_010, deploymentId: '250001' },
      { id: 5_000_000, deploymentId: 'added' },
    ]);
    expect(made).toBeLessThan(20);
  });

  test('finding the rows of a deployment makes no other rows', () => {
    const table = newTable();
    made = 0;
    expect(ids(table.of('1'))).toEqual([1]);
    expect(ids(table.of('250001'))).toEqual([1_000_007, 1_000_008, 1_000_009, 1_000_010]);
    table.put(1_000_008, { id: 1_000_008, deploymentId: '1' });
    expect(ids(table.of('1'))).toEqual([1, 1_000_008]);
    expect(ids(table.of('250001'))).toEqual([1_000_007, 1_000_009, 1_000_010]);
    for (const none of ['250002', '02', '2.5', 'x', '']) expect(table.of(none)).toEqual([]);
    table.deleteOf('1');
    expect(table.of('1')).toEqual([]);
    expect(table.length).toBe(999_999);
    expect(made).toBeLessThan(20);
  });

  test('a key finds exactly one row, and the row is frozen', () => {
    const table = newTable();
    expect(table.get(11)).toBe(table.get(11));
    expect(Object.isFrozen(table.get(11))).toBe(true);
    for (const none of [10, 1_000_011, 11.5, Number.NaN]) expect(table.has(none)).toBe(false);
  });
});

// A failing property names the seed and path that replay it.
describe('against a plain Map', () => {
  type Step =
    | { readonly kind: 'put'; readonly key: number; readonly text: string }
    | { readonly kind: 'delete'; readonly key: number }
    | { readonly kind: 'clone' };
  const key = fc.nat({ max: 6 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), key, text: fc.string() }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('clone' as const) }),
  );
  const steps = fc.array(step, { maxLength: 40 });

  function change(table: Pick<Table<number, Row>, 'put' | 'delete'>, made: Step): void {
    if (made.kind === 'put') table.put(made.key, { text: made.text });
    if (made.kind === 'delete') table.delete(made.key);
  }
  const modelOf = (start: ReadonlyMap<number, Row>) => {
    const rows = new Map(start);
    return {
      rows,
      put: (id: number, row: Row) => void rows.set(id, row),
      delete: (id: number) => void rows.delete(id),
    };
  };
  const content = (table: Table<number, Row>) => new Map(table.entries());

  test('a table has the same rows after any changes, read in any way', () => {
    fc.assert(
      fc.property(steps, (made) => {
        const table = new Table(base);
        const model = modelOf(given);
        for (const item of made) {
          change(table, item);
          change(model, item);
          expect(content(table)).toEqual(model.rows);
          expect(table.rows()).toHaveLength(model.rows.size);
          expect(table).toHaveLength(model.rows.size);
          for (const from of [0, 1, 2, 3]) {
            expect(table.slice(from, from + 2)).toEqual(table.rows().slice(from, from + 2));
          }
          for (let id = 0; id <= 6; id += 1) {
            expect(table.get(id)).toEqual(model.rows.get(id));
            expect(table.has(id)).toBe(model.rows.has(id));
          }
        }
      }),
    );
  });

  test('a change in a clone shows in no other clone', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), step), { maxLength: 60 }), (made) => {
        const pairs = [{ table: new Table(base), model: modelOf(given) }];
        for (const [pick, item] of made) {
          const pair = pairs[pick % pairs.length];
          if (pair === undefined) continue;
          if (item.kind === 'clone') {
            pairs.push({ table: pair.table.clone(), model: modelOf(pair.model.rows) });
          } else {
            change(pair.table, item);
            change(pair.model, item);
          }
        }
        for (const { table, model } of pairs) expect(content(table)).toEqual(model.rows);
        expect([...given.keys()]).toEqual([1, 2, 3]);
      }),
    );
  });
});
