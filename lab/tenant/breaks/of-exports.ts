/** Single answers that lie: tokens, the audit log, dbt results. */

import { fieldsOf, type Json, rowsOf } from '../exchange.ts';
import { amended, asking, type Break, data, redirected, replaced } from './break.ts';
import { drop } from './kit.ts';

/** Leaves filters of an export out. */
const unfiltered = (name: string): Break['make'] =>
  redirected('audit', (call) =>
    call.query.has(name) ? asking(call, (query) => query.delete(name)) : undefined,
  );

/** Changes the text of an export. */
const rewritten = (change: (text: string) => string): Break['make'] =>
  amended('audit', (reply) => ({ ...reply, body: change(String(reply.body)) }));

export const ofExports = [
  {
    id: 'token-created-status',
    statements: ['META-1'],
    text: 'A token is answered 201.',
    make: amended('token', (reply) => ({ ...reply, status: 201 })),
  },
  {
    id: 'token-without-expiry',
    statements: ['META-1'],
    text: 'The answer has no expires_at.',
    make: amended('token', (reply) => {
      drop(data(reply), 'expires_at');
      return reply;
    }),
  },
  {
    id: 'token-opaque',
    statements: ['META-2'],
    text: 'The token is no JWT.',
    make: amended('token', (reply) => {
      data(reply).token = 'tok_1234567890';
      return reply;
    }),
  },
  {
    id: 'token-epoch',
    statements: ['META-6'],
    text: 'The times are numbers.',
    make: amended('token', (reply) => {
      data(reply).created_at = 1_790_000_000;
      return reply;
    }),
  },
  {
    id: 'token-default-hour',
    statements: ['META-4'],
    text: 'The default lifetime is an hour.',
    make: redirected('token', (call) =>
      fieldsOf(call.json).expires_in === undefined &&
      fieldsOf(call.json).security_context !== undefined
        ? { ...call, json: { ...fieldsOf(call.json), expires_in: 3600 } }
        : undefined,
    ),
  },
  {
    id: 'token-lifetime-ignored',
    statements: ['META-5'],
    text: 'expires_in does nothing.',
    make: redirected('token', (call) =>
      fieldsOf(call.json).expires_in === undefined
        ? undefined
        : { ...call, json: { security_context: fieldsOf(call.json).security_context ?? {} } },
    ),
  },
  {
    id: 'token-lifetime-in-minutes',
    statements: ['META-5'],
    text: 'expires_in above an hour counts for an hour.',
    make: redirected('token', (call) =>
      Number(fieldsOf(call.json).expires_in) > 3600
        ? { ...call, json: { ...fieldsOf(call.json), expires_in: 3600 } }
        : undefined,
    ),
  },
  {
    id: 'token-context-lost',
    statements: ['META-7'],
    text: 'The token carries another context.',
    make: redirected('token', (call) =>
      Object.keys(fieldsOf(fieldsOf(call.json).security_context)).length > 0
        ? { ...call, json: { ...fieldsOf(call.json), security_context: { anyone: true } } }
        : undefined,
    ),
  },
  {
    id: 'token-without-context-made',
    statements: ['META-3'],
    text: 'A token is made without a context.',
    make: redirected('token', (call) =>
      fieldsOf(call.json).security_context === undefined
        ? { ...call, json: { security_context: { anyone: true } } }
        : undefined,
    ),
  },
  {
    id: 'audit-inline',
    statements: ['AUDIT-2'],
    text: 'The export is no attachment.',
    make: amended('audit', (reply) => ({ ...reply, headers: { 'content-disposition': 'inline' } })),
  },
  {
    id: 'audit-plain-text',
    statements: ['AUDIT-3'],
    text: 'The media type is text/plain.',
    make: amended('audit', (reply) => ({ ...reply, media: 'text/plain' })),
  },
  {
    id: 'audit-json',
    statements: ['AUDIT-1'],
    text: 'The export is JSON.',
    make: amended('audit', (reply) => ({
      ...reply,
      body: JSON.stringify({ rows: String(reply.body).split('\r\n') }),
      media: 'application/json',
    })),
  },
  {
    id: 'audit-ragged',
    statements: ['AUDIT-4'],
    text: 'The last record has a field too many.',
    make: rewritten((text) => text.replace(/\r\n$/, ',"more"\r\n')),
  },
  {
    id: 'audit-quotes-bare',
    statements: ['AUDIT-4'],
    text: 'A quote inside a field is not doubled.',
    make: rewritten((text) => text.replaceAll('""', '"')),
  },
  ...['start', 'end', 'search', 'eventName', 'userEmail'].map(
    (name, index): Break => ({
      id: `audit-${name}-ignored`,
      statements: [`AUDIT-${5 + index}`],
      text: `The filter ${name} does nothing.`,
      make: unfiltered(name),
    }),
  ),
  {
    id: 'audit-needs-start',
    statements: ['AUDIT-10'],
    text: 'An export without start is refused.',
    make: replaced(
      (_reply, call) => call.operation === 'audit' && !call.query.has('start'),
      (reply) => ({
        ...reply,
        status: 400,
        headers: {},
        body: { error: 'start' },
        media: 'application/json',
      }),
    ),
  },
  {
    id: 'audit-for-members',
    statements: ['AUDIT-11'],
    text: 'A member without the permission is served.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      return call.operation === 'audit' && done.status === 403 && scene.fires()
        ? serve({ ...call, authorization: 'Bearer hk_live_9Qd2mB7wXz41' })
        : done;
    },
  },
  {
    id: 'dbt-without-count',
    statements: ['DBT-5'],
    text: 'The result has no unitCount.',
    make: amended('dbt', (reply) => {
      drop(fieldsOf(reply.body), 'measureCount');
      return reply;
    }),
  },
  {
    id: 'dbt-files-as-texts',
    statements: ['DBT-3'],
    text: 'The files are texts.',
    make: amended('dbt', (reply) => {
      const body = fieldsOf(reply.body);
      if (reply.status !== 200) return undefined;
      body.generatedFiles = rowsOf(body.generatedFiles).map(({ path }): Json => path ?? null);
      return reply;
    }),
  },
  {
    id: 'dbt-of-another-job',
    statements: ['DBT-2'],
    text: 'The result names another job.',
    make: amended('dbt', (reply) => {
      if (reply.status !== 200) return undefined;
      fieldsOf(reply.body).syncJobId = '30aa9f41';
      return reply;
    }),
  },
] as const satisfies readonly Break[];
