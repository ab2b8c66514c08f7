import { isoTime } from '../../../spec/base/time.ts';
import type { Call } from '../../pipeline/call.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { readTime } from '../../world/clock.ts';
import type { AuditEvent } from '../../world/rows.ts';

type ExportCall = Call<'exportAuditLogs'>;
const DAY_MS = 86_400_000;
/** What AUDIT-23 and AUDIT-24 may choose: a zone behind UTC, and the age of the oldest event. */
const ACCOUNT_ZONE_MS = 5 * 3_600_000;
const REACH_MS = 21 * DAY_MS;
/** Small pieces take long to send, large ones take memory. */
const PIECE_LENGTH = 32 * 1024;

export const exportAuditLogs: Handler<'exportAuditLogs'> = {
  validate(call) {
    for (const name of ['start', 'end'] as const) {
      const text = call.query[name];
      if (text === undefined) continue;
      const problem = problemOf(call, text);
      if (problem === undefined) continue;
      const message = `${name} ${problem}, not ${JSON.stringify(text)}`;
      const refused = call.invalidParameter(name, message);
      if (refused !== undefined) return refused;
    }
    const { start, end } = call.query;
    const backwards =
      start !== undefined &&
      end !== undefined &&
      (readTime(start)?.at ?? 0) > (readTime(end)?.at ?? 0);
    if (backwards && call.assume('AUDIT-18') === 'refused') {
      return call.invalidParameter('start', `start, ${start}, must not lie behind end, ${end}`);
    }
    return undefined;
  },
  handle(call) {
    recordAssumptions(call);
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="audit-log.csv"',
      },
      body: undefined,
      stream: pieces(call, layouts[call.assume('AUDIT-14')] ?? sixColumns),
    };
  },
};

function problemOf(call: ExportCall, text: string): string | undefined {
  const read = readTime(text);
  if (read === undefined) return 'must be an ISO 8601 date, such as 2026-01-31';
  const refused = !read.isDay && call.assume('AUDIT-17') === 'refused';
  return refused ? 'must be a date without a time of day' : undefined;
}

interface Layout {
  readonly header: readonly string[] | null;
  readonly row: (event: AuditEvent, name: string) => string[];
}

const sixColumns: Layout = {
  header: ['timestamp', 'eventName', 'userEmail', 'deploymentId', 'ipAddress', 'details'],
  row: (event, name) => [
    isoTime(event.at),
    name,
    event.userEmail,
    event.deploymentId,
    event.ipAddress,
    event.details,
  ],
};
const layouts: Readonly<Record<string, Layout>> = {
  'six-columns': sixColumns,
  'no-header': { ...sixColumns, header: null },
  'snake-case': {
    header: ['event_id', 'created_at', 'event_name', 'user_email', 'payload'],
    row: (event, name) => [
      `${event.at}-${event.userEmail.length}`,
      isoTime(event.at),
      name,
      event.userEmail,
      JSON.stringify({
        deployment: event.deploymentId,
        ip: event.ipAddress,
        details: event.details,
      }),
    ],
  },
};

/** RFC 4180 in pieces, so that an export never stands in memory as a whole. */
function* pieces(call: ExportCall, layout: Layout): Generator<string, void> {
  const reading = readingOf(call);
  const keeps = filterOf(call, reading);
  let text = layout.header === null ? '' : record(layout.header);
  for (const event of eventsOf(call, call.choice('AUDIT-20') === 'writes')) {
    if (!keeps(event)) continue;
    text += record(layout.row(event, eventName(event.name, reading.dotted)));
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** A line of CSV. Not by a library: a million of them are to be written as fast as they are sent. */
function record(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** `FolderUpdated`, or `folder.updated`. */
function eventName(name: string, dotted: boolean): string {
  return dotted ? name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '.').toLowerCase() : name;
}

type Reading = ReturnType<typeof readingOf>;

/** How the silences about filters are decided. */
function readingOf(call: ExportCall) {
  return {
    dotted: call.choice('AUDIT-15') === 'dotted',
    endExclusive: call.choice('AUDIT-16') === 'exclusive',
    wholeWords: call.choice('AUDIT-19') === 'whole-words',
    words: call.choice('AUDIT-26'),
    foldedName: call.choice('AUDIT-29') === 'folded',
    exactEmail: call.choice('AUDIT-21') === 'exact',
    accountZone: call.choice('AUDIT-23') === 'account',
    recent: call.choice('AUDIT-24') === 'three-weeks',
  };
}

/** Whether the five filters keep an event. */
function filterOf(call: ExportCall, reading: Reading): (event: AuditEvent) => boolean {
  const { search, eventName: wantedName, userEmail } = call.query;
  const { from, to } = range(call, reading);
  const finds = search === undefined ? () => true : searchOf(search.toLowerCase(), reading);
  const foldName = (text: string) => (reading.foldedName ? text.toLowerCase() : text);
  const type = wantedName === undefined ? undefined : foldName(wantedName);
  const fold = (text: string) => (reading.exactEmail ? text : text.toLowerCase());
  const email = userEmail === undefined ? undefined : fold(userEmail);
  return (event) => {
    if (event.at < from || event.at > to) return false;
    const name = eventName(event.name, reading.dotted);
    if (type !== undefined && foldName(name) !== type) return false;
    if (email !== undefined && fold(event.userEmail) !== email) return false;
    const { userEmail: user, deploymentId, ipAddress, details } = event;
    return finds(() => `${name}\n${user}\n${deploymentId}\n${ipAddress}\n${details}`.toLowerCase());
  };
}

/** Whether a search finds a text in small letters. */
function searchOf(search: string, { words, wholeWords }: Reading): (text: () => string) => boolean {
  const needles = words === 'phrase' ? [search] : (search.match(/\S+/g) ?? ['']);
  const tests = needles.map((needle) => {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(needle)}(?![\\p{L}\\p{N}])`, 'u');
    return (text: string) => (wholeWords ? whole.test(text) : text.includes(needle));
  });
  return (textOf) => {
    const text = textOf();
    const isIn = (test: (text: string) => boolean) => test(text);
    return words === 'any-word' ? tests.some(isIn) : tests.every(isIn);
  };
}

/** Events of the fixture, then those since the start, as they are now, in the order of PAGE-10. */
function* eventsOf(call: ExportCall, ownEvents: boolean): Generator<AuditEvent, void> {
  const { startedAt, state } = call.world;
  const since = ownEvents ? state.audit : [];
  const descending = call.choice('PAGE-10') === 'descending';
  if (descending) yield* since.toReversed();
  for (const event of descending ? state.base.audit.toReversed() : state.base.audit) {
    yield { ...event, at: event.at + startedAt };
  }
  if (!descending) yield* since;
}

/** First and last moment of the export, ms; both inclusive. */
function range(call: ExportCall, { endExclusive, accountZone, recent }: Reading) {
  const { start, end } = call.query;
  const read = (text: string) => {
    const { at, isDay, hasZone } = readTime(text) ?? { at: 0, isDay: false, hasZone: true };
    return { at: at + (accountZone && !hasZone ? ACCOUNT_ZONE_MS : 0), isDay };
  };
  const first = recent ? call.world.clock.now() - REACH_MS : Number.NEGATIVE_INFINITY;
  const from = start === undefined ? first : Math.max(first, read(start).at);
  if (end === undefined) return { from, to: Number.POSITIVE_INFINITY };
  const { at, isDay } = read(end);
  if (!isDay) return { from, to: at };
  return { from, to: at + (endExclusive ? 0 : DAY_MS) - 1 };
}

/**
 * Records the silences that would have given this export other events: one pass over the log, which
 * ends once each of them has been seen to make a difference.
 */
function recordAssumptions(call: ExportCall): void {
  call.assume('PAGE-10');
  const { start, end, search, userEmail } = call.query;
  const reading = readingOf(call);
  const keeps = filterOf(call, reading);
  const otherwise = (name: Exclude<keyof Reading, 'words'>) =>
    filterOf(call, { ...reading, [name]: !reading[name] });
  const inOtherWords = ['phrase', 'all-words', 'any-word'].map((words) =>
    filterOf(call, { ...reading, words }),
  );
  const differs = (name: Exclude<keyof Reading, 'words'>) => {
    const other = otherwise(name);
    return (event: AuditEvent) => keeps(event) !== other(event);
  };
  const spelt = otherwise('dotted');
  // Which events would show another choice, where the filter that it reads is sent.
  const shows = new Map([['AUDIT-15', (event: AuditEvent) => keeps(event) || spelt(event)]]);
  if (end !== undefined && readTime(end)?.isDay) shows.set('AUDIT-16', differs('endExclusive'));
  if (start !== undefined || end !== undefined) shows.set('AUDIT-23', differs('accountZone'));
  shows.set('AUDIT-24', differs('recent'));
  if (search !== undefined) shows.set('AUDIT-19', differs('wholeWords'));
  if (search !== undefined && /\S\s+\S/.test(search)) {
    shows.set('AUDIT-26', (event) => inOtherWords.some((other) => keeps(event) !== other(event)));
  }
  if (call.query.eventName !== undefined) shows.set('AUDIT-29', differs('foldedName'));
  if (userEmail !== undefined) shows.set('AUDIT-21', differs('exactEmail'));
  if (call.world.state.audit.some(keeps)) call.assume('AUDIT-20');
  for (const event of eventsOf(call, call.choice('AUDIT-20') === 'writes')) {
    for (const [statement, shown] of shows) {
      if (!shown(event)) continue;
      call.assume(statement);
      shows.delete(statement);
    }
    if (shows.size === 0) break;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
