/** Faults that only a history of calls shows: versions. */

import { reply } from '../exchange.ts';
import type { State } from '../state.ts';
import { type Break, isServed, listed } from './break.ts';
import { after, armed, eachNth, is, lost, minute, sent, served } from './kit.ts';

export const historyOfVersions = [
  {
    id: 'version-forgotten-after-two-switches',
    statements: ['VER-6'],
    text: 'A version that was left two switches ago is no longer listed.',
    make: after(
      'update',
      () => ({ runs: [] as string[] }),
      (call, _done, memory, { state, fires }) => {
        const now = state.deployments.find(({ id }) => id === Number(call.path[0]))?.version ?? '';
        if (memory.runs.at(-1) !== now) memory.runs.push(now);
        const old = memory.runs.at(-3);
        if (old !== undefined && old !== now && fires())
          state.ran = state.ran.filter((version) => version !== old);
      },
    ),
  },
  {
    id: 'channel-ignored-after-v',
    statements: ['UPD-7'],
    text: 'A switch to a channel after one in the spelling with v is answered and lost.',
    make: armed(
      (call, done) =>
        served('update')(call, done) && String(sent(call).releaseChannelVersion).startsWith('v'),
      (call) =>
        call.operation === 'update' &&
        sent(call).releaseChannelVersion === undefined &&
        sent(call).releaseChannel !== undefined,
      lost('deployments'),
    ),
  },
  {
    id: 'second-version-within-a-minute',
    statements: ['UPD-1'],
    text: 'The second switch of a version within a minute is answered and lost.',
    make: (scene) => {
      let at = -minute;
      return (call, serve) => {
        if (call.operation !== 'update') return serve(call);
        const recent = scene.now() - at < minute;
        const done =
          recent && scene.fires() ? lost('deployments')(call, serve, scene) : serve(call);
        if (isServed(done)) at = scene.now();
        return done;
      };
    },
  },
  {
    id: 'switch-back-refused',
    statements: ['UPD-2', 'UPD-3', 'UPD-4'],
    text: 'The version that was just left is answered 400.',
    make: (scene) => {
      let left = '';
      return (call, serve) => {
        if (call.operation !== 'update') return serve(call);
        const wanted = String(sent(call).releaseChannelVersion ?? '')
          .split(':v')
          .at(-1)
          ?.replace(/^v/, '');
        if (wanted !== '' && wanted === left && scene.fires()) {
          left = '';
          return reply(400, { error: 'E-303 not on offer' });
        }
        const runs = () =>
          scene.state.deployments.find(({ id }) => id === Number(call.path[0]))?.version ?? '';
        const before = runs();
        const done = serve(call);
        if (isServed(done) && runs() !== before) left = before;
        return done;
      };
    },
  },
  {
    id: 'current-wrong-after-refusal',
    statements: ['VER-8', 'UPD-6'],
    text: 'After a refused version the next list marks another one as current.',
    make: armed(
      (call, done) => call.operation === 'update' && done.status === 400,
      is('versions'),
      (call, serve) => {
        const done = serve(call);
        const rows = listed(done);
        const next = rows.find((row) => row.isCurrent !== true);
        for (const row of rows) row.isCurrent = row === next;
        return done;
      },
    ),
  },
  {
    id: 'latest-lost-after-older',
    statements: ['VER-7'],
    text: 'While an older version runs, its channel has no latest one.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      const current = listed(done).find((row) => row.isCurrent === true);
      if (
        call.operation !== 'versions' ||
        current === undefined ||
        current.isLatestInChannel === true ||
        current.version === '4.0.7' ||
        !scene.fires()
      )
        return done;
      for (const row of listed(done))
        if (row.releaseChannel === current.releaseChannel) row.isLatestInChannel = false;
      return done;
    },
  },
  {
    id: 'full-after-plain-refused',
    statements: ['UPD-4'],
    text: 'The full spelling right after the plain one is answered 400.',
    make: armed(
      (call, done) =>
        served('update')(call, done) && /^\d/.test(String(sent(call).releaseChannelVersion)),
      (call) =>
        call.operation === 'update' && String(sent(call).releaseChannelVersion).includes(':v'),
      () => reply(400, { error: 'E-303 not on offer' }),
    ),
  },
  {
    id: 'other-deployment-follows',
    statements: ['VER-8', 'UPD-1'],
    text: 'The third switch moves another deployment as well.',
    make: eachNth(3, is('update'), (call, serve, { state }) => {
      const done = serve(call);
      const [one, other] = [
        state.deployments.find(({ id }) => id === Number(call.path[0])),
        state.deployments.find(({ id }) => id === 7002),
      ];
      if (isServed(done) && one !== undefined && other !== undefined) other.version = one.version;
      return done;
    }),
  },
  {
    id: 'switch-undone-by-folder',
    statements: ['UPD-1'],
    text: 'A folder that is written right after a version switch takes the switch back.',
    make: (scene) => {
      let before: State['deployments'] | undefined;
      return (call, serve) => {
        const was = structuredClone(scene.state.deployments);
        const done = serve(call);
        if (served('update')(call, done)) before = was;
        if (served('folder')(call, done) && before !== undefined && scene.fires())
          scene.state.deployments = before;
        if (call.operation === 'folder') before = undefined;
        return done;
      };
    },
  },
] as const satisfies readonly Break[];
