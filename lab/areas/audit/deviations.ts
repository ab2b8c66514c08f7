/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */

import { exportAuditLogs } from '../../../mock/areas/audit/handler.ts';
import { findAndHandle } from '../../../mock/pipeline/binding.ts';
import type { Call } from '../../../mock/pipeline/call.ts';
import { answers } from '../../deviations/answers.ts';
import { type Does, onAnswer, onHandling, replyOf, type Scene } from '../../deviations/does.ts';
import { withHeader } from '../../deviations/from-responses.ts';
import { count } from '../../deviations/memory.ts';
import { accepts, refuses as refusesAt, refusesOnce } from '../../deviations/refusals.ts';
import { type Deviation, rowsOf, wrongIn } from '../../deviations/rows.ts';
import { omit, sending, trialOf } from '../../deviations/sent.ts';

type Filter = 'start' | 'end' | 'search' | 'eventName' | 'userEmail';
type Query = Readonly<Partial<Record<Filter, string>>>;
type Rows = readonly string[];

const { sentOf: queryOf, sees, reads, ignores, refuses } = sending<Query>();

/** A file, as its records are written. */
interface File {
  /** Undefined where AUDIT-14 leaves it out. */
  readonly header: string | undefined;
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

/** Fields of a record as they are written, with their quotes. */
const fieldsOf = (record: string) => split(record, ',');

function fileOf(text: string, call: Call): File {
  const records = split(text, '\r\n').slice(0, -1);
  return call.peek('AUDIT-14') === 'no-header'
    ? { header: undefined, rows: records }
    : { header: records[0], rows: records.slice(1) };
}

function plain(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

/** Fields of a record as they are meant. */
const valuesOf = (record: string) => fieldsOf(record).map(plain);

function written(records: readonly (string | undefined)[]): string {
  return records.flatMap((record) => (record === undefined ? [] : [`${record}\r\n`])).join('');
}

/** Changes the text of the file. A stream is read once only, so the handler is asked again. */
const rewrites = (change: (file: File, scene: Scene) => string | undefined): Does =>
  onHandling((next, scene) => {
    const honest = next();
    const file = replyOf(honest);
    if (file?.stream === undefined) return honest;
    const own = [...file.stream].join('');
    const text = change(fileOf(own, scene.call), scene) ?? own;
    return text === own ? next() : { ...file, stream: [text] };
  });

/** Keeps some of the rows. */
const keeps = (choose: (rows: Rows, scene: Scene) => Rows): Does =>
  rewrites(({ header, rows }, scene) => written([header, ...choose(rows, scene)]));

/** Writes each row in another way. */
const writesRows = (change: (row: string, index: number, rows: Rows) => string): Does =>
  keeps((rows) => rows.map(change));

/** Writes some of the fields of each row in another way. */
const writesFields = (change: (field: string) => string): Does =>
  writesRows((row) => fieldsOf(row).map(change).join(','));

/** Rows of the same call with other filters. */
function exported(call: Call, query: Query): Rows {
  const reply = replyOf(findAndHandle(exportAuditLogs, trialOf(call, query)));
  return fileOf([...(reply?.stream ?? [])].join(''), call).rows;
}

export const audit: Deviation[] = [];
const breaking = rowsOf(audit, 'audit', ['exportAuditLogs']);

const DAY_MS = 86_400_000;

// ── headers of the file ─────────────────────────────────────────────────────────

const DISPOSITION = 'Content-Disposition';
const INLINE = 'inline; filename="audit-log.csv"';

/** Sends the file to be shown. */
const inline = (when: (scene: Scene) => boolean): Does =>
  answers((reply, scene) => (when(scene) ? withHeader(reply, DISPOSITION, INLINE) : undefined));

/** The file comes with another header, or without it. */
const headed = (name: string, text: string, breaks: string, header: string, value?: string) =>
  wrongIn('exportAuditLogs')(
    ['header', name],
    `the file ${text}`,
    [breaks],
    onAnswer((reply) => withHeader(reply, header, value)),
  );

const plainText = 'text/plain; charset=utf-8';
const octets = 'application/octet-stream';

audit.push(
  headed('no-disposition', 'comes without Content-Disposition', 'AUDIT-2', DISPOSITION),
  headed('inline', 'comes inline', 'AUDIT-2', DISPOSITION, INLINE),
  headed('plain', 'calls itself text/plain', 'AUDIT-3', 'Content-Type', plainText),
  headed('octets', `calls itself ${octets}`, 'AUDIT-3', 'Content-Type', octets),
);

// ── single filters ──────────────────────────────────────────────────────────────

/** Passes over a filter from its second use on. */
const honoursOnce = (filter: Filter): Does =>
  ignores(
    [filter],
    (query, { memory }) => query[filter] !== undefined && count(memory, filter) >= 2,
  );

/** Moves a bound by days. Two of them lie beyond every zone of the world. */
const shifts = (bound: 'start' | 'end', days: number): Does =>
  reads(bound, (text) => {
    const at = Date.parse(text);
    if (Number.isNaN(at)) return text;
    const moved = new Date(at + days * DAY_MS).toISOString();
    return text.includes('T') ? moved : moved.slice(0, 10);
  });

/** Takes one bound for the other, where that is not sent. */
const takesFor = (sent: 'start' | 'end', other: 'start' | 'end'): Does =>
  sees((query) =>
    query[sent] === undefined || query[other] !== undefined
      ? undefined
      : { ...omit(query, sent), [other]: query[sent] },
  );

/** Which rows there are instead of those that a filter keeps, of all that there would be without it. */
type Choose = (kept: Rows, all: () => Rows, wanted: string) => Rows;

/** Other rows where a filter is sent. */
const where = (filter: Filter, choose: Choose): Does =>
  keeps((rows, { call }) => {
    const query = queryOf(call);
    const { [filter]: wanted } = query;
    const all = () => exported(call, omit(query, filter));
    return wanted === undefined ? rows : choose(rows, all, wanted);
  });

const allWhereNone: Choose = (kept, all) => (kept.length === 0 ? all() : kept);
const allButThese: Choose = (kept, all) => all().filter((row) => !kept.includes(row));
const oneMore: Choose = (kept, ...more) => [...kept, ...allButThese(kept, ...more).slice(0, 1)];
const allButTheLast: Choose = (kept) => kept.slice(0, -1);

/** The address of the user, and the event's type, which stands before it. */
function eventOf(row: string): { readonly email: string; readonly type: string } {
  const fields = valuesOf(row);
  const at = fields.findIndex((field) => field.includes('@'));
  return { email: fields[at] ?? '', type: fields[at - 1] ?? '' };
}

const ofTheDomain: Choose = (_kept, all, email) =>
  all().filter((row) => eventOf(row).email.endsWith(email.slice(email.indexOf('@'))));

const ofTheFirstLetter: Choose = (kept, all, email) =>
  ofTheDomain(kept, all, email).filter((row) => eventOf(row).email.startsWith(email.slice(0, 1)));

const inAnAddress: Choose = (kept, _all, word) =>
  kept.filter((row) => eventOf(row).email.toLowerCase().includes(word.toLowerCase()));

const ofASimilarType: Choose = (_kept, all, type) =>
  all().filter((row) => eventOf(row).type.startsWith(type.slice(0, 1)));

breaking(['AUDIT-5'], {
  'start-ignored: start is passed over.': ignores(['start']),
  'start-honoured-once: start counts once, and never again.': honoursOnce('start'),
  'start-two-days-early: Events up to two days before start are let in.': shifts('start', -2),
  'start-two-days-late: Events of the first two days are left out.': shifts('start', 2),
  'start-as-end: start leaves out the events after it.': takesFor('start', 'end'),
});
breaking(['AUDIT-6'], {
  'end-ignored: end is passed over.': ignores(['end']),
  'end-honoured-once: end counts once, and never again.': honoursOnce('end'),
  'end-two-days-late: Events up to two days after end are let in.': shifts('end', 2),
  'end-two-days-early: Events of the last two days are left out.': shifts('end', -2),
  'end-as-start: end leaves out the events before it.': takesFor('end', 'start'),
});
breaking(['AUDIT-7'], {
  'search-ignored: search is passed over.': ignores(['search']),
  'search-honoured-once: search counts once, and never again.': honoursOnce('search'),
  'search-in-emails-only': where('search', inAnAddress),
  'search-of-nothing-finds-all': where('search', allWhereNone),
  'search-loses-the-last': where('search', allButTheLast),
  'search-finds-one': where('search', (kept) => kept.slice(0, 1)),
  'search-inverted': where('search', allButThese),
});
breaking(['AUDIT-8'], {
  'event-name-ignored: eventName is passed over.': ignores(['eventName']),
  'event-name-honoured-once': honoursOnce('eventName'),
  'event-name-by-first-letter': where('eventName', ofASimilarType),
  'event-name-unknown-gives-all': where('eventName', allWhereNone),
  'event-name-loses-the-last': where('eventName', allButTheLast),
  'event-name-lets-one-in: One event of another type is let in.': where('eventName', oneMore),
  'event-name-inverted': where('eventName', allButThese),
});
breaking(['AUDIT-9'], {
  'user-email-ignored: userEmail is passed over.': ignores(['userEmail']),
  'user-email-honoured-once': honoursOnce('userEmail'),
  'user-email-by-domain': where('userEmail', ofTheDomain),
  'user-email-by-first-letter': where('userEmail', ofTheFirstLetter),
  'user-email-unknown-gives-all': where('userEmail', allWhereNone),
  'user-email-loses-the-first': where('userEmail', (kept) => kept.slice(1)),
  'user-email-lets-one-in: One event of another user is let in.': where('userEmail', oneMore),
});

// ── filters together ────────────────────────────────────────────────────────────

/** Passes over filters where another one is sent as well. */
const drops = (beside: Filter, ...dropped: readonly Filter[]): Does =>
  ignores(dropped, (query) => query[beside] !== undefined);

const keepsEither = keeps((rows, { call }) => {
  const query = queryOf(call);
  if (query.eventName === undefined || query.userEmail === undefined) return rows;
  const either = new Set([
    ...exported(call, omit(query, 'eventName')),
    ...exported(call, omit(query, 'userEmail')),
  ]);
  return exported(call, omit(query, 'eventName', 'userEmail')).filter((row) => either.has(row));
});

const hasNoFilter = (query: object) => Object.keys(query).length === 0;

breaking(['AUDIT-6'], {
  'end-dropped-beside-start: end counts only without start.': drops('start', 'end'),
});
breaking(['AUDIT-5'], {
  'start-dropped-beside-end: start counts only without end.': drops('end', 'start'),
});
breaking(['AUDIT-5', 'AUDIT-6'], {
  'dates-dropped-beside-search': drops('search', 'start', 'end'),
  'dates-dropped-beside-event-name': drops('eventName', 'start', 'end'),
  'dates-dropped-beside-user-email': drops('userEmail', 'start', 'end'),
});
breaking(['AUDIT-9'], {
  'user-email-dropped-beside-event-name': drops('eventName', 'userEmail'),
});
breaking(['AUDIT-8'], {
  'event-name-dropped-beside-user-email': drops('userEmail', 'eventName'),
});
breaking(['AUDIT-8', 'AUDIT-9'], {
  'event-name-or-user-email: eventName and userEmail together keep what either of them would.':
    keepsEither,
});
breaking(['AUDIT-10'], {
  'empty-without-filters': keeps((rows, { call }) => (hasNoFilter(queryOf(call)) ? [] : rows)),
  'refused-without-filters': refuses('AUDIT-10', 'A filter is needed', hasNoFilter),
  'start-needed': refuses('AUDIT-10', 'start is needed', ({ start }) => start === undefined),
  'end-needed': refuses('AUDIT-10', 'end is needed', ({ end }) => end === undefined),
  'event-name-needed: Without eventName the export of a period is refused.': refuses(
    'AUDIT-10',
    'eventName is needed',
    ({ start, eventName }) => start !== undefined && eventName === undefined,
  ),
});

// ── the file ────────────────────────────────────────────────────────────────────

const unquoted = (unless: RegExp, when: RegExp) =>
  writesFields((field) => {
    const text = plain(field);
    return when.test(text) && !unless.test(text) ? text : field;
  });

const quotesNotDoubled = (field: string) => (field.startsWith('"') ? `"${plain(field)}"` : field);

/** Writes the row in the middle in another way. */
const writesMiddle = (change: (row: string) => string): Does =>
  writesRows((row, index, rows) => (index === Math.floor(rows.length / 2) ? change(row) : row));
const withoutItsLastField = (row: string) => fieldsOf(row).slice(0, -1).join(',');

breaking(['AUDIT-4'], {
  'quotes-not-doubled': writesFields(quotesNotDoubled),
  'commas-not-quoted: A field with a comma has no quotes.': unquoted(/["\r\n]/, /,/),
  'line-breaks-not-quoted': unquoted(/^$/, /[\r\n]/),
  'row-lacks-a-field': writesMiddle(withoutItsLastField),
  'row-has-a-field-more': writesMiddle((row) => `${row},`),
  'last-row-ragged: The last row lacks its last field.': writesRows((row, index, rows) =>
    index === rows.length - 1 ? withoutItsLastField(row) : row,
  ),
  'empty-end-dropped': writesRows((row) => row.replace(/,$/, '')),
  'file-cut: The file ends in the middle of its last row.': rewrites(({ header, rows }) => {
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    return written([header, ...rows.slice(0, -1)]) + last.slice(0, Math.ceil(last.length / 3));
  }),
  'total-at-the-end: The file ends with a line that counts its events.': keeps((rows) => [
    ...rows,
    `${rows.length} events exported`,
  ]),
  'semicolons: Fields are parted by semicolons.': rewrites(({ header, rows }) =>
    written([header, ...rows].map((row) => row && fieldsOf(row).join(';'))),
  ),
});
breaking(['AUDIT-8', 'AUDIT-9'], {
  'header-again: The header stands at the end of the file once more, as if it were an event.':
    rewrites(({ header, rows }) =>
      header === undefined ? undefined : written([header, ...rows, header]),
    ),
});
breaking(['AUDIT-1'], {
  'json: The file holds JSON, whatever its media type says.': rewrites(({ rows }) =>
    JSON.stringify(rows.map(valuesOf)),
  ),
});
breaking(['AUDIT-2'], {
  'inline: The file comes to be shown, not as an attachment.': inline(() => true),
  'inline-when-filtered': inline(({ call }) => queryOf(call).eventName !== undefined),
});

// ── the permission ──────────────────────────────────────────────────────────────

const notAsked = (when: (scene: Scene) => boolean) => accepts('authorise', 'AUDIT-11', when);

breaking(['AUDIT-11'], {
  'permission-not-asked-of-oauth': notAsked(({ call }) => call.caller.kind === 'oauth'),
  'permission-asked-once': refusesOnce('authorise', 'AUDIT-11'),
  'permission-not-asked-for-a-period': notAsked(({ call }) =>
    /(^|&)(start|end)=/.test(call.rawQuery),
  ),
});
breaking(['AUDIT-1'], {
  'permission-of-nobody: Whoever has the permission is refused for want of it.': refusesAt(
    'authorise',
    'AUDIT-11',
    'This operation needs the AuditLogManage permission',
  ),
});
