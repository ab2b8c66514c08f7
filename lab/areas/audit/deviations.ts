/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */
import { by, fromTime } from '../../deviations/conditions.ts';
import { type Does, type Done, given, type When } from '../../deviations/does.ts';
import { accepts, asAdmin, refuses } from '../../deviations/refusals.ts';
import { body, header } from '../../deviations/replies.ts';
import { ignores, reads, sees, sends, sendsNo } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { isServed, otherCall } from '../../deviations/wire.ts';

type Rows = readonly string[];
const DAY_MS = 86_400_000;

// ── a file of records ───────────────────────────────────────────────────────────

interface File {
  readonly head: string;
  readonly rows: Rows;
}

/** The parts of a CSV text up to each of these marks, undivided inside of quotes; then the rest. */
function split(text: string, mark: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith(mark, index)) {
      parts.push(text.slice(start, index));
      start = index + mark.length;
    }
  }
  return [...parts, text.slice(start)];
}

const fieldsOf = (record: string) => split(record, ',');
const plain = (text: string) =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
const valuesOf = (record: string) => fieldsOf(record).map(plain);
const written = (records: Rows) => records.map((record) => `${record}\r\n`).join('');

function fileOf(text: unknown): File {
  const [head = '', ...rows] = split(String(text), '\r\n').slice(0, -1);
  return { head, rows };
}

const rewrites = (change: (file: File, done: Done) => string | Promise<string>): Does =>
  body((text, done) => change(fileOf(text), done));
/** Keeps other rows. */
const keeps = (choose: (rows: Rows, done: Done) => Rows | Promise<Rows>): Does =>
  rewrites(async ({ head, rows }, done) => written([head, ...(await choose(rows, done))]));
const eachRow = (change: (row: string, index: number, rows: Rows) => string): Does =>
  keeps((rows) => rows.map(change));
const eachField = (change: (text: string) => string): Does =>
  eachRow((row) => fieldsOf(row).map(change).join(','));

/** Rows of the same call without these filters. */
async function rowsWithout({ call, target }: Done, ...names: readonly string[]): Promise<Rows> {
  const query = { ...call.query, ...Object.fromEntries(names.map((name) => [name, undefined])) };
  return fileOf((await target.handle(otherCall(call, { query }))).body).rows;
}

// ── single filters ──────────────────────────────────────────────────────────────

/** Which rows there are instead of those that a filter keeps, of all that there would be without it. */
type Choose = (kept: Rows, all: Rows, wanted: string) => Rows;
const where = (filter: string, choose: Choose): Does =>
  given(
    sends(filter),
    keeps(async (kept, done) =>
      choose(kept, await rowsWithout(done, filter), done.call.query[filter] ?? ''),
    ),
  );
const others: Choose = (kept, all) => all.filter((row) => !kept.includes(row));

/** The address of the user, and the event's type, which stands before it. */
function eventOf(row: string): { readonly email: string; readonly type: string } {
  const fields = valuesOf(row);
  const at = fields.findIndex((text) => text.includes('@'));
  return { email: fields[at] ?? '', type: fields[at - 1] ?? '' };
}
const emailOf = (row: string) => eventOf(row).email;
const ofTheDomain: Choose = (_kept, all, email) =>
  all.filter((row) => emailOf(row).endsWith(email.slice(email.indexOf('@'))));
const ofTheFirstLetter: Choose = (kept, all, email) =>
  ofTheDomain(kept, all, email).filter((row) => emailOf(row).startsWith(email.slice(0, 1)));
const inAnAddress: Choose = (kept, _all, word) =>
  kept.filter((row) => emailOf(row).toLowerCase().includes(word.toLowerCase()));
const ofASimilarType: Choose = (_kept, all, type) =>
  all.filter((row) => eventOf(row).type.startsWith(type.slice(0, 1)));

/** Moves a bound by days. Two of them lie beyond every zone of the world. */
const shifts = (bound: string, days: number): Does =>
  reads(bound, (text: string) => {
    const at = Date.parse(text);
    if (Number.isNaN(at)) return text;
    const moved = new Date(at + days * DAY_MS).toISOString();
    return text.includes('T') ? moved : moved.slice(0, 10);
  });
const takenFor = (sent: string, other: string): Does =>
  given(
    sendsNo(other),
    sees(({ [sent]: value, ...rest }) =>
      value === undefined ? undefined : { ...rest, [other]: value },
    ),
  );

const ofFilter = (name: string, filter: string, breaks: string): readonly Row[] => [
  [`${name}-ignored`, breaks, ignores(filter)],
  [`${name}-honoured-once`, breaks, given(sends(filter), given(fromTime(2), ignores(filter)))],
];
const ofBound = (name: string, other: string, breaks: string): readonly Row[] => [
  ...ofFilter(name, name, breaks),
  [`${name}-two-days-early`, breaks, shifts(name, -2)],
  [`${name}-two-days-late`, breaks, shifts(name, 2)],
  [`${name}-as-${other}`, breaks, takenFor(name, other)],
  [`${name}-dropped-beside-${other}`, breaks, given(sends(other), ignores(name))],
];
const ofText = (name: string, filter: string, breaks: string): readonly Row[] => [
  ...ofFilter(name, filter, breaks),
  [`${name}-of-nothing-gives-all`, breaks, where(filter, (kept, all) => (kept.length === 0 ? all : kept))],
  [`${name}-loses-the-last`, breaks, where(filter, (kept) => kept.slice(0, -1))],
  [`${name}-loses-the-first`, breaks, where(filter, (kept) => kept.slice(1))],
  [`${name}-lets-one-in`, breaks, where(filter, (kept, ...more) => [...kept, ...others(kept, ...more).slice(0, 1)])],
  [`${name}-inverted`, breaks, where(filter, others)],
];
/** Passes over filters where another one is sent as well. */
const drops = (beside: string, ...dropped: readonly string[]) =>
  given(sends(beside), ignores(...dropped));
const either = given(
  sends('eventName', 'userEmail'),
  keeps(async (_rows, done) => {
    const [ofUser, ofType] = [await rowsWithout(done, 'eventName'), await rowsWithout(done, 'userEmail')];
    const all = await rowsWithout(done, 'eventName', 'userEmail');
    return all.filter((row) => ofUser.includes(row) || ofType.includes(row));
  }),
);
const noFilter: When = ({ call }) => Object.keys(call.query).length === 0;

// ── the file ────────────────────────────────────────────────────────────────────

const unquoted = (unless: RegExp, when: RegExp) =>
  eachField((text) => (when.test(plain(text)) && !unless.test(plain(text)) ? plain(text) : text));
const quotesNotDoubled = (text: string) => (text.startsWith('"') ? `"${plain(text)}"` : text);
const middle = (change: (row: string) => string): Does =>
  eachRow((row, index, rows) => (index === Math.floor(rows.length / 2) ? change(row) : row));
const ragged = (row: string) => fieldsOf(row).slice(0, -1).join(',');
const cut = rewrites(({ head, rows }) => written([head, ...rows]).slice(0, -Math.ceil((rows.at(-1)?.length ?? 0) / 2) - 2));
const INLINE = 'inline; filename="audit-log.csv"';
const inline = (when: When) =>
  given(when, header('Content-Disposition', (old, { reply }) => (isServed(reply) ? INLINE : old)));
const notAsked = (when: When) =>
  accepts('AUDIT-11', async (done) => ((await when(done)) ? asAdmin(done) : undefined));
const isPeriod: When = ({ call }) => call.query.start !== undefined || call.query.end !== undefined;
const ofOauth = by('oauth', 'memberOauth');

const rows: readonly Row[] = [
  ...ofBound('start', 'end', 'AUDIT-5'),
  ...ofBound('end', 'start', 'AUDIT-6'),
  ...ofText('search', 'search', 'AUDIT-7'),
  ...ofText('event-name', 'eventName', 'AUDIT-8'),
  ...ofText('user-email', 'userEmail', 'AUDIT-9'),
  ['search-in-emails-only', 'AUDIT-7', where('search', inAnAddress)],
  ['search-finds-one', 'AUDIT-7', where('search', (kept) => kept.slice(0, 1))],
  ['event-name-by-first-letter', 'AUDIT-8', where('eventName', ofASimilarType)],
  ['user-email-by-domain', 'AUDIT-9', where('userEmail', ofTheDomain)],
  ['user-email-by-first-letter', 'AUDIT-9', where('userEmail', ofTheFirstLetter)],
  ['dates-dropped-beside-search', 'AUDIT-5 AUDIT-6', drops('search', 'start', 'end')],
  ['dates-dropped-beside-event-name', 'AUDIT-5 AUDIT-6', drops('eventName', 'start', 'end')],
  ['dates-dropped-beside-user-email', 'AUDIT-5 AUDIT-6', drops('userEmail', 'start', 'end')],
  ['user-email-dropped-beside-event-name', 'AUDIT-9', drops('eventName', 'userEmail')],
  ['event-name-dropped-beside-user-email', 'AUDIT-8', drops('userEmail', 'eventName')],
  ['event-name-or-user-email', 'AUDIT-8 AUDIT-9', either],
  ['empty-without-filters', 'AUDIT-10', given(noFilter, keeps(() => []))],
  ['refused-without-filters', 'AUDIT-10', refuses(400, 'AUDIT-10', noFilter)],
  ['start-needed', 'AUDIT-10', refuses(400, 'AUDIT-10', sendsNo('start'))],
  ['end-needed', 'AUDIT-10', refuses(400, 'AUDIT-10', sendsNo('end'))],
  ['event-name-needed: Without eventName the export of a period is refused.', 'AUDIT-10', given(sends('start'), refuses(400, 'AUDIT-10', sendsNo('eventName')))],
  ['quotes-not-doubled', 'AUDIT-4', eachField(quotesNotDoubled)],
  ['commas-not-quoted: A field with a comma has no quotes.', 'AUDIT-4', unquoted(/["\r\n]/, /,/)],
  ['line-breaks-not-quoted', 'AUDIT-4', unquoted(/^$/, /[\r\n]/)],
  ['row-lacks-a-field', 'AUDIT-4', middle(ragged)],
  ['row-has-a-field-more', 'AUDIT-4', middle((row) => `${row},`)],
  ['last-row-ragged', 'AUDIT-4', eachRow((row, index, all) => (index === all.length - 1 ? ragged(row) : row))],
  ['empty-end-dropped', 'AUDIT-4', eachRow((row) => row.replace(/,$/, ''))],
  ['file-cut: The file ends in the middle of its last row.', 'AUDIT-4', cut],
  ['total-at-the-end', 'AUDIT-4', keeps((own) => [...own, `${own.length} events exported`])],
  ['semicolons', 'AUDIT-4', rewrites(({ head, rows: own }) => written([head, ...own].map((row) => fieldsOf(row).join(';'))))],
  ['header-again: The header ends the file as if it were an event.', 'AUDIT-8 AUDIT-9', rewrites(({ head, rows: own }) => written([head, ...own, head]))],
  ['json: The file holds JSON, whatever its media type says.', 'AUDIT-1', rewrites(({ rows: own }) => JSON.stringify(own.map(valuesOf)))],
  ['inline-when-filtered', 'AUDIT-2', inline(sends('eventName'))],
  ['permission-not-asked-of-oauth', 'AUDIT-11', notAsked(ofOauth)],
  ['permission-not-asked-for-a-period', 'AUDIT-11', notAsked(isPeriod)],
  ['permission-of-nobody', 'AUDIT-1', refuses(403, 'AUDIT-11')],
];

export const audit = table('audit', ['exportAuditLogs'], rows);
