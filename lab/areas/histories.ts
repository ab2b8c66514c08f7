/**
 * Deviations that show only after certain other calls, which may be of any area. No scenario makes
 * their calls in that order on purpose, so the exam does not demand them: the explorer has to find them.
 */
import { contract } from '../../spec/contract.ts';
import { answers, type Does } from '../deviations/does.ts';
import {
  after,
  alike,
  answersAs,
  everyNth,
  other,
  putsBack,
  refused,
  type Step,
  seesAs,
  served,
  with_,
  without,
} from '../deviations/history.ts';
import { cut, paged } from '../deviations/pages.ts';
import { GONE } from '../deviations/places.ts';
import { accepts, refuses } from '../deviations/refusals.ts';
import { field, items, refusal } from '../deviations/replies.ts';
import { type Deviation, type Rows, table } from '../deviations/rows.ts';
import { lost } from '../deviations/state.ts';
import { moves } from './recipients/people.ts';

const environments = served('listEnvironments');
const versions = served('listVersions');
const deployments = served('listDeployments');
const folder = served('updateFolder');
const noVersions = refused('listVersions');
const noEnvironments = refused('listEnvironments');
const noFolder = refused('updateFolder');
const same = alike('credential');
const ofOther = other(-1, 'credential');
const number = (place: string, more: number) => field(place, (total) => Number(total) + more);
const oneLate = paged((page, { whole }) => ({ items: cut(page, whole, page.offset + 1) }));
const locks: Does = answers(({ call }) => refusal(call, 401, 'AUTH-3'));
const oneMore = number('pagination.total', 1);

const toggle = 'setStagingEnvironment';
const aSwitch = served(toggle);
const byName = served(toggle, with_('branchName'));
const byId = served(toggle, with_('branchId'));
const inverts = field('data.isStagingEnvironmentEnabled', (on) => !on);

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
const othersCurrent = items('data', (list) =>
  list.map((item, index) => ({ ...item, isCurrent: list[index - 1]?.isCurrent ?? false })),
);

const token = served('createMetaSyncToken');
const otherContext = served('createMetaSyncToken', other(-1, 'security_context'));
const firstContext = seesAs(0, 'security_context');

const rename = served('updateFolder', with_('name'));
const renameIt = served('updateFolder', with_('name'), alike('path'));
const renameAgain = served('updateFolder', with_('name'), alike('path'), other(-1, 'name'));
const renameOfSame = served('updateFolder', with_('name'), alike('path', 'credential'));
const readIt = served('updateFolder', without('name', 'position'), alike('path'));
const updateIt = served('updateFolder', alike('path'));
const updateOther = served('updateFolder', other(-1, 'path'));
const noRename = refused('updateFolder', with_('name'));

const add = served('addNotificationRecipients');
const addAgain = served('addNotificationRecipients', alike('recipients', 'path'));
const noAdd = refused('addNotificationRecipients');

const exports = served('exportAuditLogs');
const noExport = refused('exportAuditLogs');
const result = served('getDbtSyncResult');
const noResult = refused('getDbtSyncResult');
const notFound = refuses(404, 'DBT-9');
const sending =
  (operation: 'exportAuditLogs' | 'createMetaSyncToken' | 'listEnvironments') =>
  (name: string, ...fits: readonly Step[]) =>
    served(operation, with_(name), ...fits);
/** Of three values that are sent, the last counts as the first. */
const isOfTwoBefore = (name: string): Does => {
  const sends = sending('exportAuditLogs');
  const second = served('exportAuditLogs', other(-1, name));
  return after([sends(name), second], sends(name, other(0, name)), seesAs(0, name));
};

const rows: Readonly<Record<string, Rows>> = {
  credentials: {
    'AUTH-9 AUTH-10': {
      'refusal-sticks-to-the-credential': after(
        [noVersions, served('listEnvironments', same)],
        served('listVersions', same),
        refuses(403, 'AUTH-8'),
      ),
    },
    'AUTH-8 AUTH-13 AUTH-10': {
      'turned-away-after-three-refused': after(
        [noEnvironments, noEnvironments, noEnvironments],
        environments,
        locks,
      ),
    },
    'AUTH-8': {
      'scope-forgotten-after-three-refusals': after(
        [noVersions, refused('listVersions', same)],
        refused('listVersions', same),
        accepts('AUTH-8'),
      ),
    },
    'FOLDER-8': {
      'edit-access-of-the-one-before': after(
        [noFolder, served('updateFolder', ofOther)],
        noFolder,
        accepts('FOLDER-8'),
      ),
    },
  },
  lists: {
    'ENV-6': {
      'filter-of-two-lists-before': after(
        [sending('listEnvironments')('type'), environments],
        sending('listEnvironments')('type', other(0, 'type')),
        seesAs(0, 'type'),
      ),
      'filter-passed-over-after-three': everyNth(
        4,
        sending('listEnvironments')('type'),
        seesAs(-1, 'type'),
      ),
    },
    'PAGE-2 PAGE-4': {
      'limit-sent-twice-sticks': after(
        [served('listDeployments', with_('limit')), served('listDeployments', alike('limit'))],
        served('listDeployments', without('limit')),
        seesAs(0, 'limit'),
      ),
    },
    'PAGE-6': {
      'later-page-skips-after-a-write': after(
        [deployments, folder],
        served('listDeployments', with_('offset')),
        oneLate,
      ),
      'later-page-skips-after-a-refused-write': after(
        [refused(toggle), environments],
        sending('listEnvironments')('offset'),
        oneLate,
      ),
    },
    'PAGE-5': {
      'every-ninth-total-one-more': everyNth(9, deployments, oneMore),
      'total-one-more-between-others': after([environments, versions], environments, oneMore),
    },
  },
  staging: {
    'STAGE-5 STAGE-6 STAGE-12': {
      'every-third-switch-lost': everyNth(3, aSwitch, lost),
      'every-seventh-switch-lost': everyNth(7, aSwitch, lost),
      'switch-by-id-lost-after-two-by-name': after([byName, byName], byId, lost),
      'switch-lost-when-its-credential-returns': after(
        [aSwitch, served(toggle, ofOther)],
        served(toggle, same),
        lost,
      ),
      'switch-lost-after-a-list-and-a-folder': after([versions, folder], aSwitch, lost),
      'switch-undone-by-a-folder': after([aSwitch, environments], folder, putsBack(0)),
    },
    'STAGE-1 STAGE-3 STAGE-4 STAGE-12': {
      'every-fourth-answer-inverted': everyNth(4, aSwitch, inverts),
      'refused-after-two-alike': after(
        [aSwitch, served(toggle, alike('enabled'))],
        served(toggle, other(-1, 'enabled')),
        refuses(409, 'STAGE-20'),
      ),
    },
  },
  versions: {
    'UPD-1': {
      'every-third-version-lost': everyNth(3, toVersion, lost),
      'switch-undone-by-staging': after([toVersion, aSwitch], environments, putsBack(0)),
    },
    'VER-8 UPD-6': {
      'other-is-current-after-two-refused': after([noUpdate, noUpdate], versions, othersCurrent),
    },
    'UPD-2 UPD-3 UPD-4': {
      'version-refused-when-it-returns': after([toVersion, toOther], back, refuses(400, 'UPD-5')),
    },
    'UPD-7': {
      'channel-lost-after-two-versions': after([toVersion, toVersion], toChannel, lost),
      'every-second-channel-after-a-list-lost': after([toChannel, versions], toChannel, lost),
    },
  },
  tokens: {
    'META-5': {
      'lifetime-of-two-before': after(
        [sending('createMetaSyncToken')('expires_in'), token],
        sending('createMetaSyncToken')('expires_in', other(0, 'expires_in')),
        seesAs(0, 'expires_in'),
      ),
    },
    'META-7': {
      'context-of-two-before': after([token, otherContext], otherContext, firstContext),
      'every-fifth-context-of-the-first': everyNth(5, token, firstContext),
    },
  },
  folders: {
    'FOLDER-2': {
      'third-name-lost': after([rename, renameIt], renameIt, lost),
      'name-lost-when-its-credential-returns': after(
        [rename, served('updateFolder', alike('path'), ofOther)],
        renameOfSame,
        lost,
      ),
      'name-of-two-before': after([rename, renameAgain], renameAgain, seesAs(0, 'name')),
    },
    'FOLDER-2 FOLDER-4': {
      'names-undone-by-a-list': after([rename, rename], deployments, putsBack(0)),
      'names-undone-by-reading': after([rename, renameIt], readIt, putsBack(0)),
    },
    'FOLDER-2 FOLDER-3': {
      'every-fifth-update-lost': everyNth(5, rename, lost),
    },
    'FOLDER-12': {
      'refused-name-comes-two-updates-later': after(
        [noRename, updateIt],
        updateIt,
        seesAs(0, 'name'),
      ),
    },
    'FOLDER-1 FOLDER-4 FOLDER-5': {
      'answer-of-another-folder': after([folder, updateOther], readIt, answersAs(1)),
    },
    'FOLDER-1 AUTH-9 AUTH-10': {
      'refusal-sticks-behind-a-list': after(
        [noFolder, environments],
        served('updateFolder', same),
        refuses(403, 'FOLDER-8'),
      ),
    },
  },
  recipients: {
    'RECIP-7': {
      'same-call-creates-the-third-time': after(
        [add, addAgain],
        addAgain,
        moves('unchanged', 'created'),
      ),
    },
    'RECIP-7 RECIP-8 RECIP-10 RECIP-11': {
      'added-lost-after-two-refused': after([noAdd, noAdd], add, lost),
    },
    'RECIP-1 RECIP-7 RECIP-23': {
      'served-one-refused-after-two': after([noAdd, add], add, refuses(400, 'RECIP-16')),
    },
  },
  audit: {
    'AUDIT-7 AUDIT-10': {
      'search-of-two-before': isOfTwoBefore('search'),
    },
    'AUDIT-8 AUDIT-10': {
      'event-name-of-two-before': isOfTwoBefore('eventName'),
    },
    'AUDIT-9 AUDIT-10': {
      'user-email-sticks': after(
        [sending('exportAuditLogs')('userEmail'), exports],
        served('exportAuditLogs', without('userEmail')),
        seesAs(0, 'userEmail'),
      ),
    },
    'AUDIT-1': {
      'export-refused-behind-a-refusal-and-a-list': after(
        [noExport, versions],
        exports,
        refuses(403, 'AUDIT-11'),
      ),
    },
  },
  dbt: {
    'DBT-1': {
      'every-fourth-not-found': everyNth(4, result, notFound),
      'refusals-stick': after([noResult, noResult], result, notFound),
    },
    'DBT-2': {
      'job-unnamed-behind-a-switch-and-a-list': after(
        [served('updateDeployment'), versions],
        result,
        field('syncJobId', (id) => `${id}-2`),
      ),
    },
    'DBT-7': {
      'every-fifth-without-duration': everyNth(
        5,
        result,
        field('durationMs', () => GONE),
      ),
    },
  },
  scim: {
    'SCIM-11': {
      'every-eighth-total-one-more': everyNth(
        8,
        served('listScimUsers'),
        number('totalResults', 1),
      ),
    },
  },
};

export const histories: readonly Deviation[] = Object.entries(rows).flatMap(([area, own]) =>
  table(area, [...contract.operations.keys()], own, { foundBy: 'explore' }),
);
