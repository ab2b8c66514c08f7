/** Results of dbt syncs that are right the first time and wrong the second, or in one part. */

import { refusal } from '../../../mock/pipeline/exchange.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answers, answersBody, answersField, withStatus } from '../../deviations/answers.ts';
import { field, objectsOf, when, without } from '../../deviations/changes.ts';
import { onHandling, type Scene } from '../../deviations/does.ts';
import { again } from '../../deviations/memory.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { callOf } from '../../deviations/sent.ts';

export const dbt: Deviation[] = [];
const breaking = rowsOf(dbt, 'dbt', ['getDbtSyncResult']);

const asked = ({ call }: Scene) => callOf<'getDbtSyncResult'>(call).path;
const job = (_value: unknown, scene: Scene) => asked(scene).syncJobId;

/** Changes the result of a job from the second time on that it is asked for. */
const laterResults = (change: (result: JsonObject, scene: Scene) => unknown) =>
  answersBody(when(again(job), change));

/** The job of another name, where the deployment has one. */
const otherJob = field('syncJobId', (_id, _result, scene: Scene) => {
  const { deploymentId, syncJobId } = asked(scene);
  return scene.world.state.tables.dbtSyncs
    .rows()
    .find((other) => other.deploymentId === String(deploymentId) && other.id !== syncJobId)?.id;
});

const completedAt = (write: (time: Date) => unknown) =>
  field('completedAt', (time) => write(new Date(String(time))));

const files = (change: (files: readonly JsonObject[]) => unknown) =>
  field('generatedFiles', (list) => change(objectsOf(list)));

const stats = (change: (counts: JsonObject) => unknown) =>
  field('manifestStats', (counts) => change(isObject(counts) ? counts : {}));

const withFraction = (value: unknown) => Number(value) + 0.5;

function inSeconds(ms: unknown): number | undefined {
  const seconds = Number(ms) / 1000;
  return Number.isInteger(seconds) ? undefined : seconds;
}

const withSlashes = (time: Date) =>
  time.toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' ');

const namesOf = ([name, count]: [string, unknown]) => [
  name,
  Array.from({ length: Number(count) }, (_, index) => `${name}_${index + 1}`),
];

/** The counts, beside the other fields. */
const statsOnTop = ({ manifestStats, ...rest }: JsonObject) => ({
  ...rest,
  ...(isObject(manifestStats) ? manifestStats : {}),
});

const notFound = onHandling((next, scene) => {
  const { deploymentId, syncJobId } = asked(scene);
  const message = `Deployment ${deploymentId} has no dbt sync ${syncJobId}`;
  return again(job)(undefined, scene) ? refusal(404, 'DBT-9', message) : next();
});

// The job.
breaking(['DBT-2'], {
  'id-of-another-job: The result names another job.': answersBody(otherJob),
  'id-with-deployment': answersField('syncJobId', (id, _result, scene) => {
    return `${asked(scene).deploymentId}/${id}`;
  }),
  'id-in-capitals': answersField('syncJobId', (id) => String(id).toUpperCase()),
  'later-id-of-another': laterResults(otherJob),
});

// The time.
breaking(['DBT-6'], {
  'completed-at-with-slashes': answersBody(completedAt(withSlashes)),
  'completed-at-as-in-mail': answersBody(completedAt((time) => time.toUTCString())),
  'completed-at-in-seconds': answersBody(
    completedAt((time) => String(Math.floor(time.getTime() / 1000))),
  ),
  'completed-at-empty: completedAt is an empty text.': answersBody(completedAt(() => '')),
  'later-without-completed-at': laterResults(without('completedAt')),
  'later-completed-at-in-milliseconds': laterResults(completedAt((time) => time.getTime())),
});
breaking(['DBT-7'], {
  'duration-with-fraction': answersField('durationMs', withFraction),
  'duration-in-seconds': answersField('durationMs', inSeconds),
  'later-without-duration': laterResults(without('durationMs')),
});

// The files.
breaking(['DBT-3'], {
  'files-as-texts': answersBody(files((list) => list.map(({ path }) => path))),
  'files-by-path': answersBody(
    files((list) => Object.fromEntries(list.map(({ path }) => [String(path), {}]))),
  ),
  'last-file-without-path': answersBody(
    files((list) => [...list.slice(0, -1), ...list.slice(-1).map(() => ({}))]),
  ),
  'file-path-in-parts': answersBody(
    files((list) => list.map(({ path }) => ({ path: String(path).split('/') }))),
  ),
  'single-file-bare: The first file stands alone.': answersBody(files((list) => list[0] ?? null)),
  'later-without-files': laterResults(without('generatedFiles')),
  'later-files-null': laterResults(files(() => null)),
});

// The counts.
breaking(['DBT-4'], {
  'stats-as-list: manifestStats is a list of counts with their names.': answersBody(
    stats((counts) => Object.entries(counts).map(([name, value]) => ({ name, value }))),
  ),
  'stats-on-top: models, sources and macros stand beside other fields.': answersBody(statsOnTop),
  'stats-as-lists: Each count of manifestStats is a list of names.': answersBody(
    stats((counts) => Object.fromEntries(Object.entries(counts).map(namesOf))),
  ),
  'later-without-macros': laterResults(stats(without('macros'))),
});
breaking(['DBT-5'], {
  'unit-count-with-fraction': answersField('unitCount', withFraction),
  'later-unit-count-as-text': laterResults(field('unitCount', String)),
});

// The answer as a whole.
breaking(['DBT-1'], {
  'later-in-envelope: The second result of a job stands under data.': laterResults((data) => ({
    data,
  })),
  'later-accepted: A second result is answered 202.': answers(when(again(job), withStatus(202))),
  'read-once: A result can be read once, and is not found from then on.': notFound,
});
