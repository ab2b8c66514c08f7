/** Switches that are lost, late, inverted or stuck. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { count, type Handle, setIn } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { goes, late } from './pending.ts';
import {
  answers,
  changes,
  lost,
  onceSwitched,
  type Switch,
  switchBranch,
  switchOf,
  toggle,
} from './switch.ts';

const toggleAndLists = ['setStagingEnvironment', 'listEnvironments', 'listBranches'] as const;

export const switches: readonly Deviation[] = [
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
    handle: onceSwitched(({ world }, { branch, enabled }) =>
      branch?.kind === 'shared' ? switchBranch(world, branch, !enabled) : false,
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
        if (branch !== undefined && switchBranch(world, branch, false)) scene.took();
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
