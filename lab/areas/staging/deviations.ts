/** The staging switch going wrong, and what the environments and branches lists show of it. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, all, objectOf, setIn, since } from '../../deviations/conditions.ts';
import {
  answers,
  type Asked,
  both,
  type Does,
  type Done,
  given,
  type When,
} from '../../deviations/does.ts';
import { relisted } from '../../deviations/pages.ts';
import { GONE } from '../../deviations/places.ts';
import { accepts, asAdmin, despite, served } from '../../deviations/refusals.ts';
import { body, field, items } from '../../deviations/replies.ts';
import { sends, sendsNo, sendsValue } from '../../deviations/requests.ts';
import { on, type Rows, table } from '../../deviations/rows.ts';
import {
  afterMs,
  asIf,
  atNext,
  besides,
  type Due,
  instead,
  late,
  listIn,
  lost,
  objectOf as readObject,
  showsOld,
  stale,
  undone,
} from '../../deviations/state.ts';
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
  const reply = await target.handle(
    otherCall(call, { ...admin, operation: list, path, query: {}, body: undefined }),
  );
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
    return chosen.map((one) => ({
      ...admin,
      operation: toggle,
      path,
      query: {},
      body: { branchId: one.id, enabled },
    }));
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
  const branches = (await branchesOf(asked)).filter(
    (one) => isOther(one, asked.call) && !isProduction(one),
  );
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
  return all(
    lists,
    ({ target }) => target.now() < Number(target.memory.get('at')) + TEN_MINUTES_MS,
    when,
  );
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
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, eachBranch(item, change)]),
  );
}
const withoutPersonal = items('data', (list) =>
  list.filter((one) => isProduction(one) || one.name !== 'dev-ana'),
);

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
const shownOn =
  (kind: 'production' | 'personal'): Does =>
  async (call, target) => {
    const refused = setIn(target.memory, 'shown');
    const does: Does =
      call.operation.id === 'listBranches'
        ? branchList((branch) =>
            refused.has(String(branch.id)) ? { ...branch, [STATE]: true } : branch,
          )
        : relisted((list) => [
            ...list,
            ...[...refused].flatMap((own) =>
              list.slice(0, 1).map((one) => ({ ...one, id: `9${own}`, type: 'staging' })),
            ),
          ]);
    if (call.operation.id !== id) return does(call, target);
    return answers(async (done) => {
      const branch = await branchOf(done);
      if (done.reply.why === 'STAGE-9' && isKind(kind, branch)) refused.add(String(branch?.id));
      return undefined;
    })(call, target);
  };
const namesNone: When = sendsNo('branchName', 'branchId');
const whileRefused = (
  when: When,
  others: (done: Done) => readonly Other[] | Promise<readonly Other[]>,
): Does => despite('any', async (done) => ((await when(done)) ? others(done) : []));
const takenAs = (when: When, enabled: boolean): Does =>
  accepts('any', async (done) =>
    (await when(done)) ? { body: { ...done.call.body, enabled } } : undefined,
  );
const noState = all(sendsNo('enabled'), byName);
const asText = sendsValue('enabled', (on) => typeof on === 'string');
const asProduction = accepts('any', async (done) => {
  const main = (await branchesOf(done)).find(isProduction);
  return (await namesNone(done))
    ? served(200, { data: { ...main, [STATE]: done.call.body.enabled } })(done)
    : undefined;
});

const rows: Rows = {
  'STAGE-3 STAGE-5': {
    'lost-enable: Enabling is answered as if it were done, and is not.': given(enables, lost),
    'gone-after-five-seconds': on(three, undone([id], afterMs(5000), enables)),
    'stuck-disabled: Once disabled, a branch stays so, and the answer says it.': given(
      all(since(disables, ofDeployment), enables),
      both(lost, flipped),
    ),
  },
  'STAGE-4 STAGE-6': {
    'lost-disable: Disabling is answered as if it were done, and is not.': given(disables, lost),
    'stuck-enabled: Once enabled, a branch stays so, and the answer says it.': given(
      disables,
      both(lost, flipped),
    ),
    'second-switch-ignored': given(again(objectOf), lost),
  },
  'STAGE-3 STAGE-4 STAGE-5 STAGE-6': {
    'late-by-ten-minutes': on(three, late([id], afterMs(TEN_MINUTES_MS))),
    'late-by-one-switch': late([id], atNext(id)),
    'inverted: Enabling disables and disabling enables, whatever the answer says.': inverted,
  },
  'STAGE-3 STAGE-4': {
    'inverted-answer': flipped,
    'answer-of-before': showsOld(STATE, `data.${STATE}`),
  },
  'STAGE-5 STAGE-3': {
    'undone-when-listed': on(both_, undone([id], onceListed, enables)),
  },
  'STAGE-12': {
    'by-id-does-nothing': given(byId, lost),
    'by-id-hits-another': given(byId, onAnother),
  },
  'STAGE-11 STAGE-3 STAGE-4': {
    'by-name-does-nothing': given(byName, lost),
    'by-name-hits-another': given(byName, onAnother),
  },
  'STAGE-11 STAGE-12': {
    'answer-of-another-branch': describesAnother,
  },
  'STAGE-2': {
    'shared-branch-without-parent': field('data.parentBranch', () => GONE),
    'shared-branch-with-null-parent': field('data.parentBranch', () => null),
  },
  'STAGE-6': {
    'enabling-enables-another': on(both_, takesAlong),
    'listed-while-disabled': on(['listEnvironments'], allOn),
    'listed-after-it-was-disabled': on(
      both_,
      noting(disables, all(isOf('listEnvironments'), fitting)),
    ),
    'listed-ten-minutes-longer': on(both_, noting(disables, recently(fitting))),
  },
  'STAGE-5': {
    'enabling-disables-others': given(enables, besides(another(false))),
    'not-listed-while-enabled': on(['listEnvironments'], noStaging),
    'listed-as-development': on(['listEnvironments'], asDevelopment),
    'not-listed-for-ten-minutes': on(both_, noting(enables, recently(fitting))),
  },
  'ENV-6': {
    'missing-from-filtered-list': on(['listEnvironments'], given(inFiltered, noStaging)),
  },
  'STAGE-5 ENV-6': {
    'only-in-filtered-list': on(['listEnvironments'], given(inWhole, noStaging)),
  },
  'ENV-6 STAGE-6': {
    'disabled-in-filtered-list': on(['listEnvironments'], given(inFiltered, allOn)),
  },
  'BRANCH-2': {
    'branches-without-ids': on(
      ['listBranches'],
      branchList(({ id: _, ...branch }) => branch),
    ),
    'branches-of-other-ids': on(
      ['listBranches'],
      branchList((branch) => ({ ...branch, id: Number(branch.id) + 1_000_000 })),
    ),
    'personal-branches-unlisted': on(['listBranches'], withoutPersonal),
  },
  'STAGE-7': {
    'personal-branch-accepted': accepted('personal'),
    'personal-branch-accepted-by-id': accepted('personal', byId),
  },
  'STAGE-10': {
    'personal-branch-refused-but-enabled': on(three, shownOn('personal')),
    'production-branch-refused-but-enabled': on(three, shownOn('production')),
    'refusal-disables-another': despite('STAGE-9', switches(false)),
    'refusal-enables-another': despite('STAGE-9', switches(true)),
    'refusal-without-branch-disables-all': whileRefused(all(namesNone, disables), switches(false)),
    'refusal-without-state-enables': whileRefused(noState, (done) => [
      { body: { ...done.call.body, enabled: true } },
    ]),
  },
  'STAGE-8': {
    'production-branch-accepted': accepted('production'),
    'production-branch-accepted-by-id': accepted('production', byId),
  },
  'STAGE-14': {
    'without-state-disables': takenAs(noState, false),
    'state-as-text-enables': takenAs(asText, true),
  },
  'STAGE-13': {
    'without-branch-accepted: A request that names no branch is answered as for production.':
      asProduction,
  },
};
const refusedCredentials: Rows = {
  'AUTH-14': {
    'embed-jwt-refused-but-switches-staging': despite('AUTH-22'),
    'expired-refused-but-switches-staging': despite('AUTH-4'),
  },
};

export const staging = [
  ...table('staging', [id], rows),
  ...table('credentials', [id], refusedCredentials),
];
