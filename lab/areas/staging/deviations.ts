/** The staging switch going wrong, and what the environments and branches lists show of it. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, all, objectOf, setIn, since } from '../../deviations/conditions.ts';
import { answers, type Asked, both, type Does, type Done, given, type When } from '../../deviations/does.ts';
import { relisted } from '../../deviations/pages.ts';
import { GONE } from '../../deviations/places.ts';
import { accepts, asAdmin, despite, served } from '../../deviations/refusals.ts';
import { body, field, items } from '../../deviations/replies.ts';
import { sends, sendsNo, sendsValue } from '../../deviations/requests.ts';
import { on, type Row, table } from '../../deviations/rows.ts';
import { afterMs, asIf, atNext, besides, type Due, instead, late, listIn, lost, objectOf as readObject, showsOld, stale, undone } from '../../deviations/state.ts';
import { deploymentOf, type Other, otherCall } from '../../deviations/wire.ts';

const id = 'setStagingEnvironment';
const toggle = operation(id);
const STATE = 'isStagingEnvironmentEnabled';
const both_ = [id, 'listEnvironments'] as const;
const three = [...both_, 'listBranches'] as const;
const TEN_MINUTES_MS = 600_000;

// ── branches and switches ───────────────────────────────────────────────────────

/** The branches of the deployment, as the list shows them. */
async function branchesOf({ call, target }: Asked): Promise<readonly JsonObject[]> {
  const list = operation('listBranches');
  const path = { deployment_id: deploymentOf(call) };
  const admin = asAdmin({ call: { ...call, operation: list }, target });
  const reply = await target.handle(otherCall(call, { ...admin, operation: list, path, query: {}, body: undefined }));
  return listIn(reply.body);
}

const isOn = (branch: JsonObject) => branch[STATE] === true;
const isProduction = ({ name, parentBranch }: JsonObject) => (parentBranch ?? name) === name;

/** Switches of those branches of the deployment that can be switched so. */
const switches =
  (enabled: boolean, which: (branch: JsonObject, call: Done['call']) => boolean = () => true) =>
  async (asked: Asked): Promise<readonly Other[]> => {
    const branches = await branchesOf(asked);
    const chosen = branches.filter((one) => isOn(one) !== enabled && which(one, asked.call));
    const path = { deployment_id: deploymentOf(asked.call) };
    const admin = asAdmin({ ...asked, call: { ...asked.call, operation: toggle } });
    return chosen.map((one) => ({ ...admin, operation: toggle, path, query: {}, body: { branchId: one.id, enabled } }));
  };
const isOther = ({ id: own, name }: JsonObject, { body: sent }: Done['call']) =>
  own !== sent.branchId && name !== sent.branchName;
/** The first of those that the service takes: it refuses what is no shared branch. */
const another = (enabled: boolean) => switches(enabled, isOther);

const enables = sendsValue('enabled', (on) => on === true);
const disables = sendsValue('enabled', (on) => on === false);
const byId = sends('branchId');
const byName = sends('branchName');
const flipped = field(`data.${STATE}`, (on) => !on);
const inverted = instead(({ call }) => ({ body: { ...call.body, enabled: !call.body.enabled } }));
/** The switch is made on another shared branch. */
const onAnother = instead(async (asked) => {
  const branches = (await branchesOf(asked)).filter((one) => isOther(one, asked.call) && !isProduction(one));
  return branches[0] && { body: { branchId: branches[0].id, enabled: asked.call.body.enabled } };
});
const describesAnother = body(async (whole, done) => {
  const other = (await branchesOf(done)).find((one) => isOther(one, done.call));
  const { data } = whole as { readonly data: JsonObject };
  return other && { data: { ...data, ...other, [STATE]: data[STATE] } };
});
/** The second list after a switch. */
const onceListed: Due = ({ call, target }, { at }) => {
  const lists = setIn(target.memory, `lists since ${at}`);
  if (call.operation.id === 'listEnvironments') lists.add(String(lists.size));
  return lists.size > 1 && call.operation.id === 'listEnvironments';
};
const ofDeployment = (asked: Parameters<typeof objectOf>[0]) => deploymentOf(asked);

// ── the lists ───────────────────────────────────────────────────────────────────

const isStaging = ({ type }: JsonObject) => type === 'staging';
const noStaging = relisted((list) => list.filter((item) => !isStaging(item)));
const asDevelopment = relisted((list) =>
  list.map((item) => (isStaging(item) ? { ...item, type: 'development' } : item)),
);
const allOn = asIf(switches(true));
const inFiltered: When = all(isOf('listEnvironments'), sends('type'));
const inWhole: When = all(isOf('listEnvironments'), sendsNo('type'));
function isOf(wanted: string): When {
  return ({ call }) => call.operation.id === wanted;
}
const oneMore = relisted((list) => {
  const first = list.findIndex(({ type }) => type === 'development');
  return list.map((item, index) => (index === first ? { ...item, type: 'staging' } : item));
});
/** While the last switch has enabled a branch, another environment is staging with it. */
const takesAlong: Does = async (call, target) => {
  const { memory } = target;
  if (call.operation.id === id) memory.set('along', call.body.enabled === true);
  const shows = call.operation.id !== id && memory.get('along') === true;
  return shows ? oneMore(call, target) : target.handle(call);
};
/** The list is as before the last switch, for ten minutes. */
const recently = (when: When): When => {
  const lists = isOf('listEnvironments');
  return all(lists, ({ target }) => target.now() < Number(target.memory.get('at')) + TEN_MINUTES_MS, when);
};
const noting = (which: When, reads: When): Does => {
  const inner = stale([id], reads);
  return async (call, target) => {
    const isSwitch = call.operation.id === id;
    if (isSwitch) target.memory.set('fits', await which({ call, target }));
    if (isSwitch) target.memory.set('at', target.now());
    return inner(call, target);
  };
};
const fitting: When = ({ target }) => target.memory.get('fits') === true;
const branchList = (change: (branch: JsonObject) => JsonObject) =>
  body((whole) => eachBranch(whole, change));

/** The list is of a shape that is not described. */
function eachBranch(value: unknown, change: (branch: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => eachBranch(item, change));
  if (!isObject(value)) return value;
  if (STATE in value) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, eachBranch(item, change)]));
}
const withoutPersonal = items('data', (list) => list.filter((one) => isProduction(one) || one.name !== 'dev-ana'));

// ── refused switches ────────────────────────────────────────────────────────────

const branchOf = (asked: Asked) => readObject(asked);
const isKind = (kind: 'production' | 'personal', branch: JsonObject | undefined) =>
  branch !== undefined && isProduction(branch) === (kind === 'production');
const accepted = (kind: 'production' | 'personal', when: When = () => true): Does =>
  accepts('STAGE-9', async (done) => {
    const branch = await branchOf(done);
    if (!isKind(kind, branch) || !(await when(done))) return undefined;
    return served(200, { data: { ...branch, [STATE]: true } })(done);
  });
/** The branch is shown as enabled, and an environment for it, once it was refused. */
const shownOn = (kind: 'production' | 'personal'): Does => async (call, target) => {
  const refused = setIn(target.memory, 'shown');
  const does: Does =
    call.operation.id === 'listBranches'
      ? branchList((branch) => (refused.has(String(branch.id)) ? { ...branch, [STATE]: true } : branch))
      : relisted((list) => [...list, ...[...refused].flatMap((own) => list.slice(0, 1).map((one) => ({ ...one, id: `9${own}`, type: 'staging' })))]);
  if (call.operation.id !== id) return does(call, target);
  return answers(async (done) => {
    const branch = await branchOf(done);
    if (done.reply.why === 'STAGE-9' && isKind(kind, branch)) refused.add(String(branch?.id));
    return undefined;
  })(call, target);
};
const namesNone: When = sendsNo('branchName', 'branchId');
const whileRefused =
  (when: When, others: (done: Done) => readonly Other[] | Promise<readonly Other[]>): Does =>
    despite('any', async (done) => ((await when(done)) ? others(done) : []));
const takenAs = (when: When, enabled: boolean): Does =>
  accepts('any', async (done) => ((await when(done)) ? { body: { ...done.call.body, enabled } } : undefined));
const noState = all(sendsNo('enabled'), byName);
const asText = sendsValue('enabled', (on) => typeof on === 'string');
const asProduction = accepts('any', async (done) => {
  const main = (await branchesOf(done)).find(isProduction);
  return (await namesNone(done)) ? served(200, { data: { ...main, [STATE]: done.call.body.enabled } })(done) : undefined;
});

const rows: readonly Row[] = [
  ['lost-enable: Enabling is answered as if it were done, and is not.', 'STAGE-3 STAGE-5', given(enables, lost)],
  ['gone-after-five-seconds', 'STAGE-3 STAGE-5', on(three, undone([id], afterMs(5000), enables))],
  ['stuck-disabled: Once disabled, a branch stays so, and the answer says it.', 'STAGE-3 STAGE-5', given(all(since(disables, ofDeployment), enables), both(lost, flipped))],
  ['lost-disable: Disabling is answered as if it were done, and is not.', 'STAGE-4 STAGE-6', given(disables, lost)],
  ['stuck-enabled: Once enabled, a branch stays so, and the answer says it.', 'STAGE-4 STAGE-6', given(disables, both(lost, flipped))],
  ['second-switch-ignored', 'STAGE-4 STAGE-6', given(again(objectOf), lost)],
  ['late-by-ten-minutes', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', on(three, late([id], afterMs(TEN_MINUTES_MS)))],
  ['late-by-one-switch', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', late([id], atNext(id))],
  ['inverted: Enabling disables and disabling enables, whatever the answer says.', 'STAGE-3 STAGE-4 STAGE-5 STAGE-6', inverted],
  ['inverted-answer', 'STAGE-3 STAGE-4', flipped],
  ['answer-of-before', 'STAGE-3 STAGE-4', showsOld(STATE, `data.${STATE}`)],
  ['undone-when-listed', 'STAGE-5 STAGE-3', on(both_, undone([id], onceListed, enables))],
  ['by-id-does-nothing', 'STAGE-12', given(byId, lost)],
  ['by-id-hits-another', 'STAGE-12', given(byId, onAnother)],
  ['by-name-does-nothing', 'STAGE-11 STAGE-3 STAGE-4', given(byName, lost)],
  ['by-name-hits-another', 'STAGE-11 STAGE-3 STAGE-4', given(byName, onAnother)],
  ['answer-of-another-branch', 'STAGE-11 STAGE-12', describesAnother],
  ['shared-branch-without-parent', 'STAGE-2', field('data.parentBranch', () => GONE)],
  ['shared-branch-with-null-parent', 'STAGE-2', field('data.parentBranch', () => null)],
  ['enabling-enables-another', 'STAGE-6', on(both_, takesAlong)],
  ['enabling-disables-others', 'STAGE-5', given(enables, besides(another(false)))],
  ['listed-while-disabled', 'STAGE-6', on(['listEnvironments'], allOn)],
  ['listed-after-it-was-disabled', 'STAGE-6', on(both_, noting(disables, all(isOf('listEnvironments'), fitting)))],
  ['listed-ten-minutes-longer', 'STAGE-6', on(both_, noting(disables, recently(fitting)))],
  ['not-listed-while-enabled', 'STAGE-5', on(['listEnvironments'], noStaging)],
  ['listed-as-development', 'STAGE-5', on(['listEnvironments'], asDevelopment)],
  ['not-listed-for-ten-minutes', 'STAGE-5', on(both_, noting(enables, recently(fitting)))],
  ['missing-from-filtered-list', 'ENV-6', on(['listEnvironments'], given(inFiltered, noStaging))],
  ['only-in-filtered-list', 'STAGE-5 ENV-6', on(['listEnvironments'], given(inWhole, noStaging))],
  ['disabled-in-filtered-list', 'ENV-6 STAGE-6', on(['listEnvironments'], given(inFiltered, allOn))],
  ['branches-without-ids', 'BRANCH-2', on(['listBranches'], branchList(({ id: _, ...branch }) => branch))],
  ['branches-of-other-ids', 'BRANCH-2', on(['listBranches'], branchList((branch) => ({ ...branch, id: Number(branch.id) + 1_000_000 })))],
  ['personal-branches-unlisted', 'BRANCH-2', on(['listBranches'], withoutPersonal)],
  ['personal-branch-accepted', 'STAGE-7', accepted('personal')],
  ['personal-branch-accepted-by-id', 'STAGE-7', accepted('personal', byId)],
  ['personal-branch-refused-but-enabled', 'STAGE-10', on(three, shownOn('personal'))],
  ['production-branch-accepted', 'STAGE-8', accepted('production')],
  ['production-branch-accepted-by-id', 'STAGE-8', accepted('production', byId)],
  ['production-branch-refused-but-enabled', 'STAGE-10', on(three, shownOn('production'))],
  ['refusal-disables-another', 'STAGE-10', despite('STAGE-9', switches(false))],
  ['refusal-enables-another', 'STAGE-10', despite('STAGE-9', switches(true))],
  ['refusal-without-branch-disables-all', 'STAGE-10', whileRefused(all(namesNone, disables), switches(false))],
  ['refusal-without-state-enables', 'STAGE-10', whileRefused(noState, (done) => [{ body: { ...done.call.body, enabled: true } }])],
  ['without-state-disables', 'STAGE-14', takenAs(noState, false)],
  ['state-as-text-enables', 'STAGE-14', takenAs(asText, true)],
  ['without-branch-accepted: A request that names no branch is answered as for production.', 'STAGE-13', asProduction],
];
const refusedCredentials: readonly Row[] = [
  ['embed-jwt-refused-but-switches-staging', 'AUTH-14', despite('AUTH-22')],
  ['expired-refused-but-switches-staging', 'AUTH-14', despite('AUTH-4')],
];

export const staging = [
  ...table('staging', [id], rows),
  ...table('credentials', [id], refusedCredentials),
];
