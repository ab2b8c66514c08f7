/** Switches that go wrong only after certain other calls. */
import {
  after,
  again,
  everyNth,
  historiesOf,
  other,
  refusesWith,
  restores,
  sends,
  served,
} from '../../deviations/history.ts';
import { lost } from '../../deviations/state.ts';
import { answersState } from './switch.ts';

const histories = historiesOf('staging');

const switches = 'setStagingEnvironment';
const lists = 'listEnvironments';
const isLost = lost(['branches']);

const states = histories(['STAGE-5', 'STAGE-6', 'STAGE-12'], {
  'every-third-switch-lost': everyNth(3, served(switches), isLost),
  'every-seventh-switch-lost': everyNth(7, served(switches), isLost),
  'switch-by-id-lost-after-two-by-name': after(
    [served(switches, sends('branchName')), served(switches, sends('branchName'))],
    served(switches, sends('branchId')),
    isLost,
  ),
  'switch-lost-when-its-credential-returns': after(
    [served(switches), served(switches, other('credential'))],
    served(switches, again('credential')),
    isLost,
  ),
  'switch-lost-after-a-list-and-a-folder': after(
    [served('listVersions'), served('updateFolder')],
    served(switches),
    isLost,
  ),
  'switch-undone-by-a-folder': after(
    [served(switches), served(lists)],
    served('updateFolder'),
    restores(0, 'branches'),
  ),
});

const stated = histories(['STAGE-1', 'STAGE-3', 'STAGE-4', 'STAGE-12'], {
  'every-fourth-answer-inverted': everyNth(
    4,
    served(switches),
    answersState((_sent, answered) => !answered),
  ),
  'refused-after-two-alike': after(
    [served(switches), served(switches, again('enabled'))],
    served(switches, other('enabled')),
    refusesWith(409, 'STAGE-20'),
  ),
});

export const stagingHistories = [...states, ...stated];
