/** Results of dbt syncs that are right the first time and wrong the second, or in one part. */

import type { Deviation, Scene } from '../../deviations/deviation.ts';
import {
  changeAnswer,
  count,
  deviationOf,
  type Handle,
  isRecord,
  type Json,
  mapBody,
} from '../../deviations/transforms.ts';
import { refusal } from '../../pipeline/exchange.ts';

const ALL = ['DBT-2', 'DBT-3', 'DBT-4', 'DBT-5', 'DBT-6', 'DBT-7'];

const deviation = deviationOf('dbt', 'getDbtSyncResult');

/** Changes every result. */
const results = (change: (result: Json, scene: Scene) => unknown): Handle => mapBody(change);

/** Changes the result of a job from the second time on that it is asked for. */
function later(change: (result: Json, scene: Scene) => unknown): Handle {
  return mapBody((result, scene) =>
    count(scene.memory, String(result.syncJobId)) >= 2 ? change(result, scene) : undefined,
  );
}

function files(result: Json): Json[] {
  return Array.isArray(result.generatedFiles) ? result.generatedFiles.filter(isRecord) : [];
}

function without(result: Json, field: string): Json {
  const { [field]: _gone, ...rest } = result;
  return rest;
}

/** The job of another name, where the deployment has one. */
function otherJob({ world, call }: Scene): string | undefined {
  const path = call.path as Json;
  return world.state.tables.dbtSyncs
    .rows()
    .find((job) => job.deploymentId === String(path.deploymentId) && job.id !== path.syncJobId)?.id;
}

const time = (result: Json) => new Date(String(result.completedAt));

export const dbt: readonly Deviation[] = [
  // The job.
  deviation('id-of-another-job', 'The result names another job.', ['DBT-2'], {
    handle: results((result, scene) => {
      const other = otherJob(scene);
      return other === undefined ? undefined : { ...result, syncJobId: other };
    }),
  }),
  deviation('id-with-deployment', 'syncJobId has the deployment before it.', ['DBT-2'], {
    handle: results((result, { call }) => ({
      ...result,
      syncJobId: `${String((call.path as Json).deploymentId)}/${String(result.syncJobId)}`,
    })),
  }),
  deviation('id-in-capitals', 'syncJobId is written in capitals.', ['DBT-2'], {
    handle: results((result) => ({
      ...result,
      syncJobId: String(result.syncJobId).toUpperCase(),
    })),
  }),

  // The time.
  deviation('completed-at-with-slashes', 'completedAt is written 2026/01/31 12:00.', ['DBT-6'], {
    handle: results((result) => ({
      ...result,
      completedAt: time(result).toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' '),
    })),
  }),
  deviation('completed-at-as-in-mail', 'completedAt is written as in a mail header.', ['DBT-6'], {
    handle: results((result) => ({ ...result, completedAt: time(result).toUTCString() })),
  }),
  deviation('completed-at-in-seconds', 'completedAt is a count of seconds, in a text.', ['DBT-6'], {
    handle: results((result) => ({
      ...result,
      completedAt: String(Math.floor(time(result).getTime() / 1000)),
    })),
  }),
  deviation('completed-at-empty', 'completedAt is an empty text.', ['DBT-6'], {
    handle: results((result) => ({ ...result, completedAt: '' })),
  }),
  deviation('duration-with-fraction', 'durationMs has a fraction.', ['DBT-7'], {
    handle: results((result) => ({ ...result, durationMs: Number(result.durationMs) + 0.5 })),
  }),
  deviation('duration-in-seconds', 'durationMs counts seconds, with a fraction.', ['DBT-7'], {
    handle: results((result) => {
      const seconds = Number(result.durationMs) / 1000;
      return Number.isInteger(seconds) ? undefined : { ...result, durationMs: seconds };
    }),
  }),

  // The files.
  deviation('files-as-texts', 'generatedFiles is a list of paths.', ['DBT-3'], {
    handle: results((result) => ({
      ...result,
      generatedFiles: files(result).map((file) => file.path),
    })),
  }),
  deviation('files-by-path', 'generatedFiles is an object with a field for each path.', ['DBT-3'], {
    handle: results((result) => ({
      ...result,
      generatedFiles: Object.fromEntries(files(result).map((file) => [String(file.path), {}])),
    })),
  }),
  deviation('last-file-without-path', 'The last of the files has no path.', ['DBT-3'], {
    handle: results((result) => ({
      ...result,
      generatedFiles: files(result).map((file, index, all) =>
        index === all.length - 1 ? {} : file,
      ),
    })),
  }),
  deviation('file-path-in-parts', 'The path of a file is a list of its folders.', ['DBT-3'], {
    handle: results((result) => ({
      ...result,
      generatedFiles: files(result).map((file) => ({ path: String(file.path).split('/') })),
    })),
  }),
  deviation('single-file-bare', 'The files stand there as one, the first.', ['DBT-3'], {
    handle: results((result) => ({ ...result, generatedFiles: files(result)[0] ?? null })),
  }),

  // The counts.
  deviation('stats-as-list', 'manifestStats is a list of counts with their names.', ['DBT-4'], {
    handle: results((result) => ({
      ...result,
      manifestStats: Object.entries(isRecord(result.manifestStats) ? result.manifestStats : {}).map(
        ([name, value]) => ({ name, value }),
      ),
    })),
  }),
  deviation(
    'stats-on-top',
    'models, sources and macros stand beside the other fields.',
    ['DBT-4'],
    {
      handle: results((result) => ({
        ...without(result, 'manifestStats'),
        ...(isRecord(result.manifestStats) ? result.manifestStats : {}),
      })),
    },
  ),
  deviation('stats-as-lists', 'Each count of manifestStats is a list of names.', ['DBT-4'], {
    handle: results((result) => ({
      ...result,
      manifestStats: Object.fromEntries(
        Object.entries(isRecord(result.manifestStats) ? result.manifestStats : {}).map(
          ([name, value]) => [
            name,
            Array.from({ length: Number(value) }, (_, index) => `${name}_${index + 1}`),
          ],
        ),
      ),
    })),
  }),
  deviation('unit-count-with-fraction', 'unitCount has a fraction.', ['DBT-5'], {
    handle: results((result) => ({ ...result, unitCount: Number(result.unitCount) + 0.5 })),
  }),

  // Right once.
  deviation('later-id-of-another', 'The second result of a job names another job.', ['DBT-2'], {
    handle: later((result, scene) => {
      const other = otherJob(scene);
      return other === undefined ? undefined : { ...result, syncJobId: other };
    }),
  }),
  deviation('later-without-files', 'The second result of a job has no generatedFiles.', ['DBT-3'], {
    handle: later((result) => without(result, 'generatedFiles')),
  }),
  deviation('later-files-null', 'The second result has null for its files.', ['DBT-3'], {
    handle: later((result) => ({ ...result, generatedFiles: null })),
  }),
  deviation('later-without-macros', 'The second result lacks the count of macros.', ['DBT-4'], {
    handle: later((result) => ({
      ...result,
      manifestStats: without(isRecord(result.manifestStats) ? result.manifestStats : {}, 'macros'),
    })),
  }),
  deviation('later-unit-count-as-text', 'The second unitCount is a text.', ['DBT-5'], {
    handle: later((result) => ({ ...result, unitCount: String(result.unitCount) })),
  }),
  deviation('later-without-completed-at', 'The second result lacks completedAt.', ['DBT-6'], {
    handle: later((result) => without(result, 'completedAt')),
  }),
  deviation(
    'later-completed-at-in-milliseconds',
    'The second completedAt is a number.',
    ['DBT-6'],
    {
      handle: later((result) => ({ ...result, completedAt: time(result).getTime() })),
    },
  ),
  deviation('later-without-duration', 'The second result lacks durationMs.', ['DBT-7'], {
    handle: later((result) => without(result, 'durationMs')),
  }),
  deviation('later-in-envelope', 'The second result of a job stands under data.', ['DBT-1'], {
    handle: later((result) => ({ data: result })),
    collateral: ALL,
  }),
  deviation('later-accepted', 'The second result of a job is answered 202.', ['DBT-1'], {
    handle: changeAnswer((answer, { call, memory }) =>
      count(memory, String((call.path as Json).syncJobId)) >= 2
        ? { ...answer, status: 202 }
        : undefined,
    ),
  }),
  deviation('read-once', 'A result can be read once, and is not found from then on.', ['DBT-1'], {
    handle: (next, { call, memory }) => {
      const { deploymentId, syncJobId } = call.path as Json;
      return count(memory, String(syncJobId)) >= 2
        ? refusal(
            404,
            'DBT-9',
            `Deployment ${String(deploymentId)} has no dbt sync ${String(syncJobId)}`,
          )
        : next();
    },
    collateral: ALL,
  }),
];
