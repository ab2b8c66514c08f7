/** Results of dbt syncs that are right the first time and wrong the second, or in one part. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { again, objectOf } from '../../deviations/conditions.ts';
import { type Does, given } from '../../deviations/does.ts';
import { GONE } from '../../deviations/places.ts';
import { refuses } from '../../deviations/refusals.ts';
import { body, field, items, status } from '../../deviations/replies.ts';
import { type Rows, table } from '../../deviations/rows.ts';

const later = (does: Does): Does => given(again(objectOf), does);
const time = (write: (at: Date) => unknown) =>
  field('completedAt', (at) => write(new Date(String(at))));
const files = (change: (list: readonly JsonObject[]) => unknown) => items('generatedFiles', change);
const stats = (change: (counts: JsonObject) => unknown) =>
  field('manifestStats', (counts) => (isObject(counts) ? change(counts) : undefined));

const withFraction = (value: unknown) => Number(value) + 0.5;
const inSeconds = (ms: unknown) => (Number(ms) % 1000 === 0 ? undefined : Number(ms) / 1000);
const withSlashes = (at: Date) =>
  at.toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' ');
const named = ([name, count]: readonly [string, unknown]) => [
  name,
  Array.from({ length: Number(count) }, (_, index) => `${name}_${index + 1}`),
];
const statsOnTop = body((whole) => {
  const { manifestStats, ...rest } = whole as JsonObject;
  return { ...rest, ...(isObject(manifestStats) ? manifestStats : {}) };
});
const byPath = (list: readonly JsonObject[]) =>
  Object.fromEntries(list.map(({ path }) => [String(path), {}]));
const otherJob = field('syncJobId', (own) => `${own}-2`);

const rows: Rows = {
  'DBT-2': {
    'id-of-another-job': otherJob,
    'id-in-capitals': field('syncJobId', (own) => String(own).toUpperCase()),
    'later-id-of-another': later(otherJob),
  },
  'DBT-6': {
    'completed-at-with-slashes': time(withSlashes),
    'completed-at-as-in-mail': time((at) => at.toUTCString()),
    'completed-at-in-seconds': time((at) => String(Math.floor(at.getTime() / 1000))),
    'completed-at-empty': time(() => ''),
    'later-completed-at-in-milliseconds': later(time((at) => at.getTime())),
  },
  'DBT-7': {
    'duration-with-fraction': field('durationMs', withFraction),
    'duration-in-seconds': field('durationMs', inSeconds),
  },
  'DBT-3': {
    'files-as-texts': files((list) => list.map(({ path }) => path)),
    'files-by-path': files(byPath),
    'last-file-without-path': files((list) => [...list.slice(0, -1), {}]),
    'single-file-bare': files(([file]) => file),
    'later-files-null': later(field('generatedFiles', () => null)),
  },
  'DBT-4': {
    'stats-as-list': stats((counts) => Object.entries(counts)),
    'stats-on-top': statsOnTop,
    'stats-as-lists': stats((counts) => Object.fromEntries(Object.entries(counts).map(named))),
    'later-without-macros': later(field('manifestStats.macros', () => GONE)),
  },
  'DBT-5': {
    'unit-count-with-fraction': field('unitCount', withFraction),
    'later-unit-count-as-text': later(field('unitCount', String)),
  },
  'DBT-1': {
    'later-in-envelope': later(body((data) => ({ data }))),
    'later-accepted: A second result is answered 202.': later(status(202)),
    'read-once: A result can be read once, and is not found from then on.': later(
      refuses(404, 'DBT-9'),
    ),
  },
};

export const dbt = table('dbt', ['getDbtSyncResult'], rows);
