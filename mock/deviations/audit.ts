/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */
import { Call, refusal } from '../call.ts';
import type { Answer } from '../exchange.ts';
import { isRefusal } from '../exchange.ts';
import { exportAuditLogs } from '../operations/audit-logs.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import {
  changeAnswer,
  count,
  deviationOf,
  type Handle,
  remembersRefusal,
  same,
} from './transforms.ts';

type ExportCall = Call<'exportAuditLogs'>;
type Filter = 'start' | 'end' | 'search' | 'eventName' | 'userEmail';
type Query = Readonly<Partial<Record<Filter, string>>>;

const DAY_MS = 86_400_000;
/** The filters are tried together, so a fault of one may show in a check of another. */
const FILTERS = ['AUDIT-5', 'AUDIT-6', 'AUDIT-7', 'AUDIT-8', 'AUDIT-9'];

const deviation = deviationOf('audit', 'exportAuditLogs');

// ── filters ─────────────────────────────────────────────────────────────────────

function queryOf(call: Call): Query {
  return (call as unknown as ExportCall).query;
}

function setQuery(call: Call, query: Query): void {
  const own = queryOf(call) as Record<string, string | undefined>;
  for (const key of Object.keys(own)) delete own[key];
  Object.assign(own, query);
}

function without(query: Query, ...filters: readonly Filter[]): Query {
  const left: Partial<Record<Filter, string>> = { ...query };
  for (const filter of filters) delete left[filter];
  return left;
}

/** Lets the handler see other filters than those that were sent. */
function sees(change: (query: Query, memory: Memory) => Query): Handle {
  return (next, { call, memory, took }) => {
    const sent = queryOf(call);
    const seen = change(sent, memory);
    if (!same(sent, seen)) {
      setQuery(call, seen);
      took();
    }
    return next();
  };
}

const ignores = (...filters: readonly Filter[]): Handle =>
  sees((query) => without(query, ...filters));

/** Passes over a filter from its second use on. */
const honoursOnce = (filter: Filter): Handle =>
  sees((query, memory) =>
    query[filter] !== undefined && count(memory, filter) >= 2 ? without(query, filter) : query,
  );

/** Passes over filters where another one is sent as well. */
const drops = (beside: Filter, ...dropped: readonly Filter[]): Handle =>
  sees((query) => (query[beside] === undefined ? query : without(query, ...dropped)));

/** Moves a bound by days. Two of them lie beyond every zone of the world. */
const shifts = (bound: 'start' | 'end', days: number): Handle =>
  sees((query) => {
    const text = query[bound];
    const at = text === undefined ? Number.NaN : Date.parse(text);
    if (text === undefined || Number.isNaN(at)) return query;
    const moved = new Date(at + days * DAY_MS).toISOString();
    return { ...query, [bound]: text.includes('T') ? moved : moved.slice(0, 10) };
  });

// ── records ─────────────────────────────────────────────────────────────────────

/** A file, as its records are written. */
interface File {
  /** Undefined where AUDIT-14 leaves it out. */
  readonly header: string | undefined;
  readonly rows: readonly string[];
}

function textOf(answer: Answer): string {
  return [...(answer.stream ?? [])].join('');
}

/** Records of a file, undivided: a line break inside of quotes ends none. */
function recordsOf(text: string): string[] {
  const records: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith('\r\n', index)) {
      records.push(text.slice(start, index));
      start = index + 2;
    }
  }
  return records;
}

/** Fields of a record as they are written, with their quotes. */
function fieldsOf(record: string): string[] {
  const fields: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < record.length; index += 1) {
    if (record[index] === '"') quoted = !quoted;
    else if (!quoted && record[index] === ',') {
      fields.push(record.slice(start, index));
      start = index + 1;
    }
  }
  return [...fields, record.slice(start)];
}

function fileOf(answer: Answer, call: Call): File {
  const records = recordsOf(textOf(answer));
  return call.peek('AUDIT-14') === 'no-header'
    ? { header: undefined, rows: records }
    : { header: records[0], rows: records.slice(1) };
}

function written(records: readonly (string | undefined)[]): string {
  return records.flatMap((record) => (record === undefined ? [] : [`${record}\r\n`])).join('');
}

/** Changes the text of the file. A stream is read once only, so the handler is asked again. */
function rewrites(change: (file: File, scene: Scene) => string | undefined): Handle {
  return (next, scene) => {
    const honest = next();
    if (honest instanceof Promise || isRefusal(honest) || honest.stream === undefined)
      return honest;
    const text = change(fileOf(honest, scene.call), scene);
    const again = next();
    if (again instanceof Promise || isRefusal(again) || text === undefined) return again;
    if (text === textOf(again)) return next();
    return { ...again, stream: [text] };
  };
}

/** Keeps some of the rows. */
function keeps(choose: (rows: readonly string[], scene: Scene) => readonly string[]): Handle {
  return rewrites(({ header, rows }, scene) => written([header, ...choose(rows, scene)]));
}

/** Changes the rows as they are written. */
function writes(change: (row: string, index: number, rows: readonly string[]) => string): Handle {
  return rewrites(({ header, rows }) => written([header, ...rows.map(change)]));
}

/** Rows of the same call with other filters. */
function exported(call: Call, query: Query): readonly string[] {
  const { operation, caller, path, rawQuery } = call;
  const copy = new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() });
  setQuery(copy, query);
  const answer = exportAuditLogs.handle(copy as unknown as ExportCall);
  return answer instanceof Promise || isRefusal(answer) ? [] : fileOf(answer, call).rows;
}

/** Rows where a filter is sent: what it would keep, and what would be there without it. */
function where(
  filter: Filter,
  choose: (
    kept: readonly string[],
    all: () => readonly string[],
    wanted: string,
  ) => readonly string[],
): Handle {
  return keeps((rows, { call }) => {
    const query = queryOf(call);
    const wanted = query[filter];
    return wanted === undefined
      ? rows
      : choose(rows, () => exported(call, without(query, filter)), wanted);
  });
}

function plain(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

const emailOf = (row: string) =>
  fieldsOf(row)
    .map(plain)
    .find((field) => field.includes('@')) ?? '';
/** The event's type: it stands behind the time, and before the address of the user. */
function nameOf(row: string): string {
  const fields = fieldsOf(row).map(plain);
  return fields[fields.findIndex((field) => field.includes('@')) - 1] ?? '';
}

const middle = (rows: readonly unknown[]) => Math.floor(rows.length / 2);

// ── refusals ────────────────────────────────────────────────────────────────────

/** Serves whom the permission would refuse. */
function serves(when: (call: Call, memory: Memory) => boolean): NonNullable<Deviation['stage']> {
  return (stage, refused, { call, memory }) =>
    stage === 'authorise' && refused?.statement === 'AUDIT-11' && when(call, memory)
      ? undefined
      : refused;
}

function refuses(
  message: string,
  when: (query: Query) => boolean,
): NonNullable<Deviation['stage']> {
  return (stage, refused, { call }) =>
    stage === 'validate' && refused === undefined && when(queryOf(call))
      ? refusal(400, 'AUDIT-10', message)
      : refused;
}

export const audit: readonly Deviation[] = [
  // One filter.
  deviation('start-ignored', 'start is passed over.', ['AUDIT-5'], {
    handle: ignores('start'),
    collateral: FILTERS,
  }),
  deviation('end-ignored', 'end is passed over.', ['AUDIT-6'], {
    handle: ignores('end'),
    collateral: FILTERS,
  }),
  deviation('search-ignored', 'search is passed over.', ['AUDIT-7'], {
    handle: ignores('search'),
  }),
  deviation('event-name-ignored', 'eventName is passed over.', ['AUDIT-8'], {
    handle: ignores('eventName'),
  }),
  deviation('user-email-ignored', 'userEmail is passed over.', ['AUDIT-9'], {
    handle: ignores('userEmail'),
  }),
  deviation('start-honoured-once', 'start counts once, and never again.', ['AUDIT-5'], {
    handle: honoursOnce('start'),
    collateral: FILTERS,
  }),
  deviation('end-honoured-once', 'end counts once, and never again.', ['AUDIT-6'], {
    handle: honoursOnce('end'),
    collateral: FILTERS,
  }),
  deviation('search-honoured-once', 'search counts once, and never again.', ['AUDIT-7'], {
    handle: honoursOnce('search'),
  }),
  deviation('event-name-honoured-once', 'eventName counts once, and never again.', ['AUDIT-8'], {
    handle: honoursOnce('eventName'),
  }),
  deviation('user-email-honoured-once', 'userEmail counts once, and never again.', ['AUDIT-9'], {
    handle: honoursOnce('userEmail'),
  }),
  deviation('start-two-days-early', 'Events up to two days before start are let in.', ['AUDIT-5'], {
    handle: shifts('start', -2),
    collateral: FILTERS,
  }),
  deviation('start-two-days-late', 'Events of the first two days are left out.', ['AUDIT-5'], {
    handle: shifts('start', 2),
    collateral: FILTERS,
  }),
  deviation('end-two-days-late', 'Events up to two days after end are let in.', ['AUDIT-6'], {
    handle: shifts('end', 2),
    collateral: FILTERS,
  }),
  deviation('end-two-days-early', 'Events of the last two days are left out.', ['AUDIT-6'], {
    handle: shifts('end', -2),
    collateral: FILTERS,
  }),
  deviation('start-as-end', 'start leaves out the events after it.', ['AUDIT-5'], {
    handle: sees((query) =>
      query.start !== undefined && query.end === undefined
        ? { ...without(query, 'start'), end: query.start }
        : query,
    ),
    collateral: FILTERS,
  }),
  deviation('end-as-start', 'end leaves out the events before it.', ['AUDIT-6'], {
    handle: sees((query) =>
      query.end !== undefined && query.start === undefined
        ? { ...without(query, 'end'), start: query.end }
        : query,
    ),
    collateral: FILTERS,
  }),
  deviation(
    'search-in-emails-only',
    'search finds words in addresses of users only.',
    ['AUDIT-7'],
    {
      handle: where('search', (kept, _all, wanted) =>
        kept.filter((row) => emailOf(row).toLowerCase().includes(wanted.toLowerCase())),
      ),
    },
  ),
  deviation('search-of-nothing-finds-all', 'A search that finds nothing gives all.', ['AUDIT-7'], {
    handle: where('search', (kept, all) => (kept.length === 0 ? all() : kept)),
  }),
  deviation('search-loses-the-last', 'A search leaves out the last event it found.', ['AUDIT-7'], {
    handle: where('search', (kept) => kept.slice(0, -1)),
  }),
  deviation('search-finds-one', 'A search gives the first event it found, alone.', ['AUDIT-7'], {
    handle: where('search', (kept) => kept.slice(0, 1)),
  }),
  deviation('search-inverted', 'A search gives the events that lack the word.', ['AUDIT-7'], {
    handle: where('search', (kept, all) => all().filter((row) => !kept.includes(row))),
  }),
  deviation(
    'event-name-by-first-letter',
    'eventName keeps every type with the same first letter.',
    ['AUDIT-8'],
    {
      handle: where('eventName', (_kept, all, wanted) =>
        all().filter((row) => nameOf(row).startsWith(wanted.slice(0, 1))),
      ),
    },
  ),
  deviation('event-name-unknown-gives-all', 'A type without events gives all.', ['AUDIT-8'], {
    handle: where('eventName', (kept, all) => (kept.length === 0 ? all() : kept)),
  }),
  deviation('event-name-loses-the-last', 'Of a type the last event is left out.', ['AUDIT-8'], {
    handle: where('eventName', (kept) => kept.slice(0, -1)),
    collateral: ['AUDIT-9'],
  }),
  deviation('event-name-lets-one-in', 'One event of another type is let in.', ['AUDIT-8'], {
    handle: where('eventName', (kept, all) => {
      const other = all().find((row) => !kept.includes(row));
      return other === undefined ? kept : [...kept, other];
    }),
  }),
  deviation('event-name-inverted', 'eventName gives the events of all other types.', ['AUDIT-8'], {
    handle: where('eventName', (kept, all) => all().filter((row) => !kept.includes(row))),
    collateral: ['AUDIT-9'],
  }),
  deviation('user-email-by-domain', 'userEmail keeps every user of the domain.', ['AUDIT-9'], {
    handle: where('userEmail', (_kept, all, wanted) => {
      const domain = wanted.slice(wanted.indexOf('@'));
      return all().filter((row) => emailOf(row).endsWith(domain));
    }),
  }),
  deviation(
    'user-email-by-first-letter',
    'userEmail keeps every user of the domain with the same first letter.',
    ['AUDIT-9'],
    {
      handle: where('userEmail', (_kept, all, wanted) => {
        const domain = wanted.slice(wanted.indexOf('@'));
        return all().filter((row) => {
          const email = emailOf(row);
          return email.endsWith(domain) && email.startsWith(wanted.slice(0, 1));
        });
      }),
    },
  ),
  deviation('user-email-unknown-gives-all', 'An email without events gives all.', ['AUDIT-9'], {
    handle: where('userEmail', (kept, all) => (kept.length === 0 ? all() : kept)),
  }),
  deviation('user-email-loses-the-first', 'Of a user the first event is left out.', ['AUDIT-9'], {
    handle: where('userEmail', (kept) => kept.slice(1)),
    collateral: ['AUDIT-8'],
  }),
  deviation('user-email-lets-one-in', 'One event of another user is let in.', ['AUDIT-9'], {
    handle: where('userEmail', (kept, all) => {
      const other = all().find((row) => !kept.includes(row));
      return other === undefined ? kept : [...kept, other];
    }),
  }),

  // Filters together.
  deviation('end-dropped-beside-start', 'end counts only without start.', ['AUDIT-6'], {
    handle: drops('start', 'end'),
    collateral: FILTERS,
  }),
  deviation('start-dropped-beside-end', 'start counts only without end.', ['AUDIT-5'], {
    handle: drops('end', 'start'),
    collateral: FILTERS,
  }),
  deviation(
    'dates-dropped-beside-search',
    'start and end count only without search.',
    ['AUDIT-5', 'AUDIT-6'],
    { handle: drops('search', 'start', 'end'), collateral: ['AUDIT-7'] },
  ),
  deviation(
    'dates-dropped-beside-event-name',
    'start and end count only without eventName.',
    ['AUDIT-5', 'AUDIT-6'],
    { handle: drops('eventName', 'start', 'end'), collateral: ['AUDIT-8'] },
  ),
  deviation(
    'dates-dropped-beside-user-email',
    'start and end count only without userEmail.',
    ['AUDIT-5', 'AUDIT-6'],
    { handle: drops('userEmail', 'start', 'end'), collateral: ['AUDIT-9'] },
  ),
  deviation(
    'user-email-dropped-beside-event-name',
    'eventName switches userEmail off.',
    ['AUDIT-9'],
    {
      handle: drops('eventName', 'userEmail'),
    },
  ),
  deviation(
    'event-name-dropped-beside-user-email',
    'userEmail switches eventName off.',
    ['AUDIT-8'],
    {
      handle: drops('userEmail', 'eventName'),
    },
  ),
  deviation(
    'event-name-or-user-email',
    'eventName and userEmail together keep what either of them would.',
    ['AUDIT-8', 'AUDIT-9'],
    {
      handle: keeps((rows, { call }) => {
        const query = queryOf(call);
        if (query.eventName === undefined || query.userEmail === undefined) return rows;
        const either = new Set([
          ...exported(call, without(query, 'eventName')),
          ...exported(call, without(query, 'userEmail')),
        ]);
        return exported(call, without(query, 'eventName', 'userEmail')).filter((row) =>
          either.has(row),
        );
      }),
    },
  ),

  // Filters that cannot be left out.
  deviation('empty-without-filters', 'Without any filter nothing is exported.', ['AUDIT-10'], {
    handle: keeps((rows, { call }) => (Object.keys(queryOf(call)).length === 0 ? [] : rows)),
  }),
  deviation('refused-without-filters', 'Without any filter the export is refused.', ['AUDIT-10'], {
    stage: refuses('A filter is needed', (query) => Object.keys(query).length === 0),
  }),
  deviation('start-needed', 'Without start the export is refused.', ['AUDIT-10'], {
    stage: refuses('start is needed', (query) => query.start === undefined),
  }),
  deviation('end-needed', 'Without end the export is refused.', ['AUDIT-10'], {
    stage: refuses('end is needed', (query) => query.end === undefined),
  }),
  deviation(
    'event-name-needed',
    'Without eventName the export of a period is refused.',
    ['AUDIT-10'],
    {
      stage: refuses(
        'eventName is needed',
        (query) => query.start !== undefined && query.eventName === undefined,
      ),
      collateral: ['AUDIT-1', ...FILTERS],
    },
  ),

  // The file.
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

  // The permission.
  deviation(
    'permission-not-asked-of-oauth',
    'An OAuth token is served without the permission.',
    ['AUDIT-11'],
    { stage: serves((call) => call.caller.kind === 'oauth') },
  ),
  deviation(
    'permission-asked-once',
    'Whoever lacks the permission is refused once, and served from then on.',
    ['AUDIT-11'],
    {
      stage: serves((_call, memory) => memory.has('refused')),
      refused: remembersRefusal('AUDIT-11'),
    },
  ),
  deviation(
    'permission-not-asked-for-a-period',
    'With a start or an end the permission is not asked for.',
    ['AUDIT-11'],
    { stage: serves((call) => /(^|&)(start|end)=/.test(call.rawQuery)) },
  ),
  deviation(
    'permission-of-nobody',
    'Whoever has the permission is refused for want of it.',
    ['AUDIT-1'],
    {
      stage: (stage, refused) =>
        stage === 'authorise' && refused === undefined
          ? refusal(403, 'AUDIT-11', 'This operation needs the AuditLogManage permission')
          : refused,
      collateral: ['AUDIT-10', 'AUTH-2', 'AUTH-5'],
    },
  ),
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
