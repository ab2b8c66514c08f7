import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Table } from './table.ts';

interface Row {
  readonly text: string;
}
const base: ReadonlyMap<number, Row> = new Map([1, 2, 3].map((id) => [id, { text: `row ${id}` }]));

describe('an overlay over a shared base', () => {
  test('reads through until something changes', () => {
    const table = new Table(base);
    expect(table.get(2)).toBe(base.get(2));
    table.put(2, { text: 'changed' });
    table.delete(3);
    table.put(9, { text: 'new' });
    expect(table.rows()).toEqual([{ text: 'row 1' }, { text: 'changed' }, { text: 'new' }]);
    expect([...table.changes().keys()].sort()).toEqual([2, 3, 9]);
    expect(base.size).toBe(3);
  });

  test('rows keep their identity while nothing changes', () => {
    const table = new Table(base);
    expect(table.rows()).toBe(table.rows());
    expect(new Table(base).rows()[0]).toBe(table.rows()[0]);
  });

  test('what is added and removed again leaves no change behind', () => {
    const table = new Table(base);
    table.put(9, { text: 'new' });
    table.delete(9);
    expect(table.changes().size).toBe(0);
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

  test('the same rows after any changes, read in any way', () => {
    fc.assert(
      fc.property(steps, (made) => {
        const table = new Table(base);
        const model = modelOf(base);
        for (const item of made) {
          change(table, item);
          change(model, item);
          expect(content(table)).toEqual(model.rows);
          expect(table.rows()).toHaveLength(model.rows.size);
          for (let id = 0; id <= 6; id += 1) {
            expect(table.get(id)).toEqual(model.rows.get(id));
            expect(table.has(id)).toBe(model.rows.has(id));
          }
        }
      }),
    );
  });

  test('clones know nothing of one another, whichever of them changes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), step), { maxLength: 60 }), (made) => {
        const pairs = [{ table: new Table(base), model: modelOf(base) }];
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
        expect([...base.keys()]).toEqual([1, 2, 3]);
      }),
    );
  });
});
