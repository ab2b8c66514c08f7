/**
 * Deviations of the audit-log export: filters that let too many or too few events through, alone or
 * together, and files that are not CSV.
 */
import { by, sends, sendsNo } from '../../deviations/conditions.ts';
import { all, type Does, type Done } from '../../deviations/does.ts';
import { accepts, refuses } from '../../deviations/refusals.ts';
import { body, header } from '../../deviations/replies.ts';
import { ignores, reads, sees } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { isServed, otherCall } from '../../deviations/wire.ts';

const DAY_MS = 86_400_000;

/** The records of a file as text, each with its end of line; the first is the header. */
type Records = readonly string[];
const recordsOf = (text: unknown): Records => String(text).match(/(?:"[^"]*"|[^"\r])+\r\n/g) ?? [];

/** Chooses the events to export, given those that the filter keeps and all events. */
type Choose = (kept: Records, all: Records) => Records;
const keeps = (filter: string, choose: Choose): Does =>
  body(async (text, { call, target }: Done) => {
    const query = { ...call.query, [filter]: undefined };
    const unfiltered = await target.handle(otherCall(call, { query }));
    const [header = '', ...kept] = recordsOf(text);
    return [header, ...choose(kept, recordsOf(unfiltered.body).slice(1))].join('');
  });
const others: Choose = (kept, all) => all.filter((record) => !kept.includes(record));

/** Moves a bound by two days, which are more than any difference between time zones. */
const shifts = (bound: string, days: number): Does =>
  reads(bound, (text: string) => {
    const at = Date.parse(text);
    if (Number.isNaN(at)) return text;
    const moved = new Date(at + days * DAY_MS).toISOString();
    return text.includes('T') ? moved : moved.slice(0, 10);
  });
const takenFor = (sent: string, other: string): Does =>
  sees(({ [sent]: value, ...rest }) => ({ ...rest, [other]: value }));

const ofBound = (name: string, other: string, breaks: string): readonly Row[] => [
  [`${name}-ignored`, breaks, ignores(name)],
  [`${name}-two-days-early`, breaks, shifts(name, -2)],
  [`${name}-two-days-late`, breaks, shifts(name, 2)],
  [`${name}-as-${other}`, breaks, takenFor(name, other), all(sends(name), sendsNo(other))],
];
const ofText = (name: string, filter: string, breaks: string): readonly Row[] => {
  const instead: readonly (readonly [name: string, choose: Choose])[] = [
    ['of-nothing-gives-all', (kept, all) => (kept.length === 0 ? all : kept)],
    ['loses-the-last', (kept) => kept.slice(0, -1)],
    ['loses-the-first', (kept) => kept.slice(1)],
    ['lets-one-in', (kept, all) => [...kept, ...others(kept, all).slice(0, 1)]],
    ['inverted', others],
  ];
  const wrong = instead.map(
    ([how, choose]): Row => [`${name}-${how}`, breaks, keeps(filter, choose), sends(filter)],
  );
  return [[`${name}-ignored`, breaks, ignores(filter)], ...wrong];
};

const dateless = ignores('start', 'end');
const needed = refuses(400, 'AUDIT-10');
const unquoted = body((text) =>
  String(text).replaceAll(/(?<=[,\n])"([^"\r\n]*,[^"\r\n]*)"(?=[,\r])/g, '$1'),
);
const inline = header('Content-Disposition', (old, { reply }) =>
  isServed(reply) ? 'inline; filename="audit-log.csv"' : old,
);

const rows: readonly Row[] = [
  ...ofBound('start', 'end', 'AUDIT-5'),
  ...ofBound('end', 'start', 'AUDIT-6'),
  ...ofText('search', 'search', 'AUDIT-7'),
  ...ofText('event-name', 'eventName', 'AUDIT-8'),
  ...ofText('user-email', 'userEmail', 'AUDIT-9'),
  ['search-dropped-beside-event-name', 'AUDIT-7', ignores('search'), sends('eventName')],
  ['search-dropped-beside-user-email', 'AUDIT-7', ignores('search'), sends('userEmail')],
  ['event-name-dropped-beside-user-email', 'AUDIT-8', ignores('eventName'), sends('userEmail')],
  ['user-email-dropped-beside-event-name', 'AUDIT-9', ignores('userEmail'), sends('eventName')],
  ['dates-dropped-beside-event-name', 'AUDIT-5 AUDIT-6', dateless, sends('eventName')],
  ['dates-dropped-beside-user-email', 'AUDIT-5 AUDIT-6', dateless, sends('userEmail')],
  ['start-needed', 'AUDIT-10', needed, sendsNo('start')],
  ['event-name-needed', 'AUDIT-10', needed, all(sends('start'), sendsNo('eventName'))],
  ['commas-not-quoted: A field with a comma has no quotes.', 'AUDIT-4', unquoted],
  ['inline-when-filtered', 'AUDIT-2', inline, sends('eventName')],
  ['permission-not-asked-beside-search', 'AUDIT-11', accepts('AUDIT-11'), sends('search')],
  ['permission-not-asked-beside-event-name', 'AUDIT-11', accepts('AUDIT-11'), sends('eventName')],
  ['permission-not-asked-of-oauth', 'AUDIT-11', accepts('AUDIT-11'), by('oauth', 'memberOauth')],
];

export const audit = table('audit', ['exportAuditLogs'], rows);
