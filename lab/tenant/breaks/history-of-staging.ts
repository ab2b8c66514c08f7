/** Faults that only a history of calls shows: staging environments. */

import { type Call, type Fields, fieldsOf } from '../exchange.ts';
import type { Branch, State } from '../state.ts';
import { type Break, data, isRefused, isServed } from './break.ts';
import { another, armed, is, lost, minute, sent, served } from './kit.ts';

const branchIn = (state: State, call: Call): Branch | undefined => {
  const { branchName, branchId } = sent(call);
  return state.branches.find(
    (one) =>
      one.deployment === Number(call.path[0]) && (one.id === branchId || one.name === branchName),
  );
};

/** Loses the n-th switch that changes something; a list of environments may start the count again. */
const losing =
  (n: number, listEnds: boolean): Break['make'] =>
  ({ state, fires }) => {
    let row = 0;
    return (call, serve) => {
      if (call.operation === 'environments' && listEnds) row = 0;
      const branch = call.operation === 'toggle' ? branchIn(state, call) : undefined;
      const was = branch?.enabled;
      const done = serve(call);
      if (branch === undefined || branch.enabled === was) return done;
      row += 1;
      if (row % n === 0 && fires()) branch.enabled = was === true;
      return done;
    };
  };

export const historyOfStaging = [
  {
    id: 'third-switch-lost',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'The third switch in a row, without a list between, is answered and lost.',
    make: losing(3, true),
  },
  {
    id: 'fifth-switch-lost',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'The fifth switch in a row, without a list between, is answered and lost.',
    make: losing(5, true),
  },
  {
    id: 'by-id-after-by-name-hits-another',
    statements: ['STAGE-12'],
    text: 'A switch by id right after one by name switches another branch.',
    make: (scene) => {
      let byName = false;
      return (call, serve) => {
        if (call.operation !== 'toggle') return serve(call);
        const { branchName, branchId } = sent(call);
        const hit = byName && branchId !== undefined;
        byName = branchName !== undefined;
        const branch = branchIn(scene.state, call);
        const other = branch && another(scene.state, branch);
        if (
          !hit ||
          branch === undefined ||
          branch.kind !== 'shared' ||
          other === undefined ||
          !scene.fires()
        )
          return serve(call);
        const was = branch.enabled;
        const done = serve(call);
        if (isServed(done)) [branch.enabled, other.enabled] = [was, sent(call).enabled === true];
        return done;
      };
    },
  },
  {
    id: 'switched-off-comes-back',
    statements: ['STAGE-6'],
    text: 'A version switch switches on what was switched off last.',
    make: (scene) => {
      let off: Branch | undefined;
      return (call, serve) => {
        const done = serve(call);
        if (call.operation === 'toggle' && isServed(done))
          off = sent(call).enabled === false ? branchIn(scene.state, call) : undefined;
        if (call.operation === 'update' && isServed(done) && off !== undefined && scene.fires())
          off.enabled = true;
        return done;
      };
    },
  },
  {
    id: 'switch-lost-after-refused-one',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'The switch after a refused one is answered and lost.',
    make: armed(
      (call, done) => call.operation === 'toggle' && isRefused(done),
      is('toggle'),
      lost('branches'),
    ),
  },
  {
    id: 'switch-off-after-token',
    statements: ['STAGE-5'],
    text: 'A token switches off what was switched on since the last one.',
    make: (scene) => {
      let on: Branch | undefined;
      return (call, serve) => {
        const done = serve(call);
        if (call.operation === 'toggle' && isServed(done))
          on = sent(call).enabled === true ? branchIn(scene.state, call) : undefined;
        if (call.operation === 'token' && isServed(done) && on !== undefined && scene.fires()) {
          on.enabled = false;
          on = undefined;
        }
        return done;
      };
    },
  },
  {
    id: 'switches-wrap-at-sixteen',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'Each sixteenth switch is answered and lost.',
    make: losing(16, false),
  },
  {
    id: 'second-refused-switch-done',
    statements: ['STAGE-10'],
    text: 'The second refusal in a row of a branch that is not shared switches it on.',
    make: (scene) => {
      let refused = 0;
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'toggle') return done;
        refused = done.status === 423 ? refused + 1 : 0;
        const branch = branchIn(scene.state, call);
        if (refused === 2 && branch !== undefined && sent(call).enabled === true && scene.fires())
          branch.enabled = true;
        return done;
      };
    },
  },
  {
    id: 'switch-lost-after-second-page',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'A switch after a later page of environments is answered and lost.',
    make: armed(
      (call, done) =>
        call.operation === 'environments' && Number(call.query.get('offset')) > 0 && isServed(done),
      is('toggle'),
      lost('branches'),
    ),
  },
  {
    id: 'on-off-on-within-a-minute',
    statements: ['STAGE-5'],
    text: 'What was switched off less than a minute ago does not come on again.',
    make: (scene) => {
      const offAt = new Map<number, number>();
      return (call, serve) => {
        const branch = call.operation === 'toggle' ? branchIn(scene.state, call) : undefined;
        const wasOn = branch?.enabled;
        const done = serve(call);
        if (branch === undefined || !isServed(done)) return done;
        if (sent(call).enabled === false && wasOn) offAt.set(branch.id, scene.now());
        else if (
          branch.enabled &&
          !wasOn &&
          scene.now() - (offAt.get(branch.id) ?? -minute) < minute &&
          scene.fires()
        )
          branch.enabled = false;
        return done;
      };
    },
  },
  {
    id: 'answer-of-the-switch-before',
    statements: ['STAGE-3', 'STAGE-4', 'STAGE-11'],
    text: 'Each fourth switch is answered with the branch of the one before.',
    make: (scene) => {
      let count = 0;
      let last: Fields | undefined;
      return (call, serve) => {
        const done = serve(call);
        if (!served('toggle')(call, done)) return done;
        count += 1;
        const now = { ...data(done) };
        if (count % 4 === 0 && last !== undefined && scene.fires()) fieldsOf(done.body).data = last;
        last = now;
        return done;
      };
    },
  },
] as const satisfies readonly Break[];
