/** Faults that only a history of calls shows: who may come in. */

import type { Call, Operation, Reply } from '../exchange.ts';
import type { Serve } from '../service.ts';
import { type Break, isServed } from './break.ts';
import { admin, armed, eachNth, isWrite, keyOf, remembering } from './kit.ts';

const forbid = (call: Call): Reply => ({
  status: 403,
  headers: {},
  body: call.operation === 'toggle' ? { code: 4030 } : { error: 'E-017 out of bounds' },
  media: 'application/json',
});

const asAdmin = (call: Call, serve: Serve): Reply => serve({ ...call, authorization: admin });

export const historyOfRights = [
  {
    id: 'forbidden-sticks',
    statements: ['AUTH-10', 'AUTH-9'],
    text: 'After a 403 the next allowed call of that credential is answered 403.',
    make: remembering<string>((call, serve, memory, scene) => {
      const { last } = memory;
      delete memory.last;
      if (last === keyOf(call) && scene.fires()) return forbid(call);
      const done = serve(call);
      if (done.status === 403) memory.last = keyOf(call);
      return done;
    }),
  },
  {
    id: 'scope-cached-by-deployment',
    statements: ['AUTH-8'],
    text: 'A deployment that an unscoped key has just listed opens to a scoped key.',
    make: armed(
      (call, done) => call.path[0] === '7002' && isServed(done),
      (call) => call.path[0] === '7002' && keyOf(call).includes('scK3'),
      asAdmin,
    ),
  },
  {
    id: 'expired-after-success',
    statements: ['AUTH-4'],
    text: 'An expired key is served what was just served to another.',
    make: remembering<Operation>((call, serve, memory, scene) => {
      const expired = keyOf(call).includes('OldOld');
      if (expired && memory.last === call.operation && scene.fires()) return asAdmin(call, serve);
      const done = serve(call);
      if (isServed(done)) memory.last = call.operation;
      return done;
    }),
  },
  {
    id: 'role-cached-by-path',
    statements: ['RECIP-20', 'RECIP-21'],
    text: 'Right after an administrator, anybody may add recipients to the same notification.',
    make: armed(
      (call, done) => call.operation === 'recipients' && isServed(done),
      (call) => call.operation === 'recipients' && /Lp5t|oat-77/.test(keyOf(call)),
      asAdmin,
    ),
  },
  {
    id: 'metadata-token-third-time',
    statements: ['META-8'],
    text: 'A metadata token is refused twice and served then.',
    make: eachNth(3, (call) => keyOf(call).startsWith('eyJ') && keyOf(call).length > 180, asAdmin),
  },
  {
    id: 'eighth-stranger-let-in',
    statements: ['AUTH-1'],
    text: 'Each eighth call without a credential is served.',
    make: eachNth(8, (call) => call.authorization === '' && !isWrite(call), asAdmin),
  },
  {
    id: 'edit-access-cached',
    statements: ['FOLDER-8'],
    text: 'A folder that an administrator has just written opens to members.',
    make: remembering<string>((call, serve, memory, scene) => {
      const done = serve(call);
      if (call.operation !== 'folder') return done;
      if (
        done.status === 403 &&
        memory.last === call.path[1] &&
        keyOf(call).includes('Lp5t') &&
        scene.fires()
      )
        return asAdmin(call, serve);
      if (isServed(done)) memory.last = call.path[1] ?? '';
      return done;
    }),
  },
] as const satisfies readonly Break[];
