/** Lists of SCIM users that go wrong only after certain other calls. */
import { answersBody } from '../../deviations/answers.ts';
import { field } from '../../deviations/changes.ts';
import {
  after,
  everyNth,
  historiesOf,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';

const histories = historiesOf('scim');

const lists = 'listScimUsers';
const oneMore = answersBody(field('totalResults', (total) => Number(total) + 1));

export const scimHistories = [
  ...histories(['SCIM-11'], {
    'every-eighth-total-one-more': everyNth(8, served(lists), oneMore),
    'total-one-more-behind-recipients': after(
      [served('addNotificationRecipients'), served('listDeployments')],
      served(lists),
      oneMore,
    ),
  }),
  ...histories(['SCIM-4', 'SCIM-9'], {
    'beginning-sticks': after(
      [served(lists, sends('startIndex')), served(lists)],
      served(lists, sendsNo('startIndex')),
      seesAs(0, 'startIndex'),
    ),
  }),
];
