import { expect, test } from 'vitest';
import { compute } from './compute.ts';
import { match, matcherNames, matches } from './matcher.ts';
import { resolve, type Scope, Unresolved } from './template.ts';

const list = [
  { id: 1, t: 'a' },
  { id: 2, t: 'b' },
];
const cases: readonly [matcher: unknown, holds: unknown, fails: unknown][] = [
  [{ $type: 'integer' }, 3, 3.5],
  [{ $type: ['string', 'null'] }, null, undefined],
  [{ $matches: '^v\\d' }, 'v1', '1'],
  [{ $in: ['a', 'b'] }, 'a', 'c'],
  [{ $keys: ['error'], error: { $type: 'string' } }, { error: 'x' }, { error: 'x', code: 1 }],
  [{ a: { $absent: true } }, { b: 1 }, { a: null }],
  [{ a: { $absentOr: null } }, {}, { a: 1 }],
  [{ a: { $present: true } }, { a: null }, {}],
  [{ $min: 3 }, 3, 2],
  [{ $max: '2026-01-31' }, '2026-01-31', '2026-02-01'],
  [{ $above: 1 }, 2, 1],
  [{ $below: 1 }, 0, '0'],
  [{ $length: { $min: 2 } }, [1, 2], [1]],
  [{ $contains: { id: 2 } }, list, [{ id: 3 }]],
  [{ $contains: 'bc' }, 'abcd', 'acbd'],
  [{ $every: { t: { $type: 'string' } } }, list, [...list, { id: 3 }]],
  [{ $sameSet: [1, 2, 2] }, [2, 1, 2], [1, 1, 2]],
  [{ $supersetOf: [1] }, [1, 2], [2]],
  [{ $disjointFrom: [1] }, [2], [1]],
  [{ $unique: 'id' }, list, [...list, { id: 1 }]],
  [{ $above: '1.9.14' }, '1.35.2', '1.9.9'],
  [{ $sorted: 'ascending' }, ['2', '10'], ['10', '2']],
  [{ $sorted: 'descending' }, [2, 1], [1, 2]],
  [{ $wholeList: true }, { data: [{ id: 1 }], total: 1 }, { data: [{ id: 1 }], hasMore: true }],
  [{ $anywhere: { tenant: 42 } }, { x: '{"y":[{"tenant":42}]}' }, { tenant: '42' }],
  [{ $sameTime: { as: 1767225600, within: '2s' } }, '2026-01-01T00:00:01Z', '2026-01-01T00:00:03Z'],
  [{ $not: { $min: 3 } }, 2, 3],
  [{ $any: [1, { $type: 'string' }] }, 'x', 2],
  [[{ id: 1 }, { id: 2 }], list, list.slice(1)],
  [{ id: 1 }, { id: 1, more: true }, { id: '1' }],
];

test.each(cases)('%j', (matcher, holds, fails) => {
  expect(match(holds, matcher)).toBeUndefined();
  expect(match(fails, matcher)).toBeDefined();
});

test('every matcher has a case', () => {
  const used = JSON.stringify(cases.map(([matcher]) => matcher));
  expect(matcherNames.filter((name) => !used.includes(`"${name}"`))).toEqual([]);
});

test('a mismatch has the pointer to its value', () => {
  expect(
    match(
      { data: { list: [{ id: 'x' }] } },
      { data: { list: { $every: { id: { $type: 'integer' } } } } },
    ),
  ).toEqual({
    pointer: '/data/list/0/id',
    expected: { $type: 'integer' },
    actual: 'x',
  });
});

const scope: Scope = {
  lookup: (root) => ({ list, name: 'x', none: undefined, text: 'hello' })[root],
};

test('references keep their type, map over lists, filter and count', () => {
  expect(resolve('{list}', scope)).toBe(list);
  expect(resolve('{list.id}', scope)).toEqual([1, 2]);
  expect(resolve('{list[t=b][0].id}', scope)).toBe(2);
  expect(resolve('{list[-1].t}-{list.length}', scope)).toBe('b-2');
  expect(resolve('{list[id={list[0].id}].t}', scope)).toEqual(['a']);
  expect(resolve('{{name} and {"json": 1}', scope)).toBe('{name} and {"json": 1}');
  expect(resolve({ $copies: 3, of: { n: '{name}' } }, scope)).toEqual(Array(3).fill({ n: 'x' }));
  const like = { $like: '{list[t=b][0]}', $without: ['id'], more: '{name}' };
  expect(resolve(like, scope)).toEqual({ t: 'b', more: 'x' });
  const numbered = { $copies: 3, of: { n: '{name}-{copy}' } };
  expect(resolve(numbered, scope)).toEqual([{ n: 'x-0' }, { n: 'x-1' }, { n: 'x-2' }]);
  expect(() => resolve('{list[t=c][0].id}', scope)).toThrow(Unresolved);
  expect(() => resolve('{none}', scope)).toThrow('{none} finds nothing');
});

test('computed values', () => {
  const value = (of: unknown): unknown => compute(of, scope);
  expect(value({ from: '{list}', where: { t: 'b' }, take: 'id', first: true })).toBe(2);
  expect(value({ from: '{list.id}', minus: [1] })).toEqual([2]);
  expect(value({ from: '{list.id}', plus: [2, 3], unique: true })).toEqual([1, 2, 3]);
  expect(value({ from: '{list}', where: { id: { $min: 2 } }, length: true })).toBe(1);
  expect(value({ secondsBetween: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'] })).toBe(
    86400,
  );
  expect(value({ day: '2026-01-30', add: 3 })).toBe('2026-02-02');
  expect(value({ join: ['a-', '{name}'] })).toBe('a-x');
  expect(value({ upper: '{text}' })).toBe('HELLO');
  expect(value({ slice: '{text}', from: 1, to: -1 })).toBe('ell');
  expect(() => value({ from: '{list}', where: { t: 'z' }, first: true })).toThrow(Unresolved);
  expect(matches(value({ from: '{list}' }), { $length: 2 })).toBe(true);
});
