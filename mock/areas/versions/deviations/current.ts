/** The version that runs, marked on the list wrongly or late. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { seeing } from '../../../deviations/transforms.ts';
import { deploymentId, deploymentIn, isHead, list, mark, runs, shows } from './listed.ts';

const TEN_MINUTES_MS = 600_000;

export const current: readonly Deviation[] = [
  shows(
    'current-marks-two',
    'isCurrent is true for the version that runs and for the head of a channel.',
    ['VER-8'],
    (items) => {
      const head = items.find((item) => isHead(item) && !runs(item));
      return items.map(mark('isCurrent', (item) => runs(item) || item === head));
    },
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4', 'UPD-6'],
  ),
  shows(
    'current-marks-none',
    'isCurrent is true for no version.',
    ['VER-8'],
    (items) => items.map(mark('isCurrent', () => false)),
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4', 'UPD-7'],
  ),
  shows(
    'current-marks-another',
    'isCurrent is true for the next version on the list instead of the one that runs.',
    ['VER-8', 'UPD-1'],
    (items) => {
      const next = items[(items.findIndex(runs) + 1) % items.length];
      return items.map(mark('isCurrent', (item) => item === next));
    },
    ['UPD-2', 'UPD-3', 'UPD-4', 'UPD-7', 'VER-7'],
  ),
  shows(
    'current-marks-the-head',
    'isCurrent is true for the head of the channel of the version that runs.',
    ['VER-8'],
    (items) => {
      const channel = items.find(runs)?.releaseChannel;
      return items.map(
        mark('isCurrent', (item) => isHead(item) && item.releaseChannel === channel),
      );
    },
    ['UPD-1', 'UPD-2', 'UPD-3', 'UPD-4'],
  ),
  {
    id: 'versions:current-of-another-deployment',
    text: 'isCurrent is true for what the first deployment of the account runs, whichever is asked.',
    breaks: ['VER-8'],
    collateral: ['UPD-1'],
    operations: list,
    handle: seeing((state, scene) => {
      const [first] = state.tables.deployments.rows();
      const id = deploymentId(scene);
      const own = deploymentIn(state, id);
      if (first === undefined || own === undefined) return;
      state.tables.deployments.put(id, { ...own, runs: first.runs, before: first.before });
    }),
  },
  {
    id: 'versions:current-ten-minutes-late',
    text: 'isCurrent stays on the version that ran before for ten minutes after a switch.',
    breaks: ['VER-8', 'UPD-1'],
    collateral: ['UPD-2', 'UPD-3', 'UPD-4', 'UPD-7'],
    operations: list,
    handle: seeing((state, scene) => {
      const id = deploymentId(scene);
      const row = deploymentIn(state, id);
      const { before } = row ?? {};
      if (row === undefined || before === null || before === undefined) return;
      if (scene.world.clock.now() >= before.since + TEN_MINUTES_MS) return;
      state.tables.deployments.put(id, { ...row, runs: before.runs, before: null });
    }),
  },
];
