/** Faults that only a history of calls shows: lists. */

import { type Call, fieldsOf, type Operation, parameter, type Reply, rowsOf } from '../exchange.ts';
import { type Break, isRefused, isServed, listed, pagination, relist } from './break.ts';
import { armed, eachNth, isWrite, keyOf, remembering, without, withQuery } from './kit.ts';

const pages: readonly Operation[] = ['deployments', 'environments'];

const isPage = ({ operation }: Call): boolean => pages.includes(operation);

const isLater = (call: Call): boolean => Number(parameter(call, 'offset') ?? 0) > 0;

export const historyOfLists = [
  {
    id: 'filter-of-the-list-before',
    statements: ['ENV-6'],
    text: 'A list of environments with a filter, right after one with another, is that one.',
    make: remembering<{ type: string | undefined; reply: Reply }>((call, serve, memory, scene) => {
      const done = serve(call);
      if (call.operation !== 'environments' || !isServed(done) || isLater(call)) return done;
      const type = parameter(call, 'type');
      const { last } = memory;
      memory.last = { type, reply: structuredClone(done) };
      return last?.type !== undefined && type !== undefined && last.type !== type && scene.fires()
        ? last.reply
        : done;
    }),
  },
  {
    id: 'total-of-the-list-before',
    statements: ['PAGE-5', 'ENV-7'],
    text: 'total of a filtered list is that of the list before it.',
    make: remembering<number>((call, serve, memory, scene) => {
      const done = serve(call);
      if (call.operation !== 'environments' || !isServed(done)) return done;
      const { last } = memory;
      memory.last = Number(pagination(done).total);
      if (last !== undefined && call.query.has('type') && last !== memory.last && scene.fires())
        pagination(done).total = last;
      return done;
    }),
  },
  {
    id: 'second-page-after-write-elsewhere',
    statements: ['PAGE-6'],
    text: 'The first later page after a folder was written skips an item.',
    make: armed(
      (call, done) => call.operation === 'folder' && isServed(done),
      (call) => isPage(call) && isLater(call),
      (call, serve) => without(serve(call), 0),
    ),
  },
  {
    id: 'row-lost-after-refused-write',
    statements: ['PAGE-6', 'DEPL-4'],
    text: 'The next list after a refused write misses its last row.',
    make: armed(
      (call, done) => isWrite(call) && isRefused(done),
      isPage,
      (call, serve) => without(serve(call), -1),
    ),
  },
  {
    id: 'limit-sticks',
    statements: ['PAGE-2'],
    text: 'A limit holds for the next list that sends none.',
    make: remembering<string>((call, serve, memory, scene) => {
      if (!isPage(call)) return serve(call);
      const { last } = memory;
      const limit = parameter(call, 'limit');
      if (limit !== undefined) memory.last = limit;
      else delete memory.last;
      return limit === undefined && last !== undefined && last !== '20' && scene.fires()
        ? withQuery({ limit: last })(call, serve)
        : serve(call);
    }),
  },
  {
    id: 'page-of-another-key',
    statements: ['DEPL-4', 'AUTH-8'],
    text: 'The same list asked for by the next credential is that of the one before.',
    make: remembering<{ key: string; query: string; reply: Reply }>(
      (call, serve, memory, scene) => {
        const done = serve(call);
        if (call.operation !== 'deployments' || !isServed(done)) return done;
        const [key, query] = [keyOf(call), String(call.query)];
        const { last } = memory;
        memory.last = { key, query, reply: structuredClone(done) };
        return last !== undefined && last.key !== key && last.query === query && scene.fires()
          ? last.reply
          : done;
      },
    ),
  },
  {
    id: 'order-flips-each-fifth-page',
    statements: ['PAGE-6'],
    text: 'Each fifth later page is served from the other end of the list.',
    make: eachNth(
      5,
      (call) => isPage(call) && isLater(call),
      (call, serve) => {
        const done = serve(call);
        const { total, offset, limit } = pagination(done);
        if (!isServed(done)) return done;
        const other = Math.max(Number(total) - Number(offset) - Number(limit), 0);
        return relist(done, () => listed(withQuery({ offset: String(other) })(call, serve)));
      },
    ),
  },
  {
    id: 'total-wraps-after-64-lists',
    statements: ['PAGE-5'],
    text: 'Each 64th list has a total of one too few.',
    make: eachNth(64, isPage, (call, serve) => {
      const done = serve(call);
      const { total } = pagination(done);
      if (isServed(done) && typeof total === 'number') pagination(done).total = total - 1;
      return done;
    }),
  },
  {
    id: 'stale-list-after-two-writes',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'The environments after each second switch are those of before it, for a minute.',
    make: (scene) => {
      let toggles = 0;
      let until = 0;
      let seen = structuredClone(scene.state.branches);
      return (call, serve) => {
        if (call.operation === 'toggle') {
          const before = structuredClone(scene.state.branches);
          const done = serve(call);
          if (!isServed(done)) return done;
          toggles += 1;
          if (toggles % 2 === 0 && scene.fires()) [until, seen] = [scene.now() + 60_000, before];
          return done;
        }
        if (call.operation !== 'environments' || scene.now() > until) return serve(call);
        const { branches } = scene.state;
        scene.state.branches = seen;
        const done = serve(call);
        scene.state.branches = branches;
        return done;
      };
    },
  },
  {
    id: 'switch-unseen-by-other-key',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'A switch shows to the credential that made it, and to others after their own.',
    make: (scene) => {
      let [writer, before] = ['', structuredClone(scene.state.branches)];
      return (call, serve) => {
        if (call.operation === 'toggle') {
          [writer, before] = [keyOf(call), structuredClone(scene.state.branches)];
          return serve(call);
        }
        if (
          call.operation !== 'environments' ||
          writer === '' ||
          writer === keyOf(call) ||
          !scene.fires()
        )
          return serve(call);
        const { branches } = scene.state;
        scene.state.branches = before;
        const done = serve(call);
        scene.state.branches = branches;
        return done;
      };
    },
  },
  {
    id: 'scim-shifted-after-count-zero',
    statements: ['SCIM-4'],
    text: 'After a count of 0 the next later page skips a user.',
    make: armed(
      (call) => call.operation === 'users' && parameter(call, 'count') === '0',
      (call) => call.operation === 'users' && Number(parameter(call, 'startIndex')) > 1,
      (call, serve) => {
        const done = serve(call);
        return isServed(done) ? relist(done, (rows) => rows.slice(1)) : done;
      },
    ),
  },
  {
    id: 'scim-counts-embed-users',
    statements: ['SCIM-11'],
    text: 'totalResults grows by the embed users made since the start.',
    make: (scene) => {
      const before = scene.state.embedUsers.length;
      return (call, serve) => {
        const done = serve(call);
        const more = scene.state.embedUsers.length - before;
        if (call.operation === 'users' && isServed(done) && more > 0 && scene.fires())
          fieldsOf(done.body).totalResults = scene.state.users.length + more;
        return done;
      };
    },
  },
  {
    id: 'version-list-short-after-branches',
    statements: ['VER-5', 'VER-6'],
    text: 'The versions right after a branches list miss the first one.',
    make: remembering<boolean>((call, serve, memory, scene) => {
      const { last } = memory;
      memory.last = call.operation === 'branches';
      const done = serve(call);
      if (call.operation === 'versions' && last === true && isServed(done) && scene.fires())
        fieldsOf(done.body).data = rowsOf(fieldsOf(done.body).data).slice(1);
      return done;
    }),
  },
] as const satisfies readonly Break[];
