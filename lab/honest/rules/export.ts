/** The exported audit log: any columns, in any order, for the events that it holds. */

import { readCsv } from '../../../conformance/answers/csv.ts';
import { toMillis } from '../../../spec/base/time.ts';
import { isServed, otherCall } from '../../deviations/wire.ts';
import { serves, type Variant } from '../variant.ts';

type Row = readonly string[];
/** A header, and the rows under it; `all` are those of the whole export. */
interface Sheet {
  readonly header: Row;
  readonly rows: readonly Row[];
  readonly all: readonly Row[];
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const plain = (cell: string): string => (/[",\r\n]/.test(cell) ? quoted(cell) : cell);

type Writes = (records: readonly Row[]) => string;
const written: Writes = (records) =>
  records.map((row) => `${row.map(plain).join(',')}\r\n`).join('');

/** Changes the sheet; it is made of the event alone, whatever is filtered by. */
const sheet = (
  kind: string,
  ground: string,
  slot: string,
  change: (sheet: Sheet) => readonly Row[],
  write: Writes = written,
): Variant => ({
  id: `export:${kind}`,
  ground,
  slot: `export:${slot}`,
  does: serves('exportAuditLogs', async (reply, call, next) => {
    if (typeof reply.body !== 'string') return undefined;
    const { header, rows } = readCsv(reply.body);
    if (header === null) return undefined;
    const whole = await next(otherCall(call, { query: {} }));
    // A limit of calls holds for this one as well.
    if (!isServed(whole)) return whole;
    const { rows: all } = readCsv(typeof whole.body === 'string' ? whole.body : '');
    return { ...reply, body: write(change({ header, rows, all })) };
  }),
});

/** Columns by what they hold: names differ from tenant to tenant. */
const columnsOf = ({ header, all }: Sheet, holds: RegExp): number[] =>
  header.flatMap((_, at) =>
    all.length > 0 && all.every((row) => holds.test(row[at] ?? '')) ? [at] : [],
  );
const emails = /^[^@\s]+@\S+$/;
const eventColumn = ({ header }: Sheet): number =>
  header.findIndex((name) => /event|action|type/i.test(name));
const timeColumns = ({ header, all }: Sheet): number[] =>
  header.flatMap((_, at) =>
    all.length > 0 && all.every((row) => toMillis(row[at] ?? '') !== undefined) ? [at] : [],
  );

const withColumn = (
  it: Sheet,
  name: string,
  cell: (row: Row, at: number) => string,
): readonly Row[] => [[...it.header, name], ...it.rows.map((row, at) => [...row, cell(row, at)])];
const without = (it: Sheet, gone: readonly number[]): readonly Row[] =>
  [it.header, ...it.rows].map((row) => row.filter((_, at) => !gone.includes(at)));
const rewritten = (
  it: Sheet,
  columns: readonly number[],
  change: (cell: string) => string,
): readonly Row[] => [
  it.header,
  ...it.rows.map((row) => row.map((cell, at) => (columns.includes(at) ? change(cell) : cell))),
];

/** The event before this one in the whole log. */
const before = ({ all }: Sheet, row: Row): Row | undefined =>
  all[all.findIndex((one) => same(one, row)) - 1];
const same = (a: Row, b: Row): boolean => a.every((cell, at) => cell === b[at]);
const common = ({ all }: Sheet, at: number): string => {
  const counts = Map.groupBy(all, (row) => row[at] ?? '');
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
};

const layout = 'AUDIT-14';
const columns: readonly Variant[] = [
  sheet('columns the other way round', layout, 'columns', ({ header, rows }) =>
    [header, ...rows].map((row) => row.toReversed()),
  ),
  sheet('each column twice', layout, 'columns', ({ header, rows }) => [
    [...header, ...header.map((name) => `${name}_raw`)],
    ...rows.map((row) => [...row, ...row]),
  ]),
  sheet('two columns of one name', layout, 'columns', (it) =>
    withColumn(it, it.header[0] ?? '', () => ''),
  ),
  sheet('an event in one cell beside its columns', layout, 'columns', (it) =>
    withColumn(it, 'payload', (row) =>
      JSON.stringify(Object.fromEntries(it.header.map((name, at) => [name, row[at]]))),
    ),
  ),
  sheet('an event in one cell alone', layout, 'columns', ({ header, rows }) => [
    ['event'],
    ...rows.map((row) => [
      JSON.stringify(Object.fromEntries(header.map((name, at) => [name, row[at]]))),
    ]),
  ]),
  sheet('a sentence with the email', layout, 'columns', (it) =>
    withColumn(
      it,
      'summary',
      (row) => `${row.find((cell) => emails.test(cell)) ?? 'Somebody'} did ${row[eventColumn(it)]}`,
    ),
  ),
  sheet('the event before', layout, 'columns', (it) =>
    withColumn(it, 'previous', (row) => before(it, row)?.[eventColumn(it)] ?? ''),
  ),
  sheet('the email of somebody else', layout, 'columns', (it) =>
    withColumn(
      it,
      'on_behalf_of',
      (row) => before(it, row)?.find((cell) => emails.test(cell)) ?? '',
    ),
  ),
  sheet('the owner of the account', layout, 'columns', (it) =>
    withColumn(it, 'account_owner', () => common(it, columnsOf(it, emails)[0] ?? 0)),
  ),
  sheet('the most common event in each row', layout, 'columns', (it) =>
    withColumn(it, 'category', () => common(it, eventColumn(it))),
  ),
  sheet('a time that is not the event’s', layout, 'columns', (it) =>
    withColumn(
      it,
      'member_since',
      (row) => `20${10 + ((row[0] ?? '').length % 9)}-03-01T00:00:00.000Z`,
    ),
  ),
  sheet('a time of the export', layout, 'columns', (it) =>
    withColumn(it, 'exported_at', () => new Date().toISOString()),
  ),
  sheet('an empty column', layout, 'columns', (it) => withColumn(it, '', () => '')),
  sheet('no email', layout, 'columns', (it) => without(it, columnsOf(it, emails))),
  sheet('no event name', layout, 'columns', (it) => without(it, [eventColumn(it)])),
  sheet('no time', layout, 'columns', (it) => without(it, timeColumns(it))),
  sheet('times alone', layout, 'columns', (it) =>
    without(
      it,
      it.header.map((_, at) => at).filter((at) => !timeColumns(it).includes(at)),
    ),
  ),
  sheet('no header', layout, 'columns', ({ rows }) => rows),
];

const cells: readonly Variant[] = [
  sheet('emails in capitals', layout, 'emails', (it) =>
    rewritten(it, columnsOf(it, emails), (cell) => cell.toUpperCase()),
  ),
  sheet('emails with a name', layout, 'emails', (it) =>
    rewritten(it, columnsOf(it, emails), (cell) => `${cell.split('@')[0]} <${cell}>`),
  ),
  sheet('emails hidden', layout, 'emails', (it) =>
    rewritten(it, columnsOf(it, emails), (cell) => `${cell[0]}***@${cell.split('@')[1]}`),
  ),
  sheet('emails as numbers', layout, 'emails', (it) =>
    rewritten(it, columnsOf(it, emails), (cell) =>
      String([...cell].reduce((sum, sign) => sum * 3 + sign.charCodeAt(0), 0) % 99_991),
    ),
  ),
  sheet('event names for people', 'AUDIT-15', 'names', (it) =>
    rewritten(
      it,
      [eventColumn(it)],
      (cell) => `User action: ${cell.replaceAll(/([A-Z])/g, ' $1').toLowerCase()}`,
    ),
  ),
  sheet('event names in capitals', 'AUDIT-15', 'names', (it) =>
    rewritten(it, [eventColumn(it)], (cell) => cell.toUpperCase()),
  ),
];

const moment = (text: string): Date => new Date(toMillis(text) ?? 0);
const forms: Readonly<Record<string, (time: Date) => string>> = {
  seconds: (time) => String(Math.floor(time.getTime() / 1000)),
  milliseconds: (time) => String(time.getTime()),
  basic: (time) => time.toISOString().replaceAll(/[-:]|\.\d+/g, ''),
  spaced: (time) => time.toISOString().slice(0, 19).replace('T', ' '),
  'RFC 9110': (time) => time.toUTCString(),
  'for people': (time) =>
    time.toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' }),
  American: (time) => time.toLocaleString('en-US', { timeZone: 'UTC' }),
  'of another zone': (time) =>
    `${new Date(time.getTime() - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`,
};
const times = Object.entries(forms).map(([form, spell]) =>
  sheet(`times ${form}`, layout, 'times', (it) =>
    rewritten(it, timeColumns(it), (cell) => spell(moment(cell))),
  ),
);

const rows: readonly Variant[] = [
  sheet('newest first', 'PAGE-10', 'rows', ({ header, rows: own }) => [
    header,
    ...own.toReversed(),
  ]),
  sheet('rows by another column', 'PAGE-10', 'rows', ({ header, rows: own }) => [
    header,
    ...own.toSorted((a, b) => (a.toReversed().join() < b.toReversed().join() ? -1 : 1)),
  ]),
];

const spelling: readonly Variant[] = [
  sheet(
    'each field in quotes',
    'RFC 4180 section 2 (5)',
    'spelling',
    ({ header, rows: own }) => [header, ...own],
    (records) => records.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''),
  ),
  sheet(
    'no line break at the end',
    'RFC 4180 section 2 (2)',
    'spelling',
    ({ header, rows: own }) => [header, ...own],
    (records) => written(records).replace(/\r\n$/, ''),
  ),
  sheet('nothing if there is no event', layout, 'spelling', ({ header, rows: own }) =>
    own.length === 0 ? [] : [header, ...own],
  ),
];

export const exportVariants: readonly Variant[] = [
  ...columns,
  ...cells,
  ...times,
  ...rows,
  ...spelling,
];
