/** The audit log as a file. */

import type { Call } from '../call.ts';
import { Refusal, type Reply, reply } from '../exchange.ts';
import { type HabitId, has } from '../habits.ts';
import type { State } from '../state.ts';

const columns = ['Export', 'Ref', 'When', 'Who', 'What', 'On'];

/** The start of the day in a parameter, in UTC; undefined if it is not sent. */
function day({ query }: Call, name: string): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new Refusal(422, `E-500 ${name} is a day`);
  return at;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9@.:_-]+/)
    .filter(Boolean);

/** Ways to write a time, given in ISO 8601. */
const stamps: readonly (readonly [HabitId, (time: string) => string])[] = [
  ['export-times-epoch', (time) => String(Date.parse(time))],
  ['export-times-local', (time) => time.replace('T', ' ').slice(0, 19)],
  ['export-times-for-people', (time) => new Date(time).toUTCString().slice(5, 22)],
  ['export-times-in-words', inWords],
  ['export-times-spaced', (time) => time.replace('T', ' ').replace('Z', ' UTC')],
];

function inWords(time: string): string {
  const year = time.slice(0, 4);
  const days = Math.floor((Date.parse(time) - Date.parse(`${year}-01-01`)) / 86_400_000);
  return `in the year ${year} on day ${days + 1} at ${time.slice(11, 13)}`;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * The export has the newest event first, excludes the day of `end`, and searches for whole words.
 */
export function audit(call: Call): Reply {
  const { state, query } = call;
  if (!call.caller.audits) throw new Refusal(403, 'E-501 AuditLogManage');
  const [start = 0, end = Number.POSITIVE_INFINITY] = [day(call, 'start'), day(call, 'end')];
  if (start > end) throw new Refusal(422, 'E-502 order');
  const words = wordsOf(query.search ?? '');
  const found = [...state.events.entries()].filter(([, { at, name, email, about }]) => {
    const told = wordsOf(`${new Date(at).toISOString()} ${email} ${name} ${about}`);
    return (
      at >= start &&
      at < end &&
      [name, undefined].includes(query.eventName) &&
      [email, undefined].includes(query.userEmail) &&
      words.every((word) => told.includes(word))
    );
  });
  const rows = found.reverse().map(([index, event]) => cellsOf(event, index, state));
  const head = has(state, 'export-without-header') ? [] : [columns];
  const lines = [...head, ...rows].map((cells) => cells.map(quote).join(','));
  const file = `attachment; filename*=UTF-8''log%20${state.calls}.csv`;
  const text = `\uFEFF${lines.join('\r\n')}\r\n`;
  const { headers, ...done } = reply(200, text, 'text/csv; charset=utf-8; header=present');
  return { ...done, headers: { ...headers, 'Content-Disposition': file } };
}

function cellsOf({ at, name, email, about }: State['events'][number], index: number, state: State) {
  const time = new Date(at).toISOString();
  const stamp = stamps.find(([habit]) => has(state, habit))?.[1];
  const who = has(state, 'export-without-emails')
    ? email.replace(/^\D+(\d+)@.*/, 'user $1')
    : email;
  const isOther = name === 'auth:sign-in' && has(state, 'export-without-event-names');
  const ref = [String(state.calls), `ev-${index}`, stamp?.(time) ?? time];
  return [...ref, who, isOther ? 'Signed in' : name, about];
}
