/** Results of dbt syncs that go wrong only after certain other calls. */
import { answersBody } from '../../deviations/answers.ts';
import { field, without } from '../../deviations/changes.ts';
import {
  after,
  everyNth,
  historiesOf,
  refused,
  refusesWith,
  served,
} from '../../deviations/history.ts';

const histories = historiesOf('dbt');

const reads = 'getDbtSyncResult';

export const dbtHistories = [
  ...histories(['DBT-1'], {
    'every-fourth-not-found': everyNth(4, served(reads), refusesWith(404, 'DBT-9')),
    'refusals-stick': after(
      [refused(reads), refused(reads)],
      served(reads),
      refusesWith(404, 'DBT-9'),
    ),
  }),
  ...histories(['DBT-2'], {
    'job-unnamed-behind-a-switch-and-a-list': after(
      [served('updateDeployment'), served('listVersions')],
      served(reads),
      answersBody(field('syncJobId', (id) => `${id}-2`)),
    ),
  }),
  ...histories(['DBT-7'], {
    'every-fifth-without-duration': everyNth(5, served(reads), answersBody(without('durationMs'))),
  }),
];
