/** The staging switch going wrong, and what the environments and branches lists show of it. */

import { isRefusal } from '../../../mock/pipeline/exchange.ts';
import type { BranchRow } from '../../../mock/world/rows.ts';
import type { World } from '../../../mock/world/world.ts';
import type { JsonObject } from '../../../spec/base/json.ts';
import { answersData, answersItems } from '../../deviations/answers.ts';
import { field, without } from '../../deviations/changes.ts';
import {
  type Does,
  onAuthentication,
  onCheck,
  onHandling,
  onRefusal,
  type Scene,
} from '../../deviations/does.ts';
import { count, setIn } from '../../deviations/memory.ts';
import { type Deviation, on, rowsOf } from '../../deviations/rows.ts';
import { sentBody, takesFor } from '../../deviations/sent.ts';
import { acts, beforehand, seesRows } from '../../deviations/state.ts';
import {
  acceptsSwitch,
  answersState,
  branchesOf,
  changes,
  described,
  hitsAnother,
  hold,
  losesSwitch,
  makeDue,
  makesLate,
  onceSwitched,
  otherBranch,
  type Switch,
  served,
  sticks,
  switchAnyBranch,
  switchBranch,
  switchesDespiteRefusal,
  switchOf,
  takesBack,
  takesBackOnceListed,
  type When,
} from './switch.ts';

export const staging: Deviation[] = [];
const breaking = rowsOf(staging, 'staging', ['setStagingEnvironment']);
const TEN_MINUTES_MS = 600_000;
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

breaking(['STAGE-3', 'STAGE-5'], {
  'lost-enable: Enabling is answered as if it were done, and is not.': losesSwitch(enables),
  'gone-after-five-seconds: Five seconds after it was enabled, a branch is disabled again.': on(
    switchAndLists,
    takesBack(5000),
  ),
  'stuck-disabled: Once disabled, a branch stays so: enabling is answered with enabled false.':
    sticks(enablesOnceDisabled),
});
breaking(['STAGE-4', 'STAGE-6'], {
  'lost-disable: Disabling is answered as if it were done, and is not.': losesSwitch(disables),
  'stuck-enabled: Once enabled, a branch stays so: disabling is answered with enabled true.':
    sticks(disables),
  "second-switch-ignored: A branch's first switch is made; later ones are answered, not made.":
    losesSwitch(isLaterSwitch),
});
breaking(['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'], {
  'late-by-ten-minutes: A switch is answered at once and made ten minutes later.': on(
    switchAndLists,
    makesLate(TEN_MINUTES_MS),
  ),
  'late-by-one-switch: A switch is answered at once and made when the next one is.': makesLate(0),
  'inverted: Enabling disables and disabling enables; the answer says what was asked for.':
    onceSwitched(({ world }, { branch, enabled }) => {
      if (branch?.kind === 'shared') switchBranch(world, branch, !enabled);
    }),
});
breaking(['STAGE-3', 'STAGE-4'], {
  'inverted-answer: The switch is made, and the answer says the opposite.': answersState(
    (sent, answered) => (isShared(sent) ? !answered : undefined),
  ),
  'answer-of-before: The switch is made, and the answer says the state before it.': answersState(
    (sent) => (changes(sent) ? !sent.enabled : undefined),
  ),
});
breaking(['STAGE-5', 'STAGE-3'], {
  'undone-when-listed: An enabled staging environment is listed once, and then disabled again.': on(
    ['setStagingEnvironment', 'listEnvironments'],
    takesBackOnceListed,
  ),
});

// ── other branches ──────────────────────────────────────────────────────────────

/** Enables another branch, and remembers which; disables it again with the first. */
const takesAnotherAlong = onceSwitched(({ world, memory }, { enabled, branch, deploymentId }) => {
  if (branch?.kind !== 'shared') return;
  const others = branchesOf(world.state, deploymentId).filter((row) => row.id !== branch.id);
  const followed = memory.get(String(branch.id));
  const isOff = (kind: BranchRow['kind']) => (row: BranchRow) =>
    row.kind === kind && !row.stagingEnabled;
  const other = enabled
    ? (others.find(isOff('shared')) ?? others.find(isOff('personal')))
    : others.find((row) => row.id === followed);
  if (other === undefined) return;
  memory.set(String(branch.id), enabled ? other.id : undefined);
  switchAnyBranch(world, other, enabled);
});

/** Disables every shared branch but the one that is enabled. */
const disablesOthers = onceSwitched(({ world }, { enabled, branch, deploymentId }) => {
  if (!enabled || branch?.kind !== 'shared') return;
  for (const row of branchesOf(world.state, deploymentId)) {
    if (row.kind === 'shared' && row.id !== branch.id) switchBranch(world, row, false);
  }
});

/** The deviations of one way to name a branch. */
const namedBy = (by: Switch['by'], field: string, breaks: readonly string[]) =>
  breaking(breaks, {
    [`by-${by}-does-nothing: A switch that names its branch by ${field} is answered and not made.`]:
      losesSwitch((sent) => sent.by === by),
    [`by-${by}-hits-another: A switch by ${field} is made on another shared branch.`]:
      hitsAnother(by),
  });

namedBy('id', 'branchId', ['STAGE-12']);
namedBy('name', 'branchName', ['STAGE-11', 'STAGE-3', 'STAGE-4']);
breaking(['STAGE-11', 'STAGE-12'], {
  'answer-of-another-branch': answersData((data, scene) => {
    const other = otherBranch(scene.world.state, switchOf(scene));
    return other && { ...data, ...described(other) };
  }),
});
breaking(['STAGE-2'], {
  'shared-branch-without-parent': answersData(without('parentBranch')),
  'shared-branch-with-null-parent': answersData(field('parentBranch', () => null)),
});
breaking(['STAGE-6'], { 'enabling-enables-another': takesAnotherAlong });
breaking(['STAGE-5'], { 'enabling-disables-others': disablesOthers });

// ── the environments list ───────────────────────────────────────────────────────

const ofTheList = rowsOf(staging, 'staging', ['listEnvironments']);

type Holds = (branch: BranchRow, scene: Scene) => boolean;

/** The environments list sees the shared branches of which all this holds in the other state. */
const listed =
  (stagingEnabled: boolean) =>
  (...holds: readonly Holds[]): Does =>
    seesRows('branches', (branch, scene) => {
      const isOther = branch.kind === 'shared' && branch.stagingEnabled !== stagingEnabled;
      // Not switched just now, so that STAGE-23 has nothing to say about it.
      return isOther && holds.every((hold) => hold(branch, scene))
        ? { ...branch, stagingEnabled, switchedAt: null }
        : undefined;
    });
const asEnabled = listed(true);
const asDisabled = listed(false);

const wasSwitched: Holds = ({ switchedAt }) => switchedAt !== null;
const isRecent: Holds = ({ switchedAt }, { world }) =>
  switchedAt !== null && world.clock.now() < switchedAt + TEN_MINUTES_MS;
const inFilteredList: Holds = (_branch, { call }) => 'type' in call.query;
const inWholeList: Holds = (branch, scene) => !inFilteredList(branch, scene);

ofTheList(['STAGE-6'], {
  'listed-while-disabled': asEnabled(),
  'listed-after-it-was-disabled': asEnabled(wasSwitched),
  'listed-ten-minutes-longer: A disabled environment is listed as staging for ten more minutes.':
    asEnabled(isRecent),
});
ofTheList(['STAGE-5'], {
  'not-listed-while-enabled': asDisabled(),
  'listed-as-development': seesRows('environments', (row, { world }) => {
    const branch = world.state.tables.branches.get(row.branchId ?? 0);
    const isOn = branch?.kind === 'shared' && branch.stagingEnabled;
    return isOn ? { ...row, type: 'development' } : undefined;
  }),
  'not-listed-for-ten-minutes': asDisabled(isRecent),
});
ofTheList(['ENV-6'], { 'missing-from-filtered-list': asDisabled(inFilteredList) });
ofTheList(['STAGE-5', 'ENV-6'], { 'only-in-filtered-list': asDisabled(inWholeList) });
ofTheList(['ENV-6', 'STAGE-6'], { 'disabled-in-filtered-list': asEnabled(inFilteredList) });

// ── the identifiers of branches ─────────────────────────────────────────────────

/** Changes the branches of the list. */
const branchesList = (change: (branch: JsonObject) => JsonObject) =>
  answersItems((items) => items.map(change));

rowsOf(staging, 'staging', ['listBranches'])(['BRANCH-2'], {
  'branches-without-ids: The branches list has no identifiers.': branchesList(without('id')),
  'branches-of-other-ids: The branches list has other identifiers than a switch answers.':
    branchesList(({ id, ...branch }) => ({ ...branch, id: Number(id) + 1_000_000 })),
  'personal-branches-unlisted: The branches list leaves the branches of a single person out.':
    answersItems((items, { world }) =>
      items.filter(({ id }) => world.state.tables.branches.get(Number(id))?.kind !== 'personal'),
    ),
});

// ── refused switches ────────────────────────────────────────────────────────────

const ofKind =
  (kind: BranchRow['kind']) =>
  ({ branch }: Switch) =>
    branch?.kind === kind;

/** The deviations of a kind of branch that cannot be enabled. */
const refusedKind = (kind: BranchRow['kind'], words: string, statement: string) => {
  breaking([statement], {
    [`${kind}-branch-accepted: Enabling ${words} is accepted.`]: acceptsSwitch(ofKind(kind)),
    [`${kind}-branch-accepted-by-id: Enabling ${words} is accepted by branchId.`]: acceptsSwitch(
      (sent) => ofKind(kind)(sent) && sent.by === 'id',
    ),
  });
  breaking(['STAGE-10'], {
    [`${kind}-branch-refused-but-enabled: Enabling ${words} is refused, and done.`]:
      switchesDespiteRefusal(({ world }, { branch }) => {
        if (branch?.kind === kind) switchAnyBranch(world, branch, true);
      }),
  });
};

/** Disables every branch of a deployment, to be enabled again by `enablesAgain`. */
function disableAll({ world, memory }: Scene, { deploymentId }: Switch): void {
  for (const branch of branchesOf(world.state, deploymentId)) {
    if (!branch.stagingEnabled) continue;
    switchBranch(world, branch, false);
    setIn(memory, 'disabled').add(String(branch.id));
  }
}

/** A switch that is made enables what a refusal had disabled. */
const enablesAgain = onceSwitched(({ world, memory }) => {
  const disabled = setIn(memory, 'disabled');
  for (const id of disabled) {
    const branch = world.state.tables.branches.get(Number(id));
    if (branch !== undefined) switchBranch(world, branch, true);
  }
  disabled.clear();
});

const sharedAndOff = (world: World, { deploymentId }: Switch) =>
  branchesOf(world.state, deploymentId).find((row) => row.kind === 'shared' && !row.stagingEnabled);

function namesNoBranch({ request }: Scene): boolean {
  const { enabled, branchName, branchId } = sentBody(request) ?? {};
  return typeof enabled === 'boolean' && branchName === undefined && branchId === undefined;
}

const holdsAnotherBack = onRefusal(({ statement }, scene) => {
  const off = sharedAndOff(scene.world, switchOf(scene));
  if (statement === 'STAGE-9') hold(scene, { branch: off, enabled: true }, 4000);
});

const servesMain = onHandling((next, scene) => {
  const { enabled, deploymentId } = switchOf(scene);
  const main = branchesOf(scene.before, deploymentId).find((row) => row.kind === 'production');
  return namesNoBranch(scene) && main !== undefined ? served(main, enabled) : next();
});

/** Takes an `enabled` that is refused for this state. */
const readsState = (state: (enabled: unknown) => boolean | undefined): Does =>
  takesFor((sent) => {
    const enabled = state(sent.enabled);
    return enabled === undefined ? undefined : { ...sent, enabled };
  });

refusedKind('personal', 'a personal development branch', 'STAGE-7');
refusedKind('production', 'the production branch', 'STAGE-8');
breaking(['STAGE-10'], {
  'refusal-disables-another: A refused enabling disables shared branches until the next switch.': [
    enablesAgain,
    switchesDespiteRefusal(disableAll),
  ],
  'refusal-enables-another': switchesDespiteRefusal(({ world }, sent) => {
    const off = sharedAndOff(world, sent);
    if (off !== undefined) switchBranch(world, off, true);
  }),
  'refusal-without-branch-disables-all: Disabling no branch is refused, and disables all.': [
    enablesAgain,
    switchesDespiteRefusal((scene, sent) => {
      if (!sent.enabled && namesNoBranch(scene)) disableAll(scene, sent);
    }, 'any'),
  ],
  'refusal-without-state-enables: A request without enabled is refused, and enables its branch.':
    switchesDespiteRefusal(({ world, request }, { branch }) => {
      const isWithoutState = sentBody(request)?.enabled === undefined;
      if (isWithoutState && branch?.kind === 'shared') switchBranch(world, branch, true);
    }, 'any'),
  'refusal-enables-another-later: Four seconds after a refusal, a shared branch is enabled.': on(
    switchAndLists,
    [beforehand(makeDue), holdsAnotherBack],
  ),
});
breaking(['STAGE-14'], {
  'without-state-disables: A request without enabled disables the branch that it names.':
    readsState((enabled) => (enabled === undefined ? false : undefined)),
  'state-as-text-enables': readsState((enabled) =>
    typeof enabled === 'string' ? true : undefined,
  ),
});
breaking(['STAGE-13'], {
  'without-branch-accepted: A request that names no branch is answered as for production.': [
    onCheck('validate', (refused, scene) => (namesNoBranch(scene) ? undefined : refused)),
    servesMain,
  ],
});

/** Switches the shared branch that a request names, although its credential is refused. */
const switchesAnyway = (statement: string): Does =>
  onAuthentication((result, scene) => {
    const { request, world } = scene;
    if (!isRefusal(result) || result.statement !== statement) return result;
    const { branchName, branchId, enabled } = sentBody(request) ?? {};
    const deploymentId = /\/deployments\/([^/?]+)\//.exec(request.target)?.[1] ?? '';
    const branch = branchesOf(world.state, deploymentId).find(
      (row) => row.kind === 'shared' && (row.name === branchName || row.id === branchId),
    );
    if (branch !== undefined && typeof enabled === 'boolean') {
      acts(scene, () => switchBranch(world, branch, enabled));
    }
    return result;
  });

export const refusedCredentials: Deviation[] = [];
rowsOf(refusedCredentials, 'credentials', ['setStagingEnvironment'])(['AUTH-14'], {
  'embed-jwt-refused-but-switches-staging: A switch with an embed JWT is refused, and made.':
    switchesAnyway('AUTH-22'),
  'expired-refused-but-switches-staging: A switch with an expired key is refused, and made.':
    switchesAnyway('AUTH-4'),
});
