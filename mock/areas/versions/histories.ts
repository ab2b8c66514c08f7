/** Switches of versions, and lists of them, that go wrong only after certain other calls. */
import { answersItems } from '../../deviations/answers.ts';
import {
  after,
  again,
  everyNth,
  historiesOf,
  other,
  refused,
  refusesWith,
  restores,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';
import { lost } from '../../deviations/state.ts';

const histories = historiesOf('versions');

const updates = 'updateDeployment';
const lists = 'listVersions';
const isLost = lost(['deployments', 'ran']);
const toVersion = served(updates, sends('releaseChannelVersion'));
const toChannel = served(updates, sends('releaseChannel'), sendsNo('releaseChannelVersion'));

const othersCurrent = answersItems((items) =>
  items.map((item, index) => ({ ...item, isCurrent: items[index - 1]?.isCurrent ?? false })),
);

export const versionHistories = [
  ...histories(['UPD-1'], {
    'every-third-version-lost': everyNth(3, toVersion, isLost),
    'switch-undone-by-staging': after(
      [toVersion, served('setStagingEnvironment')],
      served('listEnvironments'),
      restores(0, 'deployments'),
    ),
  }),
  ...histories(['VER-8', 'UPD-6'], {
    'other-is-current-after-two-refused': after(
      [refused(updates), refused(updates)],
      served(lists),
      othersCurrent,
    ),
  }),
  ...histories(['UPD-2', 'UPD-3', 'UPD-4'], {
    'version-refused-when-it-returns': after(
      [toVersion, served(updates, other('releaseChannelVersion'))],
      served(updates, again('releaseChannelVersion'), sends('releaseChannelVersion')),
      refusesWith(400, 'UPD-5'),
    ),
  }),
  ...histories(['UPD-7'], {
    'channel-lost-after-two-versions': after([toVersion, toVersion], toChannel, isLost),
    'every-second-channel-after-a-list-lost': after([toChannel, served(lists)], toChannel, isLost),
  }),
];
