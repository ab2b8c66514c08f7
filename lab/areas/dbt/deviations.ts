/** Results of dbt syncs that are right the first time and wrong the second, or in one part. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { again, objectOf } from '../../deviations/conditions.ts';
import { type Does, given } from '../../deviations/does.ts';
import { GONE } from '../../deviations/places.ts';
import { refuses } from '../../deviations/refusals.ts';
import { body, field, items, status } from '../../deviations/replies.ts';
import { type Row, table } from '../../deviations/rows.ts';

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

const rows: readonly Row[] = [
  ['id-of-another-job', 'DBT-2', otherJob],
  ['id-in-capitals', 'DBT-2', field('syncJobId', (own) => String(own).toUpperCase())],
  ['later-id-of-another', 'DBT-2', later(otherJob)],
  ['completed-at-with-slashes', 'DBT-6', time(withSlashes)],
  ['completed-at-as-in-mail', 'DBT-6', time((at) => at.toUTCString())],
  ['completed-at-in-seconds', 'DBT-6', time((at) => String(Math.floor(at.getTime() / 1000)))],
  ['completed-at-empty', 'DBT-6', time(() => '')],
  ['later-completed-at-in-milliseconds', 'DBT-6', later(time((at) => at.getTime()))],
  ['duration-with-fraction', 'DBT-7', field('durationMs', withFraction)],
  ['duration-in-seconds', 'DBT-7', field('durationMs', inSeconds)],
  ['files-as-texts', 'DBT-3', files((list) => list.map(({ path }) => path))],
  ['files-by-path', 'DBT-3', files(byPath)],
  ['last-file-without-path', 'DBT-3', files((list) => [...list.slice(0, -1), {}])],
  ['single-file-bare', 'DBT-3', files(([file]) => file)],
  ['later-files-null', 'DBT-3', later(field('generatedFiles', () => null))],
  ['stats-as-list', 'DBT-4', stats((counts) => Object.entries(counts))],
  ['stats-on-top', 'DBT-4', statsOnTop],
  ['stats-as-lists', 'DBT-4', stats((counts) => Object.fromEntries(Object.entries(counts).map(named)))],
  ['later-without-macros', 'DBT-4', later(field('manifestStats.macros', () => GONE))],
  ['unit-count-with-fraction', 'DBT-5', field('unitCount', withFraction)],
  ['later-unit-count-as-text', 'DBT-5', later(field('unitCount', String))],
  ['later-in-envelope', 'DBT-1', later(body((data) => ({ data })))],
  ['later-accepted: A second result is answered 202.', 'DBT-1', later(status(202))],
  ['read-once: A result can be read once, and is not found from then on.', 'DBT-1', later(refuses(404, 'DBT-9'))],
];

export const dbt = table('dbt', ['getDbtSyncResult'], rows);
