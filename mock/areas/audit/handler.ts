import { isoTime } from '../../../spec/base/time.ts';
import { choicesOf, statement } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { readTime } from '../../world/clock.ts';
import type { AuditEvent } from '../../world/rows.ts';

type ExportCall = Call<'exportAuditLogs'>;
const DAY_MS = 86_400_000;
/** Choices of AUDIT-23 and AUDIT-24: a zone west of UTC, and the age of the oldest event. */
const ACCOUNT_ZONE_MS = 5 * 3_600_000;
const reachDays: Readonly<Record<string, number>> = { 'three-weeks': 21, 'thirty-days': 30 };
/** The most events of an export that reaches back thirty days. */
const NEWEST = 10_000;
/** Many small pieces take long to send, and large pieces need much memory. */
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
      return call.invalidParameter('start', `start, ${start}, must not be after end, ${end}`);
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
      stream: pieces(call, layouts[call.assume('AUDIT-14')] ?? titled(call.details('AUDIT-14'))),
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

type Part = 'at' | 'deploymentId' | 'details' | 'ipAddress' | 'name' | 'userEmail';

/** The parts of an event by the words in a title; a title with none of them holds the details. */
const parts: readonly (readonly [title: RegExp, part: Part])[] = [
  [/^ip|address/i, 'ipAddress'],
  [/user|who|mail|actor|person/i, 'userEmail'],
  [/deployment/i, 'deploymentId'],
  [/time|when|date|created|^at$/i, 'at'],
  [/event|what|action|name|type/i, 'name'],
];

/** Columns by their titles. Each part of an event is in the first column that fits; other columns are empty. */
function titled(titles: readonly string[]): Layout {
  const header = titles.length > 0 ? titles : ['time', 'event', 'user', 'details'];
  const found = header.map((title) => parts.find(([words]) => words.test(title))?.[1] ?? 'details');
  const shown = found.map((part, index) => (found.indexOf(part) === index ? part : undefined));
  return {
    header,
    row: (event, name) => {
      const told = { ...event, name, at: isoTime(event.at) };
      return shown.map((part) => (part === undefined ? '' : told[part]));
    },
  };
}

/** RFC 4180 in pieces, so that memory never holds a whole export. */
function* pieces(call: ExportCall, layout: Layout): Generator<string, void> {
  const reading = readingOf(call);
  const keeps = filterOf(call, reading);
  let text = layout.header === null ? '' : record(layout.header);
  const events = () => eventsOf(call).filter(keeps);
  const over = reading.reach === 'thirty-days' ? events().reduce((sum) => sum + 1, -NEWEST) : 0;
  const isDescending = call.choice('PAGE-10') === 'descending';
  const kept = isDescending && over > 0 ? events().take(NEWEST) : events().drop(Math.max(0, over));
  for (const event of kept) {
    text += record(layout.row(event, eventName(event.name, reading.names)));
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/**
 * A line of CSV. A library is too slow, because a million lines must be written as fast as they are
 * sent.
 */
function record(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** `Updated folder`, `FolderUpdated` or `folder.updated`, by a choice of AUDIT-15. */
function eventName(name: string, choice: string): string {
  if (choice === 'sentences') return sentences.get(name) ?? sentenceOf(name);
  return choice === 'dotted' ? inWords(name).join('.').toLowerCase() : name;
}

/** The names of events in known clients. Other names are made in the same form on first use. */
const sentences = new Map([
  ['Login', 'Logged in'],
  ['Logout', 'Logged out'],
  ['UserCreated', 'Created user via SCIM'],
  ['DeploymentUpdated', 'Updated deployment configuration'],
  ['BranchCreated', 'Created Git branch'],
]);

function sentenceOf(name: string): string {
  const words = /\s/.test(name) ? [name] : inWords(name);
  const sentence = [words.at(-1), ...words.slice(0, -1).map((word) => word.toLowerCase())].join(
    ' ',
  );
  if (sentences.size < 1000) sentences.set(name, sentence);
  return sentence;
}

function inWords(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])/);
}

type Reading = ReturnType<typeof readingOf>;

/** The present choices at the silences about filters. */
function readingOf(call: ExportCall) {
  return {
    names: call.choice('AUDIT-15'),
    endExclusive: call.choice('AUDIT-16') === 'exclusive',
    wholeWords: call.choice('AUDIT-19') === 'whole-words',
    words: call.choice('AUDIT-26'),
    foldedName: call.choice('AUDIT-29') === 'folded',
    exactEmail: call.choice('AUDIT-21') === 'exact',
    accountZone: call.choice('AUDIT-23') === 'account',
    reach: call.choice('AUDIT-24'),
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
    const name = eventName(event.name, reading.names);
    if (type !== undefined && foldName(name) !== type) return false;
    if (email !== undefined && fold(event.userEmail) !== email) return false;
    const { userEmail: user, deploymentId, ipAddress, details } = event;
    return finds(() => `${name}\n${user}\n${deploymentId}\n${ipAddress}\n${details}`.toLowerCase());
  };
}

/** Whether a search matches a text in lower case. */
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

/** Events of the fixture, then the events since the start, in the order of PAGE-10. */
function* eventsOf(call: ExportCall): Generator<AuditEvent, void> {
  const { startedAt, state } = call.world;
  const since = ownEvents(call);
  const descending = call.choice('PAGE-10') === 'descending';
  if (descending) yield* since.toReversed();
  for (const event of descending ? state.base.audit.toReversed() : state.base.audit) {
    yield { ...event, at: event.at + startedAt };
  }
  if (!descending) yield* since;
}

/** The events since the start that AUDIT-20 lets the log hold. */
function ownEvents(call: ExportCall): readonly AuditEvent[] {
  const { audit } = call.world.state;
  const choice = call.choice('AUDIT-20');
  if (choice === 'writes') return audit;
  return choice === 'none' ? [] : audit.filter(({ name }) => name === 'DeploymentUpdated');
}

/** First and last moment of the export, ms; both inclusive. */
function range(call: ExportCall, { endExclusive, accountZone, reach }: Reading) {
  const { start, end } = call.query;
  const read = (text: string) => {
    const { at, isDay, hasZone } = readTime(text) ?? { at: 0, isDay: false, hasZone: true };
    return { at: at + (accountZone && !hasZone ? ACCOUNT_ZONE_MS : 0), isDay };
  };
  const days = reachDays[reach] ?? Number.POSITIVE_INFINITY;
  const first = call.world.clock.now() - days * DAY_MS;
  const from = start === undefined ? first : Math.max(first, read(start).at);
  if (end === undefined) return { from, to: Number.POSITIVE_INFINITY };
  const { at, isDay } = read(end);
  if (!isDay) return { from, to: at };
  return { from, to: at + (endExclusive ? 0 : DAY_MS) - 1 };
}

/**
 * Records the silences whose other choices change the events of this export. It reads the log once, and stops
 * when each silence has made a difference.
 */
function recordAssumptions(call: ExportCall): void {
  call.assume('PAGE-10');
  const { start, end, search, userEmail } = call.query;
  const reading = readingOf(call);
  const keeps = filterOf(call, reading);
  const others = (silence: string, name: keyof Reading) =>
    choicesOf(statement(silence)).map(({ id }) => filterOf(call, { ...reading, [name]: id }));
  const anyDiffers = (silence: string, name: keyof Reading) => {
    const filters = others(silence, name);
    return (event: AuditEvent) => filters.some((other) => keeps(event) !== other(event));
  };
  const differs = (name: keyof Reading) => {
    const other = filterOf(call, { ...reading, [name]: !reading[name] });
    return (event: AuditEvent) => keeps(event) !== other(event);
  };
  const spelt = others('AUDIT-15', 'names');
  // For each silence whose filter was sent, whether an event would differ under another choice.
  const shows = new Map([['AUDIT-15', (event: AuditEvent) => spelt.some((keep) => keep(event))]]);
  if (end !== undefined && readTime(end)?.isDay) shows.set('AUDIT-16', differs('endExclusive'));
  if (start !== undefined || end !== undefined) shows.set('AUDIT-23', differs('accountZone'));
  shows.set('AUDIT-24', anyDiffers('AUDIT-24', 'reach'));
  if (search !== undefined) shows.set('AUDIT-19', differs('wholeWords'));
  if (search !== undefined && /\S\s+\S/.test(search)) {
    shows.set('AUDIT-26', anyDiffers('AUDIT-26', 'words'));
  }
  if (call.query.eventName !== undefined) shows.set('AUDIT-29', differs('foldedName'));
  if (userEmail !== undefined) shows.set('AUDIT-21', differs('exactEmail'));
  if (call.world.state.audit.some(keeps)) call.assume('AUDIT-20');
  for (const event of eventsOf(call)) {
    for (const [silence, shown] of shows) {
      if (!shown(event)) continue;
      call.assume(silence);
      shows.delete(silence);
    }
    if (shows.size === 0) break;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
