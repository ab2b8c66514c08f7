/** A filter that is passed over, shifted, or keeps the wrong events. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count, type Handle } from '../../../deviations/transforms.ts';
import { deviation, FILTERS, type Filter, queryOf, sees, without } from './query.ts';
import { exported, fieldsOf, keeps, plain } from './records.ts';

const DAY_MS = 86_400_000;

const ignores = (...filters: readonly Filter[]): Handle =>
  sees((query) => without(query, ...filters));

/** Passes over a filter from its second use on. */
const honoursOnce = (filter: Filter): Handle =>
  sees((query, memory) =>
    query[filter] !== undefined && count(memory, filter) >= 2 ? without(query, filter) : query,
  );

/** Moves a bound by days. Two of them lie beyond every zone of the world. */
const shifts = (bound: 'start' | 'end', days: number): Handle =>
  sees((query) => {
    const text = query[bound];
    const at = text === undefined ? Number.NaN : Date.parse(text);
    if (text === undefined || Number.isNaN(at)) return query;
    const moved = new Date(at + days * DAY_MS).toISOString();
    return { ...query, [bound]: text.includes('T') ? moved : moved.slice(0, 10) };
  });

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

const emailOf = (row: string) =>
  fieldsOf(row)
    .map(plain)
    .find((field) => field.includes('@')) ?? '';

/** The event's type: it stands behind the time, and before the address of the user. */
function nameOf(row: string): string {
  const fields = fieldsOf(row).map(plain);
  return fields[fields.findIndex((field) => field.includes('@')) - 1] ?? '';
}

export const filters: readonly Deviation[] = [
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
];
