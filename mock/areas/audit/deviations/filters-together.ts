/** Filters that do not go together, and filters that cannot be left out. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { type Handle, refusesValid, type StageHook } from '../../../deviations/transforms.ts';
import { deviation, FILTERS, type Filter, type Query, queryOf, sees, without } from './query.ts';
import { exported, keeps } from './records.ts';

/** Passes over filters where another one is sent as well. */
const drops = (beside: Filter, ...dropped: readonly Filter[]): Handle =>
  sees((query) => (query[beside] === undefined ? query : without(query, ...dropped)));

function refuses(message: string, when: (query: Query) => boolean): StageHook {
  return refusesValid('AUDIT-10', message, (call) => when(queryOf(call)));
}

export const filtersTogether: readonly Deviation[] = [
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
];
