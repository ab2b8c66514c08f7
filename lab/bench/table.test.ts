import { expect, test } from 'vitest';
import { known } from './known.ts';
import { methods } from './methods.ts';
import { benchMd, measuredOf, recordedOf, regressions } from './table.ts';

const rows = {
  bare: { what: 'a list', unit: 'of bare', least: 0.8 },
  start: { what: 'a start', unit: '× bare', most: 2 },
  peer: { what: 'a list', unit: '× a peer' },
};
const figures = (bare: number, start: number) => ({
  bare: { samples: [bare, bare + 0.1, bare - 0.1], madeOf: '5/s and 7/s' },
  start: { samples: [start] },
});
const found = (bare: number, start: number) => measuredOf('example', rows, figures(bare, start));

test('the table has each figure with its spread, its bar and the result', () => {
  const peer = { missing: 'peer IS NOT INSTALLED' };
  const all = measuredOf('example', rows, { ...figures(0.7, 1.5), peer });
  const text = benchMd('on a machine', all, []);
  expect(text).toContain('1 bars are met, 1 are not; 1 rows could not run.');
  expect(text.split('\n').filter((line) => line.startsWith('| a '))).toEqual([
    '| a list | 0.7 of bare (0.6 to 0.8) | ≥ 0.8 | **no** | 5/s and 7/s |',
    '| a start | 1.5 × bare | ≤ 2 | yes |  |',
    '| a list | **COULD NOT RUN: peer IS NOT INSTALLED** |  | | |',
  ]);
});

test('the short form finds figures below 0.8 of their record, in both directions', () => {
  const recorded = recordedOf(found(0.7, 1.5));
  expect(recorded).toEqual({ 'example.bare': 0.7, 'example.start': 1.5 });
  expect(regressions(found(0.5, 1.8), recorded)).toEqual([]);
  expect(regressions(found(0.4, 2), recorded)).toEqual([
    'example.bare is 0.5 at best, was 0.7: 0.71 of that',
    'example.start is 2 at best, was 1.5: 0.75 of that',
  ]);
});

test('a row that was never recorded, or could not run, does not pass', () => {
  expect(regressions(found(1, 1), { 'example.bare': 1 })).toEqual([
    'example.start was never recorded: run npm run bench',
  ]);
  const failed = measuredOf('example', rows, { bare: { missing: 'no answer' } });
  expect(regressions(failed, {})).toEqual(['example.bare could not run: no answer']);
});

test('measures.yaml names existing functions, and each row has a description', () => {
  const wanted = Object.values(known.measures).map(({ method }) => method);
  expect(Object.keys(methods)).toEqual(expect.arrayContaining(wanted));
  const said = { what: expect.any(String), unit: expect.any(String) };
  for (const { rows } of Object.values(known.measures)) {
    for (const row of Object.values(rows)) expect(row).toMatchObject(said);
  }
});
