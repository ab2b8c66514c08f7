/** What the environments and branches lists show of staging environments, going wrong. */

import type { JsonObject } from '../../../spec/base/json.ts';
import { answersItems } from '../../deviations/answers.ts';
import { without } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { seesState } from '../../deviations/state.ts';
import type { BranchRow } from '../../world/rows.ts';
import type { State } from '../../world/state.ts';
import { branchesOf, retype, TEN_MINUTES_MS } from './switch.ts';

// ── the environments list ───────────────────────────────────────────────────────

export const stagingLists: Deviation[] = [];
const ofTheList = rowsOf(stagingLists, 'staging', ['listEnvironments']);

type Shows = (state: State, branch: BranchRow) => void;
type Holds = (branch: BranchRow, scene: Scene) => boolean;

/** The environments list sees the shared branches of which this holds in another way. */
const lists = (shows: Shows, ...holds: readonly Holds[]): Does =>
  seesState((state, scene) => {
    for (const branch of branchesOf(state, scene.call.requested.deployment ?? '')) {
      if (branch.kind !== 'shared' || !holds.every((hold) => hold(branch, scene))) continue;
      shows(state, branch);
    }
  });

const as =
  (enabled: boolean): Shows =>
  (state, branch) => {
    // Not switched just now, so that STAGE-23 has nothing to say about it.
    state.tables.branches.put(branch.id, { ...branch, stagingEnabled: enabled, switchedAt: null });
  };
const asEnabled = as(true);
const asDisabled = as(false);

const isOn: Holds = (branch) => branch.stagingEnabled;
const isOff: Holds = (branch) => !branch.stagingEnabled;
const wasSwitched: Holds = ({ switchedAt }) => switchedAt !== null;
const isRecent: Holds = ({ switchedAt }, { world }) =>
  switchedAt !== null && world.clock.now() < switchedAt + TEN_MINUTES_MS;
const inFilteredList: Holds = (_branch, { call }) =>
  (call.query as { readonly type?: unknown }).type !== undefined;
const inWholeList: Holds = (branch, scene) => !inFilteredList(branch, scene);

ofTheList(['STAGE-6'], {
  'listed-while-disabled': lists(asEnabled, isOff),
  'listed-after-it-was-disabled': lists(asEnabled, isOff, wasSwitched),
  'listed-ten-minutes-longer: A disabled environment is listed as staging for ten more minutes.':
    lists(asEnabled, isOff, isRecent),
});
ofTheList(['STAGE-5'], {
  'not-listed-while-enabled': lists(asDisabled, isOn),
  'listed-as-development': lists((state, branch) => retype(state, branch, 'development'), isOn),
  'not-listed-for-ten-minutes': lists(asDisabled, isOn, isRecent),
});
ofTheList(['ENV-6'], {
  'missing-from-filtered-list': lists(asDisabled, isOn, inFilteredList),
});
ofTheList(['STAGE-5', 'ENV-6'], {
  'only-in-filtered-list': lists(asDisabled, isOn, inWholeList),
});
ofTheList(['ENV-6', 'STAGE-6'], {
  'disabled-in-filtered-list': lists(asEnabled, isOff, inFilteredList),
});

// ── the identifiers of branches ─────────────────────────────────────────────────

/** Changes the branches of the list. */
const branchesList = (change: (branch: JsonObject) => JsonObject) =>
  answersItems((items) => items.map(change));

rowsOf(stagingLists, 'staging', ['listBranches'])(['BRANCH-2'], {
  'branches-without-ids: The branches list has no identifiers.': branchesList(without('id')),
  'branches-of-other-ids: The branches list has other identifiers than a switch answers.':
    branchesList(({ id, ...branch }) => ({ ...branch, id: Number(id) + 1_000_000 })),
  'personal-branches-unlisted: The branches list leaves the branches of a single person out.':
    answersItems((items, { world }) =>
      items.filter(({ id }) => world.state.tables.branches.get(Number(id))?.kind !== 'personal'),
    ),
});
