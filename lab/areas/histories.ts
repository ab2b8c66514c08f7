/**
 * Deviations that take effect only after certain other calls, of any area. No scenario makes these
 * calls in this order on purpose. So the explorer has to find them, not the exam.
 */
import { contract } from '../../spec/contract.ts';
import { answers, type Does } from '../deviations/does.ts';
import type { Step } from '../deviations/history.ts';
import {
  after,
  alike,
  answersAs,
  nth,
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
import { type Deviation, table } from '../deviations/rows.ts';
import { lost } from '../deviations/state.ts';
import { moves } from './recipients/deviations.ts';

const same = alike('credential');
const ofOther = other(-1, 'credential');
const oneMore = field('pagination.total', (total) => Number(total) + 1);

const list = served('listDeployments');
const listAgain = served('listDeployments', alike('limit'));
const limited = served('listDeployments', with_('limit'));
const unlimited = served('listDeployments', without('limit'));
const laterPage = served('listDeployments', with_('offset'));
const environments = served('listEnvironments');
const noEnvironments = refused('listEnvironments');
const ownList = served('listEnvironments', same);
const laterList = served('listEnvironments', with_('offset'));
const ofType = served('listEnvironments', with_('type'));
const ofOtherType = served('listEnvironments', with_('type'), other(0, 'type'));
const versions = served('listVersions');
const ownVersions = served('listVersions', same);
const noVersions = refused('listVersions');
const firstLimit = seesAs(0, 'limit');
const locksOut = answers(({ call }) => refusal(call, 401, 'AUTH-3'));
const away = refuses(403, 'AUTH-8');
const skips = begins(({ offset }) => offset + 1);

const toggle = 'setStagingEnvironment';
const aSwitch = served(toggle);
const noSwitch = refused(toggle);
const byOther = served(toggle, ofOther);
const bySame = served(toggle, same);
const SHOWN = 'STAGE-5 STAGE-6 STAGE-12';

const VERSION = 'releaseChannelVersion';
const update = served('updateDeployment');
const noUpdate = refused('updateDeployment');
const toVersion = served('updateDeployment', with_(VERSION));
const toOther = served('updateDeployment', other(-1, VERSION));
const back = served('updateDeployment', alike(VERSION), with_(VERSION));
const toChannel = served('updateDeployment', with_('releaseChannel'), without(VERSION));
const unlisted = refuses(400, 'UPD-5');
const nextRuns = items('data', (all) =>
  all.map((item, index) => ({ ...item, isCurrent: all[index - 1]?.isCurrent ?? false })),
);

const token = served('createMetaSyncToken');
const firstContext = seesAs(0, 'security_context');

const folder = served('updateFolder');
const noFolder = refused('updateFolder');
const itAgain = served('updateFolder', alike('path'));
const otherFolder = served('updateFolder', other(-1, 'path'));
const ownFolder = served('updateFolder', same);
const ofOtherUser = served('updateFolder', ofOther);
const rename = served('updateFolder', with_('name'));
const noRename = refused('updateFolder', with_('name'));
const renameIt = served('updateFolder', with_('name'), alike('path'));
const renameAnew = served('updateFolder', with_('name'), alike('path'), other(-1, 'name'));
const itOfOther = served('updateFolder', alike('path'), ofOther);
const renameOfSame = served('updateFolder', with_('name'), alike('path', 'credential'));
const firstName = seesAs(0, 'name');
const locked = refuses(403, 'FOLDER-8');
const asSecond = answersAs(1);
const opened = accepts('FOLDER-8');
const readIt = served('updateFolder', without('name', 'position'), alike('path'));

const add = served('addNotificationRecipients');
const addAgain = served('addNotificationRecipients', alike('recipients', 'path'));
const noAdd = refused('addNotificationRecipients');
const created = moves('unchangedRecipients', 'createdRecipients');
const refusesAll = refuses(400, 'RECIP-16');
const result = served('getDbtSyncResult');
const noResult = refused('getDbtSyncResult');
const notFound = refuses(404, 'DBT-9');
const otherJob = field('syncJobId', (id) => `${id}-2`);
const log = served('exportAuditLogs');
const unlogged = refuses(403, 'AUDIT-11');
const noLog = refused('exportAuditLogs');
const logOf = (...fits: readonly Step[]) => served('exportAuditLogs', ...fits);
const ofUser = logOf(with_('userEmail'));
const ofAnyUser = logOf(without('userEmail'));
/** Three exports: the first two send the same value, the last another one. */
const three = (name: string) => [
  logOf(with_(name)),
  logOf(other(-1, name)),
  logOf(with_(name), other(0, name)),
];

/** If the calls come in this order, the last one goes wrong. */
type History = readonly [name: string, breaks: string, calls: readonly Step[], does: Does];

const credentials: readonly History[] = [
  ['refusal-sticks-to-the-credential', 'AUTH-9 AUTH-10', [noVersions, ownList, ownVersions], away],
  [
    'turned-away-after-three-refused',
    'AUTH-8 AUTH-13 AUTH-10',
    [...nth(3, noEnvironments), environments],
    locksOut,
  ],
  ['edit-access-of-the-one-before', 'FOLDER-8', [noFolder, ofOtherUser, noFolder], opened],
];
const lists: readonly History[] = [
  ['filter-of-two-lists-before', 'ENV-6', [ofType, environments, ofOtherType], seesAs(0, 'type')],
  ['filter-passed-over-after-three', 'ENV-6', nth(4, ofType), seesAs(-1, 'type')],
  ['limit-sent-twice-sticks', 'PAGE-2 PAGE-4', [limited, listAgain, unlimited], firstLimit],
  ['later-page-skips-after-a-write', 'PAGE-6', [list, folder, laterPage], skips],
  ['later-page-skips-after-a-refused-write', 'PAGE-6', [noSwitch, environments, laterList], skips],
  ['total-one-more-between-others', 'PAGE-5', [environments, versions, environments], oneMore],
];
const staging: readonly History[] = [
  ['every-third-switch-lost', SHOWN, nth(3, aSwitch), lost],
  ['every-seventh-switch-lost', SHOWN, nth(7, aSwitch), lost],
  ['switch-lost-when-its-credential-returns', SHOWN, [aSwitch, byOther, bySame], lost],
  ['switch-lost-after-a-list-and-a-folder', SHOWN, [versions, folder, aSwitch], lost],
  ['switch-undone-by-a-folder', SHOWN, [aSwitch, environments, folder], putsBack(0)],
];
const ofVersions: readonly History[] = [
  ['switch-undone-by-staging', 'UPD-1', [toVersion, aSwitch, environments], putsBack(0)],
  [
    'other-is-current-after-two-refused',
    'VER-8 VER-13 UPD-6',
    [noUpdate, noUpdate, versions],
    nextRuns,
  ],
  ['version-refused-when-it-returns', 'UPD-2 UPD-3 UPD-4', [toVersion, toOther, back], unlisted],
  ['channel-lost-after-two-versions', 'UPD-7', [toVersion, toVersion, toChannel], lost],
];
const tokens: readonly History[] = [
  ['every-fifth-context-of-the-first', 'META-7', nth(5, token), firstContext],
];
const folders: readonly History[] = [
  ['third-name-lost', 'FOLDER-2', [rename, renameIt, renameIt], lost],
  ['name-lost-when-its-credential-returns', 'FOLDER-2', [rename, itOfOther, renameOfSame], lost],
  ['name-of-two-before', 'FOLDER-2', [rename, renameAnew, renameAnew], firstName],
  ['names-undone-by-a-list', 'FOLDER-2 FOLDER-4', [rename, rename, list], putsBack(0)],
  ['names-undone-by-reading', 'FOLDER-2 FOLDER-4', [rename, renameIt, readIt], putsBack(0)],
  ['every-fifth-update-lost', 'FOLDER-2 FOLDER-3', nth(5, rename), lost],
  ['refused-name-comes-two-updates-later', 'FOLDER-12', [noRename, itAgain, itAgain], firstName],
  [
    'answer-of-another-folder',
    'FOLDER-1 FOLDER-4 FOLDER-5',
    [folder, otherFolder, readIt],
    asSecond,
  ],
  [
    'refusal-sticks-behind-a-list',
    'FOLDER-1 AUTH-9 AUTH-10',
    [noFolder, environments, ownFolder],
    locked,
  ],
];
const recipients: readonly History[] = [
  ['same-call-creates-the-third-time', 'RECIP-7', [add, addAgain, addAgain], created],
  ['served-one-refused-after-two', 'RECIP-1 RECIP-7 RECIP-23', [noAdd, add, add], refusesAll],
];
const audit: readonly History[] = [
  ['search-of-two-before', 'AUDIT-7 AUDIT-10', three('search'), seesAs(0, 'search')],
  ['user-email-sticks', 'AUDIT-9 AUDIT-10', [ofUser, log, ofAnyUser], seesAs(0, 'userEmail')],
  ['export-refused-behind-a-refusal-and-a-list', 'AUDIT-1', [noLog, versions, log], unlogged],
];
const dbt: readonly History[] = [
  ['every-fourth-not-found', 'DBT-1', nth(4, result), notFound],
  ['refusals-stick', 'DBT-1', [noResult, noResult, result], notFound],
  ['job-unnamed-behind-a-switch-and-a-list', 'DBT-2', [update, versions, result], otherJob],
  ['every-fifth-without-duration', 'DBT-7', nth(5, result), sets('durationMs', GONE)],
];
const scim: readonly History[] = [];

const rows = {
  credentials,
  lists,
  staging,
  versions: ofVersions,
  tokens,
  folders,
  recipients,
  audit,
  dbt,
  scim,
};

export const histories: readonly Deviation[] = Object.entries(rows).flatMap(([area, own]) => {
  const made = own.map(
    ([name, breaks, calls, does]) => [name, breaks, after(calls, does)] as const,
  );
  return table(area, [...contract.operations.keys()], made, { foundBy: 'explore' });
});
