/** The staging switch going wrong, and what the environments and branches lists show of it. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, all, objectOf, setIn } from '../../deviations/conditions.ts';
import {
  type Asked,
  answers,
  both,
  type Does,
  type Done,
  given,
  type When,
} from '../../deviations/does.ts';
import { relisted } from '../../deviations/pages.ts';

import { accepts, asAdmin, despite, served } from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import { sends, sendsNo, sendsValue } from '../../deviations/requests.ts';
import { on, type Rows, table } from '../../deviations/rows.ts';
import {
  afterMs,
  asIf,
  instead,
  listIn,
  lost,
  objectOf as readObject,
  showsOld,
  undone,
} from '../../deviations/state.ts';
import { deploymentOf, type Other, otherCall } from '../../deviations/wire.ts';

const id = 'setStagingEnvironment';
const toggle = operation(id);
const STATE = 'isStagingEnvironmentEnabled';
const both_ = [id, 'listEnvironments'] as const;
const three = [...both_, 'listBranches'] as const;

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

const enables = sendsValue('enabled', (on) => on === true);
const disables = sendsValue('enabled', (on) => on === false);
const byId = sends('branchId');
const byName = sends('branchName');
const inverted = instead(({ call }) => ({ body: { ...call.body, enabled: !call.body.enabled } }));
const describesAnother = body(async (whole, done) => {
  const other = (await branchesOf(done)).find((one) => isOther(one, done.call));
  const { data } = whole as { readonly data: JsonObject };
  return other && { data: { ...data, ...other, [STATE]: data[STATE] } };
});

// ── the lists ───────────────────────────────────────────────────────────────────
const allOn = asIf(switches(true));
const inFiltered: When = all(isOf('listEnvironments'), sends('type'));
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
/** A branch of this kind is listed as enabled, once that was refused. */
const shownOn = (kind: 'production' | 'personal'): Does => {
  const notes = answers(async (done) => {
    const branch = await branchOf(done);
    const isIt = done.reply.why === 'STAGE-9' && isKind(kind, branch);
    if (isIt) setIn(done.target.memory, 'shown').add(String(branch?.id));
    return undefined;
  });
  const shows = field('data', (list, { target }) =>
    eachBranch(list, (branch) =>
      setIn(target.memory, 'shown').has(String(branch.id)) ? { ...branch, [STATE]: true } : branch,
    ),
  );
  return both(given(isOf(id), notes), given(isOf('listBranches'), shows));
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
  },
  'STAGE-4 STAGE-6': {
    'second-switch-ignored': given(again(objectOf), lost),
  },
  'STAGE-3 STAGE-4 STAGE-5 STAGE-6': {
    'inverted: Enabling disables and disabling enables, whatever the answer says.': inverted,
  },
  'STAGE-3 STAGE-4': {
    'answer-of-before': showsOld(STATE, `data.${STATE}`),
  },
  'STAGE-12': {
    'by-id-does-nothing': given(byId, lost),
  },
  'STAGE-11 STAGE-12': {
    'answer-of-another-branch': describesAnother,
  },
  'STAGE-2': {
    'shared-branch-with-null-parent': field('data.parentBranch', () => null),
  },
  'STAGE-6': {
    'enabling-enables-another': on(both_, takesAlong),
  },
  'ENV-6 STAGE-6': {
    'disabled-in-filtered-list': on(['listEnvironments'], given(inFiltered, allOn)),
  },
  'BRANCH-2': {
    'branches-of-other-ids': on(
      ['listBranches'],
      branchList((branch) => ({ ...branch, id: Number(branch.id) + 1_000_000 })),
    ),
  },
  'STAGE-7': {
    'personal-branch-accepted': accepted('personal'),
  },
  'STAGE-10': {
    'production-branch-refused-but-enabled': on(three, shownOn('production')),
    'refusal-without-branch-disables-all': whileRefused(all(namesNone, disables), switches(false)),
  },
  'STAGE-8': {
    'production-branch-accepted': accepted('production'),
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
    'expired-refused-but-switches-staging': despite('AUTH-4'),
  },
};

export const staging = table('staging', [id], rows);
export const refusedSwitches = table('credentials', [id], refusedCredentials);
