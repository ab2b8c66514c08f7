/**
 * Calls that must not compile: `tsc` reads this file, and nothing runs it. If a line marked as an
 * error compiles, the mark itself is an error.
 */

import { handlers } from '../areas/all-handlers.ts';
import type { Call } from './call.ts';
import type { Handler, Handlers } from './handler.ts';

declare const listing: Call<'listDeployments'>;
declare const folder: Call<'updateFolder'>;
declare const token: Call<'createMetaSyncToken'>;
declare const update: Call<'updateDeployment'>;
declare const recipients: Call<'addNotificationRecipients'>;

const page = { data: { deployments: [] }, pagination: { offset: 0, limit: 20, total: 0 } };

// A status that the contract declares, with its body.
listing.reply(200, page);
token.reply(200, { data: { token: 'a.b.c', created_at: '2026', expires_at: '2026' } });

// A status that the contract does not declare.
// @ts-expect-error the list is answered 200
listing.reply(201, page);
// @ts-expect-error a token is made with 200, not 201
token.reply(201, { data: { token: 'a.b.c', created_at: '2026', expires_at: '2026' } });
// @ts-expect-error a refusal is not a reply
folder.reply(404, { error: 'no such folder' });
// @ts-expect-error the update's 2XX is open: replyAssumed names the silence that decides it
update.reply(200, {});
// @ts-expect-error an open class is not a status
update.reply('2XX', {});

// A body of another shape.
// @ts-expect-error the page has no pagination
listing.reply(200, { data: { deployments: [] } });
// @ts-expect-error total is an integer
listing.reply(200, { ...page, pagination: { offset: 0, limit: 20, total: '0' } });
// @ts-expect-error the id of a deployment is a string
listing.reply(200, { ...page, data: { deployments: [{ id: 1, name: 'a', created_at: '' }] } });
// @ts-expect-error the token is missing
token.reply(200, { data: { created_at: '2026', expires_at: '2026' } });
// @ts-expect-error an error body is not a page
listing.reply(200, { error: 'no' });

// A refusal with a status that the contract declares.
folder.refuse(404, 'FOLDER-6', 'no such folder');
recipients.refuse(400, 'RECIP-15', 'no chat', '/recipients/0');
// @ts-expect-error a folder update has no declared 409
folder.refuse(409, 'FOLDER-17', 'taken');
// @ts-expect-error 200 refuses nothing
folder.refuse(200, 'FOLDER-6', 'fine');
// @ts-expect-error the list declares no 404
listing.refuse(404, 'ERR-9', 'nothing');

// A refusal whose status a silence decides.
folder.refuseAssumed('FOLDER-17', 'taken');
update.replyAssumed('UPD-9', {});
// @ts-expect-error there is no such statement
folder.refuseAssumed('FOLDER-99', 'taken');
// @ts-expect-error FOLDER-6 is a promise, not a silence
folder.refuseAssumed('FOLDER-6', 'no such folder');
// @ts-expect-error FOLDER-13 is a silence that decides no status
folder.refuseAssumed('FOLDER-13', 'absent');
// @ts-expect-error a promise decides no open status
update.replyAssumed('UPD-1', {});

// The fields of a call have the contract's types.
const folderId: number = folder.path.folderId;
const deployment: string = token.path.deployment_id;
const limit: number | undefined = listing.query.limit;
const lifetime: number | undefined = token.input.expires_in;
export const read = [folderId, deployment, limit, lifetime];
// @ts-expect-error the path of this operation has deploymentId
export const misnamed = folder.path.deployment_id;
// @ts-expect-error the list takes no such parameter
export const unknownParameter = listing.query.page;
// @ts-expect-error a list has no body
export const noBody = listing.input.name;

// Every operation has a handler of its own.
export const complete = { ...handlers } satisfies Handlers;
const { listScimUsers: _left, ...incomplete } = handlers;
// @ts-expect-error listScimUsers is bound to nothing
export const missing = incomplete satisfies Handlers;
// @ts-expect-error a handler of another operation
export const swapped = { ...handlers, updateFolder: handlers.listScimUsers } satisfies Handlers;
export const answersWrongly = {
  // @ts-expect-error a handler answers with an answer or a refusal
  handle: () => ({ error: 'no' }),
} satisfies Handler<'listDeployments'>;
