/** The staging switch and what the environments list shows of it, going wrong. */
import { type Answer, isRefusal, type Refusal } from '../exchange.ts';
import { switchStaging } from '../machines/staging-environment.ts';
import type { BranchRow } from '../world/rows.ts';
import type { State } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import {
  count,
  forgets,
  type Handle,
  isRecord,
  mapData,
  seeing,
  sentBody,
  setIn,
} from './transforms.ts';

const TEN_MINUTES_MS = 600_000;

/** A call of the switch, as it was sent. */
interface Switch {
  readonly enabled: boolean;
  readonly by: 'name' | 'id';
  readonly deploymentId: string;
  /** The branch that it names, as it was before; undefined where there is none. */
  readonly branch: BranchRow | undefined;
}

function switchOf({ call, request, before }: Scene): Switch {
  const { branchName, branchId, enabled } = sentBody(request) ?? {};
  const deploymentId = String((call.path as Record<string, unknown>).deployment_id);
  const byId = branchId !== undefined;
  const branch = branchesOf(before, deploymentId).find((row) =>
    byId ? row.id === Number(branchId) : row.name === branchName,
  );
  return { enabled: enabled === true, by: byId ? 'id' : 'name', deploymentId, branch };
}

function branchesOf(state: State, deploymentId: string): readonly BranchRow[] {
  return state.tables.branches.rows().filter((row) => row.deploymentId === deploymentId);
}

/** Switches a branch behind the back of the machine; true where that changed it. */
function put(world: World, branch: BranchRow, enabled: boolean): boolean {
  const now = world.state.tables.branches.get(branch.id);
  if (now === undefined || now.stagingEnabled === enabled) return false;
  const state = enabled ? 'enabled' : 'disabled';
  world.state.tables.branches.put(branch.id, switchStaging(now, state, world.clock.now()));
  return true;
}

/** Lists the environment of a branch under another type from now on. */
function retype(state: State, branch: BranchRow, type: 'staging' | 'development'): void {
  const { environments } = state.tables;
  for (const row of environments.rows()) {
    if (row.branchId === branch.id && row.type !== type) environments.put(row.id, { ...row, type });
  }
}

/** Changes fields of the branch in the answer. */
function answers(
  fields: (data: Readonly<Record<string, unknown>>, scene: Scene) => object | undefined,
): Handle {
  return mapData((data, scene) => {
    if (!isRecord(data)) return undefined;
    const changed = fields(data, scene);
    return changed === undefined ? undefined : { ...data, ...changed };
  });
}

/** Does this to the state once a switch has succeeded. True says that something changed. */
function afterwards(act: (scene: Scene, sent: Switch) => boolean): Handle {
  return (next, scene) => {
    const result = next();
    if (!(result instanceof Promise) && !isRefusal(result) && act(scene, switchOf(scene))) {
      scene.took();
    }
    return result;
  };
}

const lost = (when: (sent: Switch, scene: Scene) => boolean): Handle =>
  forgets((scene) => when(switchOf(scene), scene), 'branches');

/** Whether a switch would change anything. */
const changes = ({ branch, enabled }: Switch): boolean =>
  branch !== undefined && branch.stagingEnabled !== enabled;

// ── switches that are lost, late, inverted or stuck ──────────────────────────────

const toggle = ['setStagingEnvironment'] as const;
const toggleAndLists = ['setStagingEnvironment', 'listEnvironments', 'listBranches'] as const;

/** A switch that was answered and has not been made. */
interface Pending {
  readonly branchId: number;
  readonly enabled: boolean;
  readonly due: number;
}

function pendingOf(memory: Memory): readonly Pending[] {
  return (memory.get('pending') as readonly Pending[] | undefined) ?? [];
}

/** Holds a switch back; it takes the place of one of the same branch. */
function hold(memory: Memory, item: Pending): void {
  const others = pendingOf(memory).filter(({ branchId }) => branchId !== item.branchId);
  memory.set('pending', [...others, item]);
}

/** Makes the switches whose time has come; true where that changed something. */
function makeDue(world: World, memory: Memory, due: (item: Pending) => boolean): boolean {
  const pending = pendingOf(memory);
  let changed = false;
  for (const item of pending.filter(due)) {
    const branch = world.state.tables.branches.get(item.branchId);
    if (branch !== undefined && put(world, branch, item.enabled)) changed = true;
  }
  memory.set(
    'pending',
    pending.filter((item) => !due(item)),
  );
  return changed;
}

/** Answers a switch, and makes it later. */
function late(due: (item: Pending, scene: Scene) => boolean): Handle {
  const forget = forgets(() => true, 'branches');
  return (next, scene) => {
    const { memory, world, call } = scene;
    makeDue(world, memory, (item) => due(item, scene));
    if (call.operation.id !== 'setStagingEnvironment') return next();
    const before = world.state.clone();
    const held = { ...scene, before };
    const sent = switchOf(held);
    const result = forget(next, held);
    if (sent.branch !== undefined && changes(sent) && !(result instanceof Promise)) {
      if (!isRefusal(result)) {
        hold(memory, {
          branchId: sent.branch.id,
          enabled: sent.enabled,
          due: world.clock.now() + TEN_MINUTES_MS,
        });
      }
    }
    return result;
  };
}

/** Makes a switch, and takes it back by itself once this time has passed. */
function goes(after: number): Handle {
  return (next, scene) => {
    const { memory, world, call } = scene;
    if (makeDue(world, memory, ({ due }) => world.clock.now() >= due)) scene.took();
    const result = next();
    if (call.operation.id !== 'setStagingEnvironment' || result instanceof Promise) return result;
    const { enabled, branch } = switchOf(scene);
    if (enabled && branch !== undefined && !isRefusal(result)) {
      hold(memory, { branchId: branch.id, enabled: false, due: world.clock.now() + after });
    }
    return result;
  };
}

const ofSwitches: readonly Deviation[] = [
  {
    id: 'staging:lost-enable',
    text: 'Enabling is answered as if it had been done, and is not.',
    breaks: ['STAGE-3', 'STAGE-5'],
    collateral: ['STAGE-11', 'STAGE-12', 'STAGE-6'],
    operations: toggle,
    handle: lost(({ enabled }) => enabled),
  },
  {
    id: 'staging:lost-disable',
    text: 'Disabling is answered as if it had been done, and is not.',
    breaks: ['STAGE-4', 'STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: toggle,
    handle: lost(({ enabled }) => !enabled),
  },
  {
    id: 'staging:late-by-ten-minutes',
    text: "A switch is answered at once and made ten minutes later on the world's clock.",
    breaks: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    collateral: ['STAGE-11', 'STAGE-12'],
    operations: toggleAndLists,
    handle: late(({ due }, { world }) => world.clock.now() >= due),
  },
  {
    id: 'staging:late-by-one-switch',
    text: 'A switch is answered at once and made when the next one is.',
    breaks: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    collateral: ['STAGE-11', 'STAGE-12'],
    operations: toggle,
    handle: late(() => true),
  },
  {
    id: 'staging:gone-after-five-seconds',
    text: 'An enabled staging environment is disabled again by itself five seconds later.',
    breaks: ['STAGE-3', 'STAGE-5'],
    collateral: ['STAGE-11', 'STAGE-12', 'STAGE-6', 'ENV-6', 'ENV-7'],
    operations: toggleAndLists,
    handle: goes(5000),
  },
  {
    id: 'staging:inverted',
    text: 'Enabling disables and disabling enables; the answer says what was asked for.',
    breaks: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    collateral: ['STAGE-11', 'STAGE-12'],
    operations: toggle,
    handle: afterwards(({ world }, { branch, enabled }) =>
      branch?.kind === 'shared' ? put(world, branch, !enabled) : false,
    ),
  },
  {
    id: 'staging:inverted-answer',
    text: 'The switch is made, and the answer says the opposite.',
    breaks: ['STAGE-3', 'STAGE-4'],
    operations: toggle,
    handle: answers(({ isStagingEnvironmentEnabled: on }, scene) =>
      switchOf(scene).branch?.kind === 'shared'
        ? { isStagingEnvironmentEnabled: on !== true }
        : undefined,
    ),
  },
  {
    id: 'staging:answer-of-before',
    text: 'The switch is made, and the answer says the state before it.',
    breaks: ['STAGE-3', 'STAGE-4'],
    operations: toggle,
    handle: answers((_data, scene) => {
      const sent = switchOf(scene);
      return changes(sent) ? { isStagingEnvironmentEnabled: !sent.enabled } : undefined;
    }),
  },
  {
    id: 'staging:stuck-enabled',
    text: 'Once enabled, a staging environment stays so: disabling is answered with enabled true.',
    breaks: ['STAGE-4', 'STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: toggle,
    handle: stuck(({ enabled }) => !enabled),
  },
  {
    id: 'staging:stuck-disabled',
    text: 'Once a client has disabled a staging environment, enabling it is answered with enabled false.',
    breaks: ['STAGE-3', 'STAGE-5'],
    collateral: ['STAGE-11', 'STAGE-12', 'STAGE-6'],
    operations: toggle,
    handle: stuck(({ enabled, branch }, { memory }) => {
      const disabled = setIn(memory, 'disabled');
      if (!enabled) disabled.add(String(branch?.id));
      return enabled && disabled.has(String(branch?.id));
    }),
  },
  {
    id: 'staging:second-switch-ignored',
    text: "A branch's first switch is made; every later one is answered and not made.",
    breaks: ['STAGE-4', 'STAGE-6'],
    collateral: ['STAGE-3', 'STAGE-5', 'STAGE-11', 'STAGE-12'],
    operations: toggle,
    handle: lost((sent, { memory }) => changes(sent) && count(memory, String(sent.branch?.id)) > 1),
  },
  {
    id: 'staging:undone-when-listed',
    text: 'An enabled staging environment is listed once, and then disabled again.',
    breaks: ['STAGE-5', 'STAGE-3'],
    collateral: ['STAGE-11', 'STAGE-12', 'ENV-6', 'ENV-7', 'STAGE-6'],
    operations: ['setStagingEnvironment', 'listEnvironments'],
    handle: (next, scene) => {
      const { memory, world, call } = scene;
      const fresh = setIn(memory, 'fresh');
      if (call.operation.id === 'setStagingEnvironment') {
        const sent = switchOf(scene);
        const result = next();
        if (sent.enabled && changes(sent) && !(result instanceof Promise) && !isRefusal(result)) {
          fresh.add(String(sent.branch?.id));
        }
        return result;
      }
      const result = next();
      for (const id of fresh) {
        const branch = world.state.tables.branches.get(Number(id));
        if (branch !== undefined && put(world, branch, false)) scene.took();
      }
      fresh.clear();
      return result;
    },
  },
];

/** Nothing is switched, and the answer says so. */
function stuck(when: (sent: Switch, scene: Scene) => boolean): Handle {
  return (next, scene) => {
    const sent = switchOf(scene);
    if (!when(sent, scene) || !changes(sent)) return next();
    const told = answers(() => ({ isStagingEnvironmentEnabled: !sent.enabled }));
    return lost(() => true)(() => told(next, scene), scene);
  };
}

// ── which branch is meant ────────────────────────────────────────────────────────

/** Another shared branch of the deployment; the production branch where there is none. */
function otherBranch(state: State, { branch, deploymentId }: Switch): BranchRow | undefined {
  const others = branchesOf(state, deploymentId).filter((row) => row.id !== branch?.id);
  return others.find((row) => row.kind === 'shared') ?? others[0];
}

/** The switch is made on another shared branch, and answered as if it were the one that was named. */
const hitsAnother = (by: Switch['by']): Handle => {
  const forgotten = lost(() => true);
  return (next, scene) => {
    const sent = switchOf(scene);
    if (sent.by !== by || sent.branch?.kind !== 'shared') return next();
    const result = forgotten(next, scene);
    if (result instanceof Promise || isRefusal(result)) return result;
    const other = otherBranch(scene.world.state, sent);
    if (other?.kind === 'shared' && put(scene.world, other, sent.enabled)) scene.took();
    return result;
  };
};

const ofBranches: readonly Deviation[] = [
  {
    id: 'staging:by-id-does-nothing',
    text: 'A switch that names its branch by branchId is answered and not made.',
    breaks: ['STAGE-12'],
    collateral: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    operations: toggle,
    handle: lost(({ by }) => by === 'id'),
  },
  {
    id: 'staging:by-name-does-nothing',
    text: 'A switch that names its branch by branchName is answered and not made.',
    breaks: ['STAGE-11', 'STAGE-3', 'STAGE-4'],
    collateral: ['STAGE-5', 'STAGE-6', 'STAGE-12'],
    operations: toggle,
    handle: lost(({ by }) => by === 'name'),
  },
  {
    id: 'staging:by-id-hits-another',
    text: 'A switch by branchId is made on another shared branch.',
    breaks: ['STAGE-12'],
    collateral: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    operations: toggle,
    handle: hitsAnother('id'),
  },
  {
    id: 'staging:by-name-hits-another',
    text: 'A switch by branchName is made on another shared branch.',
    breaks: ['STAGE-11', 'STAGE-3', 'STAGE-4'],
    collateral: ['STAGE-5', 'STAGE-6', 'STAGE-12'],
    operations: toggle,
    handle: hitsAnother('name'),
  },
  {
    id: 'staging:answer-of-another-branch',
    text: 'The branch that was named is switched, and the answer describes another one.',
    breaks: ['STAGE-11', 'STAGE-12'],
    collateral: ['STAGE-1'],
    operations: toggle,
    handle: answers((_data, scene) => {
      const other = otherBranch(scene.world.state, switchOf(scene));
      if (other === undefined) return undefined;
      const { id, name, parentBranch, lastHash } = other;
      return { id, name, parentBranch, lastHash };
    }),
  },
  {
    id: 'staging:enabling-enables-another',
    text: 'Enabling one branch enables another branch of the deployment, until it is disabled.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-10', 'STAGE-7'],
    operations: toggle,
    handle: afterwards(({ world, memory }, { enabled, branch, deploymentId }) => {
      if (branch?.kind !== 'shared') return false;
      const others = branchesOf(world.state, deploymentId).filter((row) => row.id !== branch.id);
      const followed = memory.get(String(branch.id));
      const other = enabled
        ? (others.find((row) => row.kind === 'shared' && !row.stagingEnabled) ??
          others.find((row) => row.kind === 'personal' && !row.stagingEnabled))
        : others.find((row) => row.id === followed);
      if (other === undefined) return false;
      memory.set(String(branch.id), enabled ? other.id : undefined);
      if (other.kind === 'personal')
        retype(world.state, other, enabled ? 'staging' : 'development');
      return put(world, other, enabled);
    }),
  },
];

// ── what the environments list shows ────────────────────────────────────────────

/** Lets the environments list see other states or types of staging environments. */
function listed(
  change: (state: State, branch: BranchRow, scene: Scene) => void,
  when: (branch: BranchRow, scene: Scene) => boolean = () => true,
): Handle {
  return seeing((state, scene) => {
    const here = String((scene.call.path as Record<string, unknown>).deployment_id);
    for (const branch of branchesOf(state, here)) {
      if (branch.kind === 'shared' && when(branch, scene)) change(state, branch, scene);
    }
  });
}

const show = (enabled: boolean) => (state: State, branch: BranchRow) => {
  // Not switched just now, so that STAGE-23 has nothing to say about it.
  state.tables.branches.put(branch.id, { ...branch, stagingEnabled: enabled, switchedAt: null });
};
const isOn = (branch: BranchRow) => branch.stagingEnabled;
const isOff = (branch: BranchRow) => !branch.stagingEnabled;
const filtered = ({ call }: Scene) => (call.query as Record<string, unknown>).type !== undefined;

const ofList: readonly Deviation[] = [
  {
    id: 'staging:listed-while-disabled',
    text: 'The staging environment of a disabled branch is listed with type staging.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-5', 'STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed(show(true), isOff),
  },
  {
    id: 'staging:listed-after-it-was-disabled',
    text: 'A staging environment that was enabled stays listed with type staging once it is disabled.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch) => isOff(branch) && branch.switchedAt !== null),
  },
  {
    id: 'staging:not-listed-while-enabled',
    text: 'The staging environment of an enabled branch is not listed.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed(show(false), isOn),
  },
  {
    id: 'staging:listed-as-development',
    text: 'The staging environment of an enabled branch is listed with type development.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed((state, branch) => retype(state, branch, 'development'), isOn),
  },
  {
    id: 'staging:not-listed-for-ten-minutes',
    text: 'A staging environment that was enabled is listed ten minutes later.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12', 'STAGE-6'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, { world }) => isOn(branch) && isRecent(branch, world)),
  },
  {
    id: 'staging:listed-ten-minutes-longer',
    text: 'A staging environment that was disabled is listed with type staging for ten more minutes.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch, { world }) => isOff(branch) && isRecent(branch, world)),
  },
  {
    id: 'staging:missing-from-filtered-list',
    text: 'An enabled staging environment is in the whole list, and missing with type=staging.',
    breaks: ['ENV-6'],
    collateral: ['ENV-7', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, scene) => isOn(branch) && filtered(scene)),
  },
  {
    id: 'staging:only-in-filtered-list',
    text: 'An enabled staging environment is listed with type=staging, and missing from the whole list.',
    breaks: ['STAGE-5', 'ENV-6'],
    collateral: ['STAGE-12', 'ENV-7'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, scene) => isOn(branch) && !filtered(scene)),
  },
  {
    id: 'staging:disabled-in-filtered-list',
    text: 'With type=staging, the list holds the environments of disabled branches as well.',
    breaks: ['ENV-6', 'STAGE-6'],
    collateral: ['ENV-7', 'AUTH-14'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch, scene) => isOff(branch) && filtered(scene)),
  },
];

function isRecent(branch: BranchRow, world: World): boolean {
  return branch.switchedAt !== null && world.clock.now() < branch.switchedAt + TEN_MINUTES_MS;
}

// ── branches that cannot be enabled, and refused switches ───────────────────────

/** Answers a refused switch as if the branch were a shared one, and makes it. */
function accepts(kind: BranchRow['kind'], by?: Switch['by']): Handle {
  return (next, scene) => {
    const result = next();
    if (result instanceof Promise || !isRefusal(result) || result.statement !== 'STAGE-9') {
      return result;
    }
    const { branch, enabled, by: sentBy } = switchOf(scene);
    if (branch?.kind !== kind || (by !== undefined && by !== sentBy)) return result;
    put(scene.world, branch, enabled);
    const { id, name, parentBranch, lastHash } = branch;
    const data = { id, name, parentBranch, lastHash, isStagingEnvironmentEnabled: enabled };
    const answer: Answer = { status: 200, body: { data } };
    return answer;
  };
}

/** Something is switched all the same when a switch was refused. */
function despiteRefusal(
  act: (refusal: Refusal, scene: Scene, sent: Switch) => boolean,
): NonNullable<Deviation['refused']> {
  return (refusal, scene) => {
    if (act(refusal, scene, switchOf(scene))) scene.took();
  };
}

const kinds = [
  ['personal', 'a personal development branch', 'STAGE-7'],
  ['production', 'the production branch', 'STAGE-8'],
] as const;

const ofRefusals: readonly Deviation[] = [
  ...kinds.flatMap(([kind, words, statement]): Deviation[] => [
    {
      id: `staging:${kind}-branch-accepted`,
      text: `Enabling ${words} is accepted and done.`,
      breaks: [statement],
      collateral: ['STAGE-10'],
      operations: toggle,
      handle: accepts(kind),
    },
    {
      id: `staging:${kind}-branch-accepted-by-id`,
      text: `Enabling ${words} is refused by branchName, and accepted by branchId.`,
      breaks: [statement],
      operations: toggle,
      handle: accepts(kind, 'id'),
    },
    {
      id: `staging:${kind}-branch-refused-but-enabled`,
      text: `Enabling ${words} is refused, and done.`,
      breaks: ['STAGE-10'],
      operations: toggle,
      refused: despiteRefusal(({ statement: because }, { world }, { branch }) => {
        if (because !== 'STAGE-9' || branch?.kind !== kind) return false;
        if (kind === 'personal') retype(world.state, branch, 'staging');
        return put(world, branch, true);
      }),
    },
  ]),
  {
    id: 'staging:refusal-disables-another',
    text: 'A refused enabling disables the shared branches of the deployment, until a switch is made.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-5'],
    operations: toggle,
    handle: restoring,
    refused: despiteRefusal(
      ({ statement }, scene, { deploymentId }) =>
        statement === 'STAGE-9' && disableAll(scene, deploymentId),
    ),
  },
  {
    id: 'staging:refusal-enables-another',
    text: 'A refused enabling enables a shared branch of the deployment that was disabled.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-6'],
    operations: toggle,
    refused: despiteRefusal(({ statement }, { world }, { deploymentId }) => {
      const off = branchesOf(world.state, deploymentId).find(
        (row) => row.kind === 'shared' && !row.stagingEnabled,
      );
      return statement === 'STAGE-9' && off !== undefined && put(world, off, true);
    }),
  },
  {
    id: 'staging:refusal-without-branch-disables-all',
    text: 'enabled: false that names no branch is refused, and disables every branch until a switch is made.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-5'],
    operations: toggle,
    handle: restoring,
    refused: despiteRefusal((_refusal, scene, { deploymentId }) => {
      const body = sentBody(scene.request);
      return body?.enabled === false && namesNoBranch(body) && disableAll(scene, deploymentId);
    }),
  },
  {
    id: 'staging:refusal-without-state-enables',
    text: 'A request without enabled is refused, and enables the branch that it names.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-6'],
    operations: toggle,
    refused: despiteRefusal((_refusal, { world, request }, { branch }) => {
      const body = sentBody(request);
      if (body === undefined || body.enabled !== undefined) return false;
      return branch?.kind === 'shared' && put(world, branch, true);
    }),
  },
  {
    id: 'staging:refused-elsewhere-but-switched',
    text: 'A switch by a branchId that another deployment holds is refused, and made there.',
    breaks: ['STAGE-10', 'STAGE-5'],
    operations: toggle,
    refused: despiteRefusal(({ statement }, { world, request }, { branch, enabled }) => {
      if (statement !== 'STAGE-16' || branch !== undefined) return false;
      const elsewhere = world.state.tables.branches.get(Number(sentBody(request)?.branchId));
      return elsewhere?.kind === 'shared' && put(world, elsewhere, enabled);
    }),
  },
  {
    id: 'staging:without-branch-accepted',
    text: 'A request that names no branch is answered 200, as for the production branch.',
    breaks: ['STAGE-13'],
    operations: toggle,
    stage: (stage, refused, { request }) =>
      stage === 'validate' && namesNoBranch(sentBody(request)) ? undefined : refused,
    handle: (next, scene) => {
      const { enabled, deploymentId } = switchOf(scene);
      if (!namesNoBranch(sentBody(scene.request))) return next();
      const main = branchesOf(scene.before, deploymentId).find((row) => row.kind === 'production');
      if (main === undefined) return next();
      const { id, name, parentBranch, lastHash } = main;
      const data = { id, name, parentBranch, lastHash, isStagingEnvironmentEnabled: enabled };
      return { status: 200, body: { data } };
    },
  },
];

/** Disables every branch of a deployment, to be enabled again by `restoring`. */
function disableAll({ world, memory }: Scene, deploymentId: string): boolean {
  const disabled = setIn(memory, 'disabled');
  for (const branch of branchesOf(world.state, deploymentId)) {
    if (put(world, branch, false)) disabled.add(String(branch.id));
  }
  return disabled.size > 0;
}

/** A switch that is made enables what a refusal had disabled. */
function restoring(next: Parameters<Handle>[0], { world, memory }: Scene): ReturnType<Handle> {
  const result = next();
  if (result instanceof Promise || isRefusal(result)) return result;
  const disabled = setIn(memory, 'disabled');
  for (const id of disabled) {
    const branch = world.state.tables.branches.get(Number(id));
    if (branch !== undefined) put(world, branch, true);
  }
  disabled.clear();
  return result;
}

function namesNoBranch(body: Readonly<Record<string, unknown>> | undefined): boolean {
  if (typeof body?.enabled !== 'boolean') return false;
  return body.branchName === undefined && body.branchId === undefined;
}

export const staging: readonly Deviation[] = [
  ...ofSwitches,
  ...ofBranches,
  ...ofList,
  ...ofRefusals,
];
