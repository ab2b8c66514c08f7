/** Single answers that lie: who may come in, and what an error looks like. */

import { fieldsOf } from '../exchange.ts';
import { type Break, isRefused, isServed, replaced } from './break.ts';
import { admin, all, letIn, status } from './kit.ts';

const writes = ['toggle', 'update', 'folder', 'recipients'];

export const ofRights = [
  {
    id: 'no-credential-let-in',
    statements: ['AUTH-1'],
    text: 'A request without a credential is served.',
    make: letIn(all, [401], (text) => text === ''),
  },
  {
    id: 'no-credential-forbidden',
    statements: ['AUTH-1'],
    text: 'A request without a credential is answered 403.',
    make: replaced(
      (reply, call) => reply.status === 401 && call.authorization === '',
      (reply) => ({ ...reply, status: 403 }),
    ),
  },
  {
    id: 'malformed-bad-request',
    statements: ['AUTH-3'],
    text: 'A malformed credential is answered 400.',
    make: replaced(
      (reply, call) => reply.status === 401 && /^basic/i.test(call.authorization),
      (reply) => ({ ...reply, status: 400 }),
    ),
  },
  {
    id: 'expired-let-in',
    statements: ['AUTH-4'],
    text: 'An expired key is served on lists.',
    make: letIn(['versions', 'deployments'], [401], (text) => text.includes('OldOld')),
  },
  {
    id: 'no-challenge',
    statements: ['HTTP-1'],
    text: 'A 401 has no WWW-Authenticate.',
    make: replaced(
      (reply) => reply.status === 401,
      (reply) => ({ ...reply, headers: {} }),
    ),
  },
  {
    id: 'scheme-case',
    statements: ['HTTP-2'],
    text: 'The scheme must be spelt Bearer.',
    make: replaced(
      (_reply, call) => /^(bearer|BEARER) /.test(call.authorization),
      (reply) => ({
        ...reply,
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { error: 'scheme' },
      }),
    ),
  },
  {
    id: 'scope-not-found',
    statements: ['AUTH-8', 'AUTH-13'],
    text: 'A deployment out of scope is answered 404.',
    make: status(403, 404, ['environments', 'versions', 'branches', 'update']),
  },
  {
    id: 'scope-open-for-folders',
    statements: ['AUTH-8'],
    text: 'A scoped key may edit folders of any deployment.',
    make: letIn(['folder'], [403], (text) => text.includes('scK3')),
  },
  {
    id: 'oauth-refused-on-build',
    statements: ['AUTH-5', 'AUTH-6'],
    text: 'The build API refuses OAuth tokens.',
    make: replaced(
      (_reply, call) =>
        ['toggle', 'branches'].includes(call.operation) && call.authorization.includes('oat-'),
      (reply) => ({ ...reply, status: 403, body: { code: 1 } }),
    ),
  },
  {
    id: 'scim-api-key-refused',
    statements: ['AUTH-12'],
    text: 'The SCIM API refuses the Api-Key scheme.',
    make: replaced(
      (reply, call) =>
        call.operation === 'users' && isServed(reply) && /^api-key/i.test(call.authorization),
      (reply) => ({
        ...reply,
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
      }),
    ),
  },
  {
    id: 'error-with-code',
    statements: ['ERR-1'],
    text: 'An error has a code beside its message.',
    make: replaced(
      (reply) => isRefused(reply) && 'error' in fieldsOf(reply.body),
      (reply) => ({ ...reply, body: { ...fieldsOf(reply.body), code: 7 } }),
    ),
  },
  {
    id: 'error-object',
    statements: ['ERR-2'],
    text: 'The error is an object.',
    make: replaced(
      (reply) => isRefused(reply) && 'error' in fieldsOf(reply.body),
      (reply) => ({ ...reply, body: { error: fieldsOf(reply.body) } }),
    ),
  },
  {
    id: 'metadata-token-opens-lists',
    statements: ['META-8'],
    text: 'A metadata token opens the lists.',
    make: letIn(
      ['deployments', 'versions', 'environments'],
      [403],
      (text) => text.split('.').length === 3,
    ),
  },
  {
    id: 'refused-writes-done',
    statements: ['AUTH-14', 'FOLDER-12'],
    text: 'A write that is refused with 403 is done all the same.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      if (done.status === 403 && writes.includes(call.operation) && scene.fires())
        serve({ ...call, authorization: admin });
      return done;
    },
  },
] as const satisfies readonly Break[];
