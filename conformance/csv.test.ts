import { expect, test } from 'vitest';
import { Csv } from './csv.ts';
import { readJwt } from './jwt.ts';
import { partitionDefects } from './partition.ts';

test('a file with a header, quotes, line ends in fields and a byte order mark', () => {
  const csv = new Csv(
    '\uFEFFwhen,what\r\n2026-01-02T01:00:00+02:00,"a ""b"",\nc"\r\n2026-01-03 00:00:00,d\r\n',
  );
  expect(csv.wellFormed).toBe(true);
  expect(csv.header).toEqual(['when', 'what']);
  expect(csv.rows[0]).toEqual(['2026-01-02T01:00:00+02:00', 'a "b",\nc']);
  expect(csv.events.map((event) => event.day)).toEqual(['2026-01-01', '2026-01-03']);
});

test('a file without a header, times as numbers', () => {
  const csv = new Csv('x,1767225600000\ny,1767312000000\n');
  expect(csv.header).toBeNull();
  expect(csv.events.map((event) => event.day)).toEqual(['2026-01-01', '2026-01-02']);
});

test.each([
  ['ragged rows', 'a,b\n1\n', false],
  ['quotes that are not doubled', 'a,"b "c" d"\n', false],
  ['a last field that is not closed', 'a,b\n1,"2', false],
  ['a quote in a plain field', 'a,b"c\n', false],
  ['an empty last field', 'a,b\n1,\n', true],
  ['no rows', '', true],
])('%s', (_name, text, wellFormed) => {
  expect(new Csv(text).wellFormed).toBe(wellFormed);
});

test('a JWT is three parts, the first two of JSON', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  expect(readJwt(`${part({ alg: 'x' })}.${part({ a: 1 })}.sig`)?.payload).toEqual({ a: 1 });
  for (const text of [`${part({})}.${part({})}`, 'a.b.c', `${part({})}.${part([])}.s`, 7]) {
    expect(readJwt(text)).toBeUndefined();
  }
});

const by = [['userId'], ['email', 'externalId']];
test.each([
  [
    'each in one list',
    [{ userId: 1 }, { email: 'A@x.y' }],
    { a: [{ userId: 1 }], b: [{ email: 'a@X.y' }] },
    0,
  ],
  ['one in two lists', [{ userId: 1 }], { a: [{ userId: 1 }], b: [{ userId: 1 }] }, 1],
  ['one in none', [{ userId: 1 }, { userId: 2 }], { a: [{ userId: 1 }], b: [] }, 1],
  ['a stranger', [{ userId: 1 }], { a: [{ userId: 1 }, { userId: 9 }], b: [] }, 1],
  ['somebody else', [{ userId: 1 }], { a: [{ userId: 9 }], b: [] }, 1],
  ['items that show no identity are counted', [{ userId: 1 }], { a: [{ type: 'USER' }], b: [] }, 0],
  ['another field identifies', [{ email: 'a@x.y' }], { a: [{ userId: 5 }], b: [] }, 0],
])('partition: %s', (_name, of, into, defects) => {
  expect(partitionDefects({ of, into, by })).toHaveLength(defects);
});
