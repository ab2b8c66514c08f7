/** Deviations that show only after certain other calls, which may be of any area. */
import { isObject } from '../../spec/base/json.ts';
import { answersBody, answersField, answersItems } from '../deviations/answers.ts';
import { turnsAway } from '../deviations/callers.ts';
import { without } from '../deviations/changes.ts';
import {
  after,
  again,
  answersAs,
  everyNth,
  historiesOf,
  other,
  refused,
  refusesWith,
  restores,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../deviations/history.ts';
import { accepts } from '../deviations/refusals.ts';
import type { Deviation } from '../deviations/rows.ts';
import { lost } from '../deviations/state.ts';
import { cut, repaged } from './lists/deviations.ts';
import { moves } from './recipients/add-call.ts';
import { answersState } from './staging/switch.ts';

export const histories: Deviation[] = [];
const inArea = historiesOf(histories);

const environments = served('listEnvironments');
const versions = served('listVersions');
const deployments = served('listDeployments');
const folder = served('updateFolder');
const noVersions = refused('listVersions');
const noEnvironments = refused('listEnvironments');
const noFolder = refused('updateFolder');
const ofSameKey = again('credential');
const ofOtherKey = other(-1, 'credential');

// ── credentials ─────────────────────────────────────────────────────────────────

const noVersionsAgain = refused('listVersions', ofSameKey);
const versionsAgain = served('listVersions', ofSameKey);
const environmentsAgain = served('listEnvironments', ofSameKey);
const folderOfOther = served('updateFolder', ofOtherKey);
const locks = turnsAway('AUTH-3', 'The credential is locked', () => true);
const forgetsScope = accepts('authorise', 'AUTH-8');
const forgetsEdits = accepts('edit', 'FOLDER-8');
const refusesKey = refusesWith(403, 'AUTH-8');
const thrice = [noEnvironments, noEnvironments, noEnvironments];
const refusedThenServed = [noVersions, environmentsAgain];

inArea('credentials', ['AUTH-9', 'AUTH-10'], {
  'refusal-sticks-to-the-credential': after(refusedThenServed, versionsAgain, refusesKey),
});
inArea('credentials', ['AUTH-8', 'AUTH-13', 'AUTH-10'], {
  'turned-away-after-three-refused': after(thrice, environments, locks),
});
inArea('credentials', ['AUTH-8'], {
  'scope-forgotten-after-three-refusals': after(
    [noVersions, noVersionsAgain],
    noVersionsAgain,
    forgetsScope,
  ),
});
inArea('credentials', ['FOLDER-8'], {
  'edit-access-of-the-one-before': after([noFolder, folderOfOther], noFolder, forgetsEdits),
});

// ── lists ───────────────────────────────────────────────────────────────────────

const ofType = served('listEnvironments', sends('type'));
const ofOtherType = served('listEnvironments', sends('type'), other(0, 'type'));
const limited = served('listDeployments', sends('limit'));
const limitedAgain = served('listDeployments', again('limit'));
const unlimited = served('listDeployments', sendsNo('limit'));
const laterPage = served('listDeployments', sends('offset'));
const laterEnvironments = served('listEnvironments', sends('offset'));
const noSwitch = refused('setStagingEnvironment');
const oneLate = repaged((page, { whole }) => ({ items: cut(page, whole, page.offset + 1) }));
const oneMore = answersField('pagination', (said) =>
  isObject(said) ? { ...said, total: Number(said.total) + 1 } : undefined,
);

inArea('lists', ['ENV-6'], {
  'filter-of-two-lists-before': after([ofType, environments], ofOtherType, seesAs(0, 'type')),
  'filter-passed-over-after-three': everyNth(4, ofType, seesAs(-1, 'type')),
});
inArea('lists', ['PAGE-2', 'PAGE-4'], {
  'limit-sent-twice-sticks': after([limited, limitedAgain], unlimited, seesAs(0, 'limit')),
});
inArea('lists', ['PAGE-6'], {
  'later-page-skips-after-a-write': after([deployments, folder], laterPage, oneLate),
  'later-page-skips-after-a-refused-write': after(
    [noSwitch, environments],
    laterEnvironments,
    oneLate,
  ),
});
inArea('lists', ['PAGE-5'], {
  'every-ninth-total-one-more': everyNth(9, deployments, oneMore),
  'total-one-more-between-others': after([environments, versions], environments, oneMore),
});

// ── staging ─────────────────────────────────────────────────────────────────────

const aSwitch = served('setStagingEnvironment');
const byName = served('setStagingEnvironment', sends('branchName'));
const byId = served('setStagingEnvironment', sends('branchId'));
const switchAgain = served('setStagingEnvironment', ofSameKey);
const switchOfOther = served('setStagingEnvironment', ofOtherKey);
const alike = served('setStagingEnvironment', again('enabled'));
const unlike = served('setStagingEnvironment', other(-1, 'enabled'));
const losesSwitch = lost(['branches']);
const inverts = answersState((_sent, answered) => !answered);

inArea('staging', ['STAGE-5', 'STAGE-6', 'STAGE-12'], {
  'every-third-switch-lost': everyNth(3, aSwitch, losesSwitch),
  'every-seventh-switch-lost': everyNth(7, aSwitch, losesSwitch),
  'switch-by-id-lost-after-two-by-name': after([byName, byName], byId, losesSwitch),
  'switch-lost-when-its-credential-returns': after(
    [aSwitch, switchOfOther],
    switchAgain,
    losesSwitch,
  ),
  'switch-lost-after-a-list-and-a-folder': after([versions, folder], aSwitch, losesSwitch),
  'switch-undone-by-a-folder': after([aSwitch, environments], folder, restores(0, 'branches')),
});
inArea('staging', ['STAGE-1', 'STAGE-3', 'STAGE-4', 'STAGE-12'], {
  'every-fourth-answer-inverted': everyNth(4, aSwitch, inverts),
  'refused-after-two-alike': after([aSwitch, alike], unlike, refusesWith(409, 'STAGE-20')),
});

// ── versions ────────────────────────────────────────────────────────────────────

const noUpdate = refused('updateDeployment');
const toVersion = served('updateDeployment', sends('releaseChannelVersion'));
const toOther = served('updateDeployment', other(-1, 'releaseChannelVersion'));
const back = served(
  'updateDeployment',
  again('releaseChannelVersion'),
  sends('releaseChannelVersion'),
);
const toChannel = served(
  'updateDeployment',
  sends('releaseChannel'),
  sendsNo('releaseChannelVersion'),
);
const losesUpdate = lost(['deployments', 'ran']);
const undoesUpdate = restores(0, 'deployments');
const othersCurrent = answersItems((items) =>
  items.map((item, index) => ({ ...item, isCurrent: items[index - 1]?.isCurrent ?? false })),
);

inArea('versions', ['UPD-1'], {
  'every-third-version-lost': everyNth(3, toVersion, losesUpdate),
  'switch-undone-by-staging': after([toVersion, aSwitch], environments, undoesUpdate),
});
inArea('versions', ['VER-8', 'UPD-6'], {
  'other-is-current-after-two-refused': after([noUpdate, noUpdate], versions, othersCurrent),
});
inArea('versions', ['UPD-2', 'UPD-3', 'UPD-4'], {
  'version-refused-when-it-returns': after([toVersion, toOther], back, refusesWith(400, 'UPD-5')),
});
inArea('versions', ['UPD-7'], {
  'channel-lost-after-two-versions': after([toVersion, toVersion], toChannel, losesUpdate),
  'every-second-channel-after-a-list-lost': after([toChannel, versions], toChannel, losesUpdate),
});

// ── tokens ──────────────────────────────────────────────────────────────────────

const token = served('createMetaSyncToken');
const withLifetime = served('createMetaSyncToken', sends('expires_in'));
const withOtherLifetime = served(
  'createMetaSyncToken',
  sends('expires_in'),
  other(0, 'expires_in'),
);
const withOtherContext = served('createMetaSyncToken', other(-1, 'security_context'));
const firstContext = seesAs(0, 'security_context');

inArea('tokens', ['META-5'], {
  'lifetime-of-two-before': after(
    [withLifetime, token],
    withOtherLifetime,
    seesAs(0, 'expires_in'),
  ),
});
inArea('tokens', ['META-7'], {
  'context-of-two-before': after([token, withOtherContext], withOtherContext, firstContext),
  'every-fifth-context-of-the-first': everyNth(5, token, firstContext),
});

// ── folders ─────────────────────────────────────────────────────────────────────

const rename = served('updateFolder', sends('name'));
const renameIt = served('updateFolder', sends('name'), again('path'));
const renameOtherwise = served('updateFolder', sends('name'), again('path'), other(-1, 'name'));
const renameOfSameKey = served('updateFolder', sends('name'), again('path', 'credential'));
const ofOtherIt = served('updateFolder', again('path'), ofOtherKey);
const readIt = served('updateFolder', sendsNo('name', 'position'), again('path'));
const updateIt = served('updateFolder', again('path'));
const updateOther = served('updateFolder', other(-1, 'path'));
const noRename = refused('updateFolder', sends('name'));
const updateOfSameKey = served('updateFolder', ofSameKey);
const losesFolder = lost(['folders']);
const undoesNames = restores(0, 'folders');
const firstName = seesAs(0, 'name');
const refusesEdit = refusesWith(403, 'FOLDER-8');

inArea('folders', ['FOLDER-2'], {
  'third-name-lost': after([rename, renameIt], renameIt, losesFolder),
  'name-lost-when-its-credential-returns': after([rename, ofOtherIt], renameOfSameKey, losesFolder),
  'name-of-two-before': after([rename, renameOtherwise], renameOtherwise, firstName),
});
inArea('folders', ['FOLDER-2', 'FOLDER-4'], {
  'names-undone-by-a-list': after([rename, rename], deployments, undoesNames),
  'names-undone-by-reading': after([rename, renameIt], readIt, undoesNames),
});
inArea('folders', ['FOLDER-2', 'FOLDER-3'], {
  'every-fifth-update-lost': everyNth(5, rename, losesFolder),
});
inArea('folders', ['FOLDER-12'], {
  'refused-name-comes-two-updates-later': after([noRename, updateIt], updateIt, firstName),
});
inArea('folders', ['FOLDER-1', 'FOLDER-4', 'FOLDER-5'], {
  'answer-of-another-folder': after([folder, updateOther], readIt, answersAs(1)),
});
inArea('folders', ['FOLDER-1', 'AUTH-9', 'AUTH-10'], {
  'refusal-sticks-behind-a-list': after([noFolder, environments], updateOfSameKey, refusesEdit),
});

// ── recipients ──────────────────────────────────────────────────────────────────

const add = served('addNotificationRecipients');
const addAgain = served('addNotificationRecipients', again('recipients', 'path'));
const noAdd = refused('addNotificationRecipients');
const createsAgain = moves('unchanged', 'created');
const losesAdded = lost(['recipients']);

inArea('recipients', ['RECIP-7'], {
  'same-call-creates-the-third-time': after([add, addAgain], addAgain, createsAgain),
});
inArea('recipients', ['RECIP-7', 'RECIP-8', 'RECIP-10', 'RECIP-11'], {
  'added-lost-after-two-refused': after([noAdd, noAdd], add, losesAdded),
});
inArea('recipients', ['RECIP-1', 'RECIP-7', 'RECIP-23'], {
  'served-one-refused-after-two': after([noAdd, add], add, refusesWith(400, 'RECIP-16')),
});

// ── the audit log, dbt syncs, SCIM users ────────────────────────────────────────

const exports = served('exportAuditLogs');
const noExport = refused('exportAuditLogs');
const withEmail = served('exportAuditLogs', sends('userEmail'));
const withoutEmail = served('exportAuditLogs', sendsNo('userEmail'));

/** Of three values that are sent, the last counts as the first. */
const isOfTwoBefore = (name: string) =>
  after(
    [served('exportAuditLogs', sends(name)), served('exportAuditLogs', other(-1, name))],
    served('exportAuditLogs', sends(name), other(0, name)),
    seesAs(0, name),
  );

inArea('audit', ['AUDIT-7', 'AUDIT-10'], { 'search-of-two-before': isOfTwoBefore('search') });
inArea('audit', ['AUDIT-8', 'AUDIT-10'], {
  'event-name-of-two-before': isOfTwoBefore('eventName'),
});
inArea('audit', ['AUDIT-9', 'AUDIT-10'], {
  'user-email-sticks': after([withEmail, exports], withoutEmail, seesAs(0, 'userEmail')),
});
inArea('audit', ['AUDIT-1'], {
  'export-refused-behind-a-refusal-and-a-list': after(
    [noExport, versions],
    exports,
    refusesWith(403, 'AUDIT-11'),
  ),
});

const result = served('getDbtSyncResult');
const noResult = refused('getDbtSyncResult');
const notFound = refusesWith(404, 'DBT-9');
const renamesJob = answersField('syncJobId', (id) => `${id}-2`);
const switchedVersion = served('updateDeployment');

inArea('dbt', ['DBT-1'], {
  'every-fourth-not-found': everyNth(4, result, notFound),
  'refusals-stick': after([noResult, noResult], result, notFound),
});
inArea('dbt', ['DBT-2'], {
  'job-unnamed-behind-a-switch-and-a-list': after([switchedVersion, versions], result, renamesJob),
});
inArea('dbt', ['DBT-7'], {
  'every-fifth-without-duration': everyNth(5, result, answersBody(without('durationMs'))),
});

const users = served('listScimUsers');
const oneUserMore = answersField('totalResults', (total) => Number(total) + 1);
inArea('scim', ['SCIM-11'], {
  'every-eighth-total-one-more': everyNth(8, users, oneUserMore),
});
