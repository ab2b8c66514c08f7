/** Results of dbt syncs that are right the first time and wrong the second, or in one part. */

import { again, objectOf } from '../../deviations/conditions.ts';
import { type Does, given } from '../../deviations/does.ts';

import { body } from '../../deviations/replies.ts';
import { type Rows, table } from '../../deviations/rows.ts';

const later = (does: Does): Does => given(again(objectOf), does);

const rows: Rows = {
  'DBT-1': {
    'later-in-envelope': later(body((data) => ({ data }))),
  },
};

export const dbt = table('dbt', ['getDbtSyncResult'], rows);
