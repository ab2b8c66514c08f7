/**
 * Deviations that show only after certain other calls, which may be of any area. No scenario makes
 * their calls in that order on purpose, so the exam does not demand them: the explorer has to find them.
 */
import { contract } from '../../spec/contract.ts';
import { answers } from '../deviations/does.ts';
import {
  after,
  alike,
  answersAs,
  everyNth,
  other,
  putsBack,
  refused,
  seesAs,
  served,
  with_,
  without,
} from '../deviations/history.ts';
import { begins } from '../deviations/pages.ts';
import { GONE } from '../deviations/places.ts';
import { accepts, refuses } from '../deviations/refusals.ts';
import { field, items, refusal, sets } from '../deviations/replies.ts';
import { type Deviation, type Row, table } from '../deviations/rows.ts';
import { lost } from '../deviations/state.ts';
import { moves } from './recipients/people.ts';

const same = alike('credential');
const ofOther = other(-1, 'credential');

const list = served('listDeployments');
const listAgain = served('listDeployments', alike('limit'));
const listWithLimit = served('listDeployments', with_('limit'));
const listWithout = served('listDeployments', without('limit'));
const laterPage = served('listDeployments', with_('offset'));
const environments = served('listEnvironments');
const noEnvironments = refused('listEnvironments');
const laterEnvironments = served('listEnvironments', with_('offset'));
const ofType = served('listEnvironments', with_('type'));
const ofOtherType = served('listEnvironments', with_('type'), other(0, 'type'));
const versions = served('listVersions');
const noVersions = refused('listVersions');
const skips = begins(({ offset }) => offset + 1);
const oneMore = field('pagination.total', (total) => Number(total) + 1);
const oneUserMore = field('totalResults', (total) => Number(total) + 1);
const turnedAway = answers(({ call }) => refusal(call, 401, 'AUTH-3'));

const toggle = 'setStagingEnvironment';
const aSwitch = served(toggle);
const switchAlike = served(toggle, alike('enabled'));
const otherState = served(toggle, other(-1, 'enabled'));
const byName = served(toggle, with_('branchName'));
const byId = served(toggle, with_('branchId'));
const SWITCHES = 'STAGE-5 STAGE-6 STAGE-12';
const inverts = field('data.isStagingEnvironmentEnabled', (on) => !on);

const update = served('updateDeployment');
const noUpdate = refused('updateDeployment');
const toVersion = served('updateDeployment', with_('releaseChannelVersion'));
const toOther = served('updateDeployment', other(-1, 'releaseChannelVersion'));
const back = served(
  'updateDeployment',
  alike('releaseChannelVersion'),
  with_('releaseChannelVersion'),
);
const toChannel = served(
  'updateDeployment',
  with_('releaseChannel'),
  without('releaseChannelVersion'),
);
const nextIsCurrent = items('data', (all) =>
  all.map((item, index) => ({ ...item, isCurrent: all[index - 1]?.isCurrent ?? false })),
);

const token = served('createMetaSyncToken');
const lifetime = served('createMetaSyncToken', with_('expires_in'));
const otherLifetime = served('createMetaSyncToken', with_('expires_in'), other(0, 'expires_in'));
const firstContext = seesAs(0, 'security_context');
const otherContext = served('createMetaSyncToken', other(-1, 'security_context'));

const folder = served('updateFolder');
const noFolder = refused('updateFolder');
const folderAgain = served('updateFolder', alike('path'));
const otherFolder = served('updateFolder', other(-1, 'path'));
const folderAsOther = served('updateFolder', alike('path'), ofOther);
const rename = served('updateFolder', with_('name'));
const renameIt = served('updateFolder', with_('name'), alike('path'));
const renameAgain = served('updateFolder', with_('name'), alike('path'), other(-1, 'name'));
const renameOfSame = served('updateFolder', with_('name'), alike('path', 'credential'));
const readIt = served('updateFolder', without('name', 'position'), alike('path'));
const noRename = refused('updateFolder', with_('name'));

const add = served('addNotificationRecipients');
const addAgain = served('addNotificationRecipients', alike('recipients', 'path'));
const noAdd = refused('addNotificationRecipients');
const result = served('getDbtSyncResult');
const noResult = refused('getDbtSyncResult');
const notFound = refuses(404, 'DBT-9');
const otherJob = field('syncJobId', (id) => `${id}-2`);
const users = served('listScimUsers');

const log = served('exportAuditLogs');
const noLog = refused('exportAuditLogs');
const ofUser = served('exportAuditLogs', with_('userEmail'));
const ofAnyUser = served('exportAuditLogs', without('userEmail'));
/** Of three values that are sent, the last counts as the first. */
const valueOfTwoBefore = (name: string) => {
  const third = served('exportAuditLogs', with_(name), other(0, name));
  const first = served('exportAuditLogs', with_(name));
  const second = served('exportAuditLogs', other(-1, name));
  return after([first, second], third, seesAs(0, name));
};

const rows: Readonly<Record<string, readonly Row[]>> = {
  credentials: [
    [
      'refusal-sticks-to-the-credential',
      'AUTH-9 AUTH-10',
      after(
        [noVersions, served('listEnvironments', same)],
        served('listVersions', same),
        refuses(403, 'AUTH-8'),
      ),
    ],
    [
      'turned-away-after-three-refused',
      'AUTH-8 AUTH-13 AUTH-10',
      after([noEnvironments, noEnvironments, noEnvironments], environments, turnedAway),
    ],
    [
      'scope-forgotten-after-three-refusals',
      'AUTH-8',
      after(
        [noVersions, refused('listVersions', same)],
        refused('listVersions', same),
        accepts('AUTH-8'),
      ),
    ],
    [
      'edit-access-of-the-one-before',
      'FOLDER-8',
      after([noFolder, served('updateFolder', ofOther)], noFolder, accepts('FOLDER-8')),
    ],
  ],
  lists: [
    [
      'filter-of-two-lists-before',
      'ENV-6',
      after([ofType, environments], ofOtherType, seesAs(0, 'type')),
    ],
    ['filter-passed-over-after-three', 'ENV-6', everyNth(4, ofType, seesAs(-1, 'type'))],
    [
      'limit-sent-twice-sticks',
      'PAGE-2 PAGE-4',
      after([listWithLimit, listAgain], listWithout, seesAs(0, 'limit')),
    ],
    ['later-page-skips-after-a-write', 'PAGE-6', after([list, folder], laterPage, skips)],
    [
      'later-page-skips-after-a-refused-write',
      'PAGE-6',
      after([refused(toggle), environments], laterEnvironments, skips),
    ],
    ['every-ninth-total-one-more', 'PAGE-5', everyNth(9, list, oneMore)],
    [
      'total-one-more-between-others',
      'PAGE-5',
      after([environments, versions], environments, oneMore),
    ],
  ],
  staging: [
    ['every-third-switch-lost', SWITCHES, everyNth(3, aSwitch, lost)],
    ['every-seventh-switch-lost', SWITCHES, everyNth(7, aSwitch, lost)],
    ['switch-by-id-lost-after-two-by-name', SWITCHES, after([byName, byName], byId, lost)],
    [
      'switch-lost-when-its-credential-returns',
      SWITCHES,
      after([aSwitch, served(toggle, ofOther)], served(toggle, same), lost),
    ],
    ['switch-lost-after-a-list-and-a-folder', SWITCHES, after([versions, folder], aSwitch, lost)],
    ['switch-undone-by-a-folder', SWITCHES, after([aSwitch, environments], folder, putsBack(0))],
    [
      'every-fourth-answer-inverted',
      'STAGE-1 STAGE-3 STAGE-4 STAGE-12',
      everyNth(4, aSwitch, inverts),
    ],
    [
      'refused-after-two-alike',
      'STAGE-1 STAGE-3 STAGE-4 STAGE-12',
      after([aSwitch, switchAlike], otherState, refuses(409, 'STAGE-20')),
    ],
  ],
  versions: [
    ['every-third-version-lost', 'UPD-1', everyNth(3, toVersion, lost)],
    ['switch-undone-by-staging', 'UPD-1', after([toVersion, aSwitch], environments, putsBack(0))],
    [
      'other-is-current-after-two-refused',
      'VER-8 UPD-6',
      after([noUpdate, noUpdate], versions, nextIsCurrent),
    ],
    [
      'version-refused-when-it-returns',
      'UPD-2 UPD-3 UPD-4',
      after([toVersion, toOther], back, refuses(400, 'UPD-5')),
    ],
    ['channel-lost-after-two-versions', 'UPD-7', after([toVersion, toVersion], toChannel, lost)],
    [
      'every-second-channel-after-a-list-lost',
      'UPD-7',
      after([toChannel, versions], toChannel, lost),
    ],
  ],
  tokens: [
    [
      'lifetime-of-two-before',
      'META-5',
      after([lifetime, token], otherLifetime, seesAs(0, 'expires_in')),
    ],
    ['context-of-two-before', 'META-7', after([token, otherContext], otherContext, firstContext)],
    ['every-fifth-context-of-the-first', 'META-7', everyNth(5, token, firstContext)],
  ],
  folders: [
    ['third-name-lost', 'FOLDER-2', after([rename, renameIt], renameIt, lost)],
    [
      'name-lost-when-its-credential-returns',
      'FOLDER-2',
      after([rename, folderAsOther], renameOfSame, lost),
    ],
    [
      'name-of-two-before',
      'FOLDER-2',
      after([rename, renameAgain], renameAgain, seesAs(0, 'name')),
    ],
    ['names-undone-by-a-list', 'FOLDER-2 FOLDER-4', after([rename, rename], list, putsBack(0))],
    [
      'names-undone-by-reading',
      'FOLDER-2 FOLDER-4',
      after([rename, renameIt], readIt, putsBack(0)),
    ],
    ['every-fifth-update-lost', 'FOLDER-2 FOLDER-3', everyNth(5, rename, lost)],
    [
      'refused-name-comes-two-updates-later',
      'FOLDER-12',
      after([noRename, folderAgain], folderAgain, seesAs(0, 'name')),
    ],
    [
      'answer-of-another-folder',
      'FOLDER-1 FOLDER-4 FOLDER-5',
      after([folder, otherFolder], readIt, answersAs(1)),
    ],
    [
      'refusal-sticks-behind-a-list',
      'FOLDER-1 AUTH-9 AUTH-10',
      after([noFolder, environments], served('updateFolder', same), refuses(403, 'FOLDER-8')),
    ],
  ],
  recipients: [
    [
      'same-call-creates-the-third-time',
      'RECIP-7',
      after([add, addAgain], addAgain, moves('unchanged', 'created')),
    ],
    [
      'added-lost-after-two-refused',
      'RECIP-7 RECIP-8 RECIP-10 RECIP-11',
      after([noAdd, noAdd], add, lost),
    ],
    [
      'served-one-refused-after-two',
      'RECIP-1 RECIP-7 RECIP-23',
      after([noAdd, add], add, refuses(400, 'RECIP-16')),
    ],
  ],
  audit: [
    ['search-of-two-before', 'AUDIT-7 AUDIT-10', valueOfTwoBefore('search')],
    ['event-name-of-two-before', 'AUDIT-8 AUDIT-10', valueOfTwoBefore('eventName')],
    [
      'user-email-sticks',
      'AUDIT-9 AUDIT-10',
      after([ofUser, log], ofAnyUser, seesAs(0, 'userEmail')),
    ],
    [
      'export-refused-behind-a-refusal-and-a-list',
      'AUDIT-1',
      after([noLog, versions], log, refuses(403, 'AUDIT-11')),
    ],
  ],
  dbt: [
    ['every-fourth-not-found', 'DBT-1', everyNth(4, result, notFound)],
    ['refusals-stick', 'DBT-1', after([noResult, noResult], result, notFound)],
    [
      'job-unnamed-behind-a-switch-and-a-list',
      'DBT-2',
      after([update, versions], result, otherJob),
    ],
    ['every-fifth-without-duration', 'DBT-7', everyNth(5, result, sets('durationMs', GONE))],
  ],
  scim: [['every-eighth-total-one-more', 'SCIM-11', everyNth(8, users, oneUserMore)]],
};

export const histories: readonly Deviation[] = Object.entries(rows).flatMap(([area, own]) =>
  table(area, [...contract.operations.keys()], own, { foundBy: 'explore' }),
);
