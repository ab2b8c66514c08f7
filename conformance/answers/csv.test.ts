import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';
import { readJwt } from './jwt.ts';
import { partitionDefects } from './partition.ts';

test('a file with a header, quotes, line ends in fields and a byte order mark', () => {
  const csv = readCsv(
    '\uFEFFwhen,what\r\n2026-01-02T01:00:00+02:00,"a ""b"",\nc"\r\n2026-01-03 00:00:00,d\r\n',
  );
  expect(csv.wellFormed).toBe(true);
  expect(csv.header).toEqual(['when', 'what']);
  expect(csv.rows[0]).toEqual(['2026-01-02T01:00:00+02:00', 'a "b",\nc']);
  expect(csv.events.map((event) => event.day)).toEqual(['2026-01-01', '2026-01-03']);
});

test('a file without a header, times as numbers in the period', () => {
  const text = 'x,1767225600000\ny,1767312000000\n';
  const csv = readCsv(text, { start: '2026-01-01', end: '2026-01-02' });
  expect(csv.header).toBeNull();
  expect(csv.events.map((event) => event.day)).toEqual(['2026-01-01', '2026-01-02']);
});

const period = { start: '2026-01-01', end: '2026-01-09' };
const first = '2026-01-02T10:00:00Z';
const second = '2026-01-03T10:00:00Z';
test.each([
  [
    'identifiers of ten digits do not count as times',
    `4100000001,${first}\n4100000002,${second}\n`,
    2,
  ],
  ['identifiers do not count even without another time', '4100000001,a\n4100000002,b\n', 0],
  [
    'a column of equal days next to unreadable dates',
    `2021-03-04,1/2/2026\n2021-03-04,1/3/2026\n`,
    0,
  ],
  ['addresses do not count as dates', `10.3.15.38,${first}\n10.3.157.38,${second}\n`, 2],
  [
    'two times of the same moment',
    `${first},2026-01-02T10:00:01Z\n${second},2026-01-03T10:00:09Z\n`,
    2,
  ],
  [
    'two times of other moments',
    `${first},2026-01-05T10:00:00Z\n${second},2026-01-06T10:00:00Z\n`,
    0,
  ],
  [
    'a time of the export next to it',
    `${first},2026-01-09T08:00:00Z\n${second},2026-01-09T08:00:01Z\n`,
    2,
  ],
  ['a time that not every row has', `${first},\n${second},2026-01-06T10:00:00Z\n`, 2],
  ['a time outside the period', `2025-12-01T00:00:00Z\n${first}\n${second}\n`, 3],
  ['days that do not move with the rows', `2020-01-01\n2026-01-03\n2019-01-01\n`, 0],
])('the time of events: %s', (_name, rows, events) => {
  expect(readCsv(`what,when\n${rows}`, period).events).toHaveLength(events);
});

test('a long export can be read', () => {
  const csv = readCsv(`what,when\n${`x,${first}\n`.repeat(130_000)}`, period);
  expect(csv).toMatchObject({ header: ['what', 'when'], timeColumns: 1 });
  expect(csv.events).toHaveLength(130_000);
});

test('if no column holds times, the first row may or may not be a header', () => {
  const csv = readCsv('what,when\nx,the first week\ny,the second week\n');
  expect(csv).toMatchObject({ header: null, timeColumns: 0 });
});

test('only an empty line at the end does not count as a record', () => {
  expect(readCsv('a,b\r\n1,2\r\n\r\n').wellFormed).toBe(true);
  expect(readCsv('a,b\n\n1,2\n').wellFormed).toBe(false);
});

test.each([
  ['ragged rows', 'a,b\n1\n', false],
  ['quotes that are not doubled', 'a,"b "c" d"\n', false],
  ['a last field that is not closed', 'a,b\n1,"2', false],
  ['a quote in a plain field', 'a,b"c\n', false],
  ['an empty last field', 'a,b\n1,\n', true],
  ['no rows', '', true],
])('%s', (_name, text, wellFormed) => {
  expect(readCsv(text).wellFormed).toBe(wellFormed);
});

test('a JWT is three parts, the first two of JSON', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  expect(readJwt(`${part({ alg: 'x' })}.${part({ a: 1 })}.sig`)?.payload).toEqual({ a: 1 });
  for (const text of [`${part({})}.${part({})}`, 'a.b.c', `${part({})}.${part([])}.s`, 7]) {
    expect(readJwt(text)).toBeUndefined();
  }
});

test('an encrypted JWT has five parts, and its claims stay unread', () => {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const read = readJwt(`${header}..aXY.dGV4dA.dGFn`);
  expect(read?.header).toEqual({ alg: 'dir', enc: 'A256GCM' });
  expect(read?.payload).toBeUndefined();
  expect(readJwt(`${header}.aXY.dGV4dA.dGFn`)).toBeUndefined();
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
  [
    'a field that the item does not show may identify',
    [{ externalId: 'x', email: 'new@x.y' }],
    { a: [{ email: 'old@x.y', externalId: null }], b: [] },
    0,
  ],
  ['another field identifies', [{ email: 'a@x.y' }], { a: [{ userId: 5 }], b: [] }, 0],
])('partition: %s', (_name, of, into, defects) => {
  expect(partitionDefects({ of, into, by })).toHaveLength(defects);
});
