/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */
import { by, fromTime } from '../../deviations/conditions.ts';
import { type Does, type Done, given, type When } from '../../deviations/does.ts';
import { accepts, asAdmin, refuses } from '../../deviations/refusals.ts';
import { body, header } from '../../deviations/replies.ts';
import { ignores, reads, sees, sends, sendsNo } from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import { isServed, otherCall } from '../../deviations/wire.ts';

type Lines = readonly string[];
const DAY_MS = 86_400_000;

// ── a file of records ───────────────────────────────────────────────────────────

interface File {
  readonly head: string;
  readonly rows: Lines;
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
const written = (records: Lines) => records.map((record) => `${record}\r\n`).join('');

function fileOf(text: unknown): File {
  const [head = '', ...rows] = split(String(text), '\r\n').slice(0, -1);
  return { head, rows };
}

const rewrites = (change: (file: File, done: Done) => string | Promise<string>): Does =>
  body((text, done) => change(fileOf(text), done));
/** Keeps other rows. */
const keeps = (choose: (rows: Lines, done: Done) => Lines | Promise<Lines>): Does =>
  rewrites(async ({ head, rows }, done) => written([head, ...(await choose(rows, done))]));
const eachRow = (change: (row: string, index: number, rows: Lines) => string): Does =>
  keeps((rows) => rows.map(change));
const eachField = (change: (text: string) => string): Does =>
  eachRow((row) => fieldsOf(row).map(change).join(','));

/** Lines of the same call without these filters. */
async function rowsWithout({ call, target }: Done, ...names: readonly string[]): Promise<Lines> {
  const query = { ...call.query, ...Object.fromEntries(names.map((name) => [name, undefined])) };
  return fileOf((await target.handle(otherCall(call, { query }))).body).rows;
}

// ── single filters ──────────────────────────────────────────────────────────────

/** Which rows there are instead of those that a filter keeps, of all that there would be without it. */
type Choose = (kept: Lines, all: Lines, wanted: string) => Lines;
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
const inAnAddress: Choose = (kept, _all, word) =>
  kept.filter((row) => emailOf(row).toLowerCase().includes(word.toLowerCase()));

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

const ofFilter = (name: string, filter: string, breaks: string): Rows => ({
  [breaks]: {
    [`${name}-ignored`]: ignores(filter),
    [`${name}-honoured-once`]: given(sends(filter), given(fromTime(2), ignores(filter))),
  },
});
const ofBound = (name: string, other: string, breaks: string): readonly Rows[] => [
  ofFilter(name, name, breaks),
  {
    [breaks]: {
      [`${name}-two-days-early`]: shifts(name, -2),
      [`${name}-two-days-late`]: shifts(name, 2),
      [`${name}-as-${other}`]: takenFor(name, other),
      [`${name}-dropped-beside-${other}`]: given(sends(other), ignores(name)),
    },
  },
];
const ofText = (name: string, filter: string, breaks: string): readonly Rows[] => [
  ofFilter(name, filter, breaks),
  {
    [breaks]: {
      [`${name}-of-nothing-gives-all`]: where(filter, (kept, all) =>
        kept.length === 0 ? all : kept,
      ),
      [`${name}-loses-the-last`]: where(filter, (kept) => kept.slice(0, -1)),
      [`${name}-loses-the-first`]: where(filter, (kept) => kept.slice(1)),
      [`${name}-lets-one-in`]: where(filter, (kept, ...more) => [
        ...kept,
        ...others(kept, ...more).slice(0, 1),
      ]),
      [`${name}-inverted`]: where(filter, others),
    },
  },
];
/** Passes over filters where another one is sent as well. */
const drops = (beside: string, ...dropped: readonly string[]) =>
  given(sends(beside), ignores(...dropped));
const either = given(
  sends('eventName', 'userEmail'),
  keeps(async (_rows, done) => {
    const [ofUser, ofType] = [
      await rowsWithout(done, 'eventName'),
      await rowsWithout(done, 'userEmail'),
    ];
    const all = await rowsWithout(done, 'eventName', 'userEmail');
    return all.filter((row) => ofUser.includes(row) || ofType.includes(row));
  }),
);

// ── the file ────────────────────────────────────────────────────────────────────

const unquoted = (unless: RegExp, when: RegExp) =>
  eachField((text) => (when.test(plain(text)) && !unless.test(plain(text)) ? plain(text) : text));
const INLINE = 'inline; filename="audit-log.csv"';
const inline = (when: When) =>
  given(
    when,
    header('Content-Disposition', (old, { reply }) => (isServed(reply) ? INLINE : old)),
  );
const notAsked = (when: When) =>
  accepts('AUDIT-11', async (done) => ((await when(done)) ? asAdmin(done) : undefined));
const ofOauth = by('oauth', 'memberOauth');

const rows: readonly Rows[] = [
  ...ofBound('start', 'end', 'AUDIT-5'),
  ...ofBound('end', 'start', 'AUDIT-6'),
  ...ofText('search', 'search', 'AUDIT-7'),
  ...ofText('event-name', 'eventName', 'AUDIT-8'),
  ...ofText('user-email', 'userEmail', 'AUDIT-9'),
  {
    'AUDIT-7': {
      'search-in-emails-only': where('search', inAnAddress),
    },
    'AUDIT-5 AUDIT-6': {
      'dates-dropped-beside-search': drops('search', 'start', 'end'),
      'dates-dropped-beside-event-name': drops('eventName', 'start', 'end'),
      'dates-dropped-beside-user-email': drops('userEmail', 'start', 'end'),
    },
    'AUDIT-8 AUDIT-9': {
      'event-name-or-user-email': either,
      'header-again: The header ends the file as if it were an event.': rewrites(
        ({ head, rows: own }) => written([head, ...own, head]),
      ),
    },
    'AUDIT-10': {
      'start-needed': refuses(400, 'AUDIT-10', sendsNo('start')),
      'event-name-needed: Without eventName the export of a period is refused.': given(
        sends('start'),
        refuses(400, 'AUDIT-10', sendsNo('eventName')),
      ),
    },
    'AUDIT-4': {
      'commas-not-quoted: A field with a comma has no quotes.': unquoted(/["\r\n]/, /,/),
    },
    'AUDIT-2': {
      'inline-when-filtered': inline(sends('eventName')),
    },
    'AUDIT-11': {
      'permission-not-asked-of-oauth': notAsked(ofOauth),
    },
  },
];

export const audit = table('audit', ['exportAuditLogs'], rows);
