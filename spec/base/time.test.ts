import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, toMillis } from './time.ts';

const moment = '2026-10-02T08:15:00.000Z';

test.each([
  '2026-10-02 08:15:00.000 UTC',
  '2026-10-02 08:15 GMT',
  '2026-10-02T10:15:00+02:00',
  '2026-10-02 03:15:00 -0500',
  'Fri, 02 Oct 2026 08:15:00 GMT',
  'Fri, 2 Oct 2026 10:15:00 +0200',
  '2 Oct 2026, 08:15',
  '2-Oct-2026 08:15:00',
  '2 October 2026 at 8:15 am',
  'Oct 2, 2026, 8:15 AM',
  'Friday, October 2, 2026 08:15 UTC',
  '1790928900',
  '1790928900000',
])('a time may be written as %s', (text) => {
  expect(new Date(toMillis(text) ?? 0).toISOString()).toBe(moment);
});

test.each([
  ['12 at night and at noon', '2 Oct 2026, 12:05 AM', '2026-10-02T00:05:00.000Z'],
  ['no separators', '20261002T081500+0200', '2026-10-02T06:15:00.000Z'],
  ['the day of the year', '2026-275T08:15Z', '2026-10-02T08:15:00.000Z'],
  ['the day of the week', '2026-W40-5T08:15:00Z', '2026-10-02T08:15:00.000Z'],
  ['a fraction of a minute', '2026-10-02T08:15.25Z', '2026-10-02T08:15:15.000Z'],
  ['a fraction of an hour', '20261002T08,5+0200', '2026-10-02T06:30:00.000Z'],
  ['a day alone', 'Oct 2, 2026', '2026-10-02T00:00:00.000Z'],
  ['a day with a zone', '2026-10-02 UTC', '2026-10-02T00:00:00.000Z'],
])('%s', (_name, text, wanted) => {
  expect(new Date(toMillis(text) ?? 0).toISOString()).toBe(wanted);
});

test.each([
  '10/02/2026 08:15',
  '02.10.2026',
  '2 Oct 2026, 25:15',
  'Sat 3 at the gate',
  'Octopus 2, 2026',
  'week 40 of 2026',
  '2026-10-02 08:15 PM UTC',
])('%s cannot be read as a time for sure', (text) => {
  expect(toMillis(text)).toBeUndefined();
});

test('a time with the name of its zone or month is not ISO 8601', () => {});

test('a time is written as toISOString writes it', () => {
  const year = 366 * 24 * 60 * 60 * 1000;
  const times = fc.oneof(fc.integer({ min: -5000 * year, max: 9000 * year }), fc.integer());
  fc.assert(
    fc.property(times, (at) => {
      expect(isoTime(at)).toBe(new Date(at).toISOString());
    }),
  );
});
