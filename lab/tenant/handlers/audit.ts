/** The audit log as a file. */

import { type KnownCall, parameter, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { AuditEvent, Habits, State } from '../state.ts';

const filters = ['start', 'end', 'search', 'eventName', 'userEmail'];
export const columns = ['Export', 'Ref', 'When', 'Who', 'What', 'On'];

/** The moment at which a day begins, in UTC; undefined where none is sent. */
function day(call: KnownCall, name: string): number | undefined {
  const text = parameter(call, name);
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

const stamp = (at: number, habits: Habits): string => {
  const iso = new Date(at).toISOString();
  return habits === 'odd' ? iso.replace('T', ' ').replace('Z', ' UTC') : iso;
};

export const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const cellsOf = (
  { at, name, email, about }: AuditEvent,
  index: number,
  { calls: run, habits }: State,
): string[] => [String(run), `ev-${index}`, stamp(at, habits), email, name, about];

/** Newest first; the day of `end` is left out, and a search looks for whole words. */
export function audit(call: KnownCall, state: State): Reply {
  knowsOnly(call, filters);
  if (!call.caller.audits) throw new Refusal(403, 'E-501 AuditLogManage');
  const [start, end] = [day(call, 'start'), day(call, 'end')];
  if (start !== undefined && end !== undefined && start > end)
    throw new Refusal(422, 'E-502 order');
  const words = wordsOf(parameter(call, 'search') ?? '');
  const [eventName, userEmail] = [parameter(call, 'eventName'), parameter(call, 'userEmail')];
  const rows = state.events
    .map((event, index) => ({ event, cells: cellsOf(event, index, state) }))
    .filter(
      ({ event, cells }) =>
        (start === undefined || event.at >= start) &&
        (end === undefined || event.at < end) &&
        (eventName === undefined || event.name === eventName) &&
        (userEmail === undefined || event.email === userEmail) &&
        words.every((word) => wordsOf(cells.slice(2).join(' ')).includes(word)),
    )
    .reverse();
  const lines = [columns, ...rows.map(({ cells }) => cells)].map((cells) =>
    cells.map(quote).join(','),
  );
  return {
    ...reply(200, `\uFEFF${lines.join('\r\n')}\r\n`),
    media: 'text/csv; charset=utf-8; header=present',
    headers: { 'content-disposition': `attachment; filename*=UTF-8''log%20${state.calls}.csv` },
  };
}
