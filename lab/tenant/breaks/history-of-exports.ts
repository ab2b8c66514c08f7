/** Faults that only a history of calls shows: tokens, the audit log, dbt results. */

import { type Call, type Fields, fieldsOf, parameter, type Reply } from '../exchange.ts';
import { type Break, isServed, sending } from './break.ts';
import { armed, is, remembering, withQuery } from './kit.ts';

const bodyOf = (call: Call): Fields => fieldsOf(call.json);

export const historyOfExports = [
  {
    id: 'token-short-after-switch',
    statements: ['META-4', 'META-5'],
    text: 'A token made right after a version switch lasts half its time.',
    make: armed(
      (call, done) => call.operation === 'update' && isServed(done),
      is('token'),
      (call, serve) =>
        serve(
          sending(call, (body) => ({
            ...body,
            expires_in: Math.ceil(Number(body.expires_in ?? 86_400) / 2),
          })),
        ),
    ),
  },
  {
    id: 'token-lifetime-of-the-one-before',
    statements: ['META-4'],
    text: 'A token without expires_in lasts as long as the one before it.',
    make: armed(
      (call, done) =>
        call.operation === 'token' && isServed(done) && bodyOf(call).expires_in !== undefined,
      (call) => call.operation === 'token' && bodyOf(call).expires_in === undefined,
      (call, serve, _scene, arming) =>
        serve(
          sending(call, (body) => ({ ...body, expires_in: bodyOf(arming).expires_in ?? null })),
        ),
    ),
  },
  {
    id: 'token-context-of-the-one-before',
    statements: ['META-7'],
    text: 'A token with the lifetime of the one before it has its context, too.',
    make: remembering<Fields>((call, serve, memory, scene) => {
      if (call.operation !== 'token') return serve(call);
      const { last } = memory;
      const now = bodyOf(call);
      if (Object.keys(fieldsOf(now.security_context)).length === 0) return serve(call);
      memory.last = now;
      const hit =
        last !== undefined &&
        last.expires_in === now.expires_in &&
        JSON.stringify(last) !== JSON.stringify(now);
      return hit && scene.fires()
        ? serve(
            sending(call, (body) => ({ ...body, security_context: last.security_context ?? null })),
          )
        : serve(call);
    }),
  },
  {
    id: 'export-short-after-filter',
    statements: ['AUDIT-10', 'AUDIT-7'],
    text: 'The export after one with an event name misses its newest event.',
    make: armed(
      (call, done) => call.operation === 'audit' && call.query.has('eventName') && isServed(done),
      (call) => call.operation === 'audit',
      (call, serve) => {
        const done = serve(call);
        return isServed(done)
          ? { ...done, body: String(done.body).replace(/(\r\n)"[\s\S]*?"\r\n/, '$1') }
          : done;
      },
    ),
  },
  {
    id: 'event-name-sticks',
    statements: ['AUDIT-8', 'AUDIT-10'],
    text: 'An event name holds for the next export that sends none.',
    make: armed(
      (call, done) => call.operation === 'audit' && call.query.has('eventName') && isServed(done),
      (call) => call.operation === 'audit' && !call.query.has('eventName'),
      (call, serve, _scene, arming) =>
        withQuery({ eventName: parameter(arming, 'eventName') ?? '' })(call, serve),
    ),
  },
  {
    id: 'search-cached',
    statements: ['AUDIT-7'],
    text: 'A search right after another finds what that one found.',
    make: remembering<{ word: string; reply: Reply }>((call, serve, memory, scene) => {
      const done = serve(call);
      const word = parameter(call, 'search');
      if (call.operation !== 'audit' || word === undefined || !isServed(done)) return done;
      const { last } = memory;
      memory.last = { word, reply: structuredClone(done) };
      return last !== undefined && last.word !== word && scene.fires() ? last.reply : done;
    }),
  },
  {
    id: 'start-remembered',
    statements: ['AUDIT-6', 'AUDIT-5'],
    text: 'An export with an end alone begins where the one before began.',
    make: armed(
      (call, done) => call.operation === 'audit' && call.query.has('start') && isServed(done),
      (call) => call.operation === 'audit' && call.query.has('end') && !call.query.has('start'),
      (call, serve, _scene, arming) =>
        withQuery({ start: parameter(arming, 'end') ?? '' })(call, serve),
    ),
  },
  {
    id: 'dbt-of-the-job-before',
    statements: ['DBT-2'],
    text: 'After a job that is not done, the next result names that job.',
    make: armed(
      (call, done) => call.operation === 'dbt' && done.status !== 200 && call.path[1] !== undefined,
      is('dbt'),
      (call, serve, _scene, arming) => {
        const done = serve(call);
        if (done.status === 200) fieldsOf(done.body).syncJobId = arming.path[1] ?? '';
        return done;
      },
    ),
  },
  {
    id: 'dbt-gone-after-three',
    statements: ['DBT-1'],
    text: 'A result can be read three times; then the job is not found.',
    make: (scene) => {
      let count = 0;
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'dbt' || done.status !== 200) return done;
        count += 1;
        return count > 3 && scene.fires()
          ? { ...done, status: 400, body: { error: 'E-600 no job' } }
          : done;
      };
    },
  },
] as const satisfies readonly Break[];
