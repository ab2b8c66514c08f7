/** Files that are no CSV, or no attachment. */
import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { changeAnswer, type Handle } from '../../../deviations/transforms.ts';
import { deviation, FILTERS, queryOf } from './query.ts';
import { fieldsOf, plain, rewrites, written } from './records.ts';

/** Changes the rows as they are written. */
function writes(change: (row: string, index: number, rows: readonly string[]) => string): Handle {
  return rewrites(({ header, rows }) => written([header, ...rows.map(change)]));
}

const middle = (rows: readonly unknown[]) => Math.floor(rows.length / 2);

export const file: readonly Deviation[] = [
  deviation('quotes-not-doubled', 'Quotes inside of a field are not doubled.', ['AUDIT-4'], {
    handle: writes((row) =>
      fieldsOf(row)
        .map((field) => (field.startsWith('"') ? `"${plain(field)}"` : field))
        .join(','),
    ),
    collateral: FILTERS,
  }),
  deviation('commas-not-quoted', 'A field with a comma has no quotes.', ['AUDIT-4'], {
    handle: writes((row) =>
      fieldsOf(row)
        .map((field) => {
          const text = plain(field);
          return text.includes(',') && !/["\r\n]/.test(text) ? text : field;
        })
        .join(','),
    ),
    collateral: FILTERS,
  }),
  deviation('line-breaks-not-quoted', 'A field with a line break has no quotes.', ['AUDIT-4'], {
    handle: writes((row) =>
      fieldsOf(row)
        .map((field) => {
          const text = plain(field);
          return /[\r\n]/.test(text) ? text : field;
        })
        .join(','),
    ),
    collateral: FILTERS,
  }),
  deviation('row-lacks-a-field', 'A row in the middle lacks its last field.', ['AUDIT-4'], {
    handle: writes((row, index, rows) =>
      index === middle(rows) ? fieldsOf(row).slice(0, -1).join(',') : row,
    ),
    collateral: FILTERS,
  }),
  deviation('row-has-a-field-more', 'A row in the middle has one field more.', ['AUDIT-4'], {
    handle: writes((row, index, rows) => (index === middle(rows) ? `${row},` : row)),
    collateral: FILTERS,
  }),
  deviation('last-row-ragged', 'The last row lacks its last field.', ['AUDIT-4'], {
    handle: writes((row, index, rows) =>
      index === rows.length - 1 ? fieldsOf(row).slice(0, -1).join(',') : row,
    ),
    collateral: FILTERS,
  }),
  deviation('empty-end-dropped', 'A last field that is empty is left out.', ['AUDIT-4'], {
    handle: writes((row) => row.replace(/,$/, '')),
    collateral: FILTERS,
  }),
  deviation('file-cut', 'The file ends in the middle of its last row.', ['AUDIT-4'], {
    handle: rewrites(({ header, rows }) => {
      const last = rows.at(-1);
      if (last === undefined) return undefined;
      return written([header, ...rows.slice(0, -1)]) + last.slice(0, Math.ceil(last.length / 3));
    }),
    collateral: FILTERS,
  }),
  deviation('total-at-the-end', 'The file ends with a line that counts its events.', ['AUDIT-4'], {
    handle: rewrites(({ header, rows }) =>
      written([header, ...rows, `${rows.length} events exported`]),
    ),
    collateral: FILTERS,
  }),
  deviation('semicolons', 'Fields are parted by semicolons.', ['AUDIT-4'], {
    handle: rewrites(({ header, rows }) =>
      written(
        [...(header === undefined ? [] : [header]), ...rows].map((row) => fieldsOf(row).join(';')),
      ),
    ),
    collateral: FILTERS,
  }),
  deviation(
    'header-again',
    'The header stands at the end of the file once more, as if it were an event.',
    ['AUDIT-8', 'AUDIT-9'],
    {
      handle: rewrites(({ header, rows }) =>
        header === undefined ? undefined : written([header, ...rows, header]),
      ),
      collateral: FILTERS,
    },
  ),
  deviation('json', 'The file holds JSON, whatever its media type says.', ['AUDIT-1'], {
    handle: rewrites(({ rows }) => JSON.stringify(rows.map((row) => fieldsOf(row).map(plain)))),
    collateral: ['AUDIT-4', ...FILTERS],
  }),
  deviation('inline', 'The file comes to be shown, not as an attachment.', ['AUDIT-2'], {
    handle: disposed(() => true),
  }),
  deviation('inline-when-filtered', 'A filtered export is no attachment.', ['AUDIT-2'], {
    handle: disposed(({ call }) => queryOf(call).eventName !== undefined),
  }),
];

/** Sends the file to be shown. */
function disposed(when: (scene: Scene) => boolean): Handle {
  return changeAnswer((answer, scene) =>
    when(scene)
      ? {
          ...answer,
          headers: {
            ...answer.headers,
            'Content-Disposition': 'inline; filename="audit-log.csv"',
          },
        }
      : undefined,
  );
}
