/** Results of dbt syncs that are right the first time and wrong the second. */
import { again, subjectOf } from '../../deviations/conditions.ts';
import { body } from '../../deviations/replies.ts';
import { table } from '../../deviations/rows.ts';

export const dbt = table(
  'dbt',
  ['getDbtSyncResult'],
  [['later-in-envelope', 'DBT-1', body((data) => ({ data })), again(subjectOf)]],
);
