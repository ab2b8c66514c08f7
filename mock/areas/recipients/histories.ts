/** Recipients that go wrong only after certain other calls. */
import {
  after,
  again,
  historiesOf,
  refused,
  refusesWith,
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
  }),
  ...histories(['RECIP-7', 'RECIP-8', 'RECIP-10', 'RECIP-11'], {
    'added-lost-after-two-refused': after(
      [refused(adds), refused(adds)],
      served(adds),
      lost(['recipients']),
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
