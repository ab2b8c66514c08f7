/** Variants of the audit-log export: the same events with other columns, orders and spellings. */
import { readCsv } from '../../../conformance/answers/csv.ts';
import { toMillis } from '../../../spec/base/time.ts';
import { type Call, isServed, otherCall } from '../../deviations/wire.ts';
import { each, lookingAt, refusal, serves, type Variant } from '../variant.ts';

type Row = readonly string[];
/** A header and its rows; `all` are the rows of the unfiltered export. */
interface Sheet {
  readonly header: Row;
  readonly rows: readonly Row[];
  readonly all: readonly Row[];
  /** The query of the export. */
  readonly asked: Call['query'];
  /** The number of earlier exports. */
  readonly count: number;
}
type Change = (sheet: Sheet) => readonly Row[];

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const plain = (cell: string): string => (/[",\r\n]/.test(cell) ? quoted(cell) : cell);
const written = (records: readonly Row[], cell = plain): string =>
  records.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Makes another sheet of the same events. A cell depends only on its event, not on the filter. */
const sheets = (
  slot: string,
  ground: string,
  changes: Readonly<Record<string, Change>>,
  write = written,
) =>
  each({ rule: 'export', slot: `export:${slot}`, ground }, changes, (change) => ({
    does: lookingAt(['exportAuditLogs'], () => {
      let count = 0;
      return serves('exportAuditLogs', async (reply, call, next) => {
        const { header, rows } = readCsv(String(reply.body));
        if (header === null) return undefined;
        const whole = await next(otherCall(call, { query: {} }));
        // This call may also be refused by a rate limit.
        if (!isServed(whole)) return whole;
        const { rows: all } = readCsv(String(whole.body));
        count += 1;
        return { ...reply, body: write(change({ header, rows, all, asked: call.query, count })) };
      })();
    }),
  }));

// ── columns, found by their content: their names differ from tenant to tenant ────────

type Columns = (sheet: Sheet) => readonly number[];
const holding =
  (holds: (cell: string) => boolean): Columns =>
  ({ header, all }) =>
    all.length === 0
      ? []
      : [...header.keys()].filter((at) => all.every((row) => holds(row[at] ?? '')));
const isEmail = (cell: string): boolean => /^[^@\s]+@\S+$/.test(cell);
const emails = holding(isEmail);
const times = holding((cell) => toMillis(cell) !== undefined);
const names: Columns = ({ header }) =>
  [...header.keys()].filter((at) => /event|action/i.test(header[at] ?? '')).slice(0, 1);
const allBut =
  (columns: Columns): Columns =>
  (sheet) =>
    [...sheet.header.keys()].filter((at) => !columns(sheet).includes(at));

const nameOf = (sheet: Sheet, row: Row | undefined): string => row?.[names(sheet)[0] ?? -1] ?? '';
/** The preceding event in the whole log. */
const before = ({ all }: Sheet, row: Row): Row | undefined =>
  all[all.findIndex((one) => one.join() === row.join()) - 1];
const common = ({ all }: Sheet, [at = -1]: readonly number[]): string => {
  const counts = Map.groupBy(all, (row) => row[at] ?? '');
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
};
const inOne = ({ header }: Sheet, row: Row): string =>
  JSON.stringify(Object.fromEntries(header.map((name, at) => [name, row[at]])));

/** More columns that repeat, contain or resemble the filtered value. */
const more: Readonly<Record<string, (row: Row, sheet: Sheet) => string>> = {
  'an empty column': () => '',
  'an event in one cell next to its columns': (row, sheet) => inOne(sheet, row),
  'a sentence with the email': (row, sheet) => `${row.find(isEmail)} did ${nameOf(sheet, row)}`,
  'the event before': (row, sheet) => nameOf(sheet, before(sheet, row)),
  'the email of somebody else': (row, sheet) => before(sheet, row)?.find(isEmail) ?? '',
  'the owner of the account': (_, sheet) => common(sheet, emails(sheet)),
  'the most common event in each row': (_, sheet) => common(sheet, names(sheet)),
  'a time that is not of the event': ([first = '']) =>
    `20${10 + (first.length % 9)}-03-01T00:00:00.000Z`,
  'a time of the export': () => new Date().toISOString(),
  // The value stays the same for some exports, as in a column with the minute of the export.
  'the number of the export, in fives': (_, { count }) => String(Math.floor(count / 5)),
  'the filter that was asked for': (_, { asked }) => JSON.stringify(asked),
  'the value that was asked for': (_, { asked }) =>
    asked.eventName ?? asked.userEmail ?? asked.search ?? '',
};
const added = Object.entries(more).map(([kind, cell]): [string, Change] => [
  kind,
  (sheet) => [[...sheet.header, kind], ...sheet.rows.map((row) => [...row, cell(row, sheet)])],
]);

const less: Readonly<Record<string, Columns>> = {
  'no email': emails,
  'no event name': names,
  'no time': times,
  'times alone': allBut(times),
};
const removed = Object.entries(less).map(([kind, columns]): [string, Change] => [
  kind,
  (sheet) => {
    const gone = columns(sheet);
    return [sheet.header, ...sheet.rows].map((row) => row.filter((_, at) => !gone.includes(at)));
  },
]);

const layouts: Readonly<Record<string, Change>> = {
  ...Object.fromEntries([...added, ...removed]),
  'columns the other way round': ({ header, rows }) =>
    [header, ...rows].map((row) => row.toReversed()),
  'each column twice': ({ header, rows }) => [header, ...rows].map((row) => [...row, ...row]),
  'an event in one cell alone': (sheet) => [
    ['event'],
    ...sheet.rows.map((row) => [inOne(sheet, row)]),
  ],
  'no header': ({ rows }) => rows,
};

// ── cells ───────────────────────────────────────────────────────────────────────

const cells = (columns: Columns, spellings: Readonly<Record<string, (cell: string) => string>>) =>
  Object.fromEntries(
    Object.entries(spellings).map(([kind, spell]): [string, Change] => [
      kind,
      (sheet) => {
        const own = columns(sheet);
        const spelt = (row: Row): Row =>
          row.map((cell, at) => (own.includes(at) ? spell(cell) : cell));
        return [sheet.header, ...sheet.rows.map(spelt)];
      },
    ]),
  );
const at = (spell: (time: Date) => string) => (cell: string) =>
  spell(new Date(toMillis(cell) ?? 0));

const spelt = [
  ...sheets(
    'emails',
    'AUDIT-14',
    cells(emails, {
      'emails in capitals': (cell) => cell.toUpperCase(),
      'emails with a name': (cell) => `${cell.split('@')[0]} <${cell}>`,
      'emails hidden': (cell) => `${cell[0]}***@${cell.split('@')[1]}`,
      'emails as numbers': (cell) =>
        String([...cell].reduce((sum, sign) => sum * 3 + sign.charCodeAt(0), 0) % 99_991),
    }),
  ),
  ...sheets(
    'names',
    'AUDIT-15',
    cells(names, {
      'event names for people': (cell) =>
        `User: ${cell.replaceAll(/([A-Z])/g, ' $1').toLowerCase()}`,
      'event names in capitals': (cell) => cell.toUpperCase(),
    }),
  ),
  ...sheets(
    'times',
    'AUDIT-14',
    cells(times, {
      'times seconds': at((time) => String(Math.floor(time.getTime() / 1000))),
      'times milliseconds': at((time) => String(time.getTime())),
      'times basic': at((time) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '')),
      'times spaced': at((time) => time.toISOString().slice(0, 19).replace('T', ' ')),
      'times RFC 9110': at((time) => time.toUTCString()),
      'times for people': at((time) =>
        time.toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'medium' }),
      ),
      'times American': at((time) => time.toLocaleString('en-US', { timeZone: 'UTC' })),
      'times of another zone': at(
        (time) => `${new Date(time.getTime() - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`,
      ),
    }),
  ),
];

const lastFirst = (a: Row, b: Row): number =>
  a.toReversed().join() < b.toReversed().join() ? -1 : 1;
const whole: Change = ({ header, rows }) => [header, ...rows];

const spellings: Readonly<Record<string, (text: string) => string>> = {
  'lines that end as on Unix': (text) => text.replaceAll('\r\n', '\n'),
  'lines that end with CR': (text) => text.replaceAll('\r\n', '\r'),
  'with a byte order mark': (text) => `\ufeff${text}`,
  'with a mark, and lines as on Unix': (text) => `\ufeff${text.replaceAll('\r\n', '\n')}`,
};

/** Searches that read only some columns. The last column contains the tenant file's search word. */
const searches: Readonly<Record<string, Columns>> = {
  'a search reads the last column alone': ({ header }) => [header.length - 1],
  'a search does not read emails': allBut(emails),
  'a search does not read event names': allBut(names),
};
const searched = sheets(
  'search',
  'AUDIT-27',
  Object.fromEntries(
    Object.entries(searches).map(([kind, columns]): [string, Change] => [
      kind,
      (sheet) => {
        const word = sheet.asked.search?.toLowerCase() ?? '';
        const read = columns(sheet);
        const isFound = (row: Row): boolean =>
          read.some((at) => row[at]?.toLowerCase().includes(word));
        return [sheet.header, ...sheet.rows.filter(isFound)];
      },
    ]),
  ),
);

/** The answer to a filter by an event type or a user that no event has. */
const unknown = each(
  { rule: 'export of nothing', ground: 'AUDIT-28' },
  [400, 404, 409, 422],
  (status) => ({
    does: serves('exportAuditLogs', (reply, call) => {
      const { eventName, userEmail } = call.query;
      const isNamed = (eventName ?? userEmail) !== undefined;
      return isNamed && readCsv(String(reply.body)).rows.length === 0
        ? refusal(call, status)
        : undefined;
    }),
  }),
);

export const exportVariants: readonly Variant[] = [
  ...searched,
  ...unknown,
  ...sheets('layout', 'AUDIT-14', layouts),
  ...spelt,
  ...sheets('rows', 'PAGE-10', {
    'newest first': ({ header, rows }) => [header, ...rows.toReversed()],
    'rows otherwise each time': ({ header, rows, count }) => [
      header,
      ...rows.slice(count % (rows.length || 1)),
      ...rows.slice(0, count % (rows.length || 1)),
    ],
    'rows by another column': ({ header, rows }) => [header, ...rows.toSorted(lastFirst)],
  }),
  ...sheets('spelling', 'RFC 4180 section 2 (5)', { 'each field in quotes': whole }, (records) =>
    written(records, quoted),
  ),
  ...sheets(
    'spelling',
    'RFC 4180 section 2 (2)',
    { 'no line break at the end': whole },
    (records) => written(records).replace(/\r\n$/, ''),
  ),
  ...Object.entries(spellings).flatMap(([kind, spell]) =>
    sheets('spelling', 'AUDIT-14; no sentence says how lines end', { [kind]: whole }, (records) =>
      spell(written(records)),
    ),
  ),
  ...sheets('spelling', 'AUDIT-14', {
    'nothing if there is no event': ({ header, rows }) =>
      rows.length === 0 ? [] : [header, ...rows],
  }),
];
