/** Recipients that go wrong only after certain other calls. */
import {
  after,
  again,
  historiesOf,
  other,
  refused,
  refusesWith,
  restores,
  served,
} from '../../deviations/history.ts';
import { lost } from '../../deviations/state.ts';
import { moves } from './answer-lists.ts';

const histories = historiesOf('recipients');

const adds = 'addNotificationRecipients';

export const recipientHistories = [
  ...histories(['RECIP-7'], {
    'same-call-creates-the-third-time': after(
      [served(adds), served(adds, again('recipients', 'path'))],
      served(adds, again('recipients', 'path')),
      moves('unchanged', 'created'),
    ),
    'added-ones-lost-behind-a-folder': after(
      [served(adds), served('updateFolder')],
      served('listDeployments'),
      restores(0, 'recipients'),
    ),
    'added-lost-after-two-refused': after(
      [refused(adds), refused(adds)],
      served(adds),
      lost(['recipients']),
    ),
    'same-call-updates-behind-another': after(
      [served(adds), served(adds, other('recipients'))],
      served(adds, again('recipients', 'path')),
      moves('unchanged', 'updated'),
    ),
  }),
  ...histories(['RECIP-1', 'RECIP-7', 'RECIP-23'], {
    'served-one-refused-after-two': after(
      [refused(adds), served(adds)],
      served(adds),
      refusesWith(400, 'RECIP-16'),
    ),
  }),
];
