/** Lists of SCIM users that go wrong only after certain other calls. */
import { answersBody } from '../../deviations/answers.ts';
import { field } from '../../deviations/changes.ts';
import { everyNth, historiesOf, served } from '../../deviations/history.ts';

const histories = historiesOf('scim');

const lists = 'listScimUsers';
const oneMore = answersBody(field('totalResults', (total) => Number(total) + 1));

export const scimHistories = histories(['SCIM-11'], {
  'every-eighth-total-one-more': everyNth(8, served(lists), oneMore),
});
