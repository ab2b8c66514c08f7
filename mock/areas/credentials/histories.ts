/** Credentials that go wrong only after certain other calls. */
import { turnsAway } from '../../deviations/callers.ts';
import {
  after,
  again,
  historiesOf,
  other,
  refused,
  refusesWith,
  served,
} from '../../deviations/history.ts';
import { accepts } from '../../deviations/refusals.ts';

const histories = historiesOf('credentials');

const folder = 'updateFolder';
const versions = 'listVersions';
const environments = 'listEnvironments';

export const credentialHistories = [
  ...histories(['AUTH-9', 'AUTH-10'], {
    'refusal-sticks-to-the-credential': after(
      [refused(versions), served(environments, again('credential'))],
      served(versions, again('credential')),
      refusesWith(403, 'AUTH-8'),
    ),
  }),
  ...histories(['AUTH-8', 'AUTH-13', 'AUTH-10'], {
    'turned-away-after-three-refused': after(
      [refused(environments), refused(environments), refused(environments)],
      served(environments),
      turnsAway('AUTH-3', 'The credential is locked', () => true),
    ),
  }),
  ...histories(['AUTH-8'], {
    'scope-forgotten-after-three-refusals': after(
      [refused(versions), refused(versions, again('credential'))],
      refused(versions, again('credential')),
      accepts('authorise', 'AUTH-8'),
    ),
  }),
  ...histories(['FOLDER-8'], {
    'edit-access-of-the-one-before': after(
      [refused(folder), served(folder, other('credential'))],
      refused(folder),
      accepts('edit', 'FOLDER-8'),
    ),
  }),
];
