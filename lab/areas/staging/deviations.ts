/**
 * Deviations of the staging switch, and of the environments and branches lists that show its
 * effect.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, isOf, sends, sendsNo, sendsValue, subjectOf } from '../../deviations/conditions.ts';
import { type Asked, all, type Does, makes, not, type When } from '../../deviations/does.ts';
import { listed, objectOf } from '../../deviations/objects.ts';
import { relisted } from '../../deviations/pages.ts';
import { eachObject } from '../../deviations/places.ts';
import { accepts, asAdmin, despite, refuses, served } from '../../deviations/refusals.ts';
import { body } from '../../deviations/replies.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { afterMs, instead, lost, showsOld, undone } from '../../deviations/state.ts';
import { deploymentOf, type Other } from '../../deviations/wire.ts';

const id = 'setStagingEnvironment';
const STATE = 'isStagingEnvironmentEnabled';

const isProduction = ({ name, parentBranch }: JsonObject) => (parentBranch ?? name) === name;

/** The calls that bring every branch of the deployment to this state. */
const switches =
  (enabled: boolean) =>
  async (asked: Asked): Promise<readonly Other[]> => {
    const toggle = operation(id);
    const admin = asAdmin({ ...asked, call: { ...asked.call, operation: toggle } });
    const path = { deployment_id: deploymentOf(asked.call) };
    const there = { ...admin, operation: toggle, path, query: {} };
    const branches = await listed(asked, 'listBranches');
    const others = branches.filter((branch) => branch[STATE] !== enabled);
    return others.map((branch) => ({ ...there, body: { branchId: branch.id, enabled } }));
  };

const enables = sendsValue('enabled', (on) => on === true);
const disables = sendsValue('enabled', (on) => on === false);
const isText = sendsValue('enabled', (on) => typeof on === 'string');
const isNumber = sendsValue('enabled', (on) => typeof on === 'number');
const isNull = sendsValue('enabled', (on) => on === null);
const isNoState = sendsValue('enabled', (on) => on !== undefined && typeof on !== 'boolean');
const namesNone = sendsNo('branchName', 'branchId');
const inverted = instead(({ call }) => ({ body: { ...call.body, enabled: !call.body.enabled } }));
const describesAnother = body(async (whole, { call, target }) => {
  const { branchId, branchName } = call.body;
  const branches = await listed({ call, target }, 'listBranches');
  const other = branches.find(({ id: own, name }) => own !== branchId && name !== branchName);
  const { data } = whole as { readonly data: JsonObject };
  return other && { data: { ...data, ...other, [STATE]: data[STATE] } };
});

// ── the lists ───────────────────────────────────────────────────────────────────

const alsoStaging = relisted((list) => {
  const other = list.find(({ type }) => type === 'development');
  return list.map((item) => (item === other ? { ...item, type: 'staging' } : item));
});
/** Holds if the last switch enabled a branch. */
const isEnabledLast: When = ({ call, target: { memory } }) => {
  if (call.operation.id === id) memory.set('enabled', call.body.enabled);
  return call.operation.id !== id && memory.get('enabled') === true;
};
/** Changes each branch in a list. The description does not name the list's envelope. */
const branches = (change: (branch: JsonObject, memory: Asked['target']['memory']) => JsonObject) =>
  body((whole, { target }) =>
    eachObject(whole, (one) => (STATE in one ? change(one, target.memory) : one)),
  );

const otherIds = branches((one) => ({ ...one, id: Number(one.id) + 1_000_000 }));
const withoutEnabled = body((whole) => {
  const lists = Object.entries(whole as JsonObject).map(([name, list]) => {
    return [name, Array.isArray(list) ? list.filter((branch) => branch[STATE] !== true) : list];
  });
  return Object.fromEntries(lists);
});
const isFilteredList = all(isOf('listEnvironments'), sends('type'));
/** A list is answered as if all branches were enabled. */
const allEnabled: Does = async (call, target) => {
  const before = target.snapshot();
  await makes({ call, target }, await switches(true)({ call, target }));
  const reply = await target.handle(call);
  target.restore(before);
  return reply;
};

// ── refused switches ────────────────────────────────────────────────────────────

const branchAccepted = (isWanted: (branch: JsonObject) => boolean): Does =>
  accepts('STAGE-9', async (done) => {
    const branch = (await objectOf(done)) ?? {};
    return isWanted(branch) ? served(200, { data: { ...branch, [STATE]: true } })(done) : undefined;
  });
const shownOn = branches((branch, memory) =>
  memory.get('refused') === branch.id ? { ...branch, [STATE]: true } : branch,
);
/** The list shows the production branch as enabled after a refused request to enable it. */
const refusedButShown: Does = async (call, target) => {
  if (call.operation.id !== id) return shownOn(call, target);
  const branch = (await objectOf({ call, target })) ?? {};
  const reply = await target.handle(call);
  if (reply.why === 'STAGE-9' && isProduction(branch)) target.memory.set('refused', branch.id);
  return reply;
};
const takenAs = (enabled: boolean) =>
  accepts('any', ({ call }) => ({ body: { ...call.body, enabled } }));
const disablesAll = despite('any', switches(false));
const asProduction = accepts('any', async (done) => {
  const main = (await listed(done, 'listBranches')).find(isProduction);
  return served(200, { data: { ...main, [STATE]: done.call.body.enabled } })(done);
});

const rows: readonly Row[] = [
  ['lost-enable', 'STAGE-3 STAGE-5', lost, enables],
  ['second-switch-ignored', 'STAGE-4 STAGE-6', lost, again(subjectOf)],
  ['inverted: Enabling disables, disabling enables.', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', inverted],
  ['answer-of-before', 'STAGE-3 STAGE-4', showsOld(STATE, `data.${STATE}`)],
  ['by-name-refused', 'STAGE-11', refuses(404, 'STAGE-16'), sends('branchName')],
  ['by-id-refused', 'STAGE-12', refuses(404, 'STAGE-16'), sends('branchId')],
  ['answer-of-another-branch', 'STAGE-11 STAGE-12', describesAnother],
  ['personal-branch-accepted', 'STAGE-7', branchAccepted((branch) => !isProduction(branch))],
  ['refusal-without-branch-disables-all', 'STAGE-10', disablesAll, all(namesNone, disables)],
  [
    'refusal-by-id-disables-all',
    'STAGE-10',
    despite('STAGE-9', switches(false)),
    sends('branchId'),
  ],
  ['production-branch-accepted', 'STAGE-8', branchAccepted(isProduction)],
  ['without-state-disables', 'STAGE-14', takenAs(false), all(sendsNo('enabled'), not(namesNone))],
  ['state-as-text-enables', 'STAGE-14', takenAs(true), isText],
  ['state-as-number-enables', 'STAGE-14', takenAs(true), isNumber],
  ['state-as-null-enables', 'STAGE-14', takenAs(true), isNull],
  ['state-of-another-type-enables', 'STAGE-14', takenAs(true), isNoState],
  ['without-branch-accepted', 'STAGE-13', asProduction, namesNone],
];
const ofAll: readonly Row[] = [
  ['gone-after-five-seconds', 'STAGE-3 STAGE-5', undone([id], afterMs(5000), enables)],
  ['enabling-enables-another', 'STAGE-6', alsoStaging, isEnabledLast],
  ['production-branch-refused-but-enabled', 'STAGE-10', refusedButShown],
  ['disabled-in-filtered-list', 'ENV-6 STAGE-6', allEnabled, isFilteredList],
  ['enabled-branches-not-listed', 'BRANCH-2', withoutEnabled, isOf('listBranches')],
  ['branches-of-other-ids', 'BRANCH-2', otherIds, isOf('listBranches')],
];

export const staging = [
  ...table('staging', [id], rows),
  ...table('staging', [id, 'listEnvironments', 'listBranches'], ofAll),
];
