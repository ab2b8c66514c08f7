/** The staging switch going wrong. */

import { type Does, onCheck, onHandling, onRefusal, type Scene } from '../../deviations/does.ts';
import { count, setIn } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { callOf, sentBody } from '../../deviations/sent.ts';
import type { BranchRow } from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import { stagingLists } from './list-deviations.ts';
import {
  acceptsSwitch,
  answersFields,
  answersState,
  branchesOf,
  changes,
  described,
  follows,
  hitsAnother,
  hold,
  losesSwitch,
  makesLate,
  onceSwitched,
  otherBranch,
  type Switch,
  served,
  sticks,
  switchAll,
  switchAnyBranch,
  switchBranch,
  switchesDespiteRefusal,
  switchOf,
  TEN_MINUTES_MS,
  takesBack,
  takesBackOnceListed,
  type When,
} from './switch.ts';

const breaking = rowsOf('staging', ['setStagingEnvironment']);
const switchAndLists = ['setStagingEnvironment', 'listEnvironments', 'listBranches'] as const;

// ── switches ────────────────────────────────────────────────────────────────────

const enables: When = ({ enabled }) => enabled;
const disables: When = ({ enabled }) => !enabled;
const isShared = ({ branch }: Switch) => branch?.kind === 'shared';

const enablesOnceDisabled: When = ({ enabled, branch }, { memory }) => {
  const disabled = setIn(memory, 'disabled');
  if (!enabled) disabled.add(String(branch?.id));
  return enabled && disabled.has(String(branch?.id));
};

const isLaterSwitch: When = (sent, { memory }) =>
  changes(sent) && count(memory, String(sent.branch?.id)) > 1;

const inverts = onceSwitched(({ world }, { branch, enabled }) =>
  branch?.kind === 'shared' ? switchBranch(world, branch, !enabled) : false,
);

const switches = [
  ...breaking(['STAGE-3', 'STAGE-5'], {
    'lost-enable': [
      'Enabling is answered as if it had been done, and is not.',
      losesSwitch(enables),
    ],
    'gone-after-five-seconds': [
      'An enabled staging environment is disabled again by itself five seconds later.',
      takesBack(5000),
      switchAndLists,
    ],
    'stuck-disabled': [
      'Once a client has disabled a staging environment, enabling it is answered with enabled false.',
      sticks(enablesOnceDisabled),
    ],
  }),
  ...breaking(['STAGE-4', 'STAGE-6'], {
    'lost-disable': [
      'Disabling is answered as if it had been done, and is not.',
      losesSwitch(disables),
    ],
    'stuck-enabled': [
      'Once enabled, a staging environment stays so: disabling is answered with enabled true.',
      sticks(disables),
    ],
    'second-switch-ignored': [
      "A branch's first switch is made; every later one is answered and not made.",
      losesSwitch(isLaterSwitch),
    ],
  }),
  ...breaking(['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'], {
    'late-by-ten-minutes': [
      "A switch is answered at once and made ten minutes later on the world's clock.",
      makesLate(TEN_MINUTES_MS),
      switchAndLists,
    ],
    'late-by-one-switch': [
      'A switch is answered at once and made when the next one is.',
      makesLate('at the next switch'),
    ],
    inverted: [
      'Enabling disables and disabling enables; the answer says what was asked for.',
      inverts,
    ],
  }),
  ...breaking(['STAGE-3', 'STAGE-4'], {
    'inverted-answer': [
      'The switch is made, and the answer says the opposite.',
      answersState((sent, answered) => (isShared(sent) ? !answered : undefined)),
    ],
    'answer-of-before': [
      'The switch is made, and the answer says the state before it.',
      answersState((sent) => (changes(sent) ? !sent.enabled : undefined)),
    ],
  }),
  ...breaking(['STAGE-5', 'STAGE-3'], {
    'undone-when-listed': [
      'An enabled staging environment is listed once, and then disabled again.',
      takesBackOnceListed,
      ['setStagingEnvironment', 'listEnvironments'],
    ],
  }),
];

// ── other branches ──────────────────────────────────────────────────────────────

/** Enables another branch, and remembers which; disables it again with the first. */
const takesAnotherAlong = onceSwitched(({ world, memory }, { enabled, branch, deploymentId }) => {
  if (branch?.kind !== 'shared') return false;
  const others = branchesOf(world.state, deploymentId).filter((row) => row.id !== branch.id);
  const followed = memory.get(String(branch.id));
  const isOff = (kind: BranchRow['kind']) => (row: BranchRow) =>
    row.kind === kind && !row.stagingEnabled;
  const other = enabled
    ? (others.find(isOff('shared')) ?? others.find(isOff('personal')))
    : others.find((row) => row.id === followed);
  if (other === undefined) return false;
  memory.set(String(branch.id), enabled ? other.id : undefined);
  return switchAnyBranch(world, other, enabled);
});

/** Disables every shared branch but the one that is enabled. */
const disablesOthers = onceSwitched(({ world }, { enabled, branch, deploymentId }) => {
  if (!enabled || branch?.kind !== 'shared') return false;
  const others = branchesOf(world.state, deploymentId).filter(
    (row) => row.kind === 'shared' && row.id !== branch.id,
  );
  return switchAll(world, others, false);
});

/** The deviations of one way to name a branch. */
const namedBy = (by: Switch['by'], field: string, breaks: readonly string[]) =>
  breaking(breaks, {
    [`by-${by}-does-nothing`]: [
      `A switch that names its branch by ${field} is answered and not made.`,
      losesSwitch((sent) => sent.by === by),
    ],
    [`by-${by}-hits-another`]: [
      `A switch by ${field} is made on another shared branch.`,
      hitsAnother(by),
    ],
  });

const branches = [
  ...namedBy('id', 'branchId', ['STAGE-12']),
  ...namedBy('name', 'branchName', ['STAGE-11', 'STAGE-3', 'STAGE-4']),
  ...breaking(['STAGE-11', 'STAGE-12'], {
    'answer-of-another-branch': answersFields((_data, scene) => {
      const other = otherBranch(scene.world.state, switchOf(scene));
      return other && described(other);
    }),
  }),
  ...breaking(['STAGE-2'], {
    'shared-branch-without-parent': answersFields(() => ({ parentBranch: undefined })),
    'shared-branch-with-null-parent': answersFields(() => ({ parentBranch: null })),
  }),
  ...breaking(['STAGE-6'], {
    'enabling-enables-another': takesAnotherAlong,
  }),
  ...breaking(['STAGE-5'], {
    'enabling-disables-others': disablesOthers,
  }),
];

// ── refused switches ────────────────────────────────────────────────────────────

const ofKind =
  (kind: BranchRow['kind']) =>
  ({ branch }: Switch) =>
    branch?.kind === kind;

/** The deviations of a kind of branch that cannot be enabled. */
const refusedKind = (kind: BranchRow['kind'], words: string, statement: string) => [
  ...breaking([statement], {
    [`${kind}-branch-accepted`]: [
      `Enabling ${words} is accepted and done.`,
      acceptsSwitch(ofKind(kind)),
    ],
    [`${kind}-branch-accepted-by-id`]: [
      `Enabling ${words} is refused by branchName, and accepted by branchId.`,
      acceptsSwitch((sent) => ofKind(kind)(sent) && sent.by === 'id'),
    ],
  }),
  ...breaking(['STAGE-10'], {
    [`${kind}-branch-refused-but-enabled`]: [
      `Enabling ${words} is refused, and done.`,
      switchesDespiteRefusal(({ world }, { branch }) =>
        branch?.kind === kind ? switchAnyBranch(world, branch, true) : false,
      ),
    ],
  }),
];

/** Disables every branch of a deployment, to be enabled again by `enablesAgain`. */
function disableAll({ world, memory }: Scene, { deploymentId }: Switch): boolean {
  const disabled = setIn(memory, 'disabled');
  for (const branch of branchesOf(world.state, deploymentId)) {
    if (switchBranch(world, branch, false)) disabled.add(String(branch.id));
  }
  return disabled.size > 0;
}

/** A switch that is made enables what a refusal had disabled. */
const enablesAgain = onceSwitched(({ world, memory }) => {
  const disabled = setIn(memory, 'disabled');
  for (const id of disabled) {
    const branch = world.state.tables.branches.get(Number(id));
    if (branch !== undefined) switchBranch(world, branch, true);
  }
  disabled.clear();
  return false;
});

const sharedAndOff = (world: World, { deploymentId }: Switch) =>
  branchesOf(world.state, deploymentId).find((row) => row.kind === 'shared' && !row.stagingEnabled);

function namesNoBranch({ request }: Scene): boolean {
  const { enabled, branchName, branchId } = sentBody(request) ?? {};
  return typeof enabled === 'boolean' && branchName === undefined && branchId === undefined;
}

const holdsAnotherBack = onRefusal(({ statement }, scene) => {
  const off = sharedAndOff(scene.world, switchOf(scene));
  if (statement !== 'STAGE-9' || off === undefined) return;
  hold(scene.memory, { branchId: off.id, enabled: true, due: scene.world.clock.now() + 4000 });
});

const servesMain = onHandling((next, scene) => {
  const { enabled, deploymentId } = switchOf(scene);
  const main = branchesOf(scene.before, deploymentId).find((row) => row.kind === 'production');
  return namesNoBranch(scene) && main !== undefined ? served(main, enabled) : next();
});

/** Takes an `enabled` that is refused for this state. */
const readsState = (state: (enabled: unknown) => boolean | undefined): Does =>
  onCheck('validate', (refused, { call, request }) => {
    const sent = sentBody(request);
    const enabled = sent && state(sent.enabled);
    if (refused === undefined || enabled === undefined) return refused;
    const own = callOf<'setStagingEnvironment'>(call);
    own.input = { ...sent, enabled } as typeof own.input;
    return undefined;
  });

const refusals = [
  ...refusedKind('personal', 'a personal development branch', 'STAGE-7'),
  ...refusedKind('production', 'the production branch', 'STAGE-8'),
  ...breaking(['STAGE-10'], {
    'refusal-disables-another': [
      'A refused enabling disables the shared branches of the deployment, until a switch is made.',
      [enablesAgain, switchesDespiteRefusal(disableAll)],
    ],
    'refusal-enables-another': switchesDespiteRefusal(({ world }, sent) => {
      const off = sharedAndOff(world, sent);
      return off !== undefined && switchBranch(world, off, true);
    }),
    'refusal-without-branch-disables-all': [
      'enabled: false that names no branch is refused, and disables every branch until a switch is made.',
      [
        enablesAgain,
        switchesDespiteRefusal(
          (scene, sent) => !sent.enabled && namesNoBranch(scene) && disableAll(scene, sent),
          'any',
        ),
      ],
    ],
    'refusal-without-state-enables': [
      'A request without enabled is refused, and enables the branch that it names.',
      switchesDespiteRefusal(({ world, request }, { branch }) => {
        const body = sentBody(request);
        if (body === undefined || body.enabled !== undefined) return false;
        return branch?.kind === 'shared' && switchBranch(world, branch, true);
      }, 'any'),
    ],
    'refusal-enables-another-later': [
      'Four seconds after a refused enabling, a shared branch of the deployment is enabled.',
      [follows(0, () => undefined), holdsAnotherBack],
      switchAndLists,
    ],
  }),
  ...breaking(['STAGE-14'], {
    'without-state-disables': [
      'A request without enabled disables the branch that it names.',
      readsState((enabled) => (enabled === undefined ? false : undefined)),
    ],
    'state-as-text-enables': readsState((enabled) =>
      typeof enabled === 'string' ? true : undefined,
    ),
  }),
  ...breaking(['STAGE-13'], {
    'without-branch-accepted': [
      'A request that names no branch is answered 200, as for the production branch.',
      [
        onCheck('validate', (refused, scene) => (namesNoBranch(scene) ? undefined : refused)),
        servesMain,
      ],
    ],
  }),
];

export const staging = [...switches, ...branches, ...stagingLists, ...refusals];
